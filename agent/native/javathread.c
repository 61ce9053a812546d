//go:build agent

#include "javathread.h"

static struct {
	jclass virtual_thread, carrier; // NULL until the JVM makes the first virtual thread
	jfieldID tid;
	jfieldID name, holder;  // of Thread; holder is NULL up to JDK 18
	jfieldID group, status; // of the holder, or of Thread
	jfieldID task;          // likewise
} java;

// find_fields looks up fields with the data of GetThreadInfo and GetThreadState. In JDK 21 and later these functions
// look at every thread before they answer about one.
static void find_fields(JNIEnv *env, jclass thread) {
	jclass has = thread;
	java.name = (*env)->GetFieldID(env, thread, "name", "Ljava/lang/String;");
	(*env)->ExceptionClear(env);
	java.holder = (*env)->GetFieldID(env, thread, "holder", "Ljava/lang/Thread$FieldHolder;");
	(*env)->ExceptionClear(env);
	if (java.holder != NULL) {
		has = (*env)->FindClass(env, "java/lang/Thread$FieldHolder");
		(*env)->ExceptionClear(env);
	}
	if (has == NULL) {
		return;
	}
	java.group = (*env)->GetFieldID(env, has, "group", "Ljava/lang/ThreadGroup;");
	(*env)->ExceptionClear(env);
	java.status = (*env)->GetFieldID(env, has, "threadStatus", "I");
	(*env)->ExceptionClear(env);
	java.task = (*env)->GetFieldID(env, has, java.holder != NULL ? "task" : "target", "Ljava/lang/Runnable;");
	(*env)->ExceptionClear(env);
}

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
	find_fields(env, thread);
	return true;
}

// holder_of returns the object that has a platform thread's group and status; NULL if it is not known.
static jobject holder_of(JNIEnv *env, jthread thread) {
	return java.holder != NULL ? (*env)->GetObjectField(env, thread, java.holder) : (*env)->NewLocalRef(env, thread);
}

jstring thread_name(JNIEnv *env, jthread thread, jthreadGroup *group) {
	jobject holder = java.name != NULL && java.group != NULL ? holder_of(env, thread) : NULL;
	if (holder == NULL) {
		return NULL;
	}
	*group = (*env)->GetObjectField(env, holder, java.group);
	(*env)->DeleteLocalRef(env, holder);
	return (*env)->GetObjectField(env, thread, java.name);
}

jobject thread_task(JNIEnv *env, jthread thread) {
	jobject holder = java.task != NULL && !is_virtual(env, thread) ? holder_of(env, thread) : NULL;
	jobject task = holder != NULL ? (*env)->GetObjectField(env, holder, java.task) : NULL;
	(*env)->DeleteLocalRef(env, holder);
	return task;
}

jint thread_state(JNIEnv *env, jthread thread) {
	jint state = 0;
	jobject holder = java.status != NULL ? holder_of(env, thread) : NULL;
	if (holder == NULL) {
		(*agent.jvmti)->GetThreadState(agent.jvmti, thread, &state);
		return state;
	}
	state = (*env)->GetIntField(env, holder, java.status);
	(*env)->DeleteLocalRef(env, holder);
	return state;
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

bool have_virtual_threads(void) { return java.virtual_thread != NULL; }

bool is_carrier(JNIEnv *env, jobject thread) {
	return java.carrier != NULL && (*env)->IsInstanceOf(env, thread, java.carrier);
}
