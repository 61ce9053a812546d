//go:build agent

// Virtual threads that are parked when the recording begins.
//
// JVMTI lists platform threads only, so the virtual ones are taken from the JVM's own list, by Java methods that thread
// dumps use, too.
#ifndef TRCX_VIRTUALPARK_H
#define TRCX_VIRTUALPARK_H

#include "agent.h"

enum { MAX_CONTAINERS = 256 };

// virtual_threads are local references to arrays of threads, virtual and others.
struct virtual_threads {
	jobjectArray containers[MAX_CONTAINERS];
	int count;
};

// virtual_threads_list lists the live virtual threads. It must be called before the ring is busy, because it runs Java
// code. Lists are left out if there is no memory for them, or if this JVM has no such methods.
void virtual_threads_list(JNIEnv *env, struct virtual_threads *list);

// virtual_parks_publish publishes the starts of listed threads that are parked, with the time, and their parks: of threads
// that wait for owned locks, and of the locks' owners; of the others, too, unless the list is long. It leaves the rest out
// when it has taken its time.
void virtual_parks_publish(JNIEnv *env, const struct virtual_threads *list, int64_t time);

#endif
