//go:build agent

// Wait sets of monitors: which threads a notification has removed, by the JVM's own list of waiters before and after it.
//
// Each look stops the program for a moment, so an option selects it.
#ifndef TRCX_WAITSET_H
#define TRCX_WAITSET_H

#include "agent.h"

enum { MAX_WAITERS = 512 }; // a larger wait set is not reported

// wait_set has the ids of threads that wait on a monitor, in no order.
struct wait_set {
	int64_t ids[MAX_WAITERS];
	int count; // UNKNOWN_WAITERS if they are unknown
};

enum { UNKNOWN_WAITERS = -1 };

// wait_set_read reads the wait set of the object's monitor.
void wait_set_read(JNIEnv *env, jobject object, struct wait_set *waiters);

// wait_set_removed reduces before to the threads that are not in after, if these can be the threads that a notification
// removed: one thread, or all. Otherwise before becomes unknown. Some JVMs do not list virtual threads.
void wait_set_removed(struct wait_set *before, const struct wait_set *after, bool all);

#endif
