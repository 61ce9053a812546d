//go:build agent

#include "exec.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "exchange.h"
#include "id.h"
#include "javathread.h"

enum {
	METHODS = 1 << 20, // limit of instrumented methods
	SLOTS = 1 << 20,
	PROBES = 64, // a thread's slot is one of the 64 that begin at its id
	MAX_STATES = 1 << 15,
	ENDED = -1,       // the thread of a slot that is free again
	OTHER = 0,        // the method of calls in a tree that is full
	FIRST_CALLS = 64, // a new state has space for 64 open calls
	MAX_CALLS = 1 << 20,
	FIRST_NODES = 64,
	OWN_FRAMES = 4, // on the stack in TrcxCalls.open: three of TrcxCalls, and the method that is called
	SPARE_CELLS = 64,
};

// A thread's slot, by its id.
struct slot {
	int64_t thread; // 0 for none
	struct state *state;
};

// A node of a tree of calls. Node 0 is the root.
struct node {
	int32_t method, parent;
	int32_t last, next; // the last callee of the call that is open; what the parent called after this node. 0 for none
	int64_t calls, base, cumulative, least, most;
	int32_t first, published; // the first callee of a call; only in a copy: everything below the node is published, too
};

// An open call. The first belongs to the root. When each call is published by itself, node is its method, and callees
// is the number of skipped calls.
struct call {
	int32_t node, place; // place: of the method among all that the thread has called, from 1; 0 if an outer call of it is open
	int64_t start, callees;
};

// A method that the thread has called.
struct called {
	int32_t key, open; // key: the method's number + 1, 0 for none. open: the node where a call is open, 0 for none
};

// What is published of a node already.
struct published {
	int64_t calls, base, cumulative;
};

struct sum {
	int64_t calls, time;
};

struct state {
	int64_t thread;
	uint64_t *counts;
	struct call *top, *limit; // the latest open call; the last call that fits in the memory
	struct node *nodes;
	struct called *called; // by method
	int64_t called_mask;
	int32_t *children; // by parent and method; 0 for none
	int64_t child_mask;
	// Java does not use the rest.
	struct call *calls;
	int32_t nodes_used, nodes_size, called_used, other;
	int32_t depth, calls_published; // the stack's depth below the first call; how many open calls are published
	bool is_virtual;
	struct published *published; // by nodes
	int32_t published_size;
	struct state *next;
};

_Static_assert(sizeof(struct slot) == 16 && sizeof(struct node) == 64 && sizeof(struct call) == 24 &&
				   offsetof(struct node, calls) == 16 && offsetof(struct node, most) == 48 &&
				   offsetof(struct call, start) == 8 && offsetof(struct state, counts) == 8 &&
				   offsetof(struct state, nodes) == 32 && offsetof(struct state, child_mask) == 64,
	"as TrcxCalls.java has it");

// An instrumented class, by the hash of its name.
static struct named {
	uint64_t hash; // 0 for none
	int64_t first; // the number of its first method; 0 if several classes have the name
	uint64_t definitions; // a hash of them
	bool changed; // it is being instrumented again
} *names;
enum { NAMES = 1 << 18 };

// An instrumented method, by its number.
static struct method {
	int64_t id; // 0 if its definition was lost
	struct named *class;
	bool left_out; // it was called often, and is not instrumented any more
	int32_t took;  // nanoseconds per call when it was left out
	int64_t calls; // number of published calls
} *methods;

static uint8_t *flags;
static struct slot *slots;
static struct sum *ended_sums; // sums of the ended platform threads, by method

static int64_t first_method = 1, next_method = 1; // the first method of this recording; of the next class
static bool instrumenting;
static jobject platform_loader;

// The lock for the memory of all states. No Java code runs while a thread holds it.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct state *free_states;
static struct state *merged; // the calls of the ended virtual threads
static int64_t nodes_used;
static int64_t slots_used; // the index of the last used slot, + 1
static int states_used;
static int ending; // threads that publish their calls as they end
static const struct state *writing; // the state that the agent's own thread publishes
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER; // ending or writing has changed
static __thread int64_t ended_virtual; // the virtual thread that ended here last; it still calls methods afterwards
static bool said_states, said_nodes, said_methods;

static void *reserve(size_t size) {
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return memory != MAP_FAILED ? memory : NULL;
}

static bool reserve_all(void) {
	methods = methods != NULL ? methods : reserve(METHODS * sizeof *methods);
	flags = flags != NULL ? flags : reserve(METHODS);
	slots = slots != NULL ? slots : reserve((SLOTS + 1) * sizeof *slots);
	names = names != NULL ? names : reserve(NAMES * sizeof *names);
	ended_sums = ended_sums != NULL ? ended_sums : reserve(METHODS * sizeof *ended_sums);
	return methods != NULL && flags != NULL && slots != NULL && names != NULL && ended_sums != NULL;
}

static jclass calls; // java.lang.TrcxCalls

// define_calls defines TrcxCalls, and sets the addresses of the memory in it.
static bool define_calls(JNIEnv *env) {
	if (calls == NULL) {
		jclass class =
			(*env)->DefineClass(env, "java/lang/TrcxCalls", NULL, agent.settings.calls, agent.settings.calls_size);
		calls = class != NULL ? (*env)->NewGlobalRef(env, class) : NULL;
	}
	jfieldID of_flags = calls != NULL ? (*env)->GetStaticFieldID(env, calls, "flags", "J") : NULL;
	jfieldID of_threads = of_flags != NULL ? (*env)->GetStaticFieldID(env, calls, "threads", "J") : NULL;
	if (of_threads != NULL) {
		(*env)->SetStaticLongField(env, calls, of_flags, (jlong)(uintptr_t)flags);
		(*env)->SetStaticLongField(env, calls, of_threads, (jlong)(uintptr_t)slots);
	}
	(*env)->ExceptionClear(env);
	return of_threads != NULL;
}

static void find_platform_loader(JNIEnv *env) {
	jclass class = (*env)->FindClass(env, "java/lang/ClassLoader");
	jmethodID get = (*env)->GetStaticMethodID(env, class, "getPlatformClassLoader", "()Ljava/lang/ClassLoader;");
	jobject loader = get != NULL ? (*env)->CallStaticObjectMethod(env, class, get) : NULL;
	(*env)->ExceptionClear(env);
	platform_loader = loader != NULL ? (*env)->NewGlobalRef(env, loader) : NULL;
	(*env)->DeleteLocalRef(env, class);
	(*env)->DeleteLocalRef(env, loader);
}

// say_once reports what is lost, once a recording.
static void say_once(bool *said, const char *what) {
	if (!__atomic_exchange_n(said, true, __ATOMIC_RELAXED)) {
		say_lost(what);
	}
}

// States. The caller holds the lock.

// new_nodes allocates nodes, each in one line of a processor's cache.
static struct node *new_nodes(size_t count) { return aligned_alloc(sizeof(struct node), count * sizeof(struct node)); }

static int32_t new_node(struct state *s, int32_t parent, int32_t method) {
	int32_t n = s->nodes_used;
	if (n == s->nodes_size) {
		struct node *more = new_nodes(2 * (size_t)n);
		if (more == NULL) {
			return 0;
		}
		memcpy(more, s->nodes, n * sizeof *more);
		free(s->nodes);
		s->nodes = more;
		s->nodes_size = 2 * n;
	}
	s->nodes[n] = (struct node){.method = method, .parent = parent, .least = INT64_MAX};
	s->nodes_used++;
	nodes_used++;
	return n;
}

static bool init_state(struct state *s) {
	if (agent.settings.exec == EXEC_COUNTS) {
		s->counts = s->counts != NULL ? s->counts : reserve(METHODS * sizeof *s->counts);
		return s->counts != NULL;
	}
	s->calls = s->calls != NULL ? s->calls : malloc(FIRST_CALLS * sizeof *s->calls);
	if (s->calls == NULL) {
		return false;
	}
	s->limit = s->limit != NULL ? s->limit : s->calls + FIRST_CALLS - 1;
	s->top = s->calls;
	*s->top = (struct call){0};
	if (agent.settings.exec == EXEC_FULL) {
		s->calls_published = 0;
		return true;
	}
	s->nodes = s->nodes != NULL ? s->nodes : new_nodes(FIRST_NODES);
	s->called = s->called != NULL ? s->called : calloc(2 * FIRST_NODES, sizeof *s->called);
	s->children = s->children != NULL ? s->children : calloc(2 * FIRST_NODES, sizeof *s->children);
	if (s->nodes == NULL || s->called == NULL || s->children == NULL) {
		return false;
	}
	if (s->nodes_size == 0) {
		s->nodes_size = FIRST_NODES;
		s->called_mask = s->child_mask = 2 * FIRST_NODES - 1;
	}
	s->nodes_used = 0;
	new_node(s, 0, -1);
	return true;
}

static struct state *new_state(void) {
	struct state *s = free_states;
	if (s != NULL) {
		free_states = s->next;
	} else if (states_used < MAX_STATES && (s = calloc(1, sizeof *s)) != NULL) {
		states_used++;
	}
	if (s != NULL && !init_state(s)) { // no memory; the state is used again later
		s->next = free_states;
		free_states = s;
		return NULL;
	}
	return s;
}

// free_state keeps the memory of an ended thread for another thread.
static void free_state(struct state *s) {
	if (s->counts != NULL) {
		madvise(s->counts, METHODS * sizeof *s->counts, MADV_DONTNEED);
	}
	if (s->called != NULL && s->children != NULL) {
		memset(s->called, 0, (s->called_mask + 1) * sizeof *s->called);
		memset(s->children, 0, (s->child_mask + 1) * sizeof *s->children);
		nodes_used -= s->nodes_used;
	}
	if (s->published != NULL) {
		memset(s->published, 0, s->published_size * sizeof *s->published);
	}
	s->other = s->called_used = 0;
	s->thread = 0;
	s->next = free_states;
	free_states = s;
}

bool exec_prepare(JNIEnv *env) {
	if (agent.settings.exec == NO_EXEC) {
		return false;
	}
	if (!agent.linked || !agent.retransforms || !reserve_all() || !define_calls(env)) {
		say_lost("calls of methods");
		agent.settings.exec = NO_EXEC;
		return false;
	}
	if (platform_loader == NULL) {
		find_platform_loader(env);
	}
	pthread_mutex_lock(&lock);
	madvise(slots, (SLOTS + 1) * sizeof *slots, MADV_DONTNEED);
	first_method = next_method;
	if (merged != NULL) {
		free_state(merged);
		merged = NULL;
	}
	nodes_used = states_used = slots_used = 0;
	said_states = said_nodes = said_methods = false;
	pthread_mutex_unlock(&lock);
	return true;
}

static int32_t *child_slot(const struct state *s, int32_t parent, int32_t method) {
	for (int64_t at = ((int64_t)((uint64_t)parent * 0x9E3779B1 + (uint64_t)method * 0x85EBCA6B) >> 7) & s->child_mask;;
		 at = (at + 1) & s->child_mask) {
		int32_t n = s->children[at];
		if (n == 0 || (s->nodes[n].parent == parent && s->nodes[n].method == method)) {
			return &s->children[at];
		}
	}
}

static struct called *called_slot(const struct state *s, int32_t method) {
	for (int64_t at = method & s->called_mask;; at = (at + 1) & s->called_mask) {
		struct called *c = &s->called[at];
		if (c->key == method + 1 || c->key == 0) {
			return c;
		}
	}
}

static bool grow_children(struct state *s) {
	int64_t size = 2 * (s->child_mask + 1);
	int32_t *more = calloc(size, sizeof *more);
	if (more == NULL) {
		return false;
	}
	free(s->children);
	s->children = more;
	s->child_mask = size - 1;
	for (int32_t n = 1; n < s->nodes_used; n++) {
		*child_slot(s, s->nodes[n].parent, s->nodes[n].method) = n;
	}
	return true;
}

static bool grow_called(struct state *s) {
	struct state old = *s;
	struct called *more = calloc(2 * (old.called_mask + 1), sizeof *more);
	if (more == NULL) {
		return false;
	}
	s->called = more;
	s->called_mask = 2 * old.called_mask + 1;
	for (int64_t at = 0; at <= old.called_mask; at++) {
		if (old.called[at].key != 0) {
			*called_slot(s, old.called[at].key - 1) = old.called[at];
		}
	}
	for (struct call *c = s->calls + 1; c <= s->top; c++) {
		if (c->place != 0) {
			c->place = called_slot(s, s->nodes[c->node].method) - s->called + 1;
		}
	}
	free(old.called);
	return true;
}

// find_child returns the node of the method below the parent, which it adds unless the limit is reached; 0 if there is no
// memory.
static int32_t find_child(struct state *s, int32_t parent, int32_t method, bool limited) {
	int32_t *slot = child_slot(s, parent, method);
	if (*slot != 0) {
		return *slot;
	}
	if (limited && nodes_used >= agent.settings.max_nodes) {
		return 0;
	}
	if (2 * s->nodes_used >= s->child_mask) {
		if (!grow_children(s)) {
			return 0;
		}
		slot = child_slot(s, parent, method);
	}
	return *slot = new_node(s, parent, method);
}

// call_child returns the node for a call of the method by the parent.
static int32_t call_child(struct state *s, int32_t parent, int32_t method) {
	int32_t n = find_child(s, parent, method, true);
	if (n == 0 && (s->other != 0 || (s->other = find_child(s, 0, OTHER, false)) != 0)) {
		n = find_child(s, s->other, method, false);
	}
	return n;
}

// The native methods of TrcxCalls.

JNIEXPORT
jlong JNICALL Java_java_lang_TrcxCalls_open(JNIEnv *env, jclass class, jobject current, jlong thread) {
	(void)class;
	if (thread <= 0 || !instrumenting || !recording() || thread == ended_virtual) {
		return 0;
	}
	jint frames = 0;
	if (agent.settings.exec == EXEC_FULL) {
		(*agent.jvmti)->GetFrameCount(agent.jvmti, NULL, &frames);
	}
	struct state *s = NULL;
	pthread_mutex_lock(&lock);
	struct slot *slot = NULL;
	for (int64_t tries = 0, at = (int32_t)thread; tries < PROBES; tries++, at++) {
		struct slot *here = &slots[at & (SLOTS - 1)];
		if (here->thread == 0 || here->thread == ENDED) {
			slot = here;
			break;
		}
	}
	if (slot != NULL) { // without a state the thread does not ask again
		if ((s = new_state()) != NULL) {
			s->thread = thread;
			s->is_virtual = is_virtual(env, current);
			s->depth = frames > OWN_FRAMES ? frames - OWN_FRAMES : 0;
		}
		slot->state = s;
		__atomic_store_n(&slot->thread, thread, __ATOMIC_RELEASE);
		slots_used = slot - slots >= slots_used ? slot - slots + 1 : slots_used;
	}
	pthread_mutex_unlock(&lock);
	if (s == NULL) {
		say_once(&said_states, "calls of some threads, as there are too many");
	}
	return (jlong)(uintptr_t)s;
}

static bool grow_calls(struct state *s) {
	pthread_mutex_lock(&lock);
	size_t used = s->top - s->calls, size = 2 * (s->limit + 1 - s->calls);
	struct call *more = size <= MAX_CALLS ? malloc(size * sizeof *more) : NULL;
	if (more != NULL) {
		memcpy(more, s->calls, (used + 1) * sizeof *more);
		free(s->calls);
		s->calls = more;
		s->limit = more + size - 1;
		s->top = more + used;
	}
	pthread_mutex_unlock(&lock);
	return more != NULL;
}

JNIEXPORT
jboolean JNICALL Java_java_lang_TrcxCalls_grow(JNIEnv *env, jclass class, jlong state) {
	(void)env, (void)class;
	return grow_calls((struct state *)(uintptr_t)state);
}

JNIEXPORT
jint JNICALL Java_java_lang_TrcxCalls_add(JNIEnv *env, jclass class, jlong state, jint parent, jint method) {
	(void)env, (void)class;
	struct state *s = (struct state *)(uintptr_t)state;
	pthread_mutex_lock(&lock);
	int32_t n = call_child(s, parent, method);
	struct called *c = called_slot(s, method);
	if (n != 0 && c->key == 0 && 2 * (s->called_used + 1) >= s->called_mask) {
		n = grow_called(s) ? n : 0;
		c = called_slot(s, method);
	}
	if (n != 0 && c->key == 0) {
		s->called_used++;
		c->key = method + 1;
	}
	bool full = n == 0 || s->nodes[n].parent == s->other;
	pthread_mutex_unlock(&lock);
	if (full && s->other != 0) {
		say_once(&said_nodes, "the callers of some calls, as the trees are full: they are below (other)");
	}
	return n;
}

// Each call by itself.

static void publish_call(const struct state *s, enum kind kind, const struct call *c, int64_t now) {
	struct record record = {.kind = kind, .thread = s->thread, .time = now, .object = methods[c->node].id};
	record.argument = s->depth + (c - s->calls) + (kind == METHOD_EXIT ? c->callees << 32 : 0);
	ring_publish(&record);
}

// publish_entry publishes the beginning of a call, unless the ring lacks space for it and for the ends of all open
// calls: the beginning and end of a call are published both or not at all.
static bool publish_entry(const struct state *s, const struct call *c) {
	if (methods[c->node].id == 0 || !ring_has_place(s->calls_published + SPARE_CELLS)) {
		return false;
	}
	publish_call(s, METHOD_ENTRY, c, ring_begin());
	ring_end();
	return true;
}

JNIEXPORT
void JNICALL Java_java_lang_TrcxCalls_entry(JNIEnv *env, jclass class, jlong state, jint method) {
	(void)env, (void)class;
	struct state *s = (struct state *)(uintptr_t)state;
	if (!instrumenting || !recording() || (s->top == s->limit && !grow_calls(s))) {
		return;
	}
	struct call *c = s->top + 1, *latest = s->calls + s->calls_published;
	*c = (struct call){.node = method};
	if (s->top == latest && publish_entry(s, c)) {
		s->calls_published++;
	} else if (latest == s->calls) {
		ring_drop();
	} else if (latest->callees < INT32_MAX) {
		latest->callees++;
	}
	s->top = c;
}

JNIEXPORT
void JNICALL Java_java_lang_TrcxCalls_leave(JNIEnv *env, jclass class, jlong state, jint method, jboolean kept) {
	(void)env, (void)class;
	struct state *s = (struct state *)(uintptr_t)state;
	struct call *c = s->top;
	while (c > s->calls && c->node != method) {
		c--;
	}
	if (c == s->calls || !instrumenting || !recording()) {
		return;
	}
	struct call *last = kept ? c : c - 1;
	int64_t now = last - s->calls < s->calls_published ? ring_begin() : 0;
	for (; s->top > last; s->top--) {
		if (s->top == s->calls + s->calls_published) {
			publish_call(s, METHOD_EXIT, s->top, now);
			s->calls_published--;
		}
	}
	if (now != 0) {
		ring_end();
	}
}

JNIEXPORT
jlong JNICALL Java_java_lang_TrcxCalls_mark(JNIEnv *env, jclass class) {
	(void)env, (void)class;
	int64_t now = ring_begin();
	ring_has_place(SPARE_CELLS);
	ring_end();
	return now;
}

// measure_overhead has TrcxCalls measure how much of a call's time the recording itself takes.
static void measure_overhead(JNIEnv *env) {
	jmethodID measure = (*env)->GetStaticMethodID(env, calls, "overhead", "()J");
	jlong nanos = measure != NULL ? (*env)->CallStaticLongMethod(env, calls, measure) : 0;
	(*env)->ExceptionClear(env);
	ring_header()->overhead = nanos > 0 && nanos < INT32_MAX ? nanos : 0;
}

// Trees of calls.

// end_call ends the latest open call at the time.
static void end_call(struct node *nodes, struct call *c, int64_t now) {
	struct node *n = &nodes[c->node];
	int64_t length = now > c->start ? now - c->start : 0;
	n->base += length > c->callees ? length - c->callees : 0;
	if (c->place != 0) {
		n->cumulative += length;
	}
	(c - 1)->callees += length;
}

JNIEXPORT
void JNICALL Java_java_lang_TrcxCalls_close(
	JNIEnv *env, jclass class, jlong state, jint method, jboolean kept, jlong now) {
	(void)env, (void)class;
	struct state *s = (struct state *)(uintptr_t)state;
	pthread_mutex_lock(&lock);
	struct call *c = s->top;
	while (c > s->calls && s->nodes[c->node].method != method) {
		c--;
	}
	if (c > s->calls) {
		struct call *last = kept ? c : c - 1;
		for (; s->top > last; s->top--) {
			end_call(s->nodes, s->top, now);
			if (s->top->place != 0) {
				s->called[s->top->place - 1].open = 0;
			}
		}
	}
	pthread_mutex_unlock(&lock);
}

// Publishing.

static void publish_count(int64_t thread, int64_t method, uint64_t count) {
	if (methods[method].id != 0) {
		struct record record = {.kind = METHOD_COUNT, .thread = thread, .time = ring_begin(), .object = methods[method].id,
			.argument = count};
		ring_publish(&record);
		ring_end();
	}
}

static void publish_counts(const struct state *s, int64_t thread) {
	for (int64_t m = first_method; m < next_method; m++) {
		if (s->counts[m] != 0) {
			publish_count(thread, m, s->counts[m]);
		}
	}
}

static void publish_node(int64_t thread, int64_t depth, const struct node *n) {
	int64_t payload[] = {n->calls, n->base, n->cumulative, n->least == INT64_MAX ? -1 : n->least, n->most};
	struct record record = {.kind = CALL_TREE, .thread = thread, .time = ring_begin(), .argument = depth};
	record.object = methods[n->method].id;
	record.payload = payload;
	record.payload_size = sizeof payload;
	ring_publish(&record);
	ring_end();
	__atomic_add_fetch(&methods[n->method].calls, n->calls, __ATOMIC_RELAXED);
}

static void publish_left_out(void) {
	for (int64_t m = first_method; m < next_method; m++) {
		int64_t took = methods[m].took;
		if (methods[m].left_out) {
			struct record record = {.kind = LEFT_OUT, .time = ring_begin(), .object = methods[m].id, .argument = methods[m].calls};
			record.payload = &took;
			record.payload_size = sizeof took;
			ring_publish(&record);
			ring_end();
		}
	}
}

// publish_tree publishes a tree: each node before those below it.
static void publish_tree(const struct node *nodes, int32_t used, int64_t thread) {
	int32_t *below = calloc(3 * (size_t)used, sizeof *below); // a node's first child, its next sibling, its depth
	if (below == NULL || used < 2) {
		free(below);
		return;
	}
	int32_t *next = below + used, *depth = next + used;
	for (int32_t n = used - 1; n > 0; n--) {
		if (!nodes[n].published) {
			next[n] = below[nodes[n].parent];
			below[nodes[n].parent] = n;
		}
	}
	for (int32_t n = below[0]; n != 0;) {
		depth[n] = depth[nodes[n].parent] + 1;
		publish_node(thread, depth[n], &nodes[n]);
		if (below[n] != 0) {
			n = below[n];
			continue;
		}
		while (n != 0 && next[n] == 0) {
			n = nodes[n].parent;
		}
		n = next[n];
	}
	ring_publish(&(struct record){.kind = CALL_TREE, .thread = thread, .time = ring_begin()});
	ring_end();
	free(below);
}

#define load(field) __atomic_load_n(&(field), __ATOMIC_ACQUIRE)

// copy_open copies the open calls of a thread, which may be running, and returns how many of them are still open. Their
// own calls are among these, or in their callees; see TrcxCalls.exit.
static ptrdiff_t copy_open(const struct state *s, struct call *calls, ptrdiff_t open) {
	for (ptrdiff_t i = open; i > 0; i--) { // from the latest on, so that no call ends between a callee and its caller
		const struct call *c = &s->calls[i];
		calls[i] = (struct call){load(c->node), load(c->place), load(c->start), load(c->callees)};
	}
	for (; open > 0; open--) {
		int64_t callees = load(s->calls[open].callees);
		if (load(s->top) - s->calls >= open && load(s->calls[open].start) == calls[open].start) {
			calls[open].callees = callees;
			break;
		}
	}
	return open;
}

// closed_nodes returns a copy of the nodes in which the open calls last until now, or until the latest known time at
// which they ran. The thread may be running: then sums can be too small, but not too large, because the nodes are read
// before the open calls.
static struct node *closed_nodes(const struct state *s, int64_t now) {
	struct node *copy = malloc(s->nodes_used * sizeof *copy);
	if (copy == NULL) {
		return NULL;
	}
	memcpy(copy, s->nodes, s->nodes_used * sizeof *copy);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	ptrdiff_t open = load(s->top) - s->calls;
	struct call *calls = malloc((open + 1) * sizeof *calls);
	if (calls == NULL) {
		free(copy);
		return NULL;
	}
	*calls = (struct call){0};
	struct call *latest = calls + copy_open(s, calls, open);
	if (latest->start + latest->callees > now) {
		now = latest->start + latest->callees;
	}
	for (struct call *c = latest; c > calls; c--) {
		if (c->node > 0 && c->node < s->nodes_used) {
			end_call(copy, c, now);
		}
	}
	free(calls);
	return copy;
}

// take_rest reduces a sum to its unpublished part, counts that as published, and reports whether it is more than 0.
static bool take_rest(int64_t *sum, int64_t *published) {
	*sum = *sum > *published ? *sum - *published : 0;
	*published += *sum;
	return *sum > 0;
}

// rest_of returns a copy of the nodes with their unpublished parts, and counts these as published; NULL without memory.
static struct node *rest_of(struct state *s, int64_t now) {
	struct node *nodes = closed_nodes(s, now);
	if (nodes == NULL || agent.settings.interval == 0) {
		return nodes;
	}
	if (s->published_size < s->nodes_used) {
		struct published *more = realloc(s->published, s->nodes_size * sizeof *more);
		if (more == NULL) {
			free(nodes);
			return NULL;
		}
		memset(more + s->published_size, 0, (s->nodes_size - s->published_size) * sizeof *more);
		s->published = more;
		s->published_size = s->nodes_size;
	}
	for (int32_t n = 1; n < s->nodes_used; n++) {
		nodes[n].published = true;
	}
	for (int32_t n = s->nodes_used - 1; n > 0; n--) { // a node comes after its parent
		struct node *rest = &nodes[n];
		bool calls = take_rest(&rest->calls, &s->published[n].calls);
		bool base = take_rest(&rest->base, &s->published[n].base);
		if (take_rest(&rest->cumulative, &s->published[n].cumulative) || calls || base) {
			rest->published = false;
		}
		nodes[rest->parent].published &= rest->published;
	}
	return nodes;
}

// merge adds the calls of a virtual thread that has ended to the sum for all such threads.
static void merge(const struct state *s) {
	if (merged == NULL && (merged = new_state()) == NULL) {
		return;
	}
	if (agent.settings.exec == EXEC_COUNTS) {
		for (int64_t m = first_method; m < next_method; m++) {
			if (s->counts[m] != 0) {
				merged->counts[m] += s->counts[m];
			}
		}
		return;
	}
	int32_t *to = calloc(s->nodes_used, sizeof *to);
	struct node *nodes = to != NULL ? closed_nodes(s, ring_now()) : NULL;
	for (int32_t n = 1; nodes != NULL && n < s->nodes_used; n++) {
		if ((to[n] = call_child(merged, to[nodes[n].parent], nodes[n].method)) == 0) {
			continue;
		}
		struct node *sum = &merged->nodes[to[n]];
		sum->calls += nodes[n].calls;
		sum->base += nodes[n].base;
		sum->cumulative += nodes[n].cumulative;
		sum->least = nodes[n].least < sum->least ? nodes[n].least : sum->least;
		sum->most = nodes[n].most > sum->most ? nodes[n].most : sum->most;
	}
	free(nodes);
	free(to);
}

// publish_state publishes the calls of a thread. The caller needs no lock if the thread is the current one.
static void publish_state(struct state *s, int64_t thread) {
	if (agent.settings.exec == EXEC_COUNTS) {
		publish_counts(s, thread);
		return;
	}
	struct node *nodes = rest_of(s, ring_now());
	if (nodes != NULL) {
		publish_tree(nodes, s->nodes_used, thread);
	}
	free(nodes);
}

// add_sums adds the calls of a tree, and their times, to the sums by method.
static void add_sums(const struct state *s, struct sum *sums) {
	for (int32_t n = 1; n < s->nodes_used; n++) {
		sums[s->nodes[n].method].calls += s->nodes[n].calls;
		sums[s->nodes[n].method].time += s->nodes[n].cumulative;
	}
}

static bool keeps_states(void) { return agent.settings.exec != EXEC_COVERAGE; }

// state_at returns the state of the slot's thread, or NULL.
static struct state *state_at(int64_t at) { return slots[at].thread > 0 ? slots[at].state : NULL; }

// find_slot returns the thread's slot; NULL if it has called no instrumented method.
static struct slot *find_slot(int64_t thread) {
	for (int64_t tries = 0, at = (int32_t)thread; tries < PROBES; tries++, at++) {
		struct slot *here = &slots[at & (SLOTS - 1)];
		if (here->thread == thread) {
			return here;
		}
		if (here->thread == 0) {
			return NULL;
		}
	}
	return NULL;
}

// take_state frees the slot of a thread that ends, and returns its state, so that publish_all does not publish it; NULL
// if the state is empty or has been published.
static struct state *take_state(int64_t thread) {
	struct state *s = NULL;
	pthread_mutex_lock(&lock);
	while (writing != NULL && writing->thread == thread) {
		pthread_cond_wait(&ended, &lock);
	}
	struct slot *slot = instrumenting && recording() ? find_slot(thread) : NULL;
	if (slot != NULL) {
		s = slot->state;
		__atomic_store_n(&slot->thread, ENDED, __ATOMIC_RELEASE);
		slot->state = NULL;
	}
	ending += s != NULL;
	pthread_mutex_unlock(&lock);
	return s;
}

void exec_thread_ends(int64_t thread, bool is_virtual) {
	if (is_virtual) {
		ended_virtual = thread;
	}
	struct state *s = keeps_states() && thread > 0 && slots != NULL ? take_state(thread) : NULL;
	if (s == NULL) {
		return;
	}
	if (!is_virtual && agent.settings.exec != EXEC_FULL) {
		publish_state(s, thread);
	}
	pthread_mutex_lock(&lock);
	if (is_virtual && agent.settings.exec != EXEC_FULL) {
		merge(s);
	} else if (agent.settings.auto_tune) {
		add_sums(s, ended_sums);
	}
	free_state(s);
	if (--ending == 0) {
		pthread_cond_broadcast(&ended);
	}
	pthread_mutex_unlock(&lock);
}

// await_ending waits, for a bounded time, for threads that publish their calls. The caller holds the lock.
static void await_ending(void) {
	enum { LONGEST_SECONDS = 5 };
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += LONGEST_SECONDS;
	while (ending > 0 && pthread_cond_timedwait(&ended, &lock, &until) == 0) {
	}
}

// publish_all publishes the calls of all other threads. Threads that need more memory for their calls wait meanwhile.
static void publish_all(void) {
	pthread_mutex_lock(&lock);
	instrumenting = false;
	await_ending();
	for (int64_t at = 0; at < slots_used; at++) {
		struct state *s = state_at(at);
		if (s != NULL) {
			publish_state(s, s->thread);
		}
	}
	if (merged != NULL) {
		publish_state(merged, 0);
	}
	pthread_mutex_unlock(&lock);
}

void exec_end(void) {
	if (!instrumenting || agent.settings.exec == NO_EXEC) {
		return;
	}
	if (agent.settings.exec == EXEC_COUNTS || agent.settings.exec == EXEC_AGGREGATED) {
		publish_all();
		publish_left_out();
		return;
	}
	instrumenting = false;
	for (int64_t m = first_method; m < next_method && agent.settings.exec == EXEC_COVERAGE; m++) {
		if (flags[m] != 0) {
			publish_count(0, m, 1);
		}
	}
}

// Classes.

bool exec_wanted(JNIEnv *env, jobject loader, const char *name) {
	if (!instrumenting || !agent.active || strncmp(name, "java/lang/Trcx", 14) == 0) {
		return false;
	}
	return agent.settings.exec_jdk || (loader != NULL && !(*env)->IsSameObject(env, loader, platform_loader));
}

static uint64_t hash_of(const void *bytes, size_t size) {
	uint64_t hash = 0xCBF29CE484222325u;
	for (size_t at = 0; at < size; at++) {
		hash = (hash ^ ((const unsigned char *)bytes)[at]) * 0x100000001B3u;
	}
	return hash | 1;
}

// find_name returns the entry of the name, or the free one for it; NULL if the table is full.
static struct named *find_name(const char *name) {
	uint64_t hash = hash_of(name, strlen(name));
	for (uint64_t at = hash, tries = 0; tries < NAMES; at++, tries++) {
		struct named *here = &names[at & (NAMES - 1)];
		if (here->hash == hash || here->hash == 0) {
			return here;
		}
	}
	return NULL;
}

int64_t exec_first(const char *name, bool again) {
	struct named *known = again ? find_name(name) : NULL;
	return known != NULL && known->changed && known->first != 0 ? known->first : next_method;
}

bool exec_define(const char *name, int64_t first, const unsigned char *definitions, size_t size) {
	struct named *known = find_name(name);
	uint64_t hash = hash_of(definitions, size);
	if (first != next_method) { // the class is instrumented again; it may have been redefined
		return known->definitions == hash;
	}
	int64_t class = 0;
	for (size_t at = 0; at + 4 <= size;) {
		uint32_t length = 0;
		memcpy(&length, definitions + at, sizeof length);
		const unsigned char *payload = definitions + at + sizeof length;
		at += sizeof length + length;
		if (at > size || next_method >= METHODS || known == NULL) {
			say_once(&said_methods, "calls of some methods, as there are too many");
			return false;
		}
		if (class == 0) {
			class = define_named(DEFINE_CLASS, 0, payload, length);
		} else {
			methods[next_method++] = (struct method){define_named(DEFINE_METHOD, class, payload, length), known};
		}
	}
	known->first = known->hash == 0 ? first : 0;
	known->hash = hash_of(name, strlen(name));
	known->definitions = hash;
	return true;
}

bool exec_leaves_out(int64_t method) { return method < METHODS && methods[method].left_out; }

// retransform has the JVM load classes again: all at once, or one by one if that fails.
static void retransform(jclass *classes, jint count) {
	if (count == 0 || (*agent.jvmti)->RetransformClasses(agent.jvmti, count, classes) == JVMTI_ERROR_NONE) {
		return;
	}
	for (jint i = 0; i < count; i++) {
		if ((*agent.jvmti)->RetransformClasses(agent.jvmti, 1, &classes[i]) != JVMTI_ERROR_NONE) {
			count_left_alone();
		}
	}
}

static bool is_instrumented(JNIEnv *env, jobject loader, const char *name) {
	(void)env, (void)loader;
	struct named *found = find_name(name);
	return found != NULL && found->hash != 0;
}

static bool is_changed(JNIEnv *env, jobject loader, const char *name) {
	return is_instrumented(env, loader, name) && find_name(name)->changed;
}

// A choice of loaded classes, by their loader and name.
typedef bool choice(JNIEnv *env, jobject loader, const char *name);

// is_chosen reports whether the loaded class is one of the choice.
static bool is_chosen(JNIEnv *env, jclass class, choice *of) {
	char *signature = NULL;
	jboolean modifiable = JNI_FALSE;
	jobject loader = NULL;
	bool chosen = false;
	(*agent.jvmti)->IsModifiableClass(agent.jvmti, class, &modifiable);
	if (!modifiable || (*agent.jvmti)->GetClassSignature(agent.jvmti, class, &signature, NULL) != JVMTI_ERROR_NONE) {
		return false;
	}
	if (signature[0] == 'L') {
		signature[strlen(signature) - 1] = '\0';
		(*agent.jvmti)->GetClassLoader(agent.jvmti, class, &loader);
		chosen = of(env, loader, signature + 1);
		(*env)->DeleteLocalRef(env, loader);
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
	return chosen;
}

// retransform_loaded retransforms the loaded classes of the choice. It holds no local references, because a JVM that
// checks JNI counts them against the capacity of ClassFileLoadHook's frame.
static void retransform_loaded(JNIEnv *env, choice *of) {
	jint count = 0, chosen = 0;
	jclass *classes = NULL;
	if ((*env)->PushLocalFrame(env, MANY_REFERENCES) != 0) {
		return;
	}
	(*agent.jvmti)->GetLoadedClasses(agent.jvmti, &count, &classes);
	for (jint i = 0; i < count; i++) {
		jclass global = is_chosen(env, classes[i], of) ? (*env)->NewGlobalRef(env, classes[i]) : NULL;
		(*env)->DeleteLocalRef(env, classes[i]);
		if (global != NULL) {
			classes[chosen++] = global;
		}
	}
	(*env)->PopLocalFrame(env, NULL);
	retransform(classes, chosen);
	for (jint i = 0; i < chosen; i++) {
		(*env)->DeleteGlobalRef(env, classes[i]);
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)classes);
}

// Tuning: methods that are called often, and are short, are left out.

static int64_t tune_pause, next_tune;
enum { FIRST_PAUSE = 100 * 1000 * 1000, MANY_CALLS = 10000, SHORT_CALL = 1000 };
static const int64_t LONGEST_PAUSE = 5000000000;

static void tune(JNIEnv *env) {
	pthread_mutex_lock(&lock);
	int64_t used = next_method; // read with the lock, so that no tree has a later method
	struct sum *sums = malloc(used * sizeof *sums);
	if (sums != NULL) {
		memcpy(sums, ended_sums, used * sizeof *sums);
	}
	for (int64_t at = 0; sums != NULL && at < slots_used; at++) {
		if (state_at(at) != NULL) {
			add_sums(state_at(at), sums);
		}
	}
	if (sums != NULL && merged != NULL) {
		add_sums(merged, sums);
	}
	pthread_mutex_unlock(&lock);
	bool any = false;
	for (int64_t m = first_method; sums != NULL && m < used; m++) {
		if (sums[m].calls >= MANY_CALLS && sums[m].time < SHORT_CALL * sums[m].calls && !methods[m].left_out &&
			methods[m].class->first != 0) {
			methods[m].left_out = methods[m].class->changed = any = true;
			methods[m].took = sums[m].time / sums[m].calls;
		}
	}
	free(sums);
	if (any) {
		retransform_loaded(env, is_changed);
		for (int64_t m = first_method; m < used; m++) {
			methods[m].class->changed = false;
		}
	}
	tune_pause = 2 * tune_pause < LONGEST_PAUSE ? 2 * tune_pause : LONGEST_PAUSE;
	next_tune = ring_now() + tune_pause;
}

// Writing: the trees so far, again and again. The tree of a virtual thread is written when the thread has ended.

static int64_t next_write;
enum {
	WRITING_SHARE = 10, // at most a tenth of the time is spent on writing
	// The longest time in nanoseconds from a thread's reading of the clock at the end of a call until it has noted the
	// time: it may lose its processor meanwhile.
	LONGEST_EXIT = 1000 * 1000 * 1000,
};

// write_tree publishes what is new in a tree: of the thread, or of no single one if that is 0. The caller holds the
// lock, which is released while records are published.
static void write_tree(struct state *s, int64_t thread) {
	struct node *nodes = rest_of(s, ring_now() - LONGEST_EXIT);
	int32_t used = s->nodes_used;
	writing = s;
	pthread_mutex_unlock(&lock);
	if (nodes != NULL) {
		publish_tree(nodes, used, thread);
	}
	free(nodes);
	pthread_mutex_lock(&lock);
	writing = NULL;
	pthread_cond_broadcast(&ended);
}

static void write_trees(void) {
	int64_t begin = ring_now(), interval = agent.settings.interval * 1000000LL;
	pthread_mutex_lock(&lock);
	for (int64_t at = 0; at < slots_used; at++) {
		struct state *s = state_at(at);
		if (s != NULL && !s->is_virtual) {
			write_tree(s, s->thread);
		}
	}
	if (merged != NULL) {
		write_tree(merged, 0);
	}
	pthread_mutex_unlock(&lock);
	int64_t pause = WRITING_SHARE * (ring_now() - begin);
	next_write = ring_now() + (pause > interval ? pause : interval);
}

static bool writes(void) { return agent.settings.exec == EXEC_AGGREGATED && agent.settings.interval > 0; }

int64_t exec_pause(void) {
	int64_t next = agent.settings.auto_tune ? next_tune : INT64_MAX;
	if (writes() && next_write < next) {
		next = next_write;
	}
	if (!instrumenting || next == INT64_MAX) {
		return 0;
	}
	int64_t left = next - ring_now();
	return left > 0 ? left : 1;
}

void exec_poll(JNIEnv *env) {
	if (instrumenting && agent.settings.auto_tune && ring_now() >= next_tune) {
		tune(env);
	}
	if (instrumenting && writes() && ring_now() >= next_write) {
		write_trees();
	}
}

// define_other defines the method OTHER of a tree that is full.
static void define_other(void) {
	unsigned char payload[64], *end = ring_put_text(ring_put_text(payload, "trcx", 4), "", 0);
	int64_t class = define_named(DEFINE_CLASS, 0, payload, end - payload);
	end = ring_put_text(ring_put_text(payload, "(other)", 7), "()V", 3);
	methods[OTHER].id = define_named(DEFINE_METHOD, class, payload, end - payload);
}

void exec_begin(JNIEnv *env) {
	if (agent.settings.exec == EXEC_AGGREGATED) {
		define_other();
	}
	if (agent.settings.exec == EXEC_FULL) {
		measure_overhead(env);
	}
	instrumenting = true;
	tune_pause = FIRST_PAUSE;
	next_tune = ring_now() + tune_pause;
	next_write = ring_now() + agent.settings.interval * 1000000LL;
	retransform_loaded(env, exec_wanted);
}

void exec_undo(JNIEnv *env) {
	instrumenting = false;
	retransform_loaded(env, is_instrumented);
	madvise(names, NAMES * sizeof *names, MADV_DONTNEED);
}
