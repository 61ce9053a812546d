//go:build agent

#include "executor.h"

#include "classes.h"
#include "id.h"
#include "javathread.h"
#include "statefield.h"

enum {
	MAX_WORKERS = 1024,
	MAX_MEMBERS = 32, // workers that a state names
	MAX_TASKS = 1000, // tasks of a queue that are read
	REFERENCES = 64,
};

static jclass worker, pool, fork_worker, supplies, runs, completes, future; // that are watched

void executors_prepare(void) {
	classes_watch(CONCURRENT "ThreadPoolExecutor$Worker", &worker);
	classes_watch(CONCURRENT "ThreadPoolExecutor", &pool);
	classes_watch(CONCURRENT "ForkJoinWorkerThread", &fork_worker);
	classes_watch(CONCURRENT "CompletableFuture$AsyncSupply", &supplies);
	classes_watch(CONCURRENT "CompletableFuture$AsyncRun", &runs);
	classes_watch(CONCURRENT "CompletableFuture$UniCompletion", &completes);
	classes_watch(CONCURRENT "CompletableFuture", &future);
}

static bool is(JNIEnv *env, jobject object, jclass *class) {
	jclass found = found_class(class);
	return object != NULL && found != NULL && (*env)->IsInstanceOf(env, object, found);
}

struct awaited *awaited_place(struct awaited *all, int64_t object) {
	for (int i = 0; i < AWAITED_PLACES; i++) {
		struct awaited *a = &all[(object + i) % MAX_AWAITED];
		if (a->object == object || a->object == 0) {
			return a;
		}
	}
	return NULL;
}

// executor_of returns the executor whose task the thread runs; NULL for none. A worker without a task is unlocked.
static jobject executor_of(struct state *s, jthread thread, bool *forks) {
	static struct field of_worker = FIELD("this$0", "L" CONCURRENT "ThreadPoolExecutor;"),
						of_thread = FIELD("pool", "L" CONCURRENT "ForkJoinPool;"), state = FIELD("state", "I");
	if ((*forks = is(s->env, thread, &fork_worker))) {
		return get_object(s, found_class(&fork_worker), thread, &of_thread);
	}
	jobject task = thread_task(s->env, thread);
	bool busy = is(s->env, task, &worker) && get_inner_int(s, task, &state) != 0;
	jobject found = busy ? get_inner(s, task, &of_worker) : NULL;
	(*s->env)->DeleteLocalRef(s->env, task);
	return found;
}

void executor_add(JNIEnv *env, struct executors *executors, jthread thread, int64_t awaited) {
	struct state s = {.env = env};
	struct executor *e = &executors->all[executors->count];
	bool forks;
	jobject found = executors->count < MAX_EXECUTORS ? executor_of(&s, thread, &forks) : NULL;
	int64_t id = found != NULL ? object_id(env, found) : 0;
	for (int i = 0; i < executors->count && id != 0; i++) {
		id = executors->all[i].object == id ? 0 : id;
	}
	if (id == 0 || id == awaited) { // it was added already, or the thread waits for work
		(*env)->DeleteLocalRef(env, found);
		return;
	}
	*e = (struct executor){id, found, forks};
	executors->count++;
}

// Queues.

// queue is the queue of an executor that is being read.
struct queue {
	struct state *state;
	struct awaited *awaited;
	int64_t executor;
	int tasks; // that were read
};

// awaited_for returns the entry of an awaited object; NULL if nobody waits for it.
static struct awaited *awaited_for(const struct queue *q, jobject object) {
	int64_t id = object != NULL ? known_object_id(object) : 0;
	struct awaited *a = id != 0 ? awaited_place(q->awaited, id) : NULL;
	return a != NULL && a->object == id ? a : NULL;
}

// mark notes that the object, or what ends the wait for it, is in the queue.
static void mark(struct queue *q, jobject object) {
	struct awaited *a = awaited_for(q, object);
	if (a != NULL) {
		a->queue = q->executor;
	}
}

// mark_termination notes that threads which wait for the object wait for the executor to terminate.
static void mark_termination(struct queue *q, jobject object) {
	struct awaited *a = awaited_for(q, object);
	if (a != NULL) {
		a->terminates = q->executor;
	}
}

// mark_dependents marks the waits for a CompletableFuture, and for futures that depend on it.
static void mark_dependents(struct queue *q, jobject of, int depth) {
	enum { DEEPEST = 4, MANY = 32 };
	static struct field stack = FIELD("stack", "L" CONCURRENT "CompletableFuture$Completion;"),
						next = FIELD("next", "L" CONCURRENT "CompletableFuture$Completion;"),
						dependent = FIELD("dep", "L" CONCURRENT "CompletableFuture;");
	struct state s = {.env = q->state->env};
	jclass class = found_class(&future);
	jobject completion = of != NULL && class != NULL ? get_object(&s, class, of, &stack) : NULL;
	for (int i = 0; completion != NULL && i < MANY; i++) {
		mark(q, completion);
		if (depth < DEEPEST && is(s.env, completion, &completes)) {
			jobject inner = get_object(&s, found_class(&completes), completion, &dependent);
			mark_dependents(q, inner, depth + 1);
			(*s.env)->DeleteLocalRef(s.env, inner);
		}
		get_next(&s, &completion, &next);
	}
	(*s.env)->DeleteLocalRef(s.env, completion);
}

// look_at_task reads a task in a queue, and deletes the reference.
static void look_at_task(struct queue *q, jobject task) {
	static struct field of_supply = FIELD("dep", "L" CONCURRENT "CompletableFuture;"),
						of_run = FIELD("dep", "L" CONCURRENT "CompletableFuture;");
	struct state s = {.env = q->state->env};
	jobject completed = is(s.env, task, &supplies) ? get_inner(&s, task, &of_supply)
						: is(s.env, task, &runs)   ? get_inner(&s, task, &of_run)
												   : NULL;
	mark(q, task);
	mark_dependents(q, completed, 0);
	(*s.env)->DeleteLocalRef(s.env, completed);
	(*s.env)->DeleteLocalRef(s.env, task);
	q->tasks++;
}

static bool reads_on(const struct queue *q) { return q->tasks < MAX_TASKS && !(q->tasks % 64 == 63 && is_late(q->state)); }

static void look_at_array(struct queue *q, jobjectArray tasks) {
	JNIEnv *env = q->state->env;
	jsize size = tasks != NULL ? (*env)->GetArrayLength(env, tasks) : 0;
	for (jsize i = 0; i < size && i < MAX_TASKS && reads_on(q); i++) {
		jobject task = (*env)->GetObjectArrayElement(env, tasks, i);
		if (task != NULL) {
			look_at_task(q, task);
		}
	}
	(*env)->DeleteLocalRef(env, tasks);
}

static void look_at_list(struct queue *q, jobject node, struct field *item, struct field *next) {
	while (node != NULL && reads_on(q)) {
		look_at_task(q, get_inner(q->state, node, item));
		get_next(q->state, &node, next);
	}
	(*q->state->env)->DeleteLocalRef(q->state->env, node);
}

static void put_queue(struct queue *q, jint queued, int64_t capacity) {
	put_number(q->state, "queued", queued);
	if (capacity >= 0) {
		put_number(q->state, "capacity", capacity);
	}
}

enum { UNBOUNDED = -1 };

static int64_t bound(jint capacity) { return capacity == INT32_MAX ? UNBOUNDED : capacity; }

static void read_linked(struct queue *q, jclass class, jobject of) {
	static struct field capacity = FIELD("capacity", "I"), count = FIELD("count", "Ljava/util/concurrent/atomic/AtomicInteger;"),
						value = FIELD("value", "I"), head = FIELD("head", "L" CONCURRENT "LinkedBlockingQueue$Node;"),
						item = FIELD("item", "Ljava/lang/Object;"), next = FIELD("next", "L" CONCURRENT "LinkedBlockingQueue$Node;");
	jobject counter = get_object(q->state, class, of, &count);
	put_queue(q, get_inner_int(q->state, counter, &value), bound(get_int(q->state, class, of, &capacity)));
	look_at_list(q, get_object(q->state, class, of, &head), &item, &next);
}

static void read_deque(struct queue *q, jclass class, jobject of) {
	static struct field capacity = FIELD("capacity", "I"), count = FIELD("count", "I"),
						first = FIELD("first", "L" CONCURRENT "LinkedBlockingDeque$Node;"), item = FIELD("item", "Ljava/lang/Object;"),
						next = FIELD("next", "L" CONCURRENT "LinkedBlockingDeque$Node;");
	put_queue(q, get_int(q->state, class, of, &count), bound(get_int(q->state, class, of, &capacity)));
	look_at_list(q, get_object(q->state, class, of, &first), &item, &next);
}

static void read_array(struct queue *q, jclass class, jobject of) {
	static struct field items = FIELD("items", "[Ljava/lang/Object;"), count = FIELD("count", "I");
	jobject array = get_object(q->state, class, of, &items);
	put_queue(q, get_int(q->state, class, of, &count),
		array != NULL ? (*q->state->env)->GetArrayLength(q->state->env, array) : UNBOUNDED);
	look_at_array(q, array);
}

static void read_heap(struct queue *q, jclass class, jobject of) {
	static struct field queue = FIELD("queue", "[Ljava/lang/Object;"), size = FIELD("size", "I");
	put_queue(q, get_int(q->state, class, of, &size), UNBOUNDED);
	look_at_array(q, get_object(q->state, class, of, &queue));
}

static void read_delayed(struct queue *q, jclass class, jobject of) {
	static struct field queue = FIELD("queue", "[L" CONCURRENT "RunnableScheduledFuture;"), size = FIELD("size", "I");
	put_queue(q, get_int(q->state, class, of, &size), UNBOUNDED);
	look_at_array(q, get_object(q->state, class, of, &queue));
}

static void read_handover(struct queue *q, jclass class, jobject of) {
	(void)class, (void)of;
	put_queue(q, 0, 0);
}

static const char *const queues[] = {"L" CONCURRENT "LinkedBlockingQueue;", "L" CONCURRENT "LinkedBlockingDeque;",
	"L" CONCURRENT "ArrayBlockingQueue;", "L" CONCURRENT "PriorityBlockingQueue;",
	"L" CONCURRENT "ScheduledThreadPoolExecutor$DelayedWorkQueue;", "L" CONCURRENT "SynchronousQueue;"};
enum { QUEUES = sizeof queues / sizeof *queues };
static void (*const read_queues[QUEUES])(struct queue *q, jclass class, jobject of) = {
	read_linked, read_deque, read_array, read_heap, read_delayed, read_handover};

// Executors.

// put_workers puts the number and the ids of a ThreadPoolExecutor's workers that run a task. They are in a HashSet.
static void put_workers(struct state *s, jclass class) {
	static struct field workers = FIELD("workers", "Ljava/util/HashSet;"), map = FIELD("map", "Ljava/util/HashMap;"),
						table = FIELD("table", "[Ljava/util/HashMap$Node;"), key = FIELD("key", "Ljava/lang/Object;"),
						next = FIELD("next", "Ljava/util/HashMap$Node;"), state = FIELD("state", "I"), thread = FIELD("thread", THREAD);
	jobject set = get_object(s, class, s->object, &workers);
	jobject entries = get_inner(s, set, &map);
	jobjectArray nodes = get_inner(s, entries, &table);
	jsize size = nodes != NULL ? (*s->env)->GetArrayLength(s->env, nodes) : 0;
	int active = 0, seen = 0;
	for (jsize i = 0; i < size && seen < MAX_WORKERS; i++) {
		jobject node = (*s->env)->GetObjectArrayElement(s->env, nodes, i);
		for (; node != NULL && seen < MAX_WORKERS; seen++) {
			jobject of = get_inner(s, node, &key);
			if (is(s->env, of, &worker) && get_inner_int(s, of, &state) != 0) {
				jobject runs_it = get_inner(s, of, &thread);
				if (active++ < MAX_MEMBERS) {
					put_thread(s, "worker", runs_it);
				}
				(*s->env)->DeleteLocalRef(s->env, runs_it);
			}
			(*s->env)->DeleteLocalRef(s->env, of);
			get_next(s, &node, &next);
		}
		(*s->env)->DeleteLocalRef(s->env, node);
	}
	if (seen < MAX_WORKERS) {
		put_number(s, "active", active);
	}
}

static void read_pool(struct queue *q) {
	enum { COUNT = (1 << 29) - 1 };
	static struct field control = FIELD("ctl", "Ljava/util/concurrent/atomic/AtomicInteger;"), value = FIELD("value", "I"),
						maximum = FIELD("maximumPoolSize", "I"), work = FIELD("workQueue", "L" CONCURRENT "BlockingQueue;"),
						termination = FIELD("termination", "L" LOCKS "Condition;");
	struct state *s = q->state;
	jclass class = found_class(&pool);
	if (class == NULL) {
		return;
	}
	mark_termination(q, get_object(s, class, s->object, &termination));
	put_number(s, "workers", get_inner_int(s, get_object(s, class, s->object, &control), &value) & COUNT);
	put_number(s, "maximum", get_int(s, class, s->object, &maximum));
	put_workers(s, class);
	jobject tasks = get_object(s, class, s->object, &work);
	int index;
	jclass of = tasks != NULL ? class_among(s->env, tasks, queues, QUEUES, &index) : NULL;
	if (of != NULL) {
		read_queues[index](q, of, tasks);
	}
}

// fork_termination returns what threads wait for that want a ForkJoinPool to terminate: a condition, or a latch in later
// JDKs.
static jobject fork_termination(struct queue *q, jclass class) {
	static struct field condition = FIELD("termination", "L" LOCKS "Condition;"),
						latch = FIELD("termination", "L" CONCURRENT "CountDownLatch;"),
						sync = FIELD("sync", "L" CONCURRENT "CountDownLatch$Sync;");
	struct state s = {.env = q->state->env};
	jobject pool = q->state->object, awaited = get_object(&s, class, pool, &condition);
	return condition.missing ? get_inner(&s, get_object(&s, class, pool, &latch), &sync) : awaited;
}

// read_fork_pool reads a ForkJoinPool. Up to JDK 18, its control word counts from the parallelism, which mode holds.
static void read_fork_pool(struct queue *q) {
	enum { MODE = 0xFFFF, WORKERS = 32, ACTIVE = 48, MAX_QUEUES = 1024 };
	static struct field control = FIELD("ctl", "J"), mode = FIELD("mode", "I"), parallelism = FIELD("parallelism", "I"),
						all = FIELD("queues", "[L" CONCURRENT "ForkJoinPool$WorkQueue;"), top = FIELD("top", "I"), base = FIELD("base", "I"),
						array = FIELD("array", "[L" CONCURRENT "ForkJoinTask;"), owner = FIELD("owner", "L" CONCURRENT "ForkJoinWorkerThread;");
	struct state *s = q->state;
	static const char *const declares = "L" CONCURRENT "ForkJoinPool;";
	int index;
	jclass class = class_among(s->env, s->object, &declares, 1, &index);
	mark_termination(q, fork_termination(q, class));
	int before = get_int(s, class, s->object, &mode) & MODE, plus = before;
	if (mode.missing) {
		s->lacks = false;
		plus = 0;
		before = get_int(s, class, s->object, &parallelism);
	}
	jlong word = get_long(s, class, s->object, &control);
	jobjectArray lists = get_object(s, class, s->object, &all);
	jsize size = lists != NULL ? (*s->env)->GetArrayLength(s->env, lists) : 0;
	int64_t queued = 0;
	int members = 0;
	for (jsize i = 0; i < size && i < MAX_QUEUES; i++) {
		jobject list = (*s->env)->GetObjectArrayElement(s->env, lists, i);
		jobject runs_it = get_inner(s, list, &owner);
		if (runs_it != NULL && members++ < MAX_MEMBERS) {
			put_thread(s, "worker", runs_it);
		}
		(*s->env)->DeleteLocalRef(s->env, runs_it);
		int has = list != NULL ? get_inner_int(s, list, &top) - get_inner_int(s, list, &base) : 0;
		if (has > 0) {
			queued += has;
			look_at_array(q, get_inner(s, list, &array));
		}
		(*s->env)->DeleteLocalRef(s->env, list);
	}
	int active = plus + (int16_t)(word >> ACTIVE);
	put_number(s, "parallelism", before);
	put_number(s, "workers", plus + (int16_t)(word >> WORKERS));
	put_number(s, "active", active > 0 ? active : 0);
	if (size <= MAX_QUEUES) {
		put_number(s, "queued", queued);
	}
}

void executors_publish(
	JNIEnv *env, const struct executors *executors, struct awaited *awaited, int64_t time, int64_t deadline) {
	for (int i = 0; i < executors->count && !is_past(deadline); i++) {
		const struct executor *e = &executors->all[i];
		struct state s = {.env = env, .object = e->reference, .deadline = deadline};
		struct queue q = {&s, awaited, e->object, 0};
		if ((*env)->PushLocalFrame(env, REFERENCES) != 0) {
			(*env)->ExceptionClear(env);
			return;
		}
		(e->forks ? read_fork_pool : read_pool)(&q);
		state_publish(&s, e->object, time);
		(*env)->PopLocalFrame(env, NULL);
	}
}
