//go:build agent

#include "virtualowner.h"

#include <pthread.h>
#include <sys/mman.h>

#include "id.h"

// The virtual threads that can own monitors, each at its id modulo MAX_THREADS. One whose place is taken is left out.
enum { MAX_THREADS = 1 << 20 };
static struct place {
	int64_t id;
	jweak thread;
} * places;
static uint32_t used; // length of places that is in use
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;

void virtual_owners_prepare(void) {
	if (!agent.virtual || !agent.settings.owner || places != NULL) {
		return;
	}
	places = mmap(
		NULL, MAX_THREADS * sizeof *places, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (places == MAP_FAILED) {
		places = NULL;
	}
}

void virtual_owner_add(JNIEnv *env, jthread thread, int64_t id) {
	if (places == NULL) {
		return;
	}
	uint32_t at = id % MAX_THREADS;
	jweak weak = (*env)->NewWeakGlobalRef(env, thread);
	pthread_mutex_lock(&changing);
	if (places[at].thread == NULL) {
		places[at] = (struct place){id, weak};
		weak = NULL;
		used = at < used ? used : at + 1;
	}
	pthread_mutex_unlock(&changing);
	if (weak != NULL) {
		(*env)->DeleteWeakGlobalRef(env, weak);
	}
}

// empty empties a place and returns the reference that it had.
static jweak empty(uint32_t at) {
	jweak weak = places[at].thread;
	places[at] = (struct place){0};
	return weak;
}

void virtual_owner_remove(JNIEnv *env, int64_t id) {
	if (places == NULL) {
		return;
	}
	uint32_t at = id % MAX_THREADS;
	pthread_mutex_lock(&changing);
	jweak weak = places[at].id == id ? empty(at) : NULL;
	pthread_mutex_unlock(&changing);
	if (weak != NULL) {
		(*env)->DeleteWeakGlobalRef(env, weak);
	}
}

void virtual_owners_clear(JNIEnv *env) {
	if (places == NULL) {
		return;
	}
	pthread_mutex_lock(&changing);
	for (uint32_t at = 0; at < used; at++) {
		jweak weak = empty(at);
		if (weak != NULL) {
			(*env)->DeleteWeakGlobalRef(env, weak);
		}
	}
	used = 0;
	pthread_mutex_unlock(&changing);
}

// The threads that are blocked on a monitor of an unknown owner, each at its id modulo MAX_WANTS. One whose place is
// taken is left out.
enum { MAX_WANTS = 1024, CHANGING = -1 };
static struct want {
	int64_t thread; // written last; 0 for none
	int64_t object, since;
} wants[MAX_WANTS];
static uint32_t wanted; // how many are in use

void owner_wanted(const struct record *record) {
	if (places == NULL || used == 0) {
		return;
	}
	struct want *want = &wants[record->thread % MAX_WANTS];
	int64_t none = 0;
	if (__atomic_compare_exchange_n(&want->thread, &none, CHANGING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		__atomic_store_n(&want->object, record->object, __ATOMIC_RELAXED);
		__atomic_store_n(&want->since, record->time, __ATOMIC_RELAXED);
		__atomic_store_n(&want->thread, record->thread, __ATOMIC_RELEASE);
		__atomic_add_fetch(&wanted, 1, __ATOMIC_RELAXED);
	}
}

void owner_not_wanted(int64_t thread) {
	if (likely(__atomic_load_n(&wanted, __ATOMIC_RELAXED) == 0)) {
		return;
	}
	struct want *want = &wants[thread % MAX_WANTS];
	if (__atomic_load_n(&want->thread, __ATOMIC_RELAXED) == thread) {
		__atomic_store_n(&want->thread, 0, __ATOMIC_SEQ_CST);
		__atomic_sub_fetch(&wanted, 1, __ATOMIC_RELAXED);
	}
}

// read_want returns the want at the index, or one without thread.
static struct want read_want(uint32_t at) {
	struct want want = {.thread = __atomic_load_n(&wants[at].thread, __ATOMIC_SEQ_CST)};
	want.object = __atomic_load_n(&wants[at].object, __ATOMIC_ACQUIRE);
	want.since = __atomic_load_n(&wants[at].since, __ATOMIC_ACQUIRE);
	if (want.thread == CHANGING || __atomic_load_n(&wants[at].thread, __ATOMIC_SEQ_CST) != want.thread) {
		want.thread = 0;
	}
	return want;
}

// is_still_wanted reports whether the thread has been blocked without interruption since the want was read.
static bool is_still_wanted(const struct want *want) {
	struct want now = read_want(want->thread % MAX_WANTS);
	return now.thread == want->thread && now.since == want->since;
}

// Questions. Each is for the owners of some monitors, and goes to one virtual thread after the other.

enum {
	FIRST_AFTER = 20 * 1000 * 1000, // nanoseconds that a thread is blocked before it is asked for the owner
	BACKOFF = 10,                   // it is asked again after so many times the time that it has been blocked
	MAX_QUESTIONS = 64,
};

// The wants of the current round, and the next thread to ask. They belong to the agent's own thread.
static struct want questions[MAX_QUESTIONS];
static int open_questions;
static uint32_t next;

// repeat has, for each place of a want, when it is asked for again.
static struct {
	int64_t since, due;
} repeat[MAX_WANTS];

// is_due reports whether the want is to be asked for now, and notes when next.
static bool is_due(const struct want *want, int64_t now) {
	uint32_t at = want->thread % MAX_WANTS;
	int64_t age = now - want->since, due = repeat[at].since == want->since ? repeat[at].due : want->since + FIRST_AFTER;
	if (want->thread == 0 || now < due) {
		return false;
	}
	repeat[at].since = want->since;
	repeat[at].due = now + BACKOFF * age;
	return true;
}

static void begin_round(void) {
	int64_t now = ring_now();
	next = 0;
	for (uint32_t at = 0; at < MAX_WANTS && open_questions < MAX_QUESTIONS; at++) {
		struct want want = read_want(at);
		if (is_due(&want, now)) {
			questions[open_questions++] = want;
		}
	}
}

// tell publishes the owner of a monitor for all threads that are blocked on it. The owner had it at some moment after the
// time; a thread that is blocked still was blocked then.
static void tell(int64_t object, int64_t owner, int64_t time) {
	for (int i = open_questions - 1; i >= 0; i--) {
		struct want want = questions[i];
		if (want.object != object) {
			continue;
		}
		if (is_still_wanted(&want)) {
			ring_publish(&(struct record){.kind = CONTENDED_ENTER, .flags = AGAIN | OWNER_THREAD, .thread = want.thread,
				.time = time, .object = object, .argument = owner});
			repeat[want.thread % MAX_WANTS].due = INT64_MAX;
		}
		questions[i] = questions[--open_questions];
	}
}

// ask_for_monitors asks for the monitors that a virtual thread owns, unless it runs: a running owner has been found.
static void ask_for_monitors(JNIEnv *env, jthread thread, int64_t id) {
	enum { WAITS = JVMTI_THREAD_STATE_WAITING | JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER };
	jint state = 0, count = 0;
	jobject *owned = NULL;
	int64_t time = ring_begin();
	(*agent.jvmti)->GetThreadState(agent.jvmti, thread, &state);
	if ((state & WAITS) && (*env)->PushLocalFrame(env, MANY_REFERENCES) == 0) {
		(*agent.jvmti)->GetOwnedMonitorInfo(agent.jvmti, thread, &count, &owned);
		for (jint i = 0; i < count; i++) {
			tell(known_object_id(owned[i]), id, time);
		}
		(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)owned);
		(*env)->PopLocalFrame(env, NULL);
	}
	ring_end();
}

// ask_place asks the virtual thread at the place, if there is one.
static void ask_place(JNIEnv *env, uint32_t at) {
	pthread_mutex_lock(&changing); // the thread may end, and the reference with it
	int64_t id = places[at].id;
	jthread thread = id != 0 ? (*env)->NewLocalRef(env, places[at].thread) : NULL;
	pthread_mutex_unlock(&changing);
	if (thread != NULL) {
		ask_for_monitors(env, thread, id);
		(*env)->DeleteLocalRef(env, thread);
	}
}

void virtual_owners_ask(JNIEnv *env) {
	enum { EMPTY_PLACES = 1024, PART = 50 };
	if (open_questions == 0 && __atomic_load_n(&wanted, __ATOMIC_RELAXED) > 0) {
		begin_round();
	}
	int64_t end = ring_now() + ASK_OWNERS_PAUSE / PART;
	uint32_t last = __atomic_load_n(&used, __ATOMIC_RELAXED);
	for (int empty_places = 0; open_questions > 0 && next < last; next++) {
		bool is_empty = __atomic_load_n(&places[next].id, __ATOMIC_RELAXED) == 0;
		if ((!is_empty || empty_places++ % EMPTY_PLACES == 0) && ring_now() > end) {
			return;
		}
		if (!is_empty) {
			ask_place(env, next);
		}
	}
	open_questions = 0;
}
