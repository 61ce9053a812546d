//go:build agent

#include "monitor.h"

#include "blocked.h"
#include "id.h"
#include "javathread.h"
#include "openwait.h"
#include "owner.h"
#include "stack.h"
#include "thread.h"

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

// told_owner returns the id of the owner in the record; 0 if the record has no owner or has the owner's address.
static int64_t told_owner(const struct record *record) { return record->flags & OWNER_THREAD ? record->argument : 0; }

void JNICALL contended_enter(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jobject object) {
	(void)jvmti;
	int64_t id = recording() ? current_thread(env, thread) : 0;
	if (id == 0) {
		return;
	}
	struct record record = {.kind = CONTENDED_ENTER, .thread = id, .time = ring_begin()};
	// Read the owner first: it may leave the monitor at any moment.
	const void *monitor = owner_of_pending(env, object, &record);
	if ((record.object = object_id(env, object)) != 0) {
		publish_with_stack(&record);
		openwait_begins(&record, WAITS_FOR_MONITOR);
		if (monitor != NULL) {
			blocked_begins(&record, monitor, told_owner(&record));
		}
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
	blocked_ends(id);
	openwait_ends(id);
	struct record record = {
		.kind = kind, .flags = flags, .thread = id, .time = ring_begin(), .object = clear_awaited(awaited)};
	if (record.object != 0 || (record.object = object_id(env, object)) != 0) {
		record.argument = current_cpu_time(record.time);
		ring_publish(&record);
		blocked_changed(record.object);
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

enum { JOIN_FRAMES = 4 }; // Thread.join(long) calls one of Object's methods wait, which call each other

// waits_for_own_end returns JOINS if the thread waits on its own Thread object in Thread.join, whose calls are the
// innermost frames; else 0. In a trace such a wait looks like any other, because the stack begins with the caller.
static unsigned waits_for_own_end(
	JNIEnv *env, jthread thread, jobject object, const jvmtiFrameInfo *frames, jint count) {
	if (!(*env)->IsSameObject(env, thread, object)) {
		return 0;
	}
	jvmtiFrameInfo found[JOIN_FRAMES];
	if (frames == NULL) {
		count = 0;
		(*agent.jvmti)->GetStackTrace(agent.jvmti, thread, 0, JOIN_FRAMES, found, &count);
		frames = found;
	}
	jclass class = (*env)->GetObjectClass(env, thread);
	jmethodID join = (*env)->GetMethodID(env, class, "join", "(J)V");
	bool joins = false;
	if (!threw(env)) {
		for (jint i = 0; i < count && i < JOIN_FRAMES; i++) {
			joins = joins || frames[i].method == join;
		}
	}
	(*env)->DeleteLocalRef(env, class);
	return joins ? JOINS : 0;
}

void JNICALL monitor_wait(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jobject object, jlong timeout) {
	(void)jvmti;
	int64_t id = recording() ? current_thread(env, thread) : 0;
	if (id == 0) {
		return;
	}
	struct record record = {.kind = WAIT, .thread = id, .time = ring_begin(), .argument = timeout};
	if ((record.object = object_id(env, object)) != 0) {
		record.flags = waits_for_own_end(env, thread, object, NULL, 0);
		publish_with_stack(&record);
		openwait_begins(&record, WAITS_FOR_MONITOR);
		blocked_changed(record.object);
	}
	waiting = awaited(record.object);
	ring_end();
}

// publish_held publishes that the thread is blocked on a monitor, or waits on it. Fresh frames show that, too.
// The thread may go on meanwhile; then it empties its place itself, perhaps earlier.
static void publish_held(JNIEnv *env, const jvmtiStackInfo *info, bool fresh, struct record *record) {
	jthread thread = info->thread;
	threads_hold();
	bool alive = owner_lives(record->thread), blocks = record->kind == CONTENDED_ENTER;
	const void *monitor = alive && blocks ? pending_monitor_of(env, thread) : NULL;
	jobject object = alive ? awaited_object(env, thread, record) : NULL;
	if (object != NULL && (record->object = object_id(env, object)) != 0) {
		if (record->kind == WAIT) {
			record->flags |= waits_for_own_end(env, thread, object, info->frame_buffer, fresh ? info->frame_count : 0);
		}
		ring_publish(record);
		openwait_begins(record, WAITS_FOR_MONITOR);
		if (monitor != NULL) {
			blocked_begins(record, monitor, told_owner(record));
			if (pending_monitor_of(env, thread) != monitor) {
				blocked_ends(record->thread);
				openwait_ends(record->thread);
			}
		}
	}
	threads_release();
}

bool publish_state(JNIEnv *env, const jvmtiStackInfo *info) {
	uint64_t frames[MAX_STACK];
	jthread thread = info->thread;
	struct record record = {.flags = EXISTED, .thread = thread_id(env, thread), .time = ring_now(), .payload = frames};
	jint state = thread_state(env, thread);
	bool waits = state & JVMTI_THREAD_STATE_IN_OBJECT_WAIT, sleeps = state & JVMTI_THREAD_STATE_SLEEPING;
	if (!waits && !sleeps && !(state & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER)) {
		return false;
	}
	record.kind = waits || sleeps ? WAIT : CONTENDED_ENTER;
	bool fresh = is_in_state(info, state);
	record.payload_size = fresh ? copy_frames(env, info, frames) : 0;
	if (record.kind == WAIT) {
		record.argument = waits && (state & JVMTI_THREAD_STATE_WAITING_INDEFINITELY) ? 0 : UNKNOWN_TIMEOUT;
	}
	if (!sleeps) {
		publish_held(env, info, fresh, &record);
		return false;
	}
	record.object = SLEEP;
	ring_publish(&record);
	return true;
}
