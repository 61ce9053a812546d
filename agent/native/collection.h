//go:build agent

// What the JVM counts of its garbage collections.
#ifndef TRCX_COLLECTION_H
#define TRCX_COLLECTION_H

#include "agent.h"

// collection is the payload of a GC_FINISH.
struct collection {
	int64_t number; // of the collection that the pause is part of, from 1; 0 if it is unknown
	int64_t full;   // number of the full collection that the pause is part of; 0 if it is part of none, -1 if unknown
};

// collections_begin finds the counters of the JVM. Only pauses that begin later are looked up.
void collections_begin(enum collector collector);

// collection_paused returns the collection of the pause that ends. All Java threads are stopped.
struct collection collection_paused(void);

#endif
