//go:build agent

#include "call.h"

#include <dlfcn.h>
#include <string.h>

#include "classes.h"
#include "hotspot.h"
#include "id.h"
#include "io.h"
#include "javathread.h"
#include "stack.h"
#include "thread.h"
#include "waitset.h"

static __thread struct {
	bool sleeps;             // sleeps in a wrapped method; the end is not yet published
	bool interrupts_virtual; // interrupts a virtual thread, through its carrier
} self;

static jclass interrupted_exception;

static void publish_call(JNIEnv *env, enum kind kind, unsigned flags, int64_t time, jobject object) {
	int64_t id = current_thread(env, NULL);
	if (id == 0 || object == NULL) {
		return;
	}
	struct record record = {.kind = kind, .flags = flags, .thread = id, .time = time, .object = object_id(env, object)};
	if (record.object != 0) {
		publish_with_stack(&record);
	}
}

// calls_recorded reports whether calls between threads are recorded now.
static bool calls_recorded(void) { return recording() && agent.settings.contanalysis; }

// notifies_seen reports whether notifications are recorded with the threads that they remove from the wait set.
static bool notifies_seen(void) { return calls_recorded() && agent.settings.wait_sets; }

static void publish_call_now(JNIEnv *env, enum kind kind, unsigned flags, jobject object) {
	if (calls_recorded()) {
		publish_call(env, kind, flags, ring_begin(), object);
		ring_end();
	}
}

// The original native methods. A call is published after it has succeeded, with the time at which it began.

static void (*start)(JNIEnv *, jobject);
static void (*interrupt)(JNIEnv *, jobject);
static void (*notify)(JNIEnv *, jobject);
static void (*notify_all)(JNIEnv *, jobject);
static void (*sleep_for)(JNIEnv *, jclass, jlong);
static void (*sleep_nanos)(JNIEnv *, jclass, jlong);
static jobject (*fill_in_stack_trace)(JNIEnv *, jobject, jint);

static void call(JNIEnv *env, jobject object, void (*method)(JNIEnv *, jobject), enum kind kind, unsigned flags) {
	if (!calls_recorded() || agent.rewrites) {
		method(env, object);
		return;
	}
	int64_t time = ring_begin();
	method(env, object);
	if (!(*env)->ExceptionCheck(env)) {
		publish_call(env, kind, flags, time, object);
	}
	ring_end();
}

static void start_wrapped(JNIEnv *env, jobject thread) { call(env, thread, start, CALL_START, 0); }
// publish_notify publishes a notification that has removed these threads from the wait set.
static void publish_notify(JNIEnv *env, jobject object, unsigned flags, int64_t time, const struct wait_set *removed) {
	uint64_t payload[1 + MAX_WAITERS + MAX_STACK];
	struct record record = {.kind = CALL_NOTIFY, .flags = flags, .thread = current_thread(env, NULL), .time = time};
	if (removed->count == UNKNOWN_WAITERS) {
		publish_call(env, CALL_NOTIFY, flags, time, object);
		return;
	}
	payload[0] = removed->count;
	memcpy(payload + 1, removed->ids, removed->count * sizeof *payload);
	size_t stack = put_stack(payload + 1 + removed->count);
	record.flags |= SEEN;
	record.payload = payload;
	record.payload_size = (1 + removed->count) * sizeof *payload + stack;
	if (record.thread != 0 && (record.object = object_id(env, object)) != 0) {
		ring_publish(&record);
	}
}

// call_seen calls notify or notifyAll between two looks at the wait set.
static void call_seen(JNIEnv *env, jobject object, void (*method)(JNIEnv *, jobject), unsigned flags) {
	struct wait_set before, after;
	wait_set_read(env, object, &before);
	int64_t time = ring_begin();
	method(env, object);
	if (!(*env)->ExceptionCheck(env)) {
		wait_set_read(env, object, &after);
		wait_set_removed(&before, &after, flags & ALL);
		publish_notify(env, object, flags, time, &before);
	}
	ring_end();
}

static void call_notify(JNIEnv *env, jobject object, void (*method)(JNIEnv *, jobject), unsigned flags) {
	if (notifies_seen()) {
		call_seen(env, object, method, flags);
	} else {
		call(env, object, method, CALL_NOTIFY, flags);
	}
}

static void notify_wrapped(JNIEnv *env, jobject object) { call_notify(env, object, notify, 0); }
static void notify_all_wrapped(JNIEnv *env, jobject object) { call_notify(env, object, notify_all, ALL); }

static void interrupt_wrapped(JNIEnv *env, jobject thread) {
	// The JVM passes a virtual thread's interrupt on to its carrier: on the interrupting thread, or later on the
	// carrier.
	bool passed_on =
		is_carrier(env, thread) && (self.interrupts_virtual || current_thread(env, NULL) == thread_id(env, thread));
	self.interrupts_virtual = false;
	if (!passed_on && !agent.rewrites) {
		publish_call_now(env, CALL_INTERRUPT, 0, thread);
	}
	interrupt(env, thread);
}

// Sleeps.

// publish_wait publishes the begin of the current thread's wait on the object, or of a sleep if object is NULL. It
// reports whether a record was published.
static bool publish_wait(JNIEnv *env, jobject object, int64_t milliseconds) {
	int64_t id = recording() ? current_thread(env, NULL) : 0;
	if (id == 0) {
		return false;
	}
	struct record record = {.kind = WAIT, .thread = id, .time = ring_begin(), .argument = milliseconds};
	record.object = object == NULL ? SLEEP : object_id(env, object);
	if (record.object != 0) {
		publish_with_stack(&record);
	}
	ring_end();
	return record.object != 0;
}

// publish_waited publishes the end of that wait or sleep.
static void publish_waited(JNIEnv *env, jobject object, bool timed_out) {
	int64_t id = recording() ? current_thread(env, NULL) : 0;
	if (id == 0) {
		return;
	}
	struct record record = {.kind = WAITED, .flags = timed_out ? TIMED_OUT : 0, .thread = id, .time = ring_begin()};
	record.object = object == NULL ? SLEEP : object_id(env, object);
	if (record.object != 0) {
		record.argument = current_cpu_time(record.time);
		ring_publish(&record);
	}
	ring_end();
}

static bool publish_sleep(JNIEnv *env, int64_t milliseconds) {
	return milliseconds > 0 && publish_wait(env, NULL, milliseconds); // a sleep of 0 is no sleep
}

// end_sleep publishes the end of a sleep in a wrapped method, once.
static void end_sleep(JNIEnv *env, bool timed_out) {
	if (self.sleeps) {
		self.sleeps = false;
		publish_waited(env, NULL, timed_out);
	}
}

static int64_t to_milliseconds(jlong nanos) { return nanos > 0 ? (nanos - 1) / 1000000 + 1 : 0; }

static void sleep_as(
	JNIEnv *env, jclass class, jlong time, int64_t milliseconds, void (*method)(JNIEnv *, jclass, jlong)) {
	self.sleeps = !agent.rewrites && publish_sleep(env, milliseconds);
	method(env, class, time);
	end_sleep(env, !(*env)->ExceptionCheck(env));
}

static void sleep_wrapped(JNIEnv *env, jclass class, jlong time) { // which is in nanoseconds since JDK 21
	sleep_as(env, class, time, agent.java >= 21 ? to_milliseconds(time) : time, sleep_for);
}

static void sleep_nanos_wrapped(JNIEnv *env, jclass class, jlong nanos) {
	sleep_as(env, class, nanos, to_milliseconds(nanos), sleep_nanos);
}

// InterruptedException.

static void publish_interruption(JNIEnv *env) {
	end_sleep(env, false); // the exception is created before the sleep returns
	int64_t id = current_thread(env, NULL);
	if (id != 0) {
		struct record record = {.kind = THREAD_INTERRUPTED, .thread = id, .time = ring_begin()};
		publish_with_stack(&record);
		ring_end();
	}
}

// fill_in_stack_trace_wrapped runs in the constructor of each Throwable.
static jobject fill_in_stack_trace_wrapped(JNIEnv *env, jobject throwable, jint unused) {
	if (calls_recorded() && !agent.rewrites && interrupted_exception != NULL &&
		(*env)->IsInstanceOf(env, throwable, interrupted_exception)) {
		publish_interruption(env);
	}
	return fill_in_stack_trace(env, throwable, unused);
}

// Wrapping. Methods have no names yet when the JVM binds the first of them, so they are found by their functions'
// addresses.

static struct wrapping {
	const char *symbol, *library; // NULL is the JVM's library
	void **original, *wrapper;
	void *address; // NULL until the library is loaded
} wrappings[] = {
	{"JVM_StartThread", NULL, (void **)&start, start_wrapped, NULL},
	{"JVM_Interrupt", NULL, (void **)&interrupt, interrupt_wrapped, NULL},
	{"JVM_MonitorNotify", NULL, (void **)&notify, notify_wrapped, NULL},
	{"JVM_MonitorNotifyAll", NULL, (void **)&notify_all, notify_all_wrapped, NULL},
	{"JVM_Sleep", NULL, (void **)&sleep_for, sleep_wrapped, NULL},
	{"JVM_SleepNanos", NULL, (void **)&sleep_nanos, sleep_nanos_wrapped, NULL},
	{"Java_java_lang_Throwable_fillInStackTrace", "libjava.so", (void **)&fill_in_stack_trace,
		fill_in_stack_trace_wrapped, NULL},
};

enum { WRAPPINGS = sizeof wrappings / sizeof *wrappings };

// find_functions looks up the wrapped functions of a library, if it is loaded.
static void find_functions(const char *library) {
	void *loaded = library == NULL ? jvm_library() : loaded_library(library);
	for (struct wrapping *w = wrappings; loaded != NULL && w < wrappings + WRAPPINGS; w++) {
		if (w->library == library) {
			w->address = dlsym(loaded, w->symbol);
		}
	}
}

void JNICALL native_method_bind(
	jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jmethodID method, void *address, void **new_address) {
	(void)jvmti, (void)env, (void)thread, (void)method;
	static bool looked;
	struct wrapping *last = &wrappings[WRAPPINGS - 1];
	if (!looked) {
		looked = true;
		find_functions(NULL);
	}
	if (last->address == NULL) {
		find_functions(last->library);
	}
	for (struct wrapping *w = wrappings; w < wrappings + WRAPPINGS; w++) {
		if (w->address == address && address != NULL) {
			*w->original = address;
			*new_address = w->wrapper;
		}
	}
	void *wrapper = io_wrapper(address);
	if (wrapper != NULL) {
		*new_address = wrapper;
	}
}

bool calls_wrapped(void) {
	return start != NULL && interrupt != NULL && notify != NULL && notify_all != NULL &&
		   (sleep_for != NULL || sleep_nanos != NULL);
}

// Object.notify and notifyAll are replaced after an attach, if their wait sets are looked at: rewritten classes report
// only the begin of a call.

static bool replaced; // or to be replaced, as replace_notify is called

static void replace_notify(JNIEnv *env) {
	const JNINativeMethod methods[] = {
		{(char *)(uintptr_t) "notify", (char *)(uintptr_t) "()V", replaced ? (void *)notify_wrapped : (void *)notify},
		{(char *)(uintptr_t) "notifyAll", (char *)(uintptr_t) "()V",
			replaced ? (void *)notify_all_wrapped : (void *)notify_all},
	};
	jclass class = (*env)->FindClass(env, "java/lang/Object");
	if (class == NULL || (*env)->RegisterNatives(env, class, methods, 2) != JNI_OK) {
		(*env)->ExceptionClear(env);
		replaced = false;
	}
}

static void calls_replace_notify(JNIEnv *env) {
	void *jvm = jvm_library();
	notify = jvm != NULL ? dlsym(jvm, "JVM_MonitorNotify") : NULL;
	notify_all = jvm != NULL ? dlsym(jvm, "JVM_MonitorNotifyAll") : NULL;
	replaced = notify != NULL && notify_all != NULL;
	if (!replaced || !classes_replace(env, replace_notify) || !replaced) {
		say("this JVM's native method notify cannot be replaced: wait sets are not recorded");
		agent.settings.wait_sets = false;
	}
}

void calls_prepare(JNIEnv *env) {
	if (agent.settings.contanalysis && interrupted_exception == NULL) {
		interrupted_exception = global_class(env, "java/lang/InterruptedException");
	}
	if (agent.attached && agent.settings.contanalysis && agent.settings.wait_sets) {
		calls_replace_notify(env);
	}
}

void calls_stop(void) {
	JNIEnv *env = NULL;
	if (replaced && (*agent.vm)->GetEnv(agent.vm, (void **)&env, JNI_VERSION_10) == JNI_OK) {
		replaced = false;
		classes_replace(env, replace_notify);
	}
}

// The native methods of java.lang.TrcxRecorder, which agent/bci makes rewritten classes call.

JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_started(JNIEnv *env, jclass class, jobject thread) {
	(void)class;
	publish_call_now(env, CALL_START, 0, thread);
}

JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_interrupted(JNIEnv *env, jclass class, jobject thread) {
	(void)class;
	publish_call_now(env, CALL_INTERRUPT, 0, thread);
	self.interrupts_virtual = true;
}

JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_notified(JNIEnv *env, jclass class, jobject object) {
	(void)class;
	if (!notifies_seen()) {
		publish_call_now(env, CALL_NOTIFY, 0, object);
	}
}

JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_notifiedAll(JNIEnv *env, jclass class, jobject object) {
	(void)class;
	if (!notifies_seen()) {
		publish_call_now(env, CALL_NOTIFY, ALL, object);
	}
}

JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_sleeps(JNIEnv *env, jclass class, jlong milliseconds) {
	(void)class;
	publish_sleep(env, milliseconds);
}

JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_sleepsNanos(JNIEnv *env, jclass class, jlong nanos) {
	(void)class;
	publish_sleep(env, to_milliseconds(nanos));
}

JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_slept(JNIEnv *env, jclass class) {
	(void)class;
	publish_waited(env, NULL, true);
}

// A join of a virtual thread is no wait on its monitor. It is published as one: in a trace a join is a wait on the
// Thread object.

JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_joins(JNIEnv *env, jclass class, jobject thread, jlong nanos) {
	(void)class;
	publish_wait(env, thread, to_milliseconds(nanos));
}

JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_joined(JNIEnv *env, jclass class, jobject thread) {
	(void)class;
	jint state = 0;
	if (recording()) {
		(*agent.jvmti)->GetThreadState(agent.jvmti, thread, &state);
		publish_waited(env, thread, state & JVMTI_THREAD_STATE_ALIVE);
	}
}

JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_interruption(JNIEnv *env, jclass class) {
	(void)class;
	if (calls_recorded()) {
		publish_interruption(env);
	}
}
