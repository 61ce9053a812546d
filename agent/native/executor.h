//go:build agent

// The states of executors whose threads run tasks: their workers, their queues, and the awaited tasks in the queues.
#ifndef TRCX_EXECUTOR_H
#define TRCX_EXECUTOR_H

#include "agent.h"

// awaited is an object for which threads have been waiting.
struct awaited {
	int64_t object, thread, since; // the thread that has been waiting for the longest
	int threads;
	int64_t queue; // the executor that has the object, or a task that ends the wait, in its queue; 0 for none
	int64_t terminates; // the executor whose end is awaited; 0 for none
};

// The awaited objects. An object is at one of a few places, which are computed from its id.
enum { MAX_AWAITED = 1 << 12, AWAITED_PLACES = 8 };

// awaited_place returns the place of the object, or an empty place for it; NULL if all its places are taken.
struct awaited *awaited_place(struct awaited *all, int64_t object);

enum { MAX_EXECUTORS = 32 };

// executors are those whose threads run tasks.
struct executors {
	struct executor {
		int64_t object; // its id
		jobject reference;
		bool forks; // a ForkJoinPool
	} all[MAX_EXECUTORS];
	int count;
};

// executors_prepare watches the classes. executor_add adds the thread's executor, if the thread runs one of its tasks;
// awaited is the object for which the thread waits, 0 for none.
void executors_prepare(void);
void executor_add(JNIEnv *env, struct executors *executors, jthread thread, int64_t awaited);

// executors_publish publishes the states, and notes which objects are in queues.
void executors_publish(
	JNIEnv *env, const struct executors *executors, struct awaited *awaited, int64_t time, int64_t deadline);

#endif
