//go:build agent

#include "sampler.h"

#include <stdio.h>

static jobject running; // a jdk.jfr.Recording, or NULL
static const char lost[] = "samples of methods";

// path_of returns the java.nio.file.Path of a file. NULL with an exception.
static jobject path_of(JNIEnv *env, const char *file) {
	jclass class = (*env)->FindClass(env, "java/io/File");
	jmethodID new = class != NULL ? (*env)->GetMethodID(env, class, "<init>", "(Ljava/lang/String;)V") : NULL;
	jmethodID to_path = new != NULL ? (*env)->GetMethodID(env, class, "toPath", "()Ljava/nio/file/Path;") : NULL;
	jstring name = to_path != NULL ? (*env)->NewStringUTF(env, file) : NULL;
	jobject object = name != NULL ? (*env)->NewObject(env, class, new, name) : NULL;
	return object != NULL && !(*env)->ExceptionCheck(env) ? (*env)->CallObjectMethod(env, object, to_path) : NULL;
}

// put adds a setting to a map, and reports whether it could.
static bool put(JNIEnv *env, jobject map, jmethodID method, const char *event, const char *name, const char *value) {
	char setting[100];
	snprintf(setting, sizeof setting, "%s#%s", event, name);
	jstring key = (*env)->NewStringUTF(env, setting);
	jstring text = key != NULL ? (*env)->NewStringUTF(env, value) : NULL;
	if (text != NULL) {
		(*env)->CallObjectMethod(env, map, method, key, text);
	}
	return text != NULL && !(*env)->ExceptionCheck(env);
}

// settings returns a map with the events that are recorded: samples, and the settings. NULL with an exception.
static jobject settings(JNIEnv *env) {
	const char *event = agent.settings.sample_event;
	char interval[32];
	snprintf(interval, sizeof interval, "%d ms", agent.settings.interval);
	jclass class = (*env)->FindClass(env, "java/util/HashMap");
	jmethodID new = class != NULL ? (*env)->GetMethodID(env, class, "<init>", "()V") : NULL;
	jmethodID add = new == NULL ? NULL
		: (*env)->GetMethodID(env, class, "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;");
	jobject map = add != NULL ? (*env)->NewObject(env, class, new) : NULL;
	bool set = map != NULL && !(*env)->ExceptionCheck(env) && put(env, map, add, event, "enabled", "true") &&
		put(env, map, add, event, agent.settings.sample_pace, interval) &&
		put(env, map, add, "jdk.ActiveSetting", "enabled", "true");
	return set ? map : NULL;
}

// new_recording returns a recording that has not been started. NULL, or an exception, if that is not possible.
static jobject new_recording(JNIEnv *env, jclass class) {
	jmethodID new = (*env)->GetMethodID(env, class, "<init>", "(Ljava/util/Map;)V");
	jmethodID to = new != NULL ? (*env)->GetMethodID(env, class, "setDestination", "(Ljava/nio/file/Path;)V") : NULL;
	jmethodID on_exit = to != NULL ? (*env)->GetMethodID(env, class, "setDumpOnExit", "(Z)V") : NULL;
	jobject path = on_exit != NULL ? path_of(env, agent.settings.samples) : NULL;
	jobject map = path != NULL && !(*env)->ExceptionCheck(env) ? settings(env) : NULL;
	jobject recording = map != NULL ? (*env)->NewObject(env, class, new, map) : NULL;
	if (recording != NULL && !(*env)->ExceptionCheck(env)) {
		(*env)->CallVoidMethod(env, recording, to, path);
	}
	if (recording != NULL && !(*env)->ExceptionCheck(env)) {
		(*env)->CallVoidMethod(env, recording, on_exit, JNI_TRUE);
	}
	return recording;
}

// failed reports whether there is an exception, which it clears.
static bool failed(JNIEnv *env) {
	bool thrown = (*env)->ExceptionCheck(env);
	(*env)->ExceptionClear(env);
	return thrown;
}

void sampler_prepare(JNIEnv *env) {
	enum { REFERENCES = 32 };
	if (agent.settings.samples == NULL || running != NULL || (*env)->PushLocalFrame(env, REFERENCES) != 0) {
		return;
	}
	jclass class = (*env)->FindClass(env, "jdk/jfr/Recording");
	jobject recording = class != NULL ? new_recording(env, class) : NULL;
	if (failed(env) || recording == NULL) {
		say_lost(class != NULL ? lost : "samples of methods, which need the module jdk.jfr");
	} else {
		running = (*env)->NewGlobalRef(env, recording);
	}
	(*env)->PopLocalFrame(env, NULL);
}

void sampler_begin(JNIEnv *env) {
	if (running == NULL) {
		return;
	}
	jclass class = (*env)->GetObjectClass(env, running);
	jmethodID begin = (*env)->GetMethodID(env, class, "start", "()V");
	if (begin != NULL) {
		(*env)->CallVoidMethod(env, running, begin);
	}
	if (failed(env)) {
		say_lost(lost);
	}
	(*env)->DeleteLocalRef(env, class);
}

bool sampler_runs(void) { return running != NULL; }

void sampler_end(JNIEnv *env, bool kept) {
	if (running == NULL) {
		return;
	}
	jclass class = (*env)->GetObjectClass(env, running);
	jmethodID to = (*env)->GetMethodID(env, class, "setDestination", "(Ljava/nio/file/Path;)V");
	jmethodID close = to != NULL ? (*env)->GetMethodID(env, class, "close", "()V") : NULL;
	jmethodID stop = close != NULL ? (*env)->GetMethodID(env, class, "stop", "()Z") : NULL;
	if (stop != NULL && !kept) {
		(*env)->CallVoidMethod(env, running, to, NULL);
		(*env)->ExceptionClear(env);
	}
	if (stop != NULL) { // which writes the file. When the JVM ends, it has done so already, and stop fails.
		(*env)->CallBooleanMethod(env, running, stop);
		(*env)->ExceptionClear(env);
		(*env)->CallVoidMethod(env, running, close);
	}
	(*env)->ExceptionClear(env);
	(*env)->DeleteLocalRef(env, class);
	(*env)->DeleteGlobalRef(env, running);
	running = NULL;
}
