//go:build agent

#include "blocked.h"

#include <sched.h>

#include "owner.h"

// threads has, for each place, the id of its thread; 0 if it is empty, FILLING while the thread fills it. While the
// place is held, the id is negative.
static int64_t threads[MAX_BLOCKED];
enum { FILLING = INT32_MIN };
static uint32_t used;

static struct place {
	int64_t since; // 0 while the others change
	struct blocked blocked;
	unsigned recording;
} places[MAX_BLOCKED];

enum { OBJECTS = 1 << 12 };
static struct {
	uint32_t changes;
	int64_t told; // the owner that the last sample reported
} objects[OBJECTS]; // by their ids modulo OBJECTS

static unsigned recording_now; // the number of the recording

static bool asleep; // the sampling thread
static void (*wake_sampler)(void);

void blocked_prepare(void (*wake)(void)) {
	wake_sampler = wake;
	recording_now++;
}

static bool swap(int64_t *thread, int64_t from, int64_t to) {
	return __atomic_compare_exchange_n(thread, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

// take sets a place to another value, if it has the id or is empty; else it returns false. It waits while it is held.
static bool take(int64_t *thread, int64_t id, int64_t to) {
	for (;;) {
		int64_t is = __atomic_load_n(thread, __ATOMIC_RELAXED);
		if (is != id && is != -id) {
			return is == 0 && to != 0 && swap(thread, 0, to);
		}
		if (swap(thread, id, to)) {
			return true;
		}
		sched_yield();
	}
}

static void fill(struct place *place, const struct blocked *blocked) {
	__atomic_store_n(&place->since, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	place->blocked = *blocked;
	place->recording = recording_now;
	__atomic_store_n(&place->since, blocked->since, __ATOMIC_RELEASE);
}

// parks_again reports whether the thread has a place already, because it waits for the same lock.
static bool parks_again(uint32_t at, const struct blocked *blocked) {
	const struct place *place = &places[at];
	int64_t is = __atomic_load_n(&threads[at], __ATOMIC_RELAXED);
	return (is == blocked->thread || is == -blocked->thread) && blocked->monitor == NULL &&
		   place->blocked.monitor == NULL && place->blocked.object == blocked->object &&
		   place->recording == recording_now;
}

void blocked_begins(const struct record *record, const void *monitor, int64_t owner) {
	if (agent.settings.owner_period == 0) {
		return;
	}
	struct blocked blocked = {.thread = record->thread, .object = record->object, .since = record->time,
		.owner = owner, .monitor = monitor, .existed = record->flags & EXISTED};
	uint32_t at = record->thread % MAX_BLOCKED;
	if (owner == 0 || owner != __atomic_load_n(&objects[record->object % OBJECTS].told, __ATOMIC_RELAXED)) {
		blocked_changed(record->object);
	}
	if (parks_again(at, &blocked) || !take(&threads[at], record->thread, FILLING)) {
		return;
	}
	fill(&places[at], &blocked);
	__atomic_store_n(&threads[at], record->thread, __ATOMIC_SEQ_CST);
	for (uint32_t was = __atomic_load_n(&used, __ATOMIC_RELAXED); was <= at;) {
		if (__atomic_compare_exchange_n(&used, &was, at + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
			break;
		}
	}
	if (__atomic_load_n(&asleep, __ATOMIC_SEQ_CST) && __atomic_exchange_n(&asleep, false, __ATOMIC_SEQ_CST)) {
		wake_sampler();
	}
}

void blocked_ends(int64_t thread) {
	if (agent.settings.owner_period > 0) {
		take(&threads[thread % MAX_BLOCKED], thread, 0);
	}
}

void blocked_changed(int64_t object) {
	if (agent.settings.owner_period > 0) {
		__atomic_add_fetch(&objects[object % OBJECTS].changes, 1, __ATOMIC_RELAXED);
	}
}

uint32_t blocked_changes(int64_t object) {
	return __atomic_load_n(&objects[object % OBJECTS].changes, __ATOMIC_RELAXED);
}

void blocked_told(int64_t object, int64_t owner) {
	__atomic_store_n(&objects[object % OBJECTS].told, owner, __ATOMIC_RELAXED);
}

uint32_t blocked_used(void) { return __atomic_load_n(&used, __ATOMIC_SEQ_CST); }

bool blocked_at(uint32_t at, struct blocked *blocked) {
	const struct place *place = &places[at];
	int64_t id = __atomic_load_n(&threads[at], __ATOMIC_ACQUIRE);
	int64_t since = id > 0 ? __atomic_load_n(&place->since, __ATOMIC_ACQUIRE) : 0;
	if (since == 0) {
		return false;
	}
	*blocked = place->blocked;
	bool current = place->recording == recording_now;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(&place->since, __ATOMIC_RELAXED) == since && blocked->thread == id && current;
}

bool blocked_still(const struct blocked *blocked) {
	struct blocked now;
	return blocked_at(blocked->thread % MAX_BLOCKED, &now) && now.thread == blocked->thread &&
		   now.since == blocked->since;
}

// The JVM must not be called while the place is held, because the thread waits until it is released.
bool blocked_word(const struct blocked *blocked, uint64_t *word) {
	uint32_t at = blocked->thread % MAX_BLOCKED;
	if (!swap(&threads[at], blocked->thread, -blocked->thread)) {
		return false;
	}
	const struct place *place = &places[at];
	bool still = place->blocked.since == blocked->since && place->recording == recording_now;
	*word = still ? owner_word(place->blocked.monitor) : NO_OWNER;
	__atomic_store_n(&threads[at], blocked->thread, __ATOMIC_SEQ_CST);
	return still;
}

bool blocked_await(void) {
	__atomic_store_n(&asleep, true, __ATOMIC_SEQ_CST);
	for (uint32_t at = 0; at < blocked_used(); at++) {
		if (__atomic_load_n(&threads[at], __ATOMIC_SEQ_CST) != 0) {
			__atomic_store_n(&asleep, false, __ATOMIC_SEQ_CST);
			return false;
		}
	}
	return true;
}

// A place that is being filled stays as it is, and has the number of the ended recording.
void blocked_clear(void) {
	for (uint32_t at = 0; at < blocked_used(); at++) {
		int64_t id = __atomic_load_n(&threads[at], __ATOMIC_RELAXED);
		if (id > 0) {
			swap(&threads[at], id, 0);
		}
	}
}
