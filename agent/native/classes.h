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

// classes_await has classes that few programs use rewritten when the JVM loads them: that of virtual threads, and
// synchronizers with a state of 64 bits.
void classes_await(void);

// classes_rewrite_synchronizers rewrites the classes of locks and conditions, once; those with a state of 64 bits when
// the JVM has loaded them, which read_write_lock, the class ReentrantReadWriteLock$Sync, does if it is a subclass. It
// writes a message about each part that this JVM does not have.
void classes_rewrite_synchronizers(JNIEnv *env, jclass read_write_lock);

// classes_have_long reports whether the JVM has loaded synchronizers with a state of 64 bits, which the JDK never uses.
bool classes_have_long(void);

// classes_replace calls the function, which replaces native methods, from a method of TrcxRecorder: the JVM then prints
// no warning. It returns false if that is not possible. One thread at a time may call it.
bool classes_replace(JNIEnv *env, void (*replace)(JNIEnv *env));

// classes_linked reports whether TrcxRecorder's native methods can be called.
bool classes_linked(JNIEnv *env);

#endif
