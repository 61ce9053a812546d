//go:build agent

// Virtual threads that are parked when the recording begins.
//
// JVMTI lists platform threads only, so the virtual ones are taken from the JVM's own list, by Java methods that thread
// dumps use, too.
#ifndef TRCX_VIRTUALPARK_H
#define TRCX_VIRTUALPARK_H

#include "agent.h"

// virtual_threads are local references to arrays of threads, of virtual and other ones: an array for each container, such
// as an executor.
struct virtual_threads {
	jobjectArray *arrays;
	int count, threads; // of arrays, and of threads in all of them
};

// virtual_threads_list lists the live virtual threads. It must be called before the ring is busy, because it runs Java
// code. It leaves containers in containers out when it has taken its time, and all that there is no memory for, or for
// which this JVM has no such methods.
void virtual_threads_list(JNIEnv *env, struct virtual_threads *list);

// virtual_parks_publish publishes the starts of listed threads that are parked for an object, with the time, and their
// parks: of threads that wait for owned locks, and of the locks' owners; of the others, too, unless the list is long. It
// leaves the rest out when it has taken its time.
void virtual_parks_publish(JNIEnv *env, const struct virtual_threads *list, int64_t time);

void virtual_threads_free(struct virtual_threads *list);

#endif
