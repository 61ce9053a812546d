//go:build agent

#include "classes.h"

#include <string.h>

#include "exchange.h"
#include "javathread.h"

static const char *const always[] = {"java/lang/Thread", "java/lang/InterruptedException"};
enum { ALWAYS = sizeof always / sizeof *always };
static const char virtual_thread[] = "java/lang/VirtualThread";

// Methods of locks and conditions that are rewritten, by class, and the message's text for one that the JVM lacks.
#define LOCKS "java/util/concurrent/locks/"
#define NODE_OF(class) "(L" LOCKS class "$Node;"
#define SIGNAL_OF(class) "(L" LOCKS class "$ConditionNode;Z)V"
#define INT "AbstractQueuedSynchronizer"
#define LONG "AbstractQueuedLongSynchronizer"
enum { SYNCHRONIZERS = 2 };
static const struct synchronizer {
	const char *class, *method, *signature, *lost;
} synchronizers[SYNCHRONIZERS] = {
	{LOCKS INT, "acquire", NODE_OF(INT) "IZZZJ)I", "when a thread has acquired a lock"},
	{LOCKS INT "$ConditionObject", "doSignal", SIGNAL_OF(INT), "who signals conditions"},
}, long_synchronizers[SYNCHRONIZERS] = {
	{LOCKS LONG, "acquire", NODE_OF(LONG) "JZZZJ)I", "when a thread has acquired a lock of 64 bits"},
	{LOCKS LONG "$ConditionObject", "doSignal", SIGNAL_OF(LONG), "who signals conditions of 64 bits"},
};

static bool contains(const unsigned char *data, size_t size, const char *text) {
	return memmem(data, size, text, strlen(text)) != NULL;
}

// calls_anything reports whether a class may call a method that is recorded, by its constant pool.
static bool calls_anything(const unsigned char *data, size_t size) {
	return contains(data, size, "notify") || (agent.java <= 18 && contains(data, size, "sleep"));
}

static bool wanted(const char *name, const unsigned char *data, jint size) {
	if (name != NULL && strcmp(name, virtual_thread) == 0) {
		return agent.virtual;
	}
	for (size_t i = 0; name != NULL && agent.settings.parks && i < SYNCHRONIZERS; i++) {
		if (strcmp(name, synchronizers[i].class) == 0 || strcmp(name, long_synchronizers[i].class) == 0) {
			return true;
		}
	}
	if (!agent.rewrites) {
		return false;
	}
	for (size_t i = 0; name != NULL && i < ALWAYS; i++) {
		if (strcmp(name, always[i]) == 0) {
			return true;
		}
	}
	return calls_anything(data, size);
}

void JNICALL class_file_load(jvmtiEnv *jvmti, JNIEnv *env, jclass redefined, jobject loader, const char *name,
	jobject domain, jint size, const unsigned char *data, jint *new_size, unsigned char **new_data) {
	(void)jvmti, (void)env, (void)redefined, (void)loader, (void)domain;
	if (!wanted(name, data, size)) {
		return;
	}
	unsigned char *rewritten = rewrite(data, size, new_size);
	if (rewritten != NULL) {
		*new_data = rewritten;
	}
}

// recorder is java.lang.TrcxRecorder. The boot loader defines it, so that all classes find it.
static jclass recorder;

static bool define_recorder(JNIEnv *env) {
	if (recorder == NULL) {
		jclass class = (*env)->DefineClass(
			env, "java/lang/TrcxRecorder", NULL, agent.settings.recorder, agent.settings.recorder_size);
		recorder = class != NULL ? (*env)->NewGlobalRef(env, class) : NULL;
		(*env)->ExceptionClear(env);
		(*env)->DeleteLocalRef(env, class);
	}
	return recorder != NULL;
}

bool classes_linked(JNIEnv *env) {
	jmethodID method = define_recorder(env) ? (*env)->GetStaticMethodID(env, recorder, "slept", "()V") : NULL;
	if (method != NULL) {
		(*env)->CallStaticVoidMethod(env, recorder, method); // has no effect before the recording
	}
	bool linked = method != NULL && !(*env)->ExceptionCheck(env);
	(*env)->ExceptionClear(env);
	return linked;
}

// is_candidate reports whether a loaded class may have to be rewritten, by its constant pool in memory.
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

// retransform has the JVM load a class again. Classes are passed one by one, because the JVM refuses all or none.
static void retransform(jclass class) {
	if ((*agent.jvmti)->RetransformClasses(agent.jvmti, 1, &class) != JVMTI_ERROR_NONE) {
		__atomic_add_fetch(&ring_header()->left_alone, 1, __ATOMIC_RELAXED);
	}
}

// is_one_of reports whether the class has one of the names.
static bool is_one_of(jclass class, const char *const *names, size_t count) {
	char *signature = NULL;
	if ((*agent.jvmti)->GetClassSignature(agent.jvmti, class, &signature, NULL) != JVMTI_ERROR_NONE) {
		return false;
	}
	size_t length = strlen(signature);
	bool found = false;
	for (size_t i = 0; i < count; i++) { // a signature is L, the name, and a semicolon
		found = found || (length == strlen(names[i]) + 2 && strncmp(signature + 1, names[i], length - 2) == 0);
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
	return found;
}

static bool is_named(jclass class, const char *name) { return is_one_of(class, &name, 1); }

static void set_hook(jvmtiEventMode mode) {
	(*agent.jvmti)->SetEventNotificationMode(agent.jvmti, mode, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
}

static bool can_rewrite(JNIEnv *env, const char *what) {
	if (agent.retransforms && define_recorder(env)) {
		return true;
	}
	say("this JVM does not let classes be rewritten: %s are not recorded", what);
	return false;
}

static void rewrite_virtual_thread(JNIEnv *env) {
	static bool done, with_parks;
	bool complete = done && (with_parks || !agent.settings.parks);
	if (complete || !agent.linked || agent.rewrites) { // with agent.rewrites it is among the classes that are loaded
		return;
	}
	done = true;
	with_parks = agent.settings.parks;
	jclass class = can_rewrite(env, "calls of virtual threads") ? (*env)->FindClass(env, virtual_thread) : NULL;
	(*env)->ExceptionClear(env);
	if (class != NULL) {
		set_hook(JVMTI_ENABLE);
		retransform(class);
		set_hook(JVMTI_DISABLE);
		(*env)->DeleteLocalRef(env, class);
	}
}

static void (*replace_natives)(JNIEnv *env);

// The native method that TrcxRecorder.replace calls.
JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_replaceNatives(JNIEnv *env, jclass class) {
	(void)class;
	replace_natives(env);
}

bool classes_replace(JNIEnv *env, void (*replace)(JNIEnv *env)) {
	replace_natives = replace;
	jmethodID method = define_recorder(env) ? (*env)->GetStaticMethodID(env, recorder, "replace", "()V") : NULL;
	if (method != NULL) {
		(*env)->CallStaticVoidMethod(env, recorder, method);
	}
	bool replaced = method != NULL && !(*env)->ExceptionCheck(env);
	(*env)->ExceptionClear(env);
	return replaced;
}

// find_synchronizer returns the class, NULL if the JVM does not have this method.
static jclass find_synchronizer(JNIEnv *env, const struct synchronizer *s) {
	jclass class = (*env)->FindClass(env, s->class);
	if (class == NULL || (*env)->GetMethodID(env, class, s->method, s->signature) == NULL) {
		(*env)->ExceptionClear(env);
		say("this JVM has no %s.%s that trcx knows: %s is not recorded", s->class, s->method, s->lost);
		return NULL;
	}
	return class;
}

static void rewrite_synchronizers(JNIEnv *env, const struct synchronizer *synchronizers, size_t size) {
	jclass found[SYNCHRONIZERS];
	jint count = 0;
	for (size_t i = 0; i < size; i++) {
		jclass class = find_synchronizer(env, &synchronizers[i]);
		if (class != NULL) {
			found[count++] = class;
		}
	}
	set_hook(JVMTI_ENABLE);
	if (count > 0 && (*agent.jvmti)->RetransformClasses(agent.jvmti, count, found) != JVMTI_ERROR_NONE) {
		__atomic_add_fetch(&ring_header()->left_alone, count, __ATOMIC_RELAXED);
	}
	if (!agent.rewrites) {
		set_hook(JVMTI_DISABLE);
	}
	while (count > 0) {
		(*env)->DeleteLocalRef(env, found[--count]);
	}
}

static bool rewrites_synchronizers, has_long;

bool classes_have_long(void) { return __atomic_load_n(&has_long, __ATOMIC_ACQUIRE); }

static void rewrite_long(JNIEnv *env) {
	if (rewrites_synchronizers && !has_long) {
		rewrite_synchronizers(env, long_synchronizers, SYNCHRONIZERS);
		__atomic_store_n(&has_long, true, __ATOMIC_RELEASE);
	}
}

void classes_rewrite_synchronizers(JNIEnv *env, jclass read_write_lock) {
	if (!rewrites_synchronizers && agent.linked && can_rewrite(env, "locks and conditions")) {
		rewrites_synchronizers = true;
		rewrite_synchronizers(env, synchronizers, SYNCHRONIZERS);
		jclass synchronizer = (*env)->GetSuperclass(env, read_write_lock);
		if (synchronizer != NULL && is_named(synchronizer, long_synchronizers[0].class)) {
			rewrite_long(env); // it was prepared with this subclass, so that no ClassPrepare follows
		}
		(*env)->DeleteLocalRef(env, synchronizer);
	}
}

// prepare_virtual rewrites the class of virtual threads if virtual threads exist already.
static void prepare_virtual(JNIEnv *env, jclass class) {
	jint status = 0;
	if ((*agent.jvmti)->GetClassStatus(agent.jvmti, class, &status) == JVMTI_ERROR_NONE &&
		(status & JVMTI_CLASS_STATUS_INITIALIZED)) {
		javathread_prepare_virtual(env);
		rewrite_virtual_thread(env);
	}
}

// rewrite_loaded rewrites the loaded classes that call recorded methods.
static void rewrite_loaded(JNIEnv *env) {
	jint count = 0;
	jclass *classes = NULL;
	if ((*agent.jvmti)->GetLoadedClasses(agent.jvmti, &count, &classes) != JVMTI_ERROR_NONE) {
		return;
	}
	for (jint i = 0; i < count; i++) {
		if (agent.settings.parks && is_named(classes[i], long_synchronizers[0].class)) {
			rewrite_long(env);
		}
		bool is_virtual = agent.virtual && is_named(classes[i], virtual_thread);
		if (agent.rewrites && (is_virtual || is_one_of(classes[i], always, ALWAYS) || is_candidate(classes[i]))) {
			retransform(classes[i]);
		}
		if (is_virtual) {
			prepare_virtual(env, classes[i]);
		}
		(*env)->DeleteLocalRef(env, classes[i]);
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)classes);
}

void classes_prepare(JNIEnv *env, bool late) {
	agent.rewrites = agent.rewrites && can_rewrite(env, "calls of start, interrupt, notify and sleep");
	if (agent.rewrites) {
		set_hook(JVMTI_ENABLE);
	}
	if (agent.rewrites || late) {
		rewrite_loaded(env);
	}
}

// Classes that few programs use are rewritten when the JVM prepares them: that of virtual threads when it prepares
// VThreadContinuation, for the first virtual thread. Earlier would cost more: the JVM copies all classes that it shares
// with other JVMs before it changes the first one.
static void await_prepare(jvmtiEventMode mode) {
	(*agent.jvmti)->SetEventNotificationMode(agent.jvmti, mode, JVMTI_EVENT_CLASS_PREPARE, NULL);
}

void classes_await(void) {
	if (agent.virtual || (rewrites_synchronizers && !has_long)) {
		await_prepare(JVMTI_ENABLE);
	}
}

void classes_stop(void) {
	set_hook(JVMTI_DISABLE);
	await_prepare(JVMTI_DISABLE);
}

void JNICALL class_prepare(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jclass class) {
	(void)jvmti, (void)thread;
	static const char *const continuation = "java/lang/VirtualThread$VThreadContinuation";
	if (is_named(class, continuation)) {
		javathread_prepare_virtual(env);
		rewrite_virtual_thread(env);
	} else if (is_named(class, long_synchronizers[0].class)) {
		rewrite_long(env);
	}
}
