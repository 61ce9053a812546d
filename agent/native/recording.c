//go:build agent

#include "recording.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "blocked.h"
#include "call.h"
#include "classes.h"
#include "cpu.h"
#include "exchange.h"
#include "exec.h"
#include "heap.h"
#include "heapdump.h"
#include "holder.h"
#include "id.h"
#include "initwait.h"
#include "io.h"
#include "javathread.h"
#include "monitor.h"
#include "openwait.h"
#include "owner.h"
#include "park.h"
#include "sampler.h"
#include "sleeper.h"
#include "stack.h"
#include "state.h"
#include "thread.h"
#include "virtualowner.h"
#include "virtualpark.h"

static const jvmtiEvent thread_events[] = {JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END};
static const jvmtiEvent virtual_events[] = {
	(jvmtiEvent)EVENT_VIRTUAL_THREAD_START, (jvmtiEvent)EVENT_VIRTUAL_THREAD_END};
static const jvmtiEvent monitor_events[] = {
	JVMTI_EVENT_MONITOR_CONTENDED_ENTER,
	JVMTI_EVENT_MONITOR_CONTENDED_ENTERED,
	JVMTI_EVENT_MONITOR_WAIT,
	JVMTI_EVENT_MONITOR_WAITED,
	JVMTI_EVENT_CLASS_LOAD,
	JVMTI_EVENT_GARBAGE_COLLECTION_START,
	JVMTI_EVENT_GARBAGE_COLLECTION_FINISH,
};

static void set_events(jvmtiEventMode mode, const jvmtiEvent *events, size_t count) {
	for (size_t i = 0; i < count; i++) {
		(*agent.jvmti)->SetEventNotificationMode(agent.jvmti, mode, events[i], NULL);
	}
}

#define SET_EVENTS(mode, events) set_events(mode, events, sizeof(events) / sizeof *(events))

// The agent's own Java thread, which begins and ends recordings that have a delay or a duration or are attached.
static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	enum { GETTING_READY, READY, FAILED } state;
	bool over;       // the recording has ended, or the JVM does
	bool blocked;    // a thread has been blocked, which ends the pause of the sampling
	bool states;     // it will publish the states of objects when the recording is over
	unsigned number; // of the control thread, from 1; an earlier control thread may still be ending
	bool running;    // a control thread is between take_turn and end_turn
	jthread thread;
} control = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static __thread unsigned mine; // the number of this thread

static const int64_t SECOND = 1000000000, DAY = 24 * 3600 * 1000000000LL, NEVER = INT64_MAX;

enum { READY_SECONDS = 50 }; // limit of await_begun

static struct timespec realtime_in(int64_t nanos) {
	struct timespec time;
	clock_gettime(CLOCK_REALTIME, &time);
	int64_t sum = time.tv_nsec + (nanos > 0 ? nanos : 0);
	time.tv_sec += sum / 1000000000;
	time.tv_nsec = sum % 1000000000;
	return time;
}

// wait_over waits for the time given, or until the recording is over, and reports whether it is.
static bool wait_over(int64_t nanos) {
	struct timespec until = realtime_in(nanos);
	pthread_mutex_lock(&control.lock);
	for (int waited = 0; !control.over && mine == control.number && !control.blocked && waited == 0;) {
		if (heap_has_collected()) {
			pthread_mutex_unlock(&control.lock);
			heap_publish_use();
			pthread_mutex_lock(&control.lock);
			continue;
		}
		waited = pthread_cond_timedwait(&control.changed, &control.lock, &until);
	}
	control.blocked = false;
	bool over = control.over || mine != control.number;
	pthread_mutex_unlock(&control.lock);
	return over;
}

// publish_existing publishes what the thread has been waiting for since before the recording.
static void publish_existing(JNIEnv *env, const jvmtiStackInfo *info) {
	if (publish_state(env, info)) {
		sleepers_add(env, info->thread, SLEEP);
		return;
	}
	publish_existing_park(env, info);
	int64_t channel = publish_existing_io(env, info);
	if (channel != 0) {
		sleepers_add(env, info->thread, channel);
	}
}

// publish_all_existing has JVMTI read the stack traces of several threads a call, because each call stops the program.
static void publish_all_existing(JNIEnv *env, const jthread *threads, jint count) {
	enum { BATCH = 64 };
	for (jint begin = 0; begin < count; begin += BATCH) {
		jint size = count - begin < BATCH ? count - begin : BATCH;
		jvmtiStackInfo *infos = NULL;
		if ((*agent.jvmti)->GetThreadListStackTraces(agent.jvmti, size, threads + begin, stack_frames(), &infos) !=
			JVMTI_ERROR_NONE) {
			continue;
		}
		for (jint i = 0; i < size; i++) {
			if (!is_own_thread(env, threads[begin + i])) {
				infos[i].thread = threads[begin + i];
				publish_existing(env, &infos[i]);
			}
		}
		(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)infos);
	}
}

// publish_threads publishes the live platform threads. If the recording is late, it also publishes what they wait for, and
// which virtual threads are parked. No platform thread starts or ends from the listing until the record of the last listed
// thread.
static void publish_threads(JNIEnv *env, const struct virtual_threads *virtuals, int64_t time) {
	jint count = 0;
	jthread *threads = NULL;
	threads_hold();
	SET_EVENTS(JVMTI_ENABLE, thread_events);
	(*agent.jvmti)->GetAllThreads(agent.jvmti, &count, &threads);
	for (jint i = 0; i < count; i++) {
		if (!is_own_thread(env, threads[i])) {
			announce_existing(env, threads[i], time, agent.late ? EXISTED : 0);
		}
	}
	threads_release();
	__atomic_store_n(&agent.recording, true, __ATOMIC_SEQ_CST);
	SET_EVENTS(JVMTI_ENABLE, monitor_events);
	if (agent.late) {
		publish_all_existing(env, threads, count);
		virtual_parks_publish(env, virtuals, time);
	}
	for (jint i = 0; i < count; i++) {
		(*env)->DeleteLocalRef(env, threads[i]);
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)threads);
}

static bool instrumented; // classes_restore is to be called
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;

// restore_classes makes classes as they were.
static void restore_classes(JNIEnv *env) {
	if (instrumented) {
		instrumented = false;
		classes_restore(env);
	}
}

// restore undoes what an abandoned recording has left: samples, and changed classes. The caller holds changing.
static void restore(JNIEnv *env) {
	sampler_end(env, false);
	restore_classes(env);
}

// is_to_restore reports whether restore has something to do.
static bool is_to_restore(void) { return instrumented || sampler_runs(); }

// restore_abandoned calls restore if the recording was abandoned.
static void restore_abandoned(JNIEnv *env) {
	if (!is_to_restore() || agent.active || pthread_mutex_trylock(&changing) != 0) {
		return;
	}
	if (!agent.active) {
		restore(env);
	}
	pthread_mutex_unlock(&changing);
}

// poll_calls calls exec_poll when it is due, unless the recording is just ending.
static void poll_calls(JNIEnv *env) {
	if (exec_pause() != 1 || pthread_mutex_trylock(&changing) != 0) {
		return;
	}
	if (agent.active && instrumented) {
		exec_poll(env);
	}
	pthread_mutex_unlock(&changing);
}

// is_over reports whether this control thread's recording has been followed by another one.
static bool is_over(void) { return mine != 0 && mine != __atomic_load_n(&control.number, __ATOMIC_SEQ_CST); }

// begin begins the recording. The records of live threads have the time of the begin. The ring is marked busy
// meanwhile, so that later records of these threads are read after them.
static void begin(JNIEnv *env, bool late) {
	struct header *header = ring_header();
	pthread_mutex_lock(&changing);
	if (!agent.active || is_over()) { // the recording ended before it began
		pthread_mutex_unlock(&changing);
		return;
	}
	agent.late = late;
	owners_reset(env);
	openwaits_clear();
	heap_prepare();
	sampler_begin(env);
	struct virtual_threads virtuals = {0};
	bool framed = (*env)->PushLocalFrame(env, MANY_REFERENCES) == 0;
	if (framed && late) {
		virtual_threads_list(env, &virtuals);
	}
	int64_t time = ring_begin();
	header->started = time;
	__atomic_store_n(&header->phase, PHASE_RECORDING, __ATOMIC_RELEASE);
	if (agent.virtual) {
		SET_EVENTS(JVMTI_ENABLE, virtual_events);
	}
	if (framed) {
		publish_threads(env, &virtuals, time);
		(*env)->PopLocalFrame(env, NULL);
	}
	virtual_threads_free(&virtuals);
	ring_end();
	heap_begin(env);
	restore_classes(env); // from a recording that was abandoned
	if (agent.settings.exec != NO_EXEC) {
		instrumented = true;
		classes_instrument(env);
	}
	pthread_mutex_unlock(&changing);
}

// await_states has the control thread publish the states of what threads wait for. It waits only for a bounded time,
// because the control thread may get no processor.
static void await_states(JNIEnv *env) {
	enum { LONGEST = 100 * 1000 * 1000 };
	if (mine != 0) {
		states_publish(env);
		return;
	}
	struct timespec until = realtime_in(LONGEST);
	pthread_mutex_lock(&control.lock);
	while (control.states && pthread_cond_timedwait(&control.changed, &control.lock, &until) == 0) {
	}
	pthread_mutex_unlock(&control.lock);
}

// end ends the recording; shutdown: because the JVM ends.
static void end(bool shutdown) {
	struct header *header = ring_header();
	pthread_mutex_lock(&changing);
	if (!agent.active || is_over()) { // another thread has ended it, and everything is written
		pthread_mutex_unlock(&changing);
		return;
	}
	heap_end(shutdown);
	JNIEnv *env = NULL;
	if (recording() && (*agent.vm)->GetEnv(agent.vm, (void **)&env, JNI_VERSION_10) == JNI_OK) {
		await_states(env);
		exec_end();
		publish_cpu_times(env);
	}
	holders_end();
	initwaits_end();
	int64_t time = ring_begin(); // first, so that all events until now are published
	bool was_recording = __atomic_exchange_n(&agent.recording, false, __ATOMIC_SEQ_CST);
	if (was_recording && shutdown) {
		ring_publish(&(struct record){.kind = SHUTDOWN, .time = time});
	}
	ring_end();
	if (was_recording && env != NULL) {
		sampler_end(env, true); // takes some tenths of a second
	}
	if (!shutdown) {
		owners_reset(env);
		classes_stop();
		calls_stop();
		parks_stop();
		io_stop();
		SET_EVENTS(JVMTI_DISABLE, monitor_events);
		SET_EVENTS(JVMTI_DISABLE, thread_events);
		if (agent.virtual) {
			SET_EVENTS(JVMTI_DISABLE, virtual_events);
		}
	}
	agent.active = false;
	header->ended = time;
	__atomic_store_n(&header->phase, PHASE_ENDED, __ATOMIC_RELEASE);
	ring_wake();
	if (!agent.settings.elsewhere) {
		await_drained();
	}
	if (!shutdown && (*agent.vm)->GetEnv(agent.vm, (void **)&env, JNI_VERSION_10) == JNI_OK) {
		restore(env);
	}
	pthread_mutex_unlock(&changing);
}

static void announce_end(void) {
	pthread_mutex_lock(&control.lock);
	control.over = true;
	pthread_cond_broadcast(&control.changed);
	pthread_mutex_unlock(&control.lock);
}

// wake_control makes the control thread publish the use of the heap.
static void wake_control(void) {
	pthread_mutex_lock(&control.lock);
	pthread_cond_broadcast(&control.changed);
	pthread_mutex_unlock(&control.lock);
}

// wake_for_blocked makes the control thread sample holders again.
static void wake_for_blocked(void) {
	pthread_mutex_lock(&control.lock);
	control.blocked = true;
	pthread_cond_broadcast(&control.changed);
	pthread_mutex_unlock(&control.lock);
}

// gc_start and gc_finish run while all Java threads are stopped. They may use only the clock, the ring buffer and
// pthreads.

void JNICALL gc_start(jvmtiEnv *jvmti) {
	(void)jvmti;
	if (recording()) {
		int64_t time = ring_begin();
		ring_publish(&(struct record){.kind = GC_START, .time = time});
		ring_end();
	}
}

void JNICALL gc_finish(jvmtiEnv *jvmti) {
	(void)jvmti;
	if (!recording()) {
		return;
	}
	struct record record = {.kind = GC_FINISH, .time = ring_begin()};
	bool later = heap_collected(&record);
	if (!later) {
		ring_publish(&record);
	}
	ring_end();
	if (later) {
		wake_control();
	}
}

void end_recording(void) {
	announce_end();
	agent.settings.dump = NULL;
	end(false);
}

static void set_state(int state) {
	pthread_mutex_lock(&control.lock);
	control.state = state;
	pthread_cond_broadcast(&control.changed);
	pthread_mutex_unlock(&control.lock);
}

// set_states says whether the control thread is going to publish states.
static void set_states(bool will) {
	pthread_mutex_lock(&control.lock);
	if (mine == control.number) {
		control.states = will;
	}
	pthread_cond_broadcast(&control.changed);
	pthread_mutex_unlock(&control.lock);
}

static bool prepare(JNIEnv *env);
static bool prepared; // for the recording that is about to begin

// begin_late begins a recording in a running JVM when the delay is over; false if the recording has ended before, or
// cannot begin.
static bool begin_late(JNIEnv *env) {
	if (!prepared && !prepare(env)) {
		set_state(FAILED);
		end(false);
		return false;
	}
	if (agent.settings.delay > 0) {
		set_state(READY);
		if (wait_over(agent.settings.delay)) {
			return false;
		}
	}
	begin(env, true);
	set_state(READY);
	return true;
}

// next_task returns the nanoseconds until the control thread's next task; 0 for never. The recording ends at the time
// last.
static int64_t next_task(int64_t last) {
	int64_t pause = agent.settings.heap || agent.settings.owner_period > 0 ? DAY : 0, samples = holders_pause();
	if (last != NEVER && (pause == 0 || last - ring_now() < pause)) {
		pause = last > ring_now() ? last - ring_now() : 1;
	}
	if (!sleepers_empty() && (pause == 0 || sleepers_pause() < pause)) {
		pause = sleepers_pause();
	}
	if (samples > 0 && samples < pause) {
		pause = samples;
	}
	int64_t looks = initwaits_pause();
	if (is_to_restore() && (pause == 0 || pause > SECOND)) { // the recording may be abandoned
		pause = SECOND;
	}
	int64_t states = states_pause();
	pause = states > 0 && states < pause ? states : pause;
	int64_t calls = exec_pause();
	pause = calls > 0 && calls < pause ? calls : pause;
	return looks > 0 && looks < pause ? looks : pause;
}

// pause_control waits for the next task; it returns true if there will be no task.
static bool pause_control(int64_t last) {
	pthread_mutex_lock(&control.lock);
	int64_t pause = next_task(last);
	pthread_mutex_unlock(&control.lock);
	return pause == 0 || wait_over(pause);
}

// control_recording begins the recording if it has not begun, polls sleepers, samples the holders of monitors and locks,
// and waits for classes, and ends the recording after its duration.
static void control_recording(JNIEnv *env) {
	sleepers_init();
	if (!recording() && !begin_late(env)) {
		return;
	}
	set_states(true);
	int64_t last = agent.settings.duration > 0 ? ring_header()->started + agent.settings.duration : NEVER;
	while (!pause_control(last)) {
		if (ring_now() >= last) {
			end(false);
			set_states(false);
			return;
		}
		restore_abandoned(env);
		poll_calls(env);
		sleepers_poll(env);
		initwaits_poll(env);
		holders_sample(env);
		states_poll(env);
	}
	if (recording() && !is_over()) {
		states_publish(env);
	}
	set_states(false);
}

// take_turn waits until the control thread of the recording before has ended. It would clear what this one keeps.
static void take_turn(void) {
	pthread_mutex_lock(&control.lock);
	while (control.running) {
		pthread_cond_wait(&control.changed, &control.lock);
	}
	control.running = true;
	pthread_mutex_unlock(&control.lock);
}

static void end_turn(void) {
	pthread_mutex_lock(&control.lock);
	control.running = false;
	pthread_cond_broadcast(&control.changed);
	pthread_mutex_unlock(&control.lock);
}

static void JNICALL run_control(jvmtiEnv *jvmti, JNIEnv *env, void *number) {
	(void)jvmti;
	mine = (uintptr_t)number;
	exclude_thread();
	take_turn();
	control_recording(env);
	sleepers_free(env);
	virtual_owners_clear(env);
	end_turn();
	ring_retire();
}

// new_thread returns a Thread object, which inherits no thread locals from the program's thread; NULL if there is no
// memory for it.
static jobject new_thread(JNIEnv *env, const char *name) {
	jclass class = (*env)->FindClass(env, "java/lang/Thread");
	jmethodID constructor = class == NULL ? NULL
		: (*env)->GetMethodID(
			  env, class, "<init>", "(Ljava/lang/ThreadGroup;Ljava/lang/Runnable;Ljava/lang/String;JZ)V");
	jstring text = constructor != NULL ? (*env)->NewStringUTF(env, name) : NULL;
	jobject thread = NULL;
	if (text != NULL) {
		thread = (*env)->NewObject(env, class, constructor, NULL, NULL, text, (jlong)0, JNI_FALSE);
	}
	(*env)->ExceptionClear(env);
	return thread;
}

// start_control starts the agent's own thread.
static void start_control(JNIEnv *env) {
	pthread_mutex_lock(&control.lock);
	control.over = false;
	control.blocked = false;
	control.states = false;
	control.state = GETTING_READY;
	void *number = (void *)(uintptr_t)++control.number;
	pthread_cond_broadcast(&control.changed); // the control thread before ends now
	pthread_mutex_unlock(&control.lock);
	jobject thread = new_thread(env, "trcx");
	control.thread = thread != NULL ? (*env)->NewGlobalRef(env, thread) : NULL;
	set_own_thread(control.thread);
	if (control.thread == NULL ||
		(*agent.jvmti)->RunAgentThread(agent.jvmti, control.thread, run_control, number, JVMTI_THREAD_NORM_PRIORITY) !=
			JVMTI_ERROR_NONE) {
		say("the agent's thread cannot be started; nothing is recorded");
		set_state(FAILED);
	}
}

// await_linked waits until the JVM finds the native methods of TrcxRecorder, which is after the library is loaded.
static bool await_linked(JNIEnv *env) {
	enum { TRIES = 2000, PAUSE = 1000 * 1000 };
	for (int i = 0; i < TRIES; i++) {
		if (classes_linked(env)) {
			return true;
		}
		if (wait_over(PAUSE)) {
			break;
		}
	}
	say_lost("calls between threads, sleeps and parks");
	return false;
}

static bool prepare(JNIEnv *env) {
	if (!javathread_prepare(env)) {
		return false;
	}
	threads_reset();
	ids_reset();
	owners_prepare(env);
	virtual_owners_prepare();
	blocked_prepare(wake_for_blocked);
	agent.linked = !agent.attached || await_linked(env);
	calls_prepare(env);
	parks_prepare(env);
	io_prepare(env);
	states_prepare();
	cpu_prepare();
	stacks_prepare();
	classes_prepare(env);
	exec_prepare(env);
	sampler_end(env, false); // of a recording that was abandoned
	sampler_prepare(env);
	return prepared = true;
}

void enable_event(jvmtiEvent event) {
	(*agent.jvmti)->SetEventNotificationMode(agent.jvmti, JVMTI_ENABLE, event, NULL);
}

bool open_recording(struct settings *settings) {
	if (!configured(settings)) {
		return false;
	}
	if (settings->stop || settings->ready || settings->summary) {
		return true;
	}
	agent.settings = *settings;
	agent.active = true;
	if (agent.settings.stack_depth > MAX_STACK) {
		agent.settings.stack_depth = MAX_STACK;
	}
	ring_segment(agent.settings.segment);
	struct header *header = ring_header();
	snprintf(header->jvm, sizeof header->jvm, "%s", agent.jvm);
	header->java_version = agent.java;
	__atomic_store_n(&header->pid, getpid(), __ATOMIC_RELEASE); // last: it publishes the other fields
	enable_event(JVMTI_EVENT_VM_DEATH);
	return true;
}

void JNICALL vm_init(jvmtiEnv *jvmti, JNIEnv *env, jthread thread) {
	(void)jvmti;
	struct settings settings = {0};
	if (!open_recording(&settings) || settings.stop || settings.ready || settings.summary) {
		return;
	}
	if (!prepare(env)) {
		return;
	}
	if (agent.settings.delay == 0) {
		begin(env, false);
		int64_t time = ring_begin();
		ring_publish(&(struct record){.kind = INIT_DONE, .thread = thread_id(env, thread), .time = time});
		ring_end();
	}
	if (agent.settings.delay > 0 || agent.settings.duration > 0 || agent.settings.heap ||
		agent.settings.owner_period > 0 || agent.settings.exec != NO_EXEC || sampler_runs()) {
		start_control(env);
	}
}

void JNICALL vm_death(jvmtiEnv *jvmti, JNIEnv *env) {
	(void)jvmti;
	(*env)->ExceptionCheck(env); // for a program that has not checked its last call of Java
	announce_end();
	end(true); // or wait for the thread that is ending it
	if (agent.settings.dump != NULL) {
		write_heap_dump(env, agent.settings.dump);
	}
}

// The native method of TrcxRecorder that the JVM calls after all shutdown hooks, if methods are sampled.
JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_run(JNIEnv *env, jobject recorder) {
	(void)recorder;
	announce_end();
	end(true);
	sampler_end(env, false); // of a recording that was abandoned
}

void attach_recording(JNIEnv *env) {
	prepared = false;
	start_control(env);
}

bool await_begun(void) {
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += READY_SECONDS;
	pthread_mutex_lock(&control.lock);
	while (control.state == GETTING_READY && pthread_cond_timedwait(&control.changed, &control.lock, &until) == 0) {
	}
	if (control.state == GETTING_READY) {
		say("the recording has not begun within %d s", READY_SECONDS);
	}
	bool ready = control.state == READY;
	pthread_mutex_unlock(&control.lock);
	return ready;
}
