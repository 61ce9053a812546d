//go:build agent

#include "owner.h"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include "hotspot.h"
#include "javathread.h"

enum {
	MAX_OWNERS = 1 << 15,
	HINTS = 1 << 16,
	ADDRESS_BITS = 12, // a thread's structures and stacks begin this far apart
	LONGEST_SEARCH = 2048,
	ASKS_PER_SECOND = 20,
	LAST_MARKER = 2, // owner ids up to this one are markers, not threads
};

// The platform threads that can own monitors. The lock stacks of the first are searched.
static struct place {
	int64_t id; // 0 for none
	const char *java_thread;
	uint64_t stack_low, stack_high;
	jweak thread;
	uint64_t waited;    // the monitor on which it was seen to wait, perhaps with FOUND; 0 for none
	uint32_t next_free; // in a place without a thread: 1 above the index of the next such place; 0 for none
} * places;
static uint32_t used;    // length of places that is in use
static uint32_t first_free;
static uint32_t readers; // threads that read lock stacks
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;

// id_hints and address_hints have, for ids and addresses modulo HINTS, 1 above the index of a place where the thread may
// be. An id without a hint has no place.
static uint16_t id_hints[HINTS], address_hints[HINTS];

void owners_prepare(JNIEnv *env) {
	hotspot_prepare(env);
	if (places != NULL) {
		return;
	}
	if (hotspot.eetop == NULL || hotspot.env == UNKNOWN || hotspot.pending_monitor == UNKNOWN ||
		hotspot.owner == UNKNOWN) {
		agent.settings.owner = false;
		return;
	}
	places = mmap(
		NULL, MAX_OWNERS * sizeof *places, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (places == MAP_FAILED) {
		places = NULL;
		agent.settings.owner = false;
	}
}

// The set of threads. Its functions, but owner_add, owner_remove and the like, need the lock.

static bool has_id(const struct place *place, uint64_t id) { return place->id == (int64_t)id; }

static bool has_address(const struct place *place, uint64_t address) {
	return place->id != 0 && ((uint64_t)(uintptr_t)place->java_thread == address ||
								 (address >= place->stack_low && address < place->stack_high));
}

// find returns the place that has the key, or NULL.
static struct place *find(bool (*has)(const struct place *, uint64_t), uint64_t key, uint16_t *hint) {
	if (*hint != 0 && has(&places[*hint - 1], key)) {
		return &places[*hint - 1];
	}
	for (uint32_t i = 0; i < used; i++) {
		if (has(&places[i], key)) {
			*hint = i + 1;
			return &places[i];
		}
	}
	return NULL;
}

static struct place *find_id(int64_t id) {
	uint16_t *hint = &id_hints[id % HINTS];
	return *hint != 0 ? find(has_id, id, hint) : NULL;
}

// remember adds the thread, unless it has been added or all places are used. Then it keeps the weak reference.
static bool remember(struct place place) {
	pthread_mutex_lock(&changing);
	bool adds = find_id(place.id) == NULL;
	uint32_t at = first_free != 0 ? first_free - 1 : used;
	if (adds && at < MAX_OWNERS) {
		first_free = first_free != 0 ? places[at].next_free : 0;
		const char *java_thread = place.java_thread;
		place.java_thread = NULL;
		places[at] = place;
		__atomic_store_n(&places[at].java_thread, java_thread, __ATOMIC_SEQ_CST);
		id_hints[place.id % HINTS] = at + 1;
		used = at == used ? at + 1 : used;
	}
	pthread_mutex_unlock(&changing);
	return adds && at < MAX_OWNERS;
}

struct thread_place owner_add(JNIEnv *env, jthread thread, int64_t id) {
	struct thread_place place = {0};
	const char *java_thread = places != NULL ? java_thread_of(env, thread) : NULL;
	bool carries = is_carrier(env, thread);
	if (java_thread == NULL) {
		return place;
	}
	// A carrier's monitors belong to its virtual thread, which has the id by which it owns them, but no address.
	if (!hotspot.owners_by_id && !carries) {
		place.java_thread = (uintptr_t)java_thread;
		if (hotspot.stack_base != UNKNOWN && hotspot.stack_size != UNKNOWN) {
			place.stack_high = read_word(java_thread, hotspot.stack_base);
			place.stack_low = place.stack_high - read_word(java_thread, hotspot.stack_size);
		}
	}
	if (hotspot.owners_by_id || !carries) {
		jweak weak = agent.settings.owner_period > 0 ? (*env)->NewWeakGlobalRef(env, thread) : NULL;
		if (!remember((struct place){id, java_thread, place.stack_low, place.stack_high, weak, 0, 0}) && weak != NULL) {
			(*env)->DeleteWeakGlobalRef(env, weak);
		}
	}
	return place;
}

// await_readers waits until no thread reads what was just removed. The JVM may free it after that.
static void await_readers(void) {
	while (__atomic_load_n(&readers, __ATOMIC_SEQ_CST) > 0) {
		sched_yield();
	}
}

// forget empties the place.
static void forget(JNIEnv *env, struct place *place) {
	__atomic_store_n(&place->java_thread, NULL, __ATOMIC_SEQ_CST);
	if (place->thread != NULL) {
		(*env)->DeleteWeakGlobalRef(env, place->thread);
	}
	*place = (struct place){.next_free = first_free};
	first_free = place - places + 1;
}

void owner_remove(JNIEnv *env, int64_t id) {
	if (places == NULL) {
		return;
	}
	pthread_mutex_lock(&changing);
	struct place *place = find_id(id);
	if (place != NULL) {
		forget(env, place);
	}
	pthread_mutex_unlock(&changing);
	await_readers();
}

void owners_reset(JNIEnv *env) {
	if (places == NULL) {
		return;
	}
	pthread_mutex_lock(&changing);
	for (uint32_t i = 0; i < used; i++) {
		if (places[i].id != 0) {
			forget(env, &places[i]);
		}
	}
	pthread_mutex_unlock(&changing);
	await_readers();
}

bool owner_lives(int64_t id) {
	pthread_mutex_lock(&changing);
	bool lives = places != NULL && find_id(id) != NULL;
	pthread_mutex_unlock(&changing);
	return lives;
}

jthread owner_thread(JNIEnv *env, int64_t id) {
	if (places == NULL) {
		return NULL;
	}
	pthread_mutex_lock(&changing);
	const struct place *place = find_id(id);
	jthread thread = place != NULL && place->thread != NULL ? (*env)->NewLocalRef(env, place->thread) : NULL;
	pthread_mutex_unlock(&changing);
	return thread;
}

int64_t owner_of_word(uint64_t word) {
	if (hotspot.owners_by_id) {
		return word > LAST_MARKER ? word : 0;
	}
	pthread_mutex_lock(&changing);
	const struct place *place = find(has_address, word, &address_hints[(word >> ADDRESS_BITS) % HINTS]);
	int64_t id = place != NULL ? place->id : 0;
	pthread_mutex_unlock(&changing);
	return id;
}

// Waits.

enum {
	FOUND = 1,     // in place.waited: owners_waiting has returned the wait; monitors are aligned
	SCANNED = 512, // places that owners_waiting looks at with the lock
};

// waits_on returns the monitor on which the thread waits; 0 for none.
static uint64_t waits_on(const struct place *place) {
	return place->java_thread != NULL ? read_word(place->java_thread, hotspot.waiting_monitor) : 0;
}

// read_use reads the monitor at the offset in the thread's structure. The JVM keeps the monitor as long as it is there.
static bool read_use(const char *java_thread, long offset, struct monitor_use *use) {
	uint64_t monitor = offset != UNKNOWN ? read_word(java_thread, offset) : 0;
	return monitor != 0 && copy_memory(&use->owner, monitor + hotspot.owner, sizeof use->owner) &&
		   copy_memory(&use->waiters, monitor + hotspot.waiters, sizeof use->waiters) &&
		   read_word(java_thread, offset) == monitor;
}

bool monitor_use_of(int64_t thread, struct monitor_use *use) {
	if (places == NULL || hotspot.waiters == UNKNOWN || hotspot.owner == UNKNOWN) {
		return false;
	}
	pthread_mutex_lock(&changing);
	const struct place *place = find_id(thread);
	const char *java_thread = place != NULL ? place->java_thread : NULL;
	bool known = java_thread != NULL && (read_use(java_thread, hotspot.waiting_monitor, use) ||
											read_use(java_thread, hotspot.pending_monitor, use));
	pthread_mutex_unlock(&changing);
	return known;
}

int32_t native_id_of(int64_t thread) {
	int32_t id = 0;
	if (places == NULL || hotspot.os_thread == UNKNOWN || hotspot.native_id == UNKNOWN) {
		return 0;
	}
	pthread_mutex_lock(&changing);
	const struct place *place = find_id(thread);
	const char *java_thread = place != NULL ? place->java_thread : NULL;
	uint64_t os_thread = java_thread != NULL ? read_word(java_thread, hotspot.os_thread) : 0;
	if (os_thread == 0 || !copy_memory(&id, os_thread + hotspot.native_id, sizeof id)) {
		id = 0;
	}
	pthread_mutex_unlock(&changing);
	return id;
}

int owners_waiting(uint32_t *from, struct waiting *found, int limit) {
	int count = 0;
	if (places == NULL || hotspot.waiting_monitor == UNKNOWN) {
		return *from = 0;
	}
	pthread_mutex_lock(&changing);
	uint32_t at = *from, end = at + SCANNED;
	for (; at < used && at < end && count < limit; at++) {
		struct place *place = &places[at];
		uint64_t monitor = waits_on(place);
		if (monitor != 0 && place->waited == monitor) {
			found[count++] = (struct waiting){place->id, monitor};
			place->waited |= FOUND;
		} else if ((place->waited & ~(uint64_t)FOUND) != monitor) {
			place->waited = monitor;
		}
	}
	*from = at < used ? at : 0;
	pthread_mutex_unlock(&changing);
	return count;
}

bool owner_waits(const struct waiting *waiting) {
	pthread_mutex_lock(&changing);
	const struct place *place = find_id(waiting->thread);
	bool waits = place != NULL && waits_on(place) == waiting->monitor;
	pthread_mutex_unlock(&changing);
	return waits;
}

int64_t owner_at(JNIEnv *env, uint64_t java_thread) {
	jthread thread = NULL;
	int64_t id = 0;
	pthread_mutex_lock(&changing);
	for (uint32_t i = 0; i < used && java_thread != 0; i++) {
		if ((uint64_t)(uintptr_t)places[i].java_thread == java_thread) {
			id = places[i].id;
			thread = places[i].thread != NULL ? (*env)->NewLocalRef(env, places[i].thread) : NULL;
			break;
		}
	}
	pthread_mutex_unlock(&changing);
	bool carries = thread == NULL || is_carrier(env, thread); // then its virtual thread initialises the class
	(*env)->DeleteLocalRef(env, thread);
	return carries ? 0 : id;
}

// Owners.

// has_locked reports whether the object is in the thread's lock stack, which the thread may be changing.
static bool has_locked(const char *java_thread, uint64_t object) {
	enum { LONGEST_LOCK_STACK = 64 };
	uint32_t top = *(const volatile uint32_t *)(java_thread + hotspot.lock_stack + hotspot.lock_stack_top);
	uint32_t begin = hotspot.lock_stack + hotspot.lock_stack_base;
	for (uint32_t offset = begin; offset < top && offset < begin + LONGEST_LOCK_STACK; offset += sizeof(uint64_t)) {
		if (read_word(java_thread, offset) == object) {
			return true;
		}
	}
	return false;
}

// search returns the id of the thread that has the object in its lock stack, or 0.
static int64_t search(jobject object) {
	if (hotspot.lock_stack == UNKNOWN || hotspot.lock_stack_top == UNKNOWN || hotspot.lock_stack_base == UNKNOWN ||
		hotspot.owner_id == UNKNOWN) {
		return 0;
	}
	const char *handle = (const char *)((uintptr_t)object & ~(uintptr_t)3);
	int64_t owner = 0;
	__atomic_add_fetch(&readers, 1, __ATOMIC_SEQ_CST);
	uint64_t address = read_word(handle, 0);
	uint32_t count = used < LONGEST_SEARCH ? used : LONGEST_SEARCH;
	for (uint32_t i = 0; i < count && owner == 0; i++) {
		const char *java_thread = __atomic_load_n(&places[i].java_thread, __ATOMIC_SEQ_CST);
		if (java_thread != NULL && has_locked(java_thread, address)) {
			owner = read_word(java_thread, hotspot.owner_id);
		}
	}
	__atomic_sub_fetch(&readers, 1, __ATOMIC_SEQ_CST);
	return read_word(handle, 0) == address ? owner : 0; // the collector may have moved the object meanwhile
}

// ask asks the JVM, which may stop all threads to answer; so the rate is limited.
static int64_t ask(JNIEnv *env, jobject object, int64_t now) {
	static int64_t next;
	int64_t due = __atomic_load_n(&next, __ATOMIC_RELAXED);
	if (now < due || !__atomic_compare_exchange_n(
						 &next, &due, now + 1000000000 / ASKS_PER_SECOND, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
		return 0;
	}
	jvmtiMonitorUsage usage = {0};
	int64_t owner = 0;
	if ((*env)->PushLocalFrame(env, MANY_REFERENCES) != 0) { // for all threads that are blocked or wait
		return 0;
	}
	if ((*agent.jvmti)->GetObjectMonitorUsage(agent.jvmti, object, &usage) == JVMTI_ERROR_NONE && usage.owner != NULL) {
		owner = thread_id(env, usage.owner);
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)usage.waiters);
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)usage.notify_waiters);
	(*env)->PopLocalFrame(env, NULL);
	return owner;
}

// set_owner sets the monitor's owner in the record.
static void set_owner(JNIEnv *env, const char *monitor, jobject object, struct record *record) {
	uint64_t owner = read_word(monitor, hotspot.owner);
	if (owner == 0) {
		return; // the owner has just left the monitor
	}
	bool anonymous = owner == ANONYMOUS_OWNER;
	if (!hotspot.owners_by_id && !anonymous) {
		record->flags |= OWNER_ADDRESS;
		record->argument = owner;
		return;
	}
	if (anonymous && (owner = search(object)) == 0) {
		owner = ask(env, object, record->time);
	}
	if (owner > LAST_MARKER) {
		record->flags |= OWNER_THREAD;
		record->argument = owner;
	}
}

const void *owner_of_pending(JNIEnv *env, jobject object, struct record *record) {
	if (!agent.settings.owner) {
		return NULL;
	}
	const char *monitor = (const char *)(uintptr_t)read_word((const char *)env - hotspot.env, hotspot.pending_monitor);
	if (monitor != NULL) {
		set_owner(env, monitor, object, record);
	}
	return monitor;
}

uint64_t owner_word(const void *monitor) { return read_word(monitor, hotspot.owner); }

const void *pending_monitor_of(JNIEnv *env, jthread thread) {
	const char *java_thread = agent.settings.owner ? java_thread_of(env, thread) : NULL;
	return java_thread != NULL ? (const void *)(uintptr_t)read_word(java_thread, hotspot.pending_monitor) : NULL;
}

jobject awaited_object(JNIEnv *env, jthread thread, struct record *record) {
	enum { WEAK_HANDLE = 1 }; // JNI's mark of weak handles
	long where = record->kind == WAIT ? hotspot.waiting_monitor : hotspot.pending_monitor;
	const char *java_thread = java_thread_of(env, thread);
	if (java_thread == NULL || where == UNKNOWN || hotspot.object == UNKNOWN) {
		return NULL;
	}
	const char *monitor = (const char *)(uintptr_t)read_word(java_thread, where);
	uint64_t handle = monitor != NULL ? read_word(monitor, hotspot.object) : 0;
	if ((const char *)(uintptr_t)read_word(java_thread, where) != monitor) {
		return NULL;
	}
	jobject object = handle != 0 ? (*env)->NewLocalRef(env, (jobject)(uintptr_t)(handle | WEAK_HANDLE)) : NULL;
	// The thread may have continued meanwhile; then the handle may be another object's.
	if (object != NULL && (const char *)(uintptr_t)read_word(java_thread, where) != monitor) {
		(*env)->DeleteLocalRef(env, object);
		return NULL;
	}
	if (object != NULL && record->kind == CONTENDED_ENTER && agent.settings.owner) {
		set_owner(env, monitor, object, record);
	}
	return object;
}
