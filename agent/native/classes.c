//go:build agent

#include "classes.h"

#include <pthread.h>
#include <string.h>

#include "exchange.h"
#include "exec.h"
#include "javathread.h"

// The classes that are rewritten, with the methods that bci's hooks need, and the message's text where the JVM lacks one.
#define LOCKS "java/util/concurrent/locks/"
#define INT LOCKS "AbstractQueuedSynchronizer"
#define LONG LOCKS "AbstractQueuedLongSynchronizer"
#define ACQUIRE(class, state) "(L" class "$Node;" state "ZZZJ)I"
#define SIGNAL(class) "(L" class "$ConditionNode;Z)V"
#define VIRTUAL_THREAD "java/lang/VirtualThread"

static const struct method {
	const char *class, *name, *signature; // signature: NULL for any
	bool park;                            // it is rewritten to record parks
	const char *lost;
} methods[] = {
	{VIRTUAL_THREAD, "start", "(Ljdk/internal/vm/ThreadContainer;)V", false, "who starts virtual threads"},
	{VIRTUAL_THREAD, "interrupt", "()V", false, "who interrupts virtual threads"},
	{VIRTUAL_THREAD, "sleepNanos", "(J)V", false, "sleeps of virtual threads"},
	{VIRTUAL_THREAD, "joinNanos", "(J)Z", false, "joins of virtual threads"},
	{VIRTUAL_THREAD, "park", "()V", true, "parks of virtual threads"},
	{VIRTUAL_THREAD, "parkNanos", "(J)V", true, "timed parks of virtual threads"},
	{VIRTUAL_THREAD, "unpark", "()V", true, "who unparks virtual threads"},
	{INT, "acquire", ACQUIRE(INT, "I"), true, "when a thread has acquired a lock"},
	{INT, "enqueue", NULL, true, "which threads a signal removes from a condition"},
	{INT "$ConditionObject", "doSignal", SIGNAL(INT), true, "who signals conditions"},
	{LONG, "acquire", ACQUIRE(LONG, "J"), true, "when a thread has acquired a lock of 64 bits"},
	{LONG, "enqueue", NULL, true, "which threads a signal removes from a condition of 64 bits"},
	{LONG "$ConditionObject", "doSignal", SIGNAL(LONG), true, "who signals conditions of 64 bits"},
};
enum { METHODS = sizeof methods / sizeof *methods };

static bool is_wanted(const struct method *m) { return m->park ? agent.settings.parks : agent.virtual; }

// wanted reports whether the class is to be rewritten.
static bool wanted(const char *class) {
	for (const struct method *m = methods; m < methods + METHODS; m++) {
		if (is_wanted(m) && strcmp(class, m->class) == 0) {
			return true;
		}
	}
	return false;
}

void JNICALL class_file_load(jvmtiEnv *jvmti, JNIEnv *env, jclass redefined, jobject loader, const char *name,
	jobject domain, jint size, const unsigned char *data, jint *new_size, unsigned char **new_data) {
	(void)jvmti, (void)domain;
	if (name == NULL) {
		return;
	}
	struct rewriting how = {.hooks = wanted(name), .again = redefined != NULL, .name = name, .define = exec_define};
	how.instrument = exec_wanted(env, loader, name);
	unsigned char *rewritten = how.hooks || how.instrument ? rewrite(data, size, new_size, how, exec_first) : NULL;
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
		(*env)->CallStaticVoidMethod(env, recorder, method); // without effect before the recording
	}
	bool linked = method != NULL && !(*env)->ExceptionCheck(env);
	(*env)->ExceptionClear(env);
	return linked;
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

// Rewriting.

// has_method reports whether a prepared class has the method. JNI would initialize the class to find it.
static bool has_method(jclass class, const char *name, const char *signature) {
	jint count = 0;
	jmethodID *ids = NULL;
	bool found = false;
	(*agent.jvmti)->GetClassMethods(agent.jvmti, class, &count, &ids);
	for (jint i = 0; i < count && !found; i++) {
		char *is = NULL, *of = NULL;
		found = (*agent.jvmti)->GetMethodName(agent.jvmti, ids[i], &is, &of, NULL) == JVMTI_ERROR_NONE &&
				strcmp(is, name) == 0 && (signature == NULL || strcmp(of, signature) == 0);
		(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)is);
		(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)of);
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)ids);
	return found;
}

static void set_hook(bool on);

void classes_instrument(JNIEnv *env) {
	set_hook(true);
	exec_begin(env);
}

void classes_restore(JNIEnv *env) {
	exec_undo(env);
	set_hook(false);
}

// set_hook enables or disables ClassFileLoadHook. Several threads may rewrite classes at a time.
static void set_hook(bool on) {
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static int users;
	pthread_mutex_lock(&lock);
	users += on ? 1 : -1;
	if (users == (on ? 1 : 0)) {
		(*agent.jvmti)->SetEventNotificationMode(
			agent.jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
	}
	pthread_mutex_unlock(&lock);
}

// rewrite_class has the JVM load a class again, if it has one of the wanted methods. It reports each that the class lacks.
static void rewrite_class(JNIEnv *env, const char *name, jclass class) {
	bool any = false;
	for (const struct method *m = methods; m < methods + METHODS; m++) {
		if (!is_wanted(m) || strcmp(name, m->class) != 0) {
			continue;
		}
		if (has_method(class, m->name, m->signature)) {
			any = true;
		} else {
			say_lost(m->lost);
		}
	}
	if (!any) {
		return;
	}
	set_hook(true);
	if (!define_recorder(env) ||
		(*agent.jvmti)->RetransformClasses(agent.jvmti, 1, &class) != JVMTI_ERROR_NONE) {
		__atomic_add_fetch(&ring_header()->left_alone, 1, __ATOMIC_RELAXED);
	}
	set_hook(false);
}

// Classes that the JVM prepares.

// prepared_synchronizer rewrites a class of synchronizers and the class of its conditions. It loads the latter first:
// otherwise another thread could use it while it is being rewritten.
static void prepared_synchronizer(JNIEnv *env, const char *name, jclass class) {
	const char *condition = strcmp(name, INT) == 0 ? INT "$ConditionObject" : LONG "$ConditionObject";
	jclass conditions = (*env)->FindClass(env, condition);
	(*env)->ExceptionClear(env);
	rewrite_class(env, name, class);
	if (conditions != NULL) {
		rewrite_class(env, condition, conditions);
		(*env)->DeleteLocalRef(env, conditions);
	}
}

static const char continuation[] = "java/lang/VirtualThread$VThreadContinuation";

// The class of virtual threads is rewritten when the JVM prepares VThreadContinuation, for the first virtual thread.
// Earlier would cost more: the JVM copies all classes that it shares with other JVMs before it changes the first one.
static void prepared_continuation(JNIEnv *env) {
	javathread_prepare_virtual(env);
	jclass class = (*env)->FindClass(env, VIRTUAL_THREAD);
	(*env)->ExceptionClear(env);
	if (class != NULL) {
		rewrite_class(env, VIRTUAL_THREAD, class);
		(*env)->DeleteLocalRef(env, class);
	}
}

// watch is a class that another module uses.
static struct watch {
	const char *name;
	jclass *found;
} watches[16];
enum { MAX_WATCHES = sizeof watches / sizeof *watches };
static size_t watched;

void classes_watch(const char *name, jclass *found) {
	for (size_t i = 0; i < watched; i++) {
		if (watches[i].found == found) {
			return; // since an earlier recording
		}
	}
	if (watched < MAX_WATCHES) {
		watches[watched++] = (struct watch){name, found};
	}
}

static void set_found(JNIEnv *env, const char *name, jclass class) {
	for (size_t i = 0; i < watched; i++) {
		jclass none = NULL;
		if (strcmp(name, watches[i].name) != 0 || found_class(watches[i].found) != NULL) {
			continue;
		}
		jclass global = (*env)->NewGlobalRef(env, class);
		if (!__atomic_compare_exchange_n(
				watches[i].found, &none, global, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			(*env)->DeleteGlobalRef(env, global);
		}
	}
}

// prepared handles a class that the JVM has prepared. It may be called twice for one.
static void prepared(JNIEnv *env, jclass class) {
	char *signature = NULL;
	if ((*agent.jvmti)->GetClassSignature(agent.jvmti, class, &signature, NULL) != JVMTI_ERROR_NONE) {
		return;
	}
	if (strncmp(signature, "Ljava/", 6) == 0) {
		char *name = signature + 1;
		name[strlen(name) - 1] = '\0'; // the semicolon
		set_found(env, name, class);
		if (agent.virtual && strcmp(name, continuation) == 0) {
			prepared_continuation(env);
		} else if (agent.settings.parks && (strcmp(name, INT) == 0 || strcmp(name, LONG) == 0)) {
			prepared_synchronizer(env, name, class);
		}
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
}

void JNICALL class_prepare(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jclass class) {
	(void)jvmti, (void)thread;
	prepared(env, class);
}

static void await_prepare(jvmtiEventMode mode) {
	(*agent.jvmti)->SetEventNotificationMode(agent.jvmti, mode, JVMTI_EVENT_CLASS_PREPARE, NULL);
}

void classes_prepare(JNIEnv *env) {
	jint count = 0;
	jclass *classes = NULL;
	if (!agent.linked || !(agent.virtual || agent.settings.parks)) {
		return;
	}
	if (!agent.retransforms) {
		say_lost("locks, conditions and calls of virtual threads");
		return;
	}
	await_prepare(JVMTI_ENABLE); // first: a class may be prepared meanwhile
	if ((*env)->PushLocalFrame(env, MANY_REFERENCES) != 0) {
		return;
	}
	(*agent.jvmti)->GetLoadedClasses(agent.jvmti, &count, &classes);
	for (jint i = 0; i < count; i++) {
		jint status = 0;
		(*agent.jvmti)->GetClassStatus(agent.jvmti, classes[i], &status);
		if (status & JVMTI_CLASS_STATUS_PREPARED) {
			prepared(env, classes[i]);
		}
		(*env)->DeleteLocalRef(env, classes[i]);
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)classes);
	(*env)->PopLocalFrame(env, NULL);
}

void classes_stop(void) { await_prepare(JVMTI_DISABLE); }

void JNICALL class_load(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jclass class) {
	(void)jvmti, (void)env, (void)thread, (void)class;
}
