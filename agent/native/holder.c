//go:build agent

#include "holder.h"

#include <pthread.h>

#include "blocked.h"
#include "cpu.h"
#include "owner.h"
#include "park.h"
#include "stack.h"
#include "virtualowner.h"

enum {
	PART = 50,                        // an unchanged owner is looked up again after a fiftieth of the time it has held
	CORE_PART = 60,                   // rounds take a sixtieth of a core at most
	LOOK_TIME = 500 * 1000,           // nanoseconds for the look at an owner: later it may be another one
	LOOKS = 3,                        // attempts to look at an owner in that time
	STACKS_TIME = 2 * 1000 * 1000,    // nanoseconds for stack traces in a round: an owner may wait for a processor
	LATEST = 40 * 1000 * 1000,        // nanoseconds after which a record would be read too late
	IDLE = 1000 * 1000 * 1000,        // nanoseconds without a blocked thread until the sampling thread sleeps
	ASK_TIME = 400 * 1000,            // nanoseconds of CPU time for questions to virtual threads in a round
	ASK_AGAIN = 2,                    // they are asked again after twice the time for which the owner was unknown
	MAX_HOLDERS = 1024, PLACES = 8,   // an object is kept in one of eight places, computed from its id
};

// holder is what is known about an object's owner.
struct holder {
	int64_t object;
	uint32_t round;         // when a thread was blocked on it last
	struct blocked threads[2]; // the two that have been blocked for the longest
	int64_t due;            // when it is looked up next
	int64_t steady;         // since when the owner is the same
	int64_t told;           // the owner published last; UNKNOWN_OWNER if the trace may have another one
	uint32_t changes;       // blocked_changes when it was published
	uint64_t place;         // a hash of the stack trace published last; 0 for none
	uint64_t word;          // the owner as the monitor has it
	uint64_t asked_word;    // the word whose owner was asked for
	int64_t answer;         // that owner; 0 if it was not found, UNKNOWN_OWNER while it is being asked for
	int64_t ask_due;        // when it is asked for again
};

static struct holder holders[MAX_HOLDERS];
static struct holder *due[MAX_HOLDERS]; // the objects whose owners are looked up in this round
static int due_count;
static uint32_t sampling_round = 1;
static unsigned turn; // the owner whose stack trace is read first
static int64_t busy;  // when a thread was blocked last
static int64_t cost;  // CPU time of the last round

static pthread_mutex_t sampling = PTHREAD_MUTEX_INITIALIZER;

// Which objects.

// holder_of returns the object's holder; NULL if it has none. With add it makes one, in a free place or in the place of
// an object that no thread is blocked on any more; NULL if all places are used.
static struct holder *holder_of(int64_t object, bool add) {
	struct holder *old = NULL;
	for (int i = 0; i < PLACES; i++) {
		struct holder *h = &holders[(object + i) % MAX_HOLDERS];
		if (h->object == object) {
			return h;
		}
		if (h->round + 1 < sampling_round) {
			old = h;
		}
	}
	if (add && old != NULL) {
		*old = (struct holder){.object = object};
	}
	return add ? old : NULL;
}

// add notes that the thread is blocked on an object.
static void add(const struct blocked *b) {
	struct holder *h = holder_of(b->object, true);
	if (h == NULL) {
		return;
	}
	if (h->round != sampling_round) {
		if (h->round + 1 != sampling_round) { // nobody was blocked on it
			*h = (struct holder){.object = b->object, .told = UNKNOWN_OWNER, .steady = b->since};
		}
		h->round = sampling_round;
		due[due_count++] = h;
		h->threads[0] = h->threads[1] = (struct blocked){0};
	}
	if (h->threads[0].thread == 0 || b->since < h->threads[0].since) {
		h->threads[1] = h->threads[0];
		h->threads[0] = *b;
	} else if (h->threads[1].thread == 0 || b->since < h->threads[1].since) {
		h->threads[1] = *b;
	}
}

// find_due finds the objects whose owners are to be looked up now.
static void find_due(int64_t now) {
	struct blocked b;
	due_count = 0;
	sampling_round++;
	for (uint32_t at = 0; at < blocked_used(); at++) {
		if (!blocked_at(at, &b)) {
			continue;
		}
		busy = now;
		if (now - b.since >= agent.settings.owner_period) {
			add(&b);
		}
	}
	int count = 0;
	for (int i = 0; i < due_count; i++) {
		bool changed = blocked_changes(due[i]->object) != due[i]->changes;
		if (changed || now + agent.settings.owner_period / 2 >= due[i]->due) {
			due[count++] = due[i];
		}
	}
	due_count = count;
}

// Who owns them.

// owned is an object's owner at one moment. The thread is NULL if nobody owns the object or the owner cannot be found.
struct owned {
	int64_t id; // 0 for none, UNKNOWN_OWNER
	int64_t time; // of the moment
	jthread thread;
	const struct blocked *blocked; // a thread that was blocked meanwhile, and is not the owner; NULL for none
};

// owner_of_lock returns the owner of the lock for which the thread is parked.
static int64_t owner_of_lock(JNIEnv *env, const struct blocked *b, jthread *owner) {
	int64_t id = UNKNOWN_OWNER;
	jthread thread = live_thread(env, b->thread);
	if (thread != NULL) {
		*owner = lock_owner(env, thread, b->object, &id);
		(*env)->DeleteLocalRef(env, thread);
	}
	if (id == UNKNOWN_OWNER && b->existed) {
		blocked_ends(b->thread);
	}
	return blocked_still(b) ? id : UNKNOWN_OWNER;
}

// owner_of_monitor returns the owner that the word of the object's monitor names.
static int64_t owner_of_monitor(struct holder *h, uint64_t word) {
	int64_t first = h->threads[0].owner != 0 ? h->threads[0].owner : h->threads[1].owner;
	h->word = word;
	if (word == NO_OWNER) {
		return 0;
	}
	if (word == ANONYMOUS_OWNER && first != 0) { // the owner has not left the monitor since
		return first;
	}
	int64_t id = word == ANONYMOUS_OWNER ? 0 : owner_of_word(word);
	if (id == 0) {
		return h->asked_word == word && h->answer != 0 ? h->answer : UNKNOWN_OWNER;
	}
	return id;
}

// look_up returns the owner of the object now.
static struct owned look_up(JNIEnv *env, struct holder *h) {
	struct owned owned = {.id = UNKNOWN_OWNER};
	uint64_t word;
	for (int i = 0; i < 2 && owned.id == UNKNOWN_OWNER; i++) {
		const struct blocked *b = &h->threads[i];
		if (b->thread == 0) {
			break;
		}
		if (b->monitor == NULL) {
			owned.id = owner_of_lock(env, b, &owned.thread);
		} else if (blocked_word(b, &word)) {
			owned.id = owner_of_monitor(h, word);
		}
	}
	for (int i = 0; i < 2 && owned.blocked == NULL; i++) {
		const struct blocked *b = &h->threads[i];
		owned.blocked = b->thread != 0 && b->thread != owned.id && blocked_still(b) ? b : NULL;
	}
	return owned;
}

// look_up_promptly looks the owner up, with its time. It reports false if each attempt took longer than LOOK_TIME: the
// sampling thread may lose its processor before it has seen the owner.
static bool look_up_promptly(JNIEnv *env, struct holder *h, struct owned *owned) {
	for (int i = 0; i < LOOKS; i++) {
		int64_t time = ring_now();
		*owned = look_up(env, h);
		owned->time = time;
		if (ring_now() - time < LOOK_TIME) {
			return true;
		}
		(*env)->DeleteLocalRef(env, owned->thread);
	}
	*owned = (struct owned){.id = UNKNOWN_OWNER};
	return false;
}

// Publishing.

// tell publishes the owner of the object, with its stack trace, for a thread that was blocked at the time. With news,
// the trace may have another owner.
static void tell(struct holder *h, const struct owned *owned, bool news, const uint64_t *frames, size_t size) {
	ring_publish(&(struct record){.kind = HELD, .flags = news ? OWNER_NEWS : 0, .thread = owned->blocked->thread,
		.time = owned->time, .object = h->object, .argument = owned->id, .payload = frames, .payload_size = size});
	h->told = owned->id;
	blocked_told(h->object, owned->id);
}

static uint64_t hash(const uint64_t *frames, size_t size) {
	uint64_t sum = 1;
	for (size_t i = 0; i < size / sizeof *frames; i++) {
		sum = (sum ^ frames[i]) * 0x9E3779B97F4A7C15u;
		sum ^= sum >> 32;
	}
	return size > 0 ? sum | 1 : 0;
}

// still_owns reports whether the thread still, or again, owns the object.
static bool still_owns(JNIEnv *env, struct holder *h, const struct owned *owned) {
	jthread thread = NULL;
	if (owned->blocked->monitor == NULL) {
		bool same = owner_of_lock(env, owned->blocked, &thread) == owned->id;
		(*env)->DeleteLocalRef(env, thread);
		return same;
	}
	uint64_t word, before = h->word;
	return blocked_word(owned->blocked, &word) && word == before;
}

// tell_place publishes the owner if it is news or its stack trace has changed, with the stack trace if it can be read.
static void tell_place(JNIEnv *env, struct holder *h, const struct owned *owned, bool news, bool stacks) {
	uint64_t frames[MAX_STACK];
	size_t size = stacks && owned->thread != NULL ? stack_of(env, owned->thread, frames) : 0;
	if (ring_now() - owned->time > LATEST) {
		return;
	}
	if (size > 0 && !still_owns(env, h, owned)) {
		size = 0;
	}
	uint64_t place = hash(frames, size);
	if (news || (place != 0 && place != h->place)) {
		tell(h, owned, news, frames, size);
		h->place = place;
	}
}

// Questions to virtual threads, about the objects whose owner has not been found.

static bool asking;
static uint32_t next_asked; // where to go on

static bool is_asked_for(const struct holder *h) { return h->round == sampling_round && h->answer == UNKNOWN_OWNER; }

static void found(int64_t object, int64_t owner, int64_t time) {
	struct holder *h = object != 0 ? holder_of(object, false) : NULL;
	if (h == NULL || !is_asked_for(h)) {
		return;
	}
	h->answer = owner;
	struct owned owned = {.id = owner, .time = time, .blocked = &h->threads[0]};
	if (blocked_still(owned.blocked)) {
		tell(h, &owned, true, NULL, 0);
	}
}

// want_answer has virtual threads asked for the object's owner.
static void want_answer(struct holder *h, int64_t now) {
	if (h->asked_word != h->word) {
		h->asked_word = h->word;
		h->answer = 0;
		h->ask_due = now;
	}
	if (h->answer == 0 && now >= h->ask_due && next_asked == 0) { // else a round of questions is under way
		h->answer = UNKNOWN_OWNER;
		h->ask_due = now + ASK_AGAIN * (now - h->threads[0].since);
		asking = true;
	}
}

static void ask(JNIEnv *env) {
	if (!asking) {
		return;
	}
	next_asked = virtual_owners_ask(env, next_asked, ASK_TIME, found);
	if (next_asked > 0) {
		return;
	}
	asking = false;
	for (struct holder *h = holders; h < holders + MAX_HOLDERS; h++) {
		h->answer = h->answer == UNKNOWN_OWNER ? 0 : h->answer;
	}
}

// Rounds.

static struct owned owners[MAX_HOLDERS]; // of those that are due
static bool news[MAX_HOLDERS];

// look_up_all looks up the owners. All are looked up before the first stack trace is read, which can take long.
static void look_up_all(JNIEnv *env, int64_t now) {
	for (int i = 0; i < due_count; i++) {
		struct holder *h = due[i];
		uint32_t changes = blocked_changes(h->object);
		if (!look_up_promptly(env, h, &owners[i])) {
			continue; // it is still due
		}
		if (owners[i].id == UNKNOWN_OWNER && h->threads[0].monitor != NULL) {
			want_answer(h, now);
		}
		news[i] = owners[i].id != h->told || changes != h->changes;
		h->changes = changes;
		if (news[i]) {
			h->steady = now;
			h->told = UNKNOWN_OWNER; // until it is published
		}
		int64_t pause = (now - h->steady) / PART;
		h->due = now + (pause > agent.settings.owner_period ? pause : agent.settings.owner_period);
	}
}

static void sample(JNIEnv *env) {
	int64_t time = ring_begin();
	look_up_all(env, time);
	bool stacks = true;
	unsigned first = turn;
	for (int i = 0; i < due_count; i++) {
		int at = (first + i) % due_count;
		struct owned *owned = &owners[at];
		stacks = stacks && ring_now() - time < STACKS_TIME;
		turn += stacks;
		if (owned->id == UNKNOWN_OWNER || owned->blocked == NULL) {
			continue;
		}
		if (owned->thread == NULL && owned->id != 0 && stacks) {
			owned->thread = live_thread(env, owned->id);
		}
		tell_place(env, due[at], owned, news[at], stacks);
	}
	ring_end();
}

void holders_sample(JNIEnv *env) {
	if (agent.settings.owner_period == 0) {
		return;
	}
	pthread_mutex_lock(&sampling);
	if (recording()) {
		int64_t before = cpu_time();
		find_due(ring_now());
		if ((due_count > 0 || asking) && (*env)->PushLocalFrame(env, MANY_REFERENCES) == 0) {
			sample(env);
			ask(env);
			(*env)->PopLocalFrame(env, NULL);
		}
		cost = cpu_time() - before;
	}
	pthread_mutex_unlock(&sampling);
}

int64_t holders_pause(void) {
	if (agent.settings.owner_period == 0 || (ring_now() - busy > IDLE && blocked_await())) {
		return 0;
	}
	return cost * CORE_PART > agent.settings.owner_period ? cost * CORE_PART : agent.settings.owner_period;
}

void holders_end(void) {
	pthread_mutex_lock(&sampling);
	blocked_clear();
	sampling_round += 2; // forgets all owners
	asking = false;
	next_asked = 0;
	pthread_mutex_unlock(&sampling);
}
