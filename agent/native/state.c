//go:build agent

#include "state.h"

#include <stdlib.h>
#include <string.h>

#include "blocked.h"
#include "executor.h"
#include "javathread.h"
#include "openwait.h"
#include "owner.h"
#include "park.h"
#include "peer.h"
#include "statefield.h"
#include "thread.h"
#include "virtualowner.h"

enum {
	MAX_STATES = 200,
	LONGEST_TIME = 4 * 1000 * 1000, // nanoseconds of CPU time for all states
	LONGEST_QUEUE = 1 << 14,        // limit of counted waiters
	REFERENCES = 64,
};

// Objects whose states were published while the recording goes on, each once.
static int64_t stalls[MAX_STATES];
static int stall_count;
static int64_t look_due; // when it is looked for more

// Synchronizers.

#define QUEUED LOCKS "AbstractQueuedSynchronizer"
#define QUEUED_LONG LOCKS "AbstractQueuedLongSynchronizer"
#define WIDTH(of, type) \
	{ \
		"L" of ";", FIELD("state", type), FIELD("tail", "L" of "$Node;"), \
			FIELD("prev", "L" of "$Node;"), FIELD("waiter", THREAD), FIELD("this$0", "L" of ";"), \
			FIELD("firstWaiter", "L" of "$ConditionNode;"), FIELD("nextWaiter", "L" of "$ConditionNode;"), \
	}

// Synchronizers have a state of 32 bits, or of 64.
static struct width {
	const char *synchronizer; // its signature
	struct field state, tail, previous, waiter;
	struct field lock, first, after; // of a condition
} widths[] = {WIDTH(QUEUED, "I"), WIDTH(QUEUED_LONG, "J")};
enum { INT, LONG };

// is_of_width reports whether the object's class is the synchronizer or extends it.
static bool is_of_width(struct state *s, const struct width *w) {
	int index;
	jclass class = class_among(s->env, s->object, &w->synchronizer, 1, &index);
	(*s->env)->DeleteLocalRef(s->env, class);
	return class != NULL;
}

// put_queued puts the number of threads in the synchronizer's queue, unless it is above LONGEST_QUEUE.
static void put_queued(struct state *s, struct width *w) {
	jobject node = get_object(s, s->class, s->object, &w->tail);
	int seen = 0, queued = 0;
	while (node != NULL && seen++ < LONGEST_QUEUE && !(seen % 256 == 0 && is_late(s))) {
		jobject waiter = get_inner(s, node, &w->waiter);
		queued += waiter != NULL;
		(*s->env)->DeleteLocalRef(s->env, waiter);
		get_next(s, &node, &w->previous);
	}
	if (node == NULL && !s->lacks) {
		put_number(s, "queued", queued);
	}
	(*s->env)->DeleteLocalRef(s->env, node);
}

// put_owner puts the owner, and publishes the owner thread if it had ended before the recording began.
static void put_owner(struct state *s, jobject synchronizer) {
	int64_t owner = synchronizer_owner(s->env, synchronizer);
	if (owner == UNKNOWN_OWNER) {
		return;
	}
	put_number(s, "owner", owner);
	jthread thread = owning_thread(s->env, synchronizer);
	if (thread != NULL) {
		announce_ended(s->env, thread, s->time);
	}
	(*s->env)->DeleteLocalRef(s->env, thread);
}

static void read_named(struct state *s, const char *name) {
	if (!is_of_width(s, &widths[INT])) {
		return;
	}
	put_number(s, name, get_int(s, s->class, s->object, &widths[INT].state));
	put_queued(s, &widths[INT]);
}

static void read_semaphore(struct state *s) { read_named(s, "permits"); }
static void read_latch(struct state *s) { read_named(s, "count"); }
static void read_other(struct state *s) { read_named(s, "state"); }

static void read_other_long(struct state *s) {
	put_number(s, "state", get_long(s, s->class, s->object, &widths[LONG].state));
	put_queued(s, &widths[LONG]);
}

static void read_lock(struct state *s) {
	read_named(s, "holds");
	put_owner(s, s->object);
}

// read_pair reads a ReentrantReadWriteLock, whose state has two numbers. The lock knows only its first and last reader.
static void read_pair(struct state *s, struct width *w, int bits) {
	static struct field first = FIELD("firstReader", THREAD),
						last = FIELD("cachedHoldCounter", "L" LOCKS "ReentrantReadWriteLock$Sync$HoldCounter;"),
						held = FIELD("count", "I"), tid = FIELD("tid", "J");
	uint64_t state = w == &widths[INT] ? (uint32_t)get_int(s, s->class, s->object, &w->state)
									   : (uint64_t)get_long(s, s->class, s->object, &w->state);
	put_owner(s, s->object);
	put_number(s, "holds", state & (((uint64_t)1 << bits) - 1));
	put_number(s, "readers", state >> bits);
	jobject reader = get_object(s, s->class, s->object, &first);
	if (reader != NULL) {
		put_thread(s, "reader", reader);
	}
	jobject counter = get_object(s, s->class, s->object, &last);
	jclass class = counter != NULL ? (*s->env)->GetObjectClass(s->env, counter) : NULL;
	if (get_int(s, class, counter, &held) > 0) {
		put_number(s, "reader", get_long(s, class, counter, &tid));
	}
	put_queued(s, w);
}

static void read_read_write(struct state *s) {
	enum { SHORT = 16, WIDE = 32 };
	if (is_of_width(s, &widths[INT])) {
		read_pair(s, &widths[INT], SHORT);
	} else if (is_of_width(s, &widths[LONG])) { // from JDK 25 on
		read_pair(s, &widths[LONG], WIDE);
	}
}

// read_waiters reads a condition and its lock. No field leads from there to a queue or a barrier that uses it.
static void read_waiters(struct state *s, struct width *w) {
	jobject of = get_object(s, s->class, s->object, &w->lock), node = get_object(s, s->class, s->object, &w->first);
	int waiters = 0;
	for (; node != NULL && waiters < LONGEST_QUEUE && !(waiters % 256 == 255 && is_late(s)); waiters++) {
		get_next(s, &node, &w->after);
	}
	if (node == NULL) {
		put_number(s, "waiters", waiters);
	}
	if (of != NULL) {
		put_owner(s, of);
	}
}

static void read_condition(struct state *s) { read_waiters(s, &widths[INT]); }
static void read_condition_long(struct state *s) { read_waiters(s, &widths[LONG]); }

static void read_stamped(struct state *s) {
	enum { READERS = 0x7F, WRITER = 0x80, MANY = 126 };
	static struct field word = FIELD("state", "J"), more = FIELD("readerOverflow", "I");
	jlong state = get_long(s, s->class, s->object, &word), readers = state & READERS;
	if (readers >= MANY) {
		readers = MANY + get_int(s, s->class, s->object, &more);
	}
	put_number(s, "readers", readers);
	put_number(s, "writers", (state & WRITER) != 0);
}

// read_phaser reads the Phaser of a node in its queue.
static void read_phaser(struct state *s) {
	enum { EMPTY = 1, COUNT = 0xFFFF, PARTIES_SHIFT = 16, PHASE_SHIFT = 32 };
	static struct field phaser = FIELD("phaser", "L" CONCURRENT "Phaser;"), word = FIELD("state", "J");
	static const char *const declares = "L" CONCURRENT "Phaser;";
	int index;
	jobject of = get_object(s, s->class, s->object, &phaser);
	jclass class = of != NULL ? class_among(s->env, of, &declares, 1, &index) : NULL;
	jlong state = get_long(s, class, of, &word);
	jint counts = (jint)state, parties = (uint32_t)counts >> PARTIES_SHIFT;
	put_number(s, "parties", parties);
	put_number(s, "arrived", counts == EMPTY ? 0 : parties - (counts & COUNT));
	put_number(s, "phase", (state >> PHASE_SHIFT) & INT32_MAX);
}

// Tasks.

// read_future reads a FutureTask.
static void read_future(struct state *s) {
	static struct field state = FIELD("state", "I"), runner = FIELD("runner", THREAD);
	put_number(s, "done", get_int(s, s->class, s->object, &state) != 0);
	put_thread(s, "runner", get_object(s, s->class, s->object, &runner));
}

static void read_task(struct state *s) {
	static struct field status = FIELD("status", "I");
	put_number(s, "done", get_int(s, s->class, s->object, &status) < 0);
}

// read_signaller reads the list of a CompletableFuture's dependents, from the waiting thread on.
static void read_signaller(struct state *s) {
	enum { MANY = 1000 };
	static struct field after = FIELD("next", "L" CONCURRENT "CompletableFuture$Completion;");
	jobject next = get_object(s, s->class, s->object, &after);
	int dependents = 0;
	for (; next != NULL && dependents < MANY; dependents++) {
		get_next(s, &next, &after);
	}
	if (next == NULL) {
		put_number(s, "dependents", dependents);
	}
}

// Which classes.

static const char *const signatures[] = {"L" CONCURRENT "Semaphore$Sync;", "L" CONCURRENT "CountDownLatch$Sync;",
	"L" LOCKS "ReentrantLock$Sync;", "L" LOCKS "ReentrantReadWriteLock$Sync;", "L" QUEUED ";", "L" QUEUED_LONG ";",
	"L" QUEUED "$ConditionObject;", "L" QUEUED_LONG "$ConditionObject;", "L" LOCKS "StampedLock;",
	"L" CONCURRENT "Phaser$QNode;", "L" CONCURRENT "FutureTask;", "L" CONCURRENT "CompletableFuture$Signaller;",
	"L" CONCURRENT "ForkJoinTask;"};
enum { SIGNATURES = sizeof signatures / sizeof *signatures };
static void (*const readers[SIGNATURES])(struct state *s) = {read_semaphore, read_latch, read_lock, read_read_write,
	read_other, read_other_long, read_condition, read_condition_long, read_stamped, read_phaser, read_future,
	read_signaller, read_task};

// read reads the object's state, as its class, or the first superclass with a known state, defines it.
static void read(struct state *s) {
	int index;
	s->class = class_among(s->env, s->object, signatures, SIGNATURES, &index);
	if (s->class != NULL) {
		readers[index](s);
	}
}

// Which objects.

static int by_threads(const void *a, const void *b) {
	const struct awaited *x = a, *y = b;
	if (x->threads != y->threads) {
		return y->threads - x->threads;
	}
	return x->since < y->since ? -1 : x->since > y->since;
}

// long_wait returns the wait at the place if it has lasted for LEAST_WAIT; not one for input or output.
static bool long_wait(uint32_t at, int64_t now, struct openwait *wait) {
	return openwait_at(at, wait) && wait->kind != WAITS_FOR_IO && now - wait->since >= LEAST_WAIT;
}

static bool is_stall(int64_t object) {
	for (int i = 0; i < stall_count; i++) {
		if (stalls[i] == object) {
			return true;
		}
	}
	return false;
}

// find_awaited finds the objects, at the end all and else new ones, and reports whether there are any.
static bool find_awaited(struct awaited *all, int64_t now, bool end) {
	struct openwait wait;
	bool any = false;
	for (uint32_t at = 0; at < openwaits_used(); at++) {
		struct awaited *a = long_wait(at, now, &wait) ? awaited_place(all, wait.object) : NULL;
		if (a == NULL || (!end && a->object == 0 && is_stall(wait.object))) {
			continue;
		}
		a->object = wait.object;
		if (a->threads++ == 0 || wait.since < a->since) {
			a->thread = wait.thread;
			a->since = wait.since;
		}
		any = true;
	}
	return any;
}

// find_other_executors adds the executors of the other threads, which may run, sleep, or do input or output.
static void find_other_executors(JNIEnv *env, int64_t until, struct executors *executors) {
	jint count = 0;
	jthread *threads = NULL;
	if ((*agent.jvmti)->GetAllThreads(agent.jvmti, &count, &threads) != JVMTI_ERROR_NONE) {
		return;
	}
	for (jint i = 0; i < count; i++) {
		struct openwait wait;
		int64_t id = is_past(until) || is_carrier(env, threads[i]) ? 0 : thread_id(env, threads[i]);
		if (id != 0) {
			bool waits = openwait_at(id % MAX_OPENWAITS, &wait) && wait.thread == id && wait.kind != WAITS_FOR_IO;
			executor_add(env, executors, threads[i], waits ? wait.object : 0);
		}
		(*env)->DeleteLocalRef(env, threads[i]);
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)threads);
}

// find_executors adds the executors of threads that run a task, first the executors of waiting threads.
static void find_executors(JNIEnv *env, int64_t now, int64_t until, struct executors *executors) {
	struct openwait wait;
	for (uint32_t at = 0; at < openwaits_used(); at++) {
		jthread thread = long_wait(at, now, &wait) && !is_past(until) ? live_thread(env, wait.thread) : NULL;
		if (thread != NULL) {
			executor_add(env, executors, thread, wait.object);
			(*env)->DeleteLocalRef(env, thread);
		}
	}
	find_other_executors(env, until, executors);
}

// read_monitor reads the monitor of an object, if the thread still waits or is blocked on it.
static void read_monitor(struct state *s, const struct awaited *a) {
	struct monitor_use use;
	struct openwait wait;
	if (!monitor_use_of(a->thread, &use) || !openwait_at(a->thread % MAX_OPENWAITS, &wait) ||
		wait.thread != a->thread || wait.object != a->object || wait.since != a->since ||
		wait.kind != WAITS_FOR_MONITOR) {
		return;
	}
	struct blocked b;
	int64_t owner = 0;
	if (use.owner == ANONYMOUS_OWNER) { // the owner has not left the monitor since the thread was blocked
		owner = blocked_at(a->thread % MAX_BLOCKED, &b) && b.thread == a->thread && b.object == a->object ? b.owner : 0;
	} else if (use.owner != NO_OWNER) {
		owner = owner_of_word(use.owner);
	}
	if (use.owner == NO_OWNER || owner != 0) {
		put_number(s, "owner", owner);
	}
	put_number(s, "waiters", use.waiters);
}

// read_awaited publishes the state of an object, if the thread still waits for it.
static void read_awaited(JNIEnv *env, const struct awaited *a, int64_t deadline) {
	struct state s = {.env = env, .deadline = deadline, .time = ring_begin()};
	if ((*env)->PushLocalFrame(env, REFERENCES) != 0) {
		(*env)->ExceptionClear(env);
		ring_end();
		return;
	}
	jthread thread = live_thread(env, a->thread);
	s.object = thread != NULL ? parked_for(env, thread, a->object) : NULL;
	if (s.object != NULL) {
		read(&s);
	} else if (thread != NULL) {
		read_monitor(&s, a);
	}
	if (a->queue != 0) {
		put_number(&s, "inQueue", a->queue);
	}
	if (a->terminates != 0) {
		put_number(&s, "terminates", a->terminates);
	}
	state_publish(&s, a->object, s.time);
	(*env)->PopLocalFrame(env, NULL);
	ring_end();
}

// is_parked_still reports whether the thread is parked for the object of its wait, or has ended.
static bool is_parked_still(JNIEnv *env, const struct openwait *wait) {
	jthread thread = live_thread(env, wait->thread);
	jobject object = thread != NULL ? parked_for(env, thread, wait->object) : NULL;
	bool still = thread == NULL || object != NULL;
	(*env)->DeleteLocalRef(env, object);
	(*env)->DeleteLocalRef(env, thread);
	return still;
}

// end_unreported publishes the ends of parks that their threads do not report.
static void end_unreported(JNIEnv *env, int64_t until) {
	struct openwait wait, now;
	for (uint32_t at = 0; at < openwaits_used() && !is_past(until); at++) {
		if (!openwait_at(at, &wait) || !wait.unreported || is_parked_still(env, &wait) || !openwait_at(at, &now) ||
			now.thread != wait.thread || now.since != wait.since) {
			continue;
		}
		openwait_acquired(wait.thread);
		struct record record = {.kind = PARKED, .flags = EXISTED, .thread = wait.thread, .time = ring_begin()};
		record.object = wait.object;
		ring_publish(&record);
		ring_end();
	}
}

// publish publishes the states of executors first: they say which objects are in their queues.
static void publish(JNIEnv *env, struct awaited *all, struct executors *executors, bool end) {
	int64_t now = ring_now(), begin = states_begin();
	int most = end ? MAX_STATES : MAX_STATES - stall_count;
	end_unreported(env, begin + LONGEST_TIME / 4);
	if (!find_awaited(all, now, end)) {
		return;
	}
	find_executors(env, now, begin + LONGEST_TIME / 4, executors);
	now = ring_begin();
	executors_publish(env, executors, all, now, begin + LONGEST_TIME / 2);
	ring_end();
	qsort(all, MAX_AWAITED, sizeof *all, by_threads);
	for (int i = 0; i < most - executors->count && all[i].object != 0 && !is_past(begin + LONGEST_TIME); i++) {
		read_awaited(env, &all[i], begin + LONGEST_TIME);
		if (!end) {
			stalls[stall_count++] = all[i].object;
		}
	}
}

static bool are_read(void) { return agent.settings.owner_period > 0 && agent.settings.parks; }

static void publish_states(JNIEnv *env, bool end) {
	struct awaited *all = calloc(MAX_AWAITED, sizeof *all);
	struct executors *executors = calloc(1, sizeof *executors);
	if (all != NULL && executors != NULL && (*env)->PushLocalFrame(env, MANY_REFERENCES) == 0) {
		publish(env, all, executors, end);
		(*env)->PopLocalFrame(env, NULL);
	}
	(*env)->ExceptionClear(env);
	free(all);
	free(executors);
}

void states_publish(JNIEnv *env) {
	if (are_read()) {
		publish_states(env, true);
		peers_publish();
	}
}

int64_t states_pause(void) {
	int64_t pause = look_due - ring_now();
	return !are_read() || stall_count == MAX_STATES ? 0 : pause > 0 ? pause : 1;
}

void states_poll(JNIEnv *env) {
	if (states_pause() != 1) {
		return;
	}
	look_due = ring_now() + LEAST_WAIT;
	publish_states(env, false);
}

void states_prepare(void) {
	stall_count = 0;
	look_due = 0;
	if (agent.settings.parks) {
		executors_prepare();
	}
}
