//go:build agent

// Allocations, frees, and the use of the heap after garbage collections.
//
// JVMTI reports sampled allocations: all of them with an interval of 0. A reported object is tagged with its id, so that
// JVMTI reports when it has been freed, too.
#ifndef TRCX_HEAP_H
#define TRCX_HEAP_H

#include "agent.h"

// heap_capabilities adds the capabilities for heap events that this JVM supports to the wanted ones.
void heap_capabilities(const jvmtiCapabilities *potential, jvmtiCapabilities *wanted);

// heap_prepare looks up what heap_collected needs, before the recording begins.
void heap_prepare(void);

// heap_begin begins to record allocations, if the options say so.
void heap_begin(JNIEnv *env);

// heap_end ends the recording of allocations. It waits, for a bounded time, for the frees that the JVM still reports.
// With shutdown, when the JVM ends, objects keep their tags.
void heap_end(bool shutdown);

// heap_collected is called at the end of a garbage collection, while all Java threads are stopped, between ring_begin
// and ring_end, with the collection's record, whose time is set. It adds what is known about the collection, and
// reports whether heap_publish_use will publish the record.
bool heap_collected(struct record *record);

// heap_has_collected reports whether heap_publish_use has something to publish.
bool heap_has_collected(void);

// heap_publish_use publishes the end of the last garbage collection with the use of the heap.
void heap_publish_use(void);

// JVMTI's SampledObjectAlloc and ObjectFree.
void JNICALL object_allocated(
	jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jobject object, jclass class, jlong size);
void JNICALL object_freed(jvmtiEnv *jvmti, jlong tag);

#endif
