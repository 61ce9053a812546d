//go:build agent

#include "sleeper.h"

#include <stdlib.h>

#include "cpu.h"
#include "javathread.h"
#include "openwait.h"

enum { MAX_SLEEPERS = 1024 };

struct sleeper {
	jthread thread;
	int64_t object; // SLEEP, or the awaited object
	jlong ran;      // CPU time in nanoseconds: it changes when the thread wakes up
};

static __thread struct sleeper *sleepers;
static __thread int sleeping;

void sleepers_init(void) { sleepers = malloc(MAX_SLEEPERS * sizeof *sleepers); }

bool sleepers_empty(void) { return sleeping == 0; }

void sleepers_add(JNIEnv *env, jthread thread, int64_t object) {
	if (sleepers != NULL && sleeping < MAX_SLEEPERS) {
		sleepers[sleeping++] = (struct sleeper){(*env)->NewGlobalRef(env, thread), object, cpu_time_of(thread)};
	}
}

int64_t sleepers_pause(void) {
	enum { SHORTEST = 10 * 1000 * 1000, LONGEST = 10 * SHORTEST, PART = 64 };
	int64_t part = (ring_now() - ring_header()->started) / PART;
	return part < SHORTEST ? SHORTEST : part < LONGEST ? part : LONGEST;
}

static bool sleeps_still(JNIEnv *env, const struct sleeper *sleeper) {
	jint want = sleeper->object == SLEEP ? JVMTI_THREAD_STATE_SLEEPING : JVMTI_THREAD_STATE_ALIVE;
	return (thread_state(env, sleeper->thread) & want) && cpu_time_of(sleeper->thread) == sleeper->ran;
}

void sleepers_poll(JNIEnv *env) {
	int left = 0;
	for (int i = 0; i < sleeping; i++) {
		if (sleeps_still(env, &sleepers[i])) {
			sleepers[left++] = sleepers[i];
			continue;
		}
		int64_t thread = thread_id(env, sleepers[i].thread), time = ring_begin();
		ring_publish(&(struct record){.kind = WAITED,
			.flags = EXISTED,
			.thread = thread,
			.time = time,
			.object = sleepers[i].object});
		ring_end();
		openwait_was(thread, sleepers[i].object);
		(*env)->DeleteGlobalRef(env, sleepers[i].thread);
	}
	sleeping = left;
}

void sleepers_free(JNIEnv *env) {
	while (sleeping > 0) {
		(*env)->DeleteGlobalRef(env, sleepers[--sleeping].thread);
	}
	free(sleepers);
	sleepers = NULL;
}
