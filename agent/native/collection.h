//go:build agent

// The JVM's counters of garbage collections.
#ifndef TRCX_COLLECTION_H
#define TRCX_COLLECTION_H

#include "agent.h"

// collection is the payload of a GC_FINISH.
struct collection {
	int64_t number; // number of the pause's collection, from 1; 0 if unknown
	int64_t full;   // number of the pause's full collection; 0 if the collection is not full, -1 if unknown
};

// collections_begin finds the counters of the JVM. Only pauses that begin later are looked up.
void collections_begin(enum collector collector);

// collection_paused returns the collection whose pause ends now. All Java threads are stopped.
struct collection collection_paused(void);

#endif
