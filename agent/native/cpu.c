//go:build agent

#include "cpu.h"

#include <time.h>

enum { CHEAP = 300, PAUSE = 10 * 1000 * 1000 }; // nanoseconds: of a call, and from one to the next if it is not cheap

static int64_t pause_between = PAUSE;

static __thread int64_t next; // when the calling thread may ask again

int64_t cpu_time(void) {
	struct timespec used;
	return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) == 0 ? used.tv_sec * INT64_C(1000000000) + used.tv_nsec : 0;
}

void cpu_prepare(void) {
	enum { CALLS = 16, ROUNDS = 4 };
	int64_t best = INT64_MAX;
	for (int round = 0; round < ROUNDS; round++) {
		int64_t begin = ring_now();
		for (int i = 0; i < CALLS; i++) {
			cpu_time();
		}
		int64_t cost = (ring_now() - begin) / CALLS;
		best = cost < best ? cost : best;
	}
	pause_between = best < CHEAP ? 0 : PAUSE;
}

int64_t cpu_time_due(int64_t now) {
	if (now < next) {
		return 0;
	}
	next = now + pause_between;
	return cpu_time();
}

int64_t cpu_time_of(jthread thread) {
	jlong nanos = 0;
	(*agent.jvmti)->GetThreadCpuTime(agent.jvmti, thread, &nanos);
	return nanos;
}
