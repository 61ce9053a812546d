//go:build agent

// The begin and the end of a recording.
#ifndef TRCX_RECORDING_H
#define TRCX_RECORDING_H

#include "agent.h"

// vm_init and vm_death are JVMTI's VMInit and VMDeath.
void JNICALL vm_init(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);
void JNICALL vm_death(jvmtiEnv *jvmti, JNIEnv *env);

// JVMTI's GarbageCollectionStart and GarbageCollectionFinish.
void JNICALL gc_start(jvmtiEnv *jvmti);
void JNICALL gc_finish(jvmtiEnv *jvmti);

// enable_event enables a JVMTI event for all threads.
void enable_event(jvmtiEvent event);

// open_recording waits for the parsed options and sets a recording up; false if nothing is to be recorded.
bool open_recording(struct settings *settings);

// attach_recording begins a recording in a running JVM, on a thread of the agent's own.
void attach_recording(JNIEnv *env);

// await_begun waits for a bounded time until that recording has begun, and reports whether it has.
bool await_begun(void);

void end_recording(void);

#endif
