//go:build agent

#include "waitset.h"

#include "javathread.h"

static bool has(const struct wait_set *waiters, int64_t id) {
	for (int i = 0; i < waiters->count; i++) {
		if (waiters->ids[i] == id) {
			return true;
		}
	}
	return false;
}

// add_waiters adds the threads that wait on a monitor.
static void add_waiters(JNIEnv *env, const jvmtiMonitorUsage *usage, struct wait_set *waiters) {
	if (usage->notify_waiter_count > MAX_WAITERS) {
		return;
	}
	waiters->count = 0;
	for (jint i = 0; i < usage->notify_waiter_count; i++) {
		int64_t id = usage->notify_waiters[i] != NULL ? thread_id(env, usage->notify_waiters[i]) : 0;
		if (id != 0 && !has(waiters, id)) {
			waiters->ids[waiters->count++] = id;
		}
	}
}

void wait_set_read(JNIEnv *env, jobject object, struct wait_set *waiters) {
	jvmtiMonitorUsage usage = {0};
	waiters->count = UNKNOWN_WAITERS;
	if ((*env)->PushLocalFrame(env, MANY_REFERENCES) != 0) {
		return;
	}
	if ((*agent.jvmti)->GetObjectMonitorUsage(agent.jvmti, object, &usage) == JVMTI_ERROR_NONE) {
		add_waiters(env, &usage, waiters);
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)usage.waiters);
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)usage.notify_waiters);
	(*env)->PopLocalFrame(env, NULL);
}

void wait_set_removed(struct wait_set *before, const struct wait_set *after, bool all) {
	int count = 0;
	for (int i = 0; i < before->count; i++) {
		if (!has(after, before->ids[i])) {
			before->ids[count++] = before->ids[i];
		}
	}
	bool complete = before->count >= 0 && after->count >= 0 && (all || count <= 1) && (count > 0 || !agent.virtual);
	before->count = complete ? count : UNKNOWN_WAITERS;
}
