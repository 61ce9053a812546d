//go:build agent

// Classes that are rewritten, so that they call java.lang.TrcxRecorder: the one of virtual threads, whose calls never reach native code; and where native methods
// could not be wrapped, all that start, interrupt, notify or sleep. agent/bci does the rewriting.
#include <string.h>

#include "agent.h"

// Class files that are no use to look at more closely have none of these in their constants.
static const char *const calls[] = {"notify", "sleep"};

static const char *const always[] = {"java/lang/Thread", "java/lang/InterruptedException", "java/lang/VirtualThread"};
enum { ALWAYS = sizeof always / sizeof *always, VIRTUAL_THREAD = 2 };

static bool calls_anything(const unsigned char *data, size_t size) {
	return memmem(data, size, calls[0], strlen(calls[0])) != NULL || (agent.java <= 18 && memmem(data, size, calls[1], strlen(calls[1])) != NULL);
}

static bool wanted(const char *name, const unsigned char *data, jint size) {
	if (name != NULL && strcmp(name, always[VIRTUAL_THREAD]) == 0) {
		return agent.virtual;
	}
	if (!agent.rewrites) {
		return false;
	}
	for (size_t i = 0; name != NULL && i < VIRTUAL_THREAD; i++) {
		if (strcmp(name, always[i]) == 0) {
			return true;
		}
	}
	return calls_anything(data, size);
}

void JNICALL class_file_load(jvmtiEnv *jvmti, JNIEnv *env, jclass redefined, jobject loader, const char *name, jobject domain, jint size,
			     const unsigned char *data, jint *new_size, unsigned char **new_data) {
	(void)jvmti, (void)env, (void)redefined, (void)loader, (void)domain;
	if (!wanted(name, data, size)) {
		return;
	}
	unsigned char *rewritten = rewrite(data, size, new_size);
	if (rewritten != NULL) {
		*new_data = rewritten;
	}
}

// recorder is the class that is called. It is defined in the boot loader, where all classes find it.
static jclass recorder;

static bool define_recorder(JNIEnv *env) {
	if (recorder == NULL) {
		jclass class = (*env)->DefineClass(env, "java/lang/TrcxRecorder", NULL, agent.settings.recorder, agent.settings.recorder_size);
		recorder = class != NULL ? (*env)->NewGlobalRef(env, class) : NULL;
		(*env)->ExceptionClear(env);
		(*env)->DeleteLocalRef(env, class);
	}
	return recorder != NULL;
}

bool classes_linked(JNIEnv *env) {
	jmethodID method = define_recorder(env) ? (*env)->GetStaticMethodID(env, recorder, "slept", "()V") : NULL;
	if (method != NULL) {
		(*env)->CallStaticVoidMethod(env, recorder, method); // which does nothing as long as nothing is recorded
	}
	bool linked = method != NULL && !(*env)->ExceptionCheck(env);
	(*env)->ExceptionClear(env);
	return linked;
}

// is_candidate says whether a class that is loaded already may have to be rewritten, by the constants it has in memory.
static bool is_candidate(jclass class) {
	jint count = 0, size = 0;
	unsigned char *constants = NULL;
	jboolean modifiable = JNI_FALSE;
	if ((*agent.jvmti)->IsModifiableClass(agent.jvmti, class, &modifiable) != JVMTI_ERROR_NONE || !modifiable ||
	    (*agent.jvmti)->GetConstantPool(agent.jvmti, class, &count, &size, &constants) != JVMTI_ERROR_NONE) {
		return false;
	}
	bool candidate = calls_anything(constants, size);
	(*agent.jvmti)->Deallocate(agent.jvmti, constants);
	return candidate;
}

// retransform has the JVM load classes again. One that it refuses must not keep the others from it, so it gets them one by one.
static void retransform(jclass class) {
	if ((*agent.jvmti)->RetransformClasses(agent.jvmti, 1, &class) != JVMTI_ERROR_NONE) {
		__atomic_add_fetch(&ring_header()->left_alone, 1, __ATOMIC_RELAXED);
	}
}

static void retransform_named(JNIEnv *env, const char *name) {
	jclass class = (*env)->FindClass(env, name);
	(*env)->ExceptionClear(env);
	if (class != NULL) {
		retransform(class);
		(*env)->DeleteLocalRef(env, class);
	}
}

static void retransform_loaded(JNIEnv *env) {
	jint count = 0;
	jclass *classes = NULL;
	if ((*agent.jvmti)->GetLoadedClasses(agent.jvmti, &count, &classes) != JVMTI_ERROR_NONE) {
		return;
	}
	for (jint i = 0; i < count; i++) {
		if (is_candidate(classes[i])) {
			retransform(classes[i]);
		}
		(*env)->DeleteLocalRef(env, classes[i]);
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)classes);
}

void classes_prepare(JNIEnv *env) {
	if (!agent.virtual && !agent.rewrites) {
		return;
	}
	if (!agent.retransforms || !define_recorder(env)) {
		say("this JVM does not let classes be rewritten: %s are not recorded", agent.rewrites ? "calls of start, interrupt, notify and sleep" : "calls of virtual threads");
		return;
	}
	(*agent.jvmti)->SetEventNotificationMode(agent.jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
	for (size_t i = agent.rewrites ? 0 : VIRTUAL_THREAD; i < (agent.virtual ? ALWAYS : VIRTUAL_THREAD); i++) {
		retransform_named(env, always[i]);
	}
	if (agent.rewrites) {
		retransform_loaded(env);
	} else {
		(*agent.jvmti)->SetEventNotificationMode(agent.jvmti, JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
	}
}
