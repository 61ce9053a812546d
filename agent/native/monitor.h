//go:build agent

// Contention and waits.
#ifndef TRCX_MONITOR_H
#define TRCX_MONITOR_H

#include "agent.h"

// JVMTI's MonitorContendedEnter, MonitorContendedEntered, MonitorWait and MonitorWaited.
void JNICALL contended_enter(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jobject object);
void JNICALL contended_entered(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jobject object);
void JNICALL monitor_wait(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jobject object, jlong timeout);
void JNICALL monitor_waited(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jobject object, jboolean timed_out);

// publish_state publishes the current wait or block of a thread when the recording begins, with the stack trace if that
// was read in the same state. It reports whether the thread sleeps.
bool publish_state(JNIEnv *env, const jvmtiStackInfo *info);

#endif
