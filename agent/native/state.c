//go:build agent

#include "state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "id.h"
#include "javathread.h"
#include "openwait.h"
#include "park.h"
#include "virtualowner.h"

#define CONCURRENT "java/util/concurrent/"
#define LOCKS CONCURRENT "locks/"
#define THREAD "Ljava/lang/Thread;"

enum {
	LEAST_WAIT = 1000 * 1000 * 1000, // nanoseconds for which a thread has been waiting
	MAX_STATES = 200,
	LONGEST_TIME = 4 * 1000 * 1000, // nanoseconds in which states are read
	LONGEST_QUEUE = 1 << 14,        // waiters that are counted
	LONGEST_TEXT = 1024,
	REFERENCES = 64,
};

// state is the state of an object that is being read.
struct state {
	JNIEnv *env;
	jobject object;
	jclass class; // the JDK's class of the object, whose fields are read
	bool lacks;   // the class lacks a field
	char text[LONGEST_TEXT];
	size_t length;
};

static int64_t deadline;

// Fields.

// A field is looked up once, in a class of the JDK, which is never unloaded.
struct field {
	const char *name, *descriptor;
	jfieldID id;
	bool missing;
};

static jfieldID find(struct state *s, jclass class, struct field *f) {
	if (f->id == NULL && !f->missing) {
		f->id = (*s->env)->GetFieldID(s->env, class, f->name, f->descriptor);
		(*s->env)->ExceptionClear(s->env);
		f->missing = f->id == NULL;
	}
	s->lacks = s->lacks || f->missing;
	return f->id;
}

static jint get_int(struct state *s, jclass class, jobject object, struct field *f) {
	jfieldID id = object != NULL ? find(s, class, f) : NULL;
	return id != NULL ? (*s->env)->GetIntField(s->env, object, id) : 0;
}

static jlong get_long(struct state *s, jclass class, jobject object, struct field *f) {
	jfieldID id = object != NULL ? find(s, class, f) : NULL;
	return id != NULL ? (*s->env)->GetLongField(s->env, object, id) : 0;
}

static jobject get_object(struct state *s, jclass class, jobject object, struct field *f) {
	jfieldID id = object != NULL ? find(s, class, f) : NULL;
	return id != NULL ? (*s->env)->GetObjectField(s->env, object, id) : NULL;
}

// get_inner is get_object for an object whose class is one of the JDK's itself, such as a node.
static jobject get_inner(struct state *s, jobject object, struct field *f) {
	jclass class = object != NULL && f->id == NULL ? (*s->env)->GetObjectClass(s->env, object) : NULL;
	jobject found = get_object(s, class, object, f);
	(*s->env)->DeleteLocalRef(s->env, class);
	return found;
}

// next replaces the object by the next one in its list.
static void next(struct state *s, jobject *object, struct field *f) {
	jobject after = get_inner(s, *object, f);
	(*s->env)->DeleteLocalRef(s->env, *object);
	*object = after;
}

// Text.

__attribute__((format(printf, 2, 3))) static void put(struct state *s, const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	size_t left = sizeof s->text - s->length;
	int size = vsnprintf(s->text + s->length, left, format, arguments);
	va_end(arguments);
	if (size > 0 && (size_t)size < left) {
		s->length += size;
	}
}

static void put_number(struct state *s, const char *name, int64_t value) { put(s, " %s=%" PRId64, name, value); }

// put_thread puts the id of a thread, which is given up; 0 for NULL.
static void put_thread(struct state *s, const char *name, jobject thread) {
	put_number(s, name, thread != NULL ? thread_id(s->env, thread) : 0);
	(*s->env)->DeleteLocalRef(s->env, thread);
}

static bool is_late(void) { return ring_now() > deadline; }

// Synchronizers.

#define QUEUED LOCKS "AbstractQueuedSynchronizer"
#define QUEUED_LONG LOCKS "AbstractQueuedLongSynchronizer"
#define WIDTH(of, type) \
	{ \
		"L" of ";", {"state", type, NULL, false}, {"tail", "L" of "$Node;", NULL, false}, \
			{"prev", "L" of "$Node;", NULL, false}, {"waiter", THREAD, NULL, false}, {"this$0", "L" of ";", NULL, false}, \
			{"firstWaiter", "L" of "$ConditionNode;", NULL, false}, {"nextWaiter", "L" of "$ConditionNode;", NULL, false}, \
	}

// Synchronizers have a state of 32 bits, or of 64.
static struct width {
	const char *synchronizer; // its signature
	struct field state, tail, previous, waiter;
	struct field lock, first, after; // of a condition
} widths[] = {WIDTH(QUEUED, "I"), WIDTH(QUEUED_LONG, "J")};
enum { INT, LONG };

// is_of_width reports whether the object's class extends the synchronizer, or is it.
static bool is_of_width(struct state *s, const struct width *w) {
	bool is = false;
	jclass class = (*s->env)->NewLocalRef(s->env, s->class);
	while (class != NULL && !is) {
		char *found = NULL;
		is = (*agent.jvmti)->GetClassSignature(agent.jvmti, class, &found, NULL) == JVMTI_ERROR_NONE &&
			 strcmp(found, w->synchronizer) == 0;
		(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)found);
		jclass super = (*s->env)->GetSuperclass(s->env, class);
		(*s->env)->DeleteLocalRef(s->env, class);
		class = super;
	}
	(*s->env)->DeleteLocalRef(s->env, class);
	return is;
}

// put_queued puts how many threads wait in the synchronizer's queue, unless they are very many.
static void put_queued(struct state *s, struct width *w) {
	jobject node = get_object(s, s->class, s->object, &w->tail);
	int seen = 0, queued = 0;
	while (node != NULL && seen++ < LONGEST_QUEUE && !(seen % 256 == 0 && is_late())) {
		jobject waiter = get_inner(s, node, &w->waiter);
		queued += waiter != NULL;
		(*s->env)->DeleteLocalRef(s->env, waiter);
		next(s, &node, &w->previous);
	}
	if (node == NULL && !s->lacks) {
		put_number(s, "queued", queued);
	}
	(*s->env)->DeleteLocalRef(s->env, node);
}

static void put_owner(struct state *s, jobject synchronizer) {
	int64_t owner = synchronizer_owner(s->env, synchronizer);
	if (owner != UNKNOWN_OWNER) {
		put_number(s, "owner", owner);
	}
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

// read_pair reads a ReentrantReadWriteLock, whose state has two numbers. Of its readers it has the first, and the one
// that came last.
static void read_pair(struct state *s, struct width *w, int bits) {
	static struct field first = {"firstReader", THREAD, NULL, false},
						last = {"cachedHoldCounter", "L" LOCKS "ReentrantReadWriteLock$Sync$HoldCounter;", NULL, false},
						held = {"count", "I", NULL, false}, tid = {"tid", "J", NULL, false};
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

// read_waiters reads what is known of a condition, and its lock: nothing leads from there to a queue or a barrier.
static void read_waiters(struct state *s, struct width *w) {
	jobject of = get_object(s, s->class, s->object, &w->lock), node = get_object(s, s->class, s->object, &w->first);
	int waiters = 0;
	for (; node != NULL && waiters < LONGEST_QUEUE && !(waiters % 256 == 255 && is_late()); waiters++) {
		next(s, &node, &w->after);
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
	static struct field word = {"state", "J", NULL, false}, more = {"readerOverflow", "I", NULL, false};
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
	static struct field phaser = {"phaser", "L" CONCURRENT "Phaser;", NULL, false}, word = {"state", "J", NULL, false};
	jobject of = get_object(s, s->class, s->object, &phaser);
	jclass class = of != NULL ? (*s->env)->GetObjectClass(s->env, of) : NULL;
	while (class != NULL && word.id == NULL && !word.missing) { // the program can have extended it
		jclass super = (*s->env)->GetSuperclass(s->env, class);
		jobject loader = NULL;
		(*agent.jvmti)->GetClassLoader(agent.jvmti, class, &loader);
		if (loader == NULL) {
			break;
		}
		class = super;
	}
	jlong state = get_long(s, class, of, &word);
	jint counts = (jint)state, parties = (uint32_t)counts >> PARTIES_SHIFT;
	put_number(s, "parties", parties);
	put_number(s, "arrived", counts == EMPTY ? 0 : parties - (counts & COUNT));
	put_number(s, "phase", (state >> PHASE_SHIFT) & INT32_MAX);
}

// Which classes.

static const struct reader {
	const char *signature;
	void (*read)(struct state *s);
} readers[] = {
	{"L" CONCURRENT "Semaphore$Sync;", read_semaphore},
	{"L" CONCURRENT "CountDownLatch$Sync;", read_latch},
	{"L" LOCKS "ReentrantLock$Sync;", read_lock},
	{"L" LOCKS "ReentrantReadWriteLock$Sync;", read_read_write},
	{"L" QUEUED ";", read_other},
	{"L" QUEUED_LONG ";", read_other_long},
	{"L" QUEUED "$ConditionObject;", read_condition},
	{"L" QUEUED_LONG "$ConditionObject;", read_condition_long},
	{"L" LOCKS "StampedLock;", read_stamped},
	{"L" CONCURRENT "Phaser$QNode;", read_phaser},
};

static const struct reader *reader_of(jclass class) {
	char *signature = NULL;
	const struct reader *found = NULL;
	if ((*agent.jvmti)->GetClassSignature(agent.jvmti, class, &signature, NULL) != JVMTI_ERROR_NONE) {
		return NULL;
	}
	for (size_t i = 0; i < sizeof readers / sizeof *readers && found == NULL; i++) {
		found = strcmp(signature, readers[i].signature) == 0 ? &readers[i] : NULL;
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
	return found;
}

// read reads the object's state, by the first of its class and the superclasses whose states are known. No class but the
// JDK's own has such a name.
static void read(struct state *s) {
	s->class = (*s->env)->GetObjectClass(s->env, s->object);
	const struct reader *reader = NULL;
	while (s->class != NULL && (reader = reader_of(s->class)) == NULL) {
		jclass super = (*s->env)->GetSuperclass(s->env, s->class);
		(*s->env)->DeleteLocalRef(s->env, s->class);
		s->class = super;
	}
	if (reader != NULL) {
		reader->read(s);
	}
}

static void publish(const struct state *s, int64_t object, int64_t time) {
	if (s->length > 0 && !s->lacks && object != 0) {
		ring_publish(&(struct record){.kind = STATE, .time = time, .object = object, .payload = s->text,
			.payload_size = s->length});
	}
}

// Which objects.

// awaited is an object for which threads have been waiting.
struct awaited {
	int64_t object, thread, since; // the one that has been waiting for the longest
	int threads;
};

enum { MAX_AWAITED = 1 << 12, PLACES = 8 };

static struct awaited *place_of(struct awaited *all, int64_t object) {
	for (int i = 0; i < PLACES; i++) {
		struct awaited *a = &all[(object + i) % MAX_AWAITED];
		if (a->object == object || a->object == 0) {
			return a;
		}
	}
	return NULL;
}

static int by_threads(const void *a, const void *b) {
	const struct awaited *x = a, *y = b;
	if (x->threads != y->threads) {
		return y->threads - x->threads;
	}
	return x->since < y->since ? -1 : x->since > y->since;
}

// find_awaited finds the objects, those with the most waiting threads first.
static void find_awaited(struct awaited *all, int64_t now) {
	struct openwait wait;
	for (uint32_t at = 0; at < openwaits_used(); at++) {
		struct awaited *a = openwait_at(at, &wait) && now - wait.since >= LEAST_WAIT ? place_of(all, wait.object) : NULL;
		if (a == NULL) {
			continue;
		}
		a->object = wait.object;
		if (a->threads++ == 0 || wait.since < a->since) {
			a->thread = wait.thread;
			a->since = wait.since;
		}
	}
	qsort(all, MAX_AWAITED, sizeof *all, by_threads);
}

// read_awaited publishes the state of an object, if the thread still waits for it.
static void read_awaited(JNIEnv *env, const struct awaited *a, int64_t time) {
	struct state s = {.env = env};
	if ((*env)->PushLocalFrame(env, REFERENCES) != 0) {
		(*env)->ExceptionClear(env);
		return;
	}
	jthread thread = live_thread(env, a->thread);
	s.object = thread != NULL ? parked_for(env, thread, a->object) : NULL;
	if (s.object != NULL) {
		read(&s);
		publish(&s, a->object, time);
	}
	(*env)->PopLocalFrame(env, NULL);
}

void states_publish(JNIEnv *env) {
	struct awaited *all = agent.settings.owner_period > 0 ? calloc(MAX_AWAITED, sizeof *all) : NULL;
	if (all == NULL) {
		return;
	}
	int64_t now = ring_begin();
	deadline = now + LONGEST_TIME;
	find_awaited(all, now);
	for (int i = 0; i < MAX_STATES && all[i].object != 0 && !is_late(); i++) {
		read_awaited(env, &all[i], now);
	}
	ring_end();
	free(all);
}
