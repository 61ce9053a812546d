//go:build agent

// Waits of platform threads for input and output: accept, connect, read, write and select on channels and sockets.
//
// The native methods of sun.nio.ch are wrapped when the JVM binds them; those that are bound already are replaced, as
// JNI allows at any time. Only a call that has to wait is recorded. Virtual threads park instead.
#ifndef TRCX_IO_H
#define TRCX_IO_H

#include "agent.h"

// io_prepare has the native methods wrapped, if these waits are recorded.
void io_prepare(JNIEnv *env);

// io_stop restores the native methods.
void io_stop(void);

// native_method_bind is JVMTI's NativeMethodBind.
void JNICALL native_method_bind(
	jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jmethodID method, void *address, void **new_address);

// publish_existing_io publishes another platform thread's current wait for input or output when the recording begins,
// and returns the awaited object; 0 if the thread is in no such wait.
int64_t publish_existing_io(JNIEnv *env, const jvmtiStackInfo *info);

#endif
