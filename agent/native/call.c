//go:build agent

#include "call.h"

#include <dlfcn.h>
#include <string.h>

#include "blocked.h"
#include "classes.h"
#include "hotspot.h"
#include "id.h"
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
		blocked_changed(record.object);
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
	if (!calls_recorded()) {
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
		blocked_changed(record.object);
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
	if (!passed_on) {
		publish_call_now(env, CALL_INTERRUPT, 0, thread);
	}
	interrupt(env, thread);
}

// Sleeps.

// publish_wait publishes the begin of the current thread's join of the object, or of a sleep if object is NULL. It
// reports whether a record was published.
static bool publish_wait(JNIEnv *env, jobject object, int64_t milliseconds) {
	int64_t id = recording() ? current_thread(env, NULL) : 0;
	if (id == 0) {
		return false;
	}
	struct record record = {
		.kind = WAIT, .flags = object != NULL ? JOINS : 0, .thread = id, .time = ring_begin(), .argument = milliseconds};
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
	self.sleeps = publish_sleep(env, milliseconds);
	uintptr_t number = recording_number();
	method(env, class, time);
	bool interrupted = (*env)->ExceptionCheck(env);
	if (interrupted && number != recording_number()) {
		self.sleeps = false; // the pending exception forbids to look up the thread's id again; see sleepers_poll
	}
	end_sleep(env, !interrupted);
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
	if (calls_recorded() && interrupted_exception != NULL &&
		(*env)->IsInstanceOf(env, throwable, interrupted_exception)) {
		publish_interruption(env);
	}
	return fill_in_stack_trace(env, throwable, unused);
}

// Replacing the native methods.

#define THREAD "java/lang/Thread"
#define OBJECT "java/lang/Object"

// A JDK has one of the methods for sleeping.
static struct method {
	const char *class, *name, *descriptor;
	const char *symbol, *library; // of the function; a NULL library is the JVM's own
	void **original, *wrapper;
	const char *lost; // what is not recorded without it
	bool sleeps;      // it is also recorded without contanalysis
	bool replaced;
} methods[] = {
	{THREAD, "start0", "()V", "JVM_StartThread", NULL, (void **)&start, start_wrapped, "who starts threads", false, false},
	{THREAD, "interrupt0", "()V", "JVM_Interrupt", NULL, (void **)&interrupt, interrupt_wrapped, "who interrupts threads",
		false, false},
	{OBJECT, "notify", "()V", "JVM_MonitorNotify", NULL, (void **)&notify, notify_wrapped, "notifications", false, false},
	{OBJECT, "notifyAll", "()V", "JVM_MonitorNotifyAll", NULL, (void **)&notify_all, notify_all_wrapped, "notifications",
		false, false},
	{"java/lang/Throwable", "fillInStackTrace", "(I)Ljava/lang/Throwable;",
		"Java_java_lang_Throwable_fillInStackTrace", "libjava.so", (void **)&fill_in_stack_trace,
		fill_in_stack_trace_wrapped, "the InterruptedException of waits", false, false},
	{THREAD, "sleep", "(J)V", "JVM_Sleep", NULL, (void **)&sleep_for, sleep_wrapped, NULL, true, false},
	{THREAD, "sleep0", "(J)V", "JVM_Sleep", NULL, (void **)&sleep_for, sleep_wrapped, NULL, true, false},
	{THREAD, "sleepNanos0", "(J)V", "JVM_SleepNanos", NULL, (void **)&sleep_nanos, sleep_nanos_wrapped, NULL, true,
		false},
};
enum { METHODS = sizeof methods / sizeof *methods };

static bool wrap; // replace_method replaces methods; else it restores them

// replace_method returns false if the JDK does not have the method.
static bool replace_method(JNIEnv *env, const struct method *m) {
	JNINativeMethod native = {
		(char *)(uintptr_t)m->name, (char *)(uintptr_t)m->descriptor, wrap ? m->wrapper : *m->original};
	jclass class = (*env)->FindClass(env, m->class);
	bool registered = class != NULL && (*env)->RegisterNatives(env, class, &native, 1) == JNI_OK;
	(*env)->ExceptionClear(env);
	(*env)->DeleteLocalRef(env, class);
	return registered;
}

static void replace_methods(JNIEnv *env) {
	for (struct method *m = methods; m < methods + METHODS; m++) {
		bool wanted = wrap ? m->sleeps || agent.settings.contanalysis : m->replaced;
		if (wanted && *m->original != NULL && replace_method(env, m)) {
			m->replaced = wrap;
		}
	}
}

static void find_originals(void) {
	void *jvm = jvm_library();
	for (struct method *m = methods; m < methods + METHODS; m++) {
		void *library = m->library == NULL ? jvm : loaded_library(m->library);
		*m->original = library != NULL ? dlsym(library, m->symbol) : NULL;
	}
}

// report_lost reports what cannot be recorded.
static void report_lost(void) {
	bool sleeps = false;
	for (struct method *m = methods; m < methods + METHODS; m++) {
		sleeps = sleeps || (m->sleeps && m->replaced);
		if (agent.settings.contanalysis && !m->sleeps && !m->replaced) {
			say_lost(m->lost);
		}
	}
	if (!sleeps) {
		say_lost("sleeps");
	}
}

void calls_prepare(JNIEnv *env) {
	if (!agent.linked) {
		return;
	}
	if (agent.settings.contanalysis && interrupted_exception == NULL) {
		interrupted_exception = global_class(env, "java/lang/InterruptedException");
	}
	find_originals();
	wrap = true;
	classes_replace(env, replace_methods);
	report_lost();
}

void calls_stop(void) {
	JNIEnv *env = NULL;
	if ((*agent.vm)->GetEnv(agent.vm, (void **)&env, JNI_VERSION_10) == JNI_OK) {
		wrap = false;
		classes_replace(env, replace_methods);
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
