//go:build agent

// Fields and classes of java.lang.Thread and its virtual subclasses.
#ifndef TRCX_JAVATHREAD_H
#define TRCX_JAVATHREAD_H

#include "agent.h"

// javathread_prepare looks up Thread.tid; it returns false, with a message, if this JVM has none.
bool javathread_prepare(JNIEnv *env);

// javathread_prepare_virtual looks up the classes of virtual threads and carriers. It must not be called before the JVM
// makes its first virtual thread: it would initialize classes that start threads.
void javathread_prepare_virtual(JNIEnv *env);

// thread_id returns Thread.tid, which the JVM never uses again.
int64_t thread_id(JNIEnv *env, jthread thread);
bool is_virtual(JNIEnv *env, jthread thread);
bool is_carrier(JNIEnv *env, jthread thread);

#endif
