//go:build agent

#include "sleeper.h"

#include <stdlib.h>

#include "javathread.h"

enum { MAX_SLEEPERS = 1024 };

struct sleeper {
	jthread thread;
	jlong ran; // CPU time in nanoseconds: it changes when the thread wakes up
};

static __thread struct sleeper *sleepers;
static __thread int sleeping;

static jlong cpu_time(jthread thread) {
	jlong nanos = 0;
	(*agent.jvmti)->GetThreadCpuTime(agent.jvmti, thread, &nanos);
	return nanos;
}

void sleepers_init(void) { sleepers = malloc(MAX_SLEEPERS * sizeof *sleepers); }

bool sleepers_empty(void) { return sleeping == 0; }

void sleepers_add(JNIEnv *env, jthread thread) {
	if (sleepers != NULL && sleeping < MAX_SLEEPERS) {
		sleepers[sleeping++] = (struct sleeper){(*env)->NewGlobalRef(env, thread), cpu_time(thread)};
	}
}

static bool sleeps_still(const struct sleeper *sleeper) {
	jint state = 0;
	(*agent.jvmti)->GetThreadState(agent.jvmti, sleeper->thread, &state);
	return (state & JVMTI_THREAD_STATE_SLEEPING) && cpu_time(sleeper->thread) == sleeper->ran;
}

void sleepers_poll(JNIEnv *env) {
	int left = 0;
	for (int i = 0; i < sleeping; i++) {
		if (sleeps_still(&sleepers[i])) {
			sleepers[left++] = sleepers[i];
			continue;
		}
		int64_t time = ring_begin();
		ring_publish(&(struct record){.kind = WAITED,
			.flags = EXISTED,
			.thread = thread_id(env, sleepers[i].thread),
			.time = time,
			.object = SLEEP});
		ring_end();
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
