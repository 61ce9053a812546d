//go:build agent

#include "javathread.h"

static struct {
	jclass virtual_thread, carrier; // NULL until the JVM makes the first virtual thread
	jfieldID tid;
} java;

bool javathread_prepare(JNIEnv *env) {
	if (java.tid != NULL) {
		return true;
	}
	jclass thread = global_class(env, "java/lang/Thread");
	if (thread == NULL || (java.tid = (*env)->GetFieldID(env, thread, "tid", "J")) == NULL) {
		(*env)->ExceptionClear(env);
		say("this JVM's threads have no ids that can be read; the program runs without recording");
		return false;
	}
	return true;
}

void javathread_prepare_virtual(JNIEnv *env) {
	if (java.virtual_thread == NULL) {
		java.carrier = global_class(env, "jdk/internal/misc/CarrierThread");
		java.virtual_thread = global_class(env, "java/lang/BaseVirtualThread");
	}
}

int64_t thread_id(JNIEnv *env, jthread thread) { return (*env)->GetLongField(env, thread, java.tid); }

bool is_virtual(JNIEnv *env, jthread thread) {
	return java.virtual_thread != NULL && (*env)->IsInstanceOf(env, thread, java.virtual_thread);
}

bool is_carrier(JNIEnv *env, jobject thread) {
	return java.carrier != NULL && (*env)->IsInstanceOf(env, thread, java.carrier);
}
