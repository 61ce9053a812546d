//go:build agent

#include "monitor.h"

#include "id.h"
#include "javathread.h"
#include "owner.h"
#include "stack.h"
#include "thread.h"
#include "virtualowner.h"

// The object that this native thread is blocked on or waits on. The end of the wait has the same object, so its id is
// not looked up again. Virtual threads may continue on another native thread, so they are left out.
struct awaited {
	int64_t object;
	uintptr_t recording;
};
static __thread struct awaited blocked, waiting;

static struct awaited awaited(int64_t object) {
	return (struct awaited){on_carrier() ? 0 : object, recording_number()};
}

// clear_awaited returns the object's id and forgets it; 0 if it is not known.
static int64_t clear_awaited(struct awaited *a) {
	int64_t object = a->recording == recording_number() ? a->object : 0;
	a->object = 0;
	return object;
}

// publish_block publishes that a thread is blocked on a monitor.
static void publish_block(struct record *record) {
	if (!(record->flags & OWNER_THREAD)) { // an address is never a virtual thread's
		owner_wanted(record);
	}
	publish_with_stack(record);
}

void JNICALL contended_enter(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jobject object) {
	(void)jvmti;
	int64_t id = recording() ? current_thread(env, thread) : 0;
	if (id == 0) {
		return;
	}
	struct record record = {.kind = CONTENDED_ENTER, .thread = id, .time = ring_begin()};
	owner_of_pending(env, object, &record); // first: the owner may leave the monitor at any moment
	if ((record.object = object_id(env, object)) != 0) {
		publish_block(&record);
	}
	blocked = awaited(record.object);
	ring_end();
}

// publish_end publishes the end of a block or wait on the object.
static void publish_end(
	enum kind kind, unsigned flags, struct awaited *awaited, JNIEnv *env, jthread thread, jobject object) {
	int64_t id = recording() ? current_thread(env, thread) : 0;
	if (id == 0) {
		return;
	}
	owner_not_wanted(id);
	struct record record = {
		.kind = kind, .flags = flags, .thread = id, .time = ring_begin(), .object = clear_awaited(awaited)};
	if (record.object != 0 || (record.object = object_id(env, object)) != 0) {
		record.argument = current_cpu_time(record.time);
		ring_publish(&record);
	}
	ring_end();
}

void JNICALL contended_entered(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jobject object) {
	(void)jvmti;
	publish_end(CONTENDED_ENTERED, 0, &blocked, env, thread, object);
}

void JNICALL monitor_waited(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jobject object, jboolean timed_out) {
	(void)jvmti;
	publish_end(WAITED, timed_out ? TIMED_OUT : 0, &waiting, env, thread, object);
}

void JNICALL monitor_wait(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jobject object, jlong timeout) {
	(void)jvmti;
	int64_t id = recording() ? current_thread(env, thread) : 0;
	if (id == 0) {
		return;
	}
	struct record record = {.kind = WAIT, .thread = id, .time = ring_begin(), .argument = timeout};
	if ((record.object = object_id(env, object)) != 0) {
		publish_with_stack(&record);
	}
	waiting = awaited(record.object);
	ring_end();
}

bool publish_state(JNIEnv *env, jthread thread) {
	jint state = 0;
	struct record record = {.flags = EXISTED, .thread = thread_id(env, thread), .time = ring_now()};
	(*agent.jvmti)->GetThreadState(agent.jvmti, thread, &state);
	if (state & JVMTI_THREAD_STATE_SLEEPING) {
		record.kind = WAIT;
		record.object = SLEEP;
		record.argument = UNKNOWN_TIMEOUT;
		ring_publish(&record);
		return true;
	}
	if (state & JVMTI_THREAD_STATE_IN_OBJECT_WAIT) {
		record.kind = WAIT;
		record.argument = state & JVMTI_THREAD_STATE_WAITING_INDEFINITELY ? 0 : UNKNOWN_TIMEOUT;
	} else if (state & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER) {
		record.kind = CONTENDED_ENTER;
	} else {
		return false;
	}
	jobject object = threads_hold(thread) ? awaited_object(env, thread, &record) : NULL;
	threads_release();
	if (object != NULL && (record.object = object_id(env, object)) != 0) {
		ring_publish(&record);
	}
	return false;
}
