//go:build agent

#include "initwait.h"

#include <pthread.h>
#include <string.h>

#include "cpu.h"
#include "hotspot.h"
#include "id.h"
#include "javathread.h"
#include "owner.h"
#include "stack.h"
#include "thread.h"

enum {
	LOOK = 100 * 1000 * 1000, // nanoseconds from one look at all threads to the next
	CORE_PART = 200,          // looks take half a per cent of a core at most
	POLL = 10 * 1000 * 1000,  // nanoseconds from one look at the waits that were found to the next, at first
	PART = 50,                // a wait that lasts is looked at again after a fiftieth of its time
	MAX_FOUND = 256,          // waits that one look finds
	MAX_WAITS = 4096,
	MAX_CLASSES = 256,        // classes that are being initialised at a time
	LONGEST_NAME = 1024,
};

// wait is a published wait.
struct wait {
	struct waiting of;
	int64_t object, since;
};

static struct wait waits[MAX_WAITS];
static int count;
static int64_t next_look;
static pthread_mutex_t polling = PTHREAD_MUTEX_INITIALIZER;

static bool shows_waits(void) {
	return agent.settings.owner && agent.settings.owner_period > 0 && hotspot.waiting_monitor != UNKNOWN &&
		   hotspot.method != UNKNOWN && hotspot.constants != UNKNOWN && hotspot.holder != UNKNOWN &&
		   hotspot.init_thread != UNKNOWN;
}

// The classes that are being initialised.

struct initialised {
	jclass class;
	int64_t by; // the id of the thread; 0 if it is unknown
	char name[LONGEST_NAME]; // as in class files, app/Main
};

static struct initialised classes[MAX_CLASSES];
static int class_count;
static bool more_classes; // than MAX_CLASSES

// klass_of returns the JVM's structure of a class, found through one of its methods; NULL if the class has no method.
static const char *klass_of(jclass class) {
	jint methods = 0;
	jmethodID *ids = NULL;
	uint64_t address = 0;
	if ((*agent.jvmti)->GetClassMethods(agent.jvmti, class, &methods, &ids) != JVMTI_ERROR_NONE) {
		return NULL;
	}
	if (methods > 0 && ids[0] != NULL) {
		address = read_word((const char *)ids[0], 0); // a jmethodID is the address of a Method's address
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)ids);
	const long path[] = {hotspot.method, hotspot.constants, hotspot.holder};
	for (int i = 0; i < 3 && address != 0; i++) {
		address = read_word((const char *)(uintptr_t)address, path[i]);
	}
	return (const char *)(uintptr_t)address;
}

// add notes the class if it is being initialised. Its thread is known only if the JVM names the JavaThread of a live one.
static void add(JNIEnv *env, jclass class) {
	jint status = 0;
	enum { OTHERS = JVMTI_CLASS_STATUS_INITIALIZED | JVMTI_CLASS_STATUS_ERROR | JVMTI_CLASS_STATUS_ARRAY |
					JVMTI_CLASS_STATUS_PRIMITIVE };
	if ((*agent.jvmti)->GetClassStatus(agent.jvmti, class, &status) != JVMTI_ERROR_NONE || (status & OTHERS) ||
		!(status & JVMTI_CLASS_STATUS_PREPARED)) {
		return;
	}
	const char *klass = klass_of(class);
	uint64_t thread = klass != NULL ? read_word(klass, hotspot.init_thread) : 0;
	if (thread == 0) {
		return;
	}
	if (class_count >= MAX_CLASSES) {
		more_classes = true;
		return;
	}
	char *signature = NULL;
	struct initialised *c = &classes[class_count++];
	*c = (struct initialised){.class = (*env)->NewLocalRef(env, class), .by = owner_at(env, thread)};
	if ((*agent.jvmti)->GetClassSignature(agent.jvmti, class, &signature, NULL) == JVMTI_ERROR_NONE) {
		size_t length = strlen(signature); // Lapp/Main;
		if (length > 2 && length - 2 < sizeof c->name) {
			memcpy(c->name, signature + 1, length - 2);
		}
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
}

static void find_classes(JNIEnv *env) {
	jint loaded = 0;
	jclass *list = NULL;
	class_count = 0;
	more_classes = false;
	(*agent.jvmti)->GetLoadedClasses(agent.jvmti, &loaded, &list);
	for (jint i = 0; i < loaded; i++) {
		add(env, list[i]);
		(*env)->DeleteLocalRef(env, list[i]);
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)list);
}

// The class that an instruction initialises.

// constant is an entry of a constant pool; entries of other kinds are skipped.
struct pool {
	const unsigned char *bytes;
	jint count, size;
};

enum { UTF8 = 1, LONG = 5, DOUBLE = 6, CLASS = 7, FIELD = 9, METHOD = 10, INTERFACE_METHOD = 11 };

static unsigned two(const unsigned char *at) { return at[0] << 8 | at[1]; }

// entry returns the constant with the index, which begins with its tag; NULL if the index has no constant.
static const unsigned char *entry(const struct pool *pool, unsigned index) {
	static const unsigned char sizes[] = {
		0, 0, 0, 5, 5, 9, 9, 3, 3, 5, 5, 5, 5, 0, 0, 4, 3, 5, 5, 3, 3}; // by tag, including the tag
	const unsigned char *at = pool->bytes, *end = pool->bytes + pool->size;
	for (unsigned i = 1; i < (unsigned)pool->count && at < end; i++) {
		size_t size = *at == UTF8 && end - at >= 3 ? 3 + two(at + 1) : *at < sizeof sizes ? sizes[*at] : 0;
		if (size == 0 || size > (size_t)(end - at)) {
			return NULL;
		}
		if (i == index) {
			return at;
		}
		i += *at == LONG || *at == DOUBLE; // these take two indexes
		at += size;
	}
	return NULL;
}

// class_in_pool copies the name of the class that the constant is, or whose field or method it is.
static bool class_in_pool(const struct pool *pool, unsigned index, char *name) {
	const unsigned char *at = entry(pool, index);
	if (at != NULL && (*at == FIELD || *at == METHOD || *at == INTERFACE_METHOD)) {
		at = entry(pool, two(at + 1));
	}
	at = at != NULL && *at == CLASS ? entry(pool, two(at + 1)) : NULL;
	size_t length = at != NULL && *at == UTF8 ? two(at + 1) : 0;
	if (length == 0 || length >= LONGEST_NAME) {
		return false;
	}
	memcpy(name, at + 3, length);
	name[length] = '\0';
	return true;
}

// class_wanted copies the name of the class that the thread's current instruction initialises, if it is one that names
// the class: new, getstatic, putstatic, invokestatic.
static bool class_wanted(JNIEnv *env, jthread thread, char *name) {
	enum { GETSTATIC = 0xb2, PUTSTATIC = 0xb3, INVOKESTATIC = 0xb8, NEW = 0xbb };
	jmethodID method = NULL;
	jlocation location = -1;
	jint size = 0;
	unsigned char *code = NULL, *constants = NULL;
	jclass class = NULL;
	struct pool pool = {0};
	bool is = false;
	if ((*agent.jvmti)->GetFrameLocation(agent.jvmti, thread, 0, &method, &location) == JVMTI_ERROR_NONE &&
		location >= 0 && (*agent.jvmti)->GetBytecodes(agent.jvmti, method, &size, &code) == JVMTI_ERROR_NONE &&
		location + 2 < size &&
		(*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, method, &class) == JVMTI_ERROR_NONE &&
		(*agent.jvmti)->GetConstantPool(agent.jvmti, class, &pool.count, &pool.size, &constants) == JVMTI_ERROR_NONE) {
		unsigned char does = code[location];
		pool.bytes = constants;
		is = (does == GETSTATIC || does == PUTSTATIC || does == INVOKESTATIC || does == NEW) &&
			 class_in_pool(&pool, two(code + location + 1), name);
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, code);
	(*agent.jvmti)->Deallocate(agent.jvmti, constants);
	(*env)->DeleteLocalRef(env, class);
	return is;
}

// Which class a thread waits for.

// candidates counts the classes of the name, NULL for any, that another thread initialises; *last is the last of them.
// Several classes can have the same name, with different class loaders.
static int candidates(int64_t thread, const char *name, const struct initialised **last) {
	int found = 0;
	for (int i = 0; i < class_count; i++) {
		if (classes[i].by != thread && (name == NULL || strcmp(classes[i].name, name) == 0)) {
			*last = &classes[i];
			found++;
		}
	}
	return found;
}

// known returns the class that another wait on the same monitor is for; NULL if no wait on it is known.
static const struct initialised *known(uint64_t monitor, int64_t *object) {
	for (int i = 0; i < count; i++) {
		for (int j = 0; j < class_count && waits[i].of.monitor == monitor; j++) {
			if (known_object_id(classes[j].class) == waits[i].object) {
				*object = waits[i].object;
				return &classes[j];
			}
		}
	}
	return NULL;
}

// same_thread returns the thread that initialises all classes for which this thread may wait; 0 for several threads.
static int64_t same_thread(int64_t thread) {
	int64_t by = 0;
	for (int i = 0; i < class_count; i++) {
		if (classes[i].by != thread) {
			if (classes[i].by == 0 || (by != 0 && by != classes[i].by)) {
				return 0;
			}
			by = classes[i].by;
		}
	}
	return more_classes ? 0 : by;
}

// unknown_class returns the id of an object that stands for an unknown class.
static int64_t unknown_class(JNIEnv *env) {
	jclass class = (*env)->FindClass(env, "java/lang/Class");
	int64_t object = class != NULL ? new_object_id(class) : 0;
	(*env)->ExceptionClear(env);
	(*env)->DeleteLocalRef(env, class);
	return object;
}

// find_class sets the class's object and the initialising thread in the record of the wait.
static void find_class(JNIEnv *env, const struct waiting *waiting, jthread thread, struct record *record) {
	char name[LONGEST_NAME];
	const struct initialised *class = known(waiting->monitor, &record->object);
	if (class == NULL && !(class_wanted(env, thread, name) && candidates(waiting->thread, name, &class) == 1) &&
		(candidates(waiting->thread, NULL, &class) != 1 || more_classes)) {
		record->object = unknown_class(env);
		record->argument = same_thread(waiting->thread);
		return;
	}
	record->object = object_id(env, class->class);
	record->argument = class->by;
}

// Waits.

static bool is_runnable(JNIEnv *env, jthread thread) {
	return thread_state(env, thread) & JVMTI_THREAD_STATE_RUNNABLE;
}

// publish publishes the wait, unless it ends meanwhile.
static void publish(JNIEnv *env, const struct waiting *waiting, jthread thread) {
	uint64_t frames[MAX_STACK];
	struct record record = {.kind = INIT_WAIT, .thread = waiting->thread, .payload = frames};
	find_class(env, waiting, thread, &record);
	record.payload_size = stack_of(env, thread, frames);
	record.time = ring_begin();
	if (record.object != 0 && count < MAX_WAITS && owner_waits(waiting)) {
		ring_publish(&record);
		waits[count++] = (struct wait){*waiting, record.object, record.time};
	}
	ring_end();
}

// look finds the threads that wait for a class. These are RUNNABLE.
static void look(JNIEnv *env) {
	static struct waiting found[MAX_FOUND];
	uint32_t at = 0;
	do {
		bool classes_found = false;
		int waiting = owners_waiting(&at, found, MAX_FOUND);
		if (waiting == 0 || (*env)->PushLocalFrame(env, MAX_FOUND) != 0) {
			continue;
		}
		for (int i = 0; i < waiting; i++) {
			jthread thread = owner_thread(env, found[i].thread);
			if (thread != NULL && !is_carrier(env, thread) && is_runnable(env, thread) && owner_waits(&found[i]) &&
				(classes_found || (*env)->PushLocalFrame(env, MANY_REFERENCES) == 0)) {
				if (!classes_found) {
					find_classes(env);
				}
				classes_found = true;
				publish(env, &found[i], thread);
			}
			(*env)->DeleteLocalRef(env, thread);
		}
		if (classes_found) {
			(*env)->PopLocalFrame(env, NULL);
		}
		(*env)->PopLocalFrame(env, NULL);
	} while (at > 0);
}

// end_waits publishes the ends of waits.
static void end_waits(void) {
	int left = 0;
	for (int i = 0; i < count; i++) {
		if (owner_waits(&waits[i].of)) {
			waits[left++] = waits[i];
			continue;
		}
		int64_t time = ring_begin();
		ring_publish(&(struct record){.kind = WAITED, .flags = EXISTED, .thread = waits[i].of.thread, .time = time,
			.object = waits[i].object});
		ring_end();
	}
	count = left;
}

void initwaits_poll(JNIEnv *env) {
	if (!shows_waits()) {
		return;
	}
	pthread_mutex_lock(&polling);
	int64_t now = ring_now();
	if (recording()) {
		end_waits();
	}
	if (now >= next_look) {
		int64_t before = cpu_time();
		if (recording()) {
			look(env);
		}
		int64_t pause = (cpu_time() - before) * CORE_PART;
		next_look = ring_now() + (pause > LOOK ? pause : LOOK);
	}
	pthread_mutex_unlock(&polling);
}

int64_t initwaits_pause(void) {
	if (!shows_waits()) {
		return 0;
	}
	int64_t now = ring_now(), pause = next_look > now ? next_look - now : 1;
	for (int i = 0; i < count; i++) {
		int64_t part = (now - waits[i].since) / PART;
		part = part < POLL ? POLL : part;
		pause = part < pause ? part : pause;
	}
	return pause;
}

void initwaits_end(void) {
	pthread_mutex_lock(&polling);
	count = 0;
	next_look = 0;
	pthread_mutex_unlock(&polling);
}
