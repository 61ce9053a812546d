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

// have_virtual_threads reports whether the JVM has made virtual threads.
bool have_virtual_threads(void);
bool is_carrier(JNIEnv *env, jthread thread);

// thread_name returns the name of a platform thread, and its group; NULL if they are not known.
jstring thread_name(JNIEnv *env, jthread thread, jthreadGroup *group);

// thread_task returns the Runnable of a platform thread; NULL for none.
jobject thread_task(JNIEnv *env, jthread thread);

// thread_state returns how a platform thread waits, as bits of JVMTI's GetThreadState.
jint thread_state(JNIEnv *env, jthread thread);

// is_in_state reports whether JVMTI has found the thread in this state.
static inline bool is_in_state(const jvmtiStackInfo *info, jint state) { return (info->state & state) == state; }

#endif
