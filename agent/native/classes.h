//go:build agent

// Classes that are rewritten so that they call java.lang.TrcxRecorder: the class of virtual threads, whose calls never
// reach native code, and the classes of locks and conditions. agent/bci rewrites them when the JVM prepares them, so
// programs that do not use these classes do not pay for them.
#ifndef TRCX_CLASSES_H
#define TRCX_CLASSES_H

#include "agent.h"

// class_file_load and class_prepare are JVMTI's ClassFileLoadHook and ClassPrepare.
void JNICALL class_file_load(jvmtiEnv *jvmti, JNIEnv *env, jclass redefined, jobject loader, const char *name,
	jobject domain, jint size, const unsigned char *data, jint *new_size, unsigned char **new_data);
void JNICALL class_load(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jclass class);
void JNICALL class_prepare(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jclass class);

// classes_watch sets *found to a global reference to the class once the JVM has prepared it. For a class that is
// already prepared, it is set when classes_prepare returns. Read *found by found_class. The name must stay valid.
void classes_watch(const char *name, jclass *found);

// classes_prepare begins to watch classes, and rewrites the loaded ones.
void classes_prepare(JNIEnv *env);

// classes_stop ends the watching.
void classes_stop(void);

// classes_instrument instruments classes from now on, so that calls of methods are recorded; classes_restore ends that
// and restores the original classes.
void classes_instrument(JNIEnv *env);
void classes_restore(JNIEnv *env);

// found_class returns the class that classes_watch has set; NULL for none.
static inline jclass found_class(jclass *found) { return __atomic_load_n(found, __ATOMIC_ACQUIRE); }

// classes_replace calls the function, which replaces native methods, from a method of TrcxRecorder, so that the JVM
// prints no warning. It returns false if it cannot. One thread at a time may call it.
bool classes_replace(JNIEnv *env, void (*replace)(JNIEnv *env));

// classes_linked reports whether TrcxRecorder's native methods can be called.
bool classes_linked(JNIEnv *env);

#endif
