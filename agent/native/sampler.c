//go:build agent

#include "sampler.h"

#include <stdio.h>

static jobject running; // a jdk.jfr.Recording, or NULL
static const char lost[] = "samples of methods";

// The shutdown hook of the flight recorder, while the agent holds it. If the JVM ran it as a hook, it would be in the
// trace, with the thread that waits for it.
static jobject hook;

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
		put(env, map, add, "jdk.ActiveSetting", "enabled", "true") && put(env, map, add, "jdk.DataLoss", "enabled", "true") &&
		put(env, map, add, "jdk.CPUTimeSamplesLost", "enabled", "true");
	return set ? map : NULL;
}

// new_recording returns a recording that has not been started; NULL, or an exception, if it cannot.
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

// own_hook returns the shutdown hook of the flight recorder, a Thread; NULL, or an exception, if this JVM has none.
static jobject own_hook(JNIEnv *env, jclass recorder) {
	jmethodID get = (*env)->GetStaticMethodID(env, recorder, "getFlightRecorder", "()Ljdk/jfr/FlightRecorder;");
	jobject own = get != NULL ? (*env)->CallStaticObjectMethod(env, recorder, get) : NULL;
	jfieldID internal = own == NULL || (*env)->ExceptionCheck(env) ? NULL
		: (*env)->GetFieldID(env, recorder, "internal", "Ljdk/jfr/internal/PlatformRecorder;");
	jobject platform = internal != NULL ? (*env)->GetObjectField(env, own, internal) : NULL;
	jfieldID field = platform == NULL ? NULL
		: (*env)->GetFieldID(env, (*env)->GetObjectClass(env, platform), "shutdownHook", "Ljava/lang/Thread;");
	return field != NULL ? (*env)->GetObjectField(env, platform, field) : NULL;
}

// move_hook adds a shutdown hook to the JVM, or removes it, and reports whether it could. It cannot when the JVM ends.
static bool move_hook(JNIEnv *env, jobject thread, bool add) {
	jclass hooks = (*env)->FindClass(env, "java/lang/ApplicationShutdownHooks");
	jmethodID method = hooks == NULL ? NULL
		: (*env)->GetStaticMethodID(env, hooks, add ? "add" : "remove", add ? "(Ljava/lang/Thread;)V" : "(Ljava/lang/Thread;)Z");
	if (method != NULL && add) {
		(*env)->CallStaticVoidMethod(env, hooks, method, thread);
	} else if (method != NULL) {
		(*env)->CallStaticBooleanMethod(env, hooks, method, thread);
	}
	(*env)->DeleteLocalRef(env, hooks);
	return method != NULL && !threw(env);
}

// end_last has the JVM call TrcxRecorder.run when all shutdown hooks have run, and reports whether it will.
static bool end_last(JNIEnv *env) {
	enum { SLOT = 5 }; // one of ten; the JDK uses the first three
	static bool added;
	jclass shutdown = added ? NULL : (*env)->FindClass(env, "java/lang/Shutdown");
	jmethodID add = shutdown == NULL ? NULL : (*env)->GetStaticMethodID(env, shutdown, "add", "(IZLjava/lang/Runnable;)V");
	jclass class = add != NULL ? (*env)->FindClass(env, "java/lang/TrcxRecorder") : NULL;
	jobject recorder = class != NULL ? (*env)->AllocObject(env, class) : NULL;
	if (recorder != NULL) {
		(*env)->CallStaticVoidMethod(env, shutdown, add, (jint)SLOT, JNI_FALSE, recorder);
		added = !(*env)->ExceptionCheck(env);
	}
	return added && !threw(env);
}

// take_hook takes the hook from the JVM. The hook's work is done when the recording is over.
static void take_hook(JNIEnv *env) {
	jclass recorder = (*env)->FindClass(env, "jdk/jfr/FlightRecorder");
	jobject thread = recorder != NULL ? own_hook(env, recorder) : NULL;
	if (!threw(env) && thread != NULL && end_last(env) && move_hook(env, thread, false)) {
		hook = (*env)->NewGlobalRef(env, thread);
	}
	(*env)->ExceptionClear(env);
}

// leave_hook returns the hook to the JVM, or does its work if the JVM ends.
static void leave_hook(JNIEnv *env) {
	if (hook == NULL) {
		return;
	}
	if (!move_hook(env, hook, true)) {
		jclass class = (*env)->GetObjectClass(env, hook);
		jmethodID run = (*env)->GetMethodID(env, class, "run", "()V");
		if (run != NULL) {
			(*env)->CallVoidMethod(env, hook, run);
		}
		(*env)->ExceptionClear(env);
		(*env)->DeleteLocalRef(env, class);
	}
	(*env)->DeleteGlobalRef(env, hook);
	hook = NULL;
}

// is_in_use reports whether the program uses the flight recorder.
static bool is_in_use(JNIEnv *env) {
	jclass recorder = (*env)->FindClass(env, "jdk/jfr/FlightRecorder");
	jmethodID is = recorder != NULL ? (*env)->GetStaticMethodID(env, recorder, "isInitialized", "()Z") : NULL;
	bool used = is != NULL && (*env)->CallStaticBooleanMethod(env, recorder, is);
	return used || threw(env);
}

void sampler_prepare(JNIEnv *env) {
	enum { REFERENCES = 64 };
	if (agent.settings.samples == NULL || running != NULL || (*env)->PushLocalFrame(env, REFERENCES) != 0) {
		return;
	}
	bool alone = !is_in_use(env);
	jclass class = (*env)->FindClass(env, "jdk/jfr/Recording");
	jobject recording = class != NULL ? new_recording(env, class) : NULL;
	if (threw(env) || recording == NULL) {
		say_lost(class != NULL ? lost : "samples of methods, which need the module jdk.jfr");
	} else {
		running = (*env)->NewGlobalRef(env, recording);
		if (alone) {
			take_hook(env);
		}
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
	if (threw(env)) {
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
	if (stop != NULL) { // stop writes the file. It fails if the JVM has ended the recorder, and written the file.
		(*env)->CallBooleanMethod(env, running, stop);
		(*env)->ExceptionClear(env);
		(*env)->CallVoidMethod(env, running, close);
	}
	(*env)->ExceptionClear(env);
	(*env)->DeleteLocalRef(env, class);
	(*env)->DeleteGlobalRef(env, running);
	running = NULL;
	leave_hook(env);
}
