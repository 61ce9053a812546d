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

// free_threads deletes the references and frees the list.
static void free_threads(JNIEnv *env, jthread *threads, jint count) {
	for (jint i = 0; i < count; i++) {
		(*env)->DeleteLocalRef(env, threads[i]);
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)threads);
}

void wait_set_read(JNIEnv *env, jobject object, struct wait_set *waiters) {
	jvmtiMonitorUsage usage = {0};
	waiters->count = UNKNOWN_WAITERS;
	if ((*agent.jvmti)->GetObjectMonitorUsage(agent.jvmti, object, &usage) != JVMTI_ERROR_NONE) {
		return;
	}
	if (usage.notify_waiter_count <= MAX_WAITERS) {
		waiters->count = 0;
	}
	for (jint i = 0; i < usage.notify_waiter_count && waiters->count != UNKNOWN_WAITERS; i++) {
		int64_t id = usage.notify_waiters[i] != NULL ? thread_id(env, usage.notify_waiters[i]) : 0;
		if (id != 0 && !has(waiters, id)) {
			waiters->ids[waiters->count++] = id;
		}
	}
	(*env)->DeleteLocalRef(env, usage.owner);
	free_threads(env, usage.waiters, usage.waiter_count);
	free_threads(env, usage.notify_waiters, usage.notify_waiter_count);
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
