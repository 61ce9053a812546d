//go:build agent

// Calls between threads: start, interrupt, notify, notifyAll; and sleep, for which JVMTI has no event.
//
// In a JVM that starts with the agent, native methods are wrapped when the JVM binds them. In one that was running
// already, and for virtual threads, whose calls are plain Java, rewritten classes call the native methods of
// java.lang.TrcxRecorder.
#ifndef TRCX_CALL_H
#define TRCX_CALL_H

#include "agent.h"

// native_method_bind is JVMTI's NativeMethodBind; it replaces the native methods that are wrapped.
void JNICALL native_method_bind(
	jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jmethodID method, void *address, void **new_address);

// calls_prepare prepares a recording; it replaces native methods where rewriting classes does not suffice. calls_stop
// restores them.
void calls_prepare(JNIEnv *env);
void calls_stop(void);

// calls_wrapped reports whether all native methods that are to be wrapped were bound through native_method_bind.
bool calls_wrapped(void);

#endif
