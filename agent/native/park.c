//go:build agent

#include "park.h"

#include "blocked.h"
#include "classes.h"
#include "hotspot.h"
#include "id.h"
#include "javathread.h"
#include "openwait.h"
#include "stack.h"
#include "thread.h"

#define THREAD "Ljava/lang/Thread;"
#define LOCKS_PACKAGE "java/util/concurrent/locks/"
#define INT LOCKS_PACKAGE "AbstractQueuedSynchronizer"
#define LONG LOCKS_PACKAGE "AbstractQueuedLongSynchronizer"

enum { LOCKS = 3, WIDTHS = 2 }; // synchronizers have a state of 32 bits, or of 64

// Fields and classes. All but the fields of Thread may be NULL; the fields and classes of a width are NULL until used.
static struct {
	jfieldID blocker, interrupted; // of Thread
	jclass ownable;                // AbstractOwnableSynchronizer
	jfieldID owner;                // its exclusiveOwnerThread
	jclass locks[LOCKS];
	struct width {
		jclass condition;
		jfieldID lock;   // of a condition
		jclass node;     // of a queue of waiters
		jfieldID waiter; // of a node
	} widths[WIDTHS];
} java;

// blocker is what is known about the object that a thread parks for.
struct blocker {
	int64_t object; // 0 for none
	unsigned flags; // of a Park
	int64_t lock;   // of a condition; 0 for none
};

static __thread struct {
	bool parked;         // since it last acquired a lock
	struct blocker last; // the last blocker
} self;

static bool parks_recorded(void) { return recording() && agent.settings.parks; }

// Fields and classes.

static jfieldID field(JNIEnv *env, jclass class, const char *name, const char *descriptor) {
	jfieldID found = class != NULL ? (*env)->GetFieldID(env, class, name, descriptor) : NULL;
	(*env)->ExceptionClear(env);
	return found;
}

static jobject get_object(JNIEnv *env, jobject object, jfieldID field) {
	return field != NULL ? (*env)->GetObjectField(env, object, field) : NULL;
}

// lock_of returns the lock of a condition, waiter_in the thread of a queue's node; NULL if the JVM's classes do not have
// the field. Looking up the fields initializes no class, because there is an instance already.

static jobject lock_of(JNIEnv *env, jobject condition, struct width *w) {
	if (unlikely(w->lock == NULL)) { // the same for each thread
		w->lock = field(env, w->condition, "this$0", w == java.widths ? "L" INT ";" : "L" LONG ";");
		if (w->lock == NULL) {
			say_lost("the locks of conditions");
		}
	}
	return get_object(env, condition, w->lock);
}

static jobject waiter_in(JNIEnv *env, jobject node, struct width *w) {
	if (unlikely(w->waiter == NULL)) {
		w->waiter = field(env, w->node, "waiter", THREAD);
		if (w->waiter == NULL) {
			say_lost("which threads a signal removes from a condition");
		}
	}
	return get_object(env, node, w->waiter);
}

// Records.

static bool is_instance(JNIEnv *env, jobject object, jclass *class) {
	jclass found = found_class(class);
	return found != NULL && (*env)->IsInstanceOf(env, object, found);
}

static struct blocker look_up(JNIEnv *env, jobject object, int64_t id) {
	struct blocker blocker = {.object = id};
	if (is_instance(env, object, &java.ownable)) {
		blocker.flags = OWNABLE;
		for (int i = 0; i < LOCKS; i++) {
			blocker.flags |= is_instance(env, object, &java.locks[i]) ? IS_LOCK : 0;
		}
		return blocker;
	}
	for (struct width *w = java.widths; w < java.widths + WIDTHS; w++) {
		if (is_instance(env, object, &w->condition)) {
			jobject lock = lock_of(env, object, w);
			blocker.lock = lock != NULL ? object_id(env, lock) : 0;
			(*env)->DeleteLocalRef(env, lock);
		}
	}
	return blocker;
}

jthread owning_thread(JNIEnv *env, jobject synchronizer) {
	return java.ownable != NULL ? (*env)->GetObjectField(env, synchronizer, java.owner) : NULL;
}

int64_t synchronizer_owner(JNIEnv *env, jobject synchronizer) {
	if (java.ownable == NULL) {
		return UNKNOWN_OWNER;
	}
	jthread owner = owning_thread(env, synchronizer);
	int64_t id = owner != NULL ? thread_id(env, owner) : 0;
	(*env)->DeleteLocalRef(env, owner);
	return id;
}

static unsigned interrupted(JNIEnv *env, jthread thread) {
	return (*env)->GetBooleanField(env, thread, java.interrupted) ? INTERRUPTED : 0;
}

// publish_park publishes the begin of a park. The record has flags and time; publish_park sets the rest. info is NULL
// for the calling thread; else it has the stack trace.
static void publish_park(JNIEnv *env, jthread thread, struct record *record, const jvmtiStackInfo *info) {
	struct {
		int64_t owner, lock;
		uint64_t frames[MAX_STACK];
	} payload;
	payload.owner = payload.lock = 0;
	jobject object = (*env)->GetObjectField(env, thread, java.blocker);
	if (object != NULL) {
		record->object = object_id(env, object);
		if (record->object != self.last.object) {
			self.last = look_up(env, object, record->object);
		}
		record->flags |= self.last.flags;
		payload.lock = self.last.lock;
		if (self.last.flags & OWNABLE) {
			payload.owner = synchronizer_owner(env, object);
			record->flags |= OWNER_THREAD;
		}
		(*env)->DeleteLocalRef(env, object);
	}
	record->kind = PARK;
	record->flags |= interrupted(env, thread);
	size_t stack = info == NULL ? put_stack(payload.frames) : copy_frames(env, info, payload.frames);
	record->payload = &payload;
	record->payload_size = sizeof payload - sizeof payload.frames + stack;
	if (object == NULL || record->object != 0) { // else its definition is lost
		ring_publish(record);
	}
	if (record->object != 0) {
		openwait_begins(record, record->flags & IS_LOCK ? PARKS_FOR_LOCK : PARKS);
	}
	if (record->flags & IS_LOCK && record->object != 0) {
		blocked_begins(record, NULL, payload.owner);
	}
}

static void publish_parked(JNIEnv *env, jthread thread, int64_t id, int64_t object) {
	struct record record = {.kind = PARKED, .thread = id, .time = ring_begin(), .object = object};
	openwait_ends(id);
	record.flags = interrupted(env, thread);
	record.argument = current_cpu_time(record.time);
	ring_publish(&record);
	ring_end();
}

// publish_unpark publishes that the current thread is about to unpark the given thread.
static void publish_unpark(JNIEnv *env, jthread thread) {
	int64_t id = current_thread(env, NULL);
	if (id != 0) {
		struct record record = {.kind = UNPARK, .thread = id, .time = ring_begin()};
		record.argument = thread_id(env, thread);
		ring_publish(&record);
		ring_end();
	}
}

// Platform threads.

static void park_original(JNIEnv *env, jobject unsafe, jboolean absolute, jlong time) {
	((void (*)(JNIEnv *, jobject, jboolean, jlong))hotspot.park)(env, unsafe, absolute, time);
}

static void unpark_original(JNIEnv *env, jobject unsafe, jobject thread) {
	((void (*)(JNIEnv *, jobject, jobject))hotspot.unpark)(env, unsafe, thread);
}

// to_timeout returns the argument of a Park. A timeout that is over must not become 0, which is no timeout.
static int64_t to_timeout(bool absolute, int64_t time) { return time < 0 || (absolute && time == 0) ? 1 : time; }

// park_wrapped does not record the park of a virtual thread that is pinned to its carrier: Java code records that.
static void JNICALL park_wrapped(JNIEnv *env, jobject unsafe, jboolean absolute, jlong time) {
	int64_t id = parks_recorded() ? current_platform_thread(env) : 0;
	jthread thread = id != 0 ? platform_thread_object(env, id) : NULL;
	if (thread == NULL) {
		park_original(env, unsafe, absolute, time);
		return;
	}
	uintptr_t number = recording_number();
	struct record record = {.flags = absolute ? ABSOLUTE : 0, .thread = id, .time = ring_begin()};
	record.argument = to_timeout(absolute, time);
	publish_park(env, thread, &record, NULL);
	ring_end();
	self.parked = true;
	park_original(env, unsafe, absolute, time);
	if (parks_recorded() && number == recording_number()) {
		publish_parked(env, thread, id, record.object);
	}
}

// unpark_wrapped leaves out the wake-ups of carriers: each wake-up of a virtual thread also wakes a carrier.
static void JNICALL unpark_wrapped(JNIEnv *env, jobject unsafe, jobject thread) {
	if (parks_recorded() && thread != NULL && !is_carrier(env, thread)) {
		publish_unpark(env, thread);
	}
	unpark_original(env, unsafe, thread);
}

void publish_existing_park(JNIEnv *env, const jvmtiStackInfo *info) {
	jthread thread = info->thread;
	if (!parks_recorded() || is_carrier(env, thread)) {
		return;
	}
	jint state = thread_state(env, thread);
	if (!(state & JVMTI_THREAD_STATE_PARKED) || !is_in_state(info, state)) {
		return;
	}
	struct record record = {.flags = EXISTED, .thread = thread_id(env, thread), .time = ring_begin()};
	record.argument = state & JVMTI_THREAD_STATE_WAITING_INDEFINITELY ? 0 : UNKNOWN_TIMEOUT;
	if (thread_state(env, thread) == state) {
		publish_park(env, thread, &record, info);
	}
	ring_end();
}

// The native methods of java.lang.TrcxRecorder, which agent/bci makes rewritten classes call.

static void parks(JNIEnv *env, jthread thread, int64_t nanos) {
	int64_t id = parks_recorded() ? current_virtual_thread(env, thread) : 0;
	if (id != 0) {
		struct record record = {.thread = id, .time = ring_begin(), .argument = nanos};
		publish_park(env, thread, &record, NULL);
		ring_end();
	}
}

JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_parks(JNIEnv *env, jclass class, jobject thread) {
	(void)class;
	parks(env, thread, 0);
}

JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_parksNanos(JNIEnv *env, jclass class, jobject thread, jlong nanos) {
	(void)class;
	parks(env, thread, nanos > 0 ? nanos : 1);
}

JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_parked(JNIEnv *env, jclass class, jobject thread) {
	(void)class;
	int64_t id = parks_recorded() ? current_virtual_thread(env, thread) : 0;
	if (id != 0) {
		publish_parked(env, thread, id, 0);
	}
}

JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_unparks(JNIEnv *env, jclass class, jobject thread) {
	(void)class;
	if (parks_recorded()) {
		publish_unpark(env, thread);
	}
}

// A platform thread that has not parked did not wait, so it is skipped. For a virtual thread that is not known here;
// but if no thread has ever waited for the synchronizer, it has no id.
JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_acquired(JNIEnv *env, jclass class, jobject synchronizer, jint result) {
	(void)class;
	if (!parks_recorded() || !(self.parked || on_carrier())) {
		return;
	}
	self.parked = false;
	struct record record = {.kind = ACQUIRED, .object = known_object_id(synchronizer), .argument = result};
	if (record.object == 0 || (record.thread = current_thread(env, NULL)) == 0) {
		return;
	}
	blocked_ends(record.thread);
	openwait_acquired(record.thread);
	record.time = ring_begin();
	ring_publish(&record);
	blocked_changed(record.object);
	ring_end();
}

JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_signals(JNIEnv *env, jclass class, jobject condition, jboolean all) {
	(void)class;
	int64_t id = parks_recorded() ? current_thread(env, NULL) : 0;
	if (id == 0) {
		return;
	}
	struct record record = {.kind = SIGNAL, .flags = all ? ALL : 0, .thread = id, .time = ring_begin()};
	if ((record.object = object_id(env, condition)) != 0) {
		publish_with_stack(&record);
	}
	ring_end();
}

// waiter_of returns the thread of a node in a queue of waiters; NULL for none.
static jobject waiter_of(JNIEnv *env, jobject node) {
	for (struct width *w = java.widths; w < java.widths + WIDTHS; w++) {
		if (is_instance(env, node, &w->node)) {
			return waiter_in(env, node, w);
		}
	}
	return NULL;
}

JNIEXPORT
void JNICALL Java_java_lang_TrcxRecorder_signalled(JNIEnv *env, jclass class, jobject node) {
	(void)class;
	int64_t id = parks_recorded() && node != NULL ? current_thread(env, NULL) : 0;
	jobject waiter = id != 0 ? waiter_of(env, node) : NULL;
	if (waiter != NULL) {
		struct record record = {.kind = SIGNALLED, .thread = id, .time = ring_begin()};
		record.argument = thread_id(env, waiter);
		ring_publish(&record);
		ring_end();
		(*env)->DeleteLocalRef(env, waiter);
	}
}

bool is_parked(JNIEnv *env, jthread thread, jthread *owner) {
	jobject object = java.blocker != NULL ? (*env)->GetObjectField(env, thread, java.blocker) : NULL;
	*owner = object != NULL && is_instance(env, object, &java.ownable) ? owning_thread(env, object) : NULL;
	bool parked = object != NULL;
	(*env)->DeleteLocalRef(env, object);
	return parked;
}

jobject parked_for(JNIEnv *env, jthread parked, int64_t id) {
	jobject object = java.blocker != NULL ? (*env)->GetObjectField(env, parked, java.blocker) : NULL;
	if (object != NULL && known_object_id(object) != id) {
		(*env)->DeleteLocalRef(env, object);
		return NULL;
	}
	return object;
}

jthread lock_owner(JNIEnv *env, jthread parked, int64_t lock, int64_t *id) {
	jobject object = (*env)->GetObjectField(env, parked, java.blocker);
	*id = UNKNOWN_OWNER;
	if (object == NULL || known_object_id(object) != lock || found_class(&java.ownable) == NULL) {
		return NULL;
	}
	jthread owner = (*env)->GetObjectField(env, object, java.owner);
	*id = owner != NULL ? thread_id(env, owner) : 0;
	return owner;
}

// Replacing the native methods.

static bool replaced; // or to be replaced, when replaceNatives is called
static jint registered; // result of RegisterNatives

static JNINativeMethod native_method(const char *name, const char *descriptor, void *function) {
	return (JNINativeMethod){(char *)(uintptr_t)name, (char *)(uintptr_t)descriptor, function};
}

static void replace_natives(JNIEnv *env) {
	const JNINativeMethod methods[] = {
		native_method("park", "(ZJ)V", replaced ? (void *)park_wrapped : hotspot.park),
		native_method("unpark", "(Ljava/lang/Object;)V", replaced ? (void *)unpark_wrapped : hotspot.unpark),
	};
	jclass unsafe = (*env)->FindClass(env, "jdk/internal/misc/Unsafe");
	registered = unsafe != NULL ? (*env)->RegisterNatives(env, unsafe, methods, sizeof methods / sizeof *methods) : JNI_ERR;
}

static bool replace(JNIEnv *env, bool wrap) {
	replaced = wrap;
	registered = JNI_ERR;
	replaced = classes_replace(env, replace_natives) && registered == JNI_OK ? wrap : !wrap;
	return replaced == wrap;
}

// Preparation.

// find_classes looks up the fields and classes; it returns false if the JVM lacks the fields of Thread.
static bool find_classes(JNIEnv *env) {
	if (java.interrupted != NULL) {
		return java.blocker != NULL;
	}
	jclass thread = (*env)->FindClass(env, "java/lang/Thread");
	java.blocker = field(env, thread, "parkBlocker", "Ljava/lang/Object;");
	java.interrupted = field(env, thread, "interrupted", "Z");
	(*env)->DeleteLocalRef(env, thread);
	if (java.blocker == NULL || java.interrupted == NULL) {
		return false;
	}
	java.ownable = global_class(env, LOCKS_PACKAGE "AbstractOwnableSynchronizer");
	java.owner = field(env, java.ownable, "exclusiveOwnerThread", THREAD);
	if (java.owner == NULL) {
		java.ownable = NULL;
		say_lost("owners of locks, whose waits are like others");
	}
	return true;
}

static void watch_classes(void) {
	classes_watch(LOCKS_PACKAGE "ReentrantLock$Sync", &java.locks[0]);
	classes_watch(LOCKS_PACKAGE "ReentrantReadWriteLock$Sync", &java.locks[1]);
	classes_watch("java/util/concurrent/ThreadPoolExecutor$Worker", &java.locks[2]);
	classes_watch(INT "$ConditionObject", &java.widths[0].condition);
	classes_watch(INT "$Node", &java.widths[0].node);
	classes_watch(LONG "$ConditionObject", &java.widths[1].condition);
	classes_watch(LONG "$Node", &java.widths[1].node);
}

void parks_prepare(JNIEnv *env) {
	if (!agent.linked) { // which is said already
		agent.settings.parks = false;
	}
	if (!agent.settings.parks) {
		return;
	}
	if (!find_classes(env)) {
		say_lost("parks");
		agent.settings.parks = false;
		return;
	}
	if (hotspot.park == NULL || !replace(env, true)) {
		say_lost("parks of platform threads");
	}
	watch_classes();
}

void parks_stop(void) {
	JNIEnv *env = NULL;
	if (replaced && (*agent.vm)->GetEnv(agent.vm, (void **)&env, JNI_VERSION_10) == JNI_OK) {
		replace(env, false);
	}
}
