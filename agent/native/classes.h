//go:build agent

// Classes that are rewritten so that they call java.lang.TrcxRecorder: the class of virtual threads, whose calls never
// reach native code; and where native methods could not be wrapped, all that call start, interrupt, notify or sleep.
// agent/bci rewrites them.
#ifndef TRCX_CLASSES_H
#define TRCX_CLASSES_H

#include "agent.h"

// class_file_load and class_prepare are JVMTI's ClassFileLoadHook and ClassPrepare.
void JNICALL class_file_load(jvmtiEnv *jvmti, JNIEnv *env, jclass redefined, jobject loader, const char *name,
	jobject domain, jint size, const unsigned char *data, jint *new_size, unsigned char **new_data);
void JNICALL class_prepare(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jclass class);

// classes_prepare rewrites the loaded classes, where calls are recorded by rewritten classes. late: the JVM has run for
// a while.
void classes_prepare(JNIEnv *env, bool late);

// classes_stop ends rewriting.
void classes_stop(void);

// classes_await_virtual has the class of virtual threads rewritten when the JVM makes the first of them.
void classes_await_virtual(void);

// classes_linked reports whether TrcxRecorder's native methods can be called.
bool classes_linked(JNIEnv *env);

#endif
