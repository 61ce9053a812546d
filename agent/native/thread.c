//go:build agent

#include "thread.h"

#include <pthread.h>
#include <string.h>

#include "blocked.h"
#include "cpu.h"
#include "exec.h"
#include "id.h"
#include "javathread.h"
#include "owner.h"
#include "virtualowner.h"

// The platform thread of this native thread.
static __thread struct {
	int64_t id;            // 0 if not yet known
	bool carries;          // virtual threads run on it
	bool ended;            // or it is the agent's own thread: its events are not recorded
	int64_t announced;     // the thread that last published its start here
	uintptr_t recording;   // number of the recording that these values belong to
	int64_t ended_virtual; // the virtual thread that ended here last
} self;

// The mark of a virtual thread whose start was published, in JVMTI's thread-local storage. Each recording has another
// number.
static uintptr_t announced;
static pthread_mutex_t announcing = PTHREAD_MUTEX_INITIALIZER;

static jthread own_thread;
static __thread bool excluded; // it is the agent's own thread

void exclude_thread(void) { excluded = true; }

void set_own_thread(jthread thread) { own_thread = thread; }

bool is_own_thread(JNIEnv *env, jthread thread) {
	return own_thread != NULL && (*env)->IsSameObject(env, thread, own_thread);
}

// is_new reports whether the virtual thread has not been announced in this recording.
static bool is_new(jthread thread) {
	void *mark = NULL;
	(*agent.jvmti)->GetThreadLocalStorage(agent.jvmti, thread, &mark);
	return (uintptr_t)mark != announced;
}

static bool mark(jthread thread) {
	return (*agent.jvmti)->SetThreadLocalStorage(agent.jvmti, thread, (void *)announced) == JVMTI_ERROR_NONE;
}

static void publish_start(JNIEnv *env, jthread thread, int64_t time, unsigned flags);

// announce_virtual publishes the start of a virtual thread at the time, 0 for now, unless it is published already or the
// thread has ended. It reports whether it did.
static bool announce_virtual(JNIEnv *env, jthread thread, int64_t time, unsigned flags) {
	pthread_mutex_lock(&announcing);
	bool announces = is_new(thread) && mark(thread);
	if (announces) {
		publish_start(env, thread, time, flags);
	}
	pthread_mutex_unlock(&announcing);
	return announces;
}

bool announce_existing_virtual(JNIEnv *env, jthread thread, int64_t time) {
	return announce_virtual(env, thread, time, VIRTUAL | EXISTED);
}

// current_virtual is current_thread for a virtual thread: it returns the virtual thread id.
static int64_t current_virtual(JNIEnv *env, jthread thread) {
	int64_t id = thread_id(env, thread);
	if (id == self.ended_virtual) {
		return 0;
	}
	if (agent.late && is_new(thread)) { // it ran before the recording began; JVMTI does not list virtual threads
		announce_virtual(env, thread, 0, VIRTUAL | EXISTED);
	}
	return id;
}

// lookup_current asks the JVM for the current thread, on a native thread that is not yet known or is a carrier.
static __attribute__((noinline)) int64_t lookup_current(JNIEnv *env, jthread thread) {
	jthread local = thread;
	if (thread == NULL && (*agent.jvmti)->GetCurrentThread(agent.jvmti, &local) != JVMTI_ERROR_NONE) {
		return 0;
	}
	int64_t id;
	if (is_virtual(env, local)) {
		id = current_virtual(env, local);
	} else {
		id = self.id = thread_id(env, local);
		self.carries = is_carrier(env, local);
	}
	if (thread == NULL) {
		(*env)->DeleteLocalRef(env, local);
	}
	return id;
}

// renew clears the values of an earlier recording.
static inline void renew(void) {
	if (unlikely(self.recording != announced)) {
		memset(&self, 0, sizeof self);
		self.recording = announced;
	}
}

int64_t current_thread(JNIEnv *env, jthread thread) {
	renew();
	if (unlikely(self.ended || excluded)) {
		return 0;
	}
	if (likely(self.id != 0 && !self.carries)) {
		return self.id;
	}
	return lookup_current(env, thread);
}

int64_t current_platform_thread(JNIEnv *env) {
	renew();
	if (unlikely(self.ended || excluded)) {
		return 0;
	}
	if (likely(self.id != 0 && !self.carries)) {
		return self.id;
	}
	jthread thread = NULL;
	if ((*agent.jvmti)->GetCurrentThread(agent.jvmti, &thread) != JVMTI_ERROR_NONE) {
		return 0;
	}
	int64_t id = is_virtual(env, thread) ? 0 : lookup_current(env, thread);
	(*env)->DeleteLocalRef(env, thread);
	return id;
}

int64_t current_virtual_thread(JNIEnv *env, jthread thread) {
	renew();
	return current_virtual(env, thread);
}

// The Thread object of this native thread's platform thread.
static __thread struct {
	jweak object;
	int64_t id;
} own;

static void forget_object(JNIEnv *env) {
	if (own.object != NULL) {
		(*env)->DeleteWeakGlobalRef(env, own.object);
	}
	own.object = NULL;
	own.id = 0;
}

jthread platform_thread_object(JNIEnv *env, int64_t id) {
	if (unlikely(own.id != id)) {
		jthread thread = NULL;
		forget_object(env);
		if ((*agent.jvmti)->GetCurrentThread(agent.jvmti, &thread) != JVMTI_ERROR_NONE) {
			return NULL;
		}
		own.object = (*env)->NewWeakGlobalRef(env, thread);
		own.id = own.object != NULL ? id : 0;
		(*env)->DeleteLocalRef(env, thread);
	}
	return own.object;
}

// Names, which JVMTI allocates.

struct names {
	char *name, *group, *parent;
};

static char *group_name(JNIEnv *env, jthreadGroup group, jthreadGroup *parent) {
	jvmtiThreadGroupInfo info = {0};
	if (group == NULL || (*agent.jvmti)->GetThreadGroupInfo(agent.jvmti, group, &info) != JVMTI_ERROR_NONE) {
		return NULL;
	}
	if (parent != NULL) {
		*parent = info.parent;
	} else if (info.parent != NULL) {
		(*env)->DeleteLocalRef(env, info.parent);
	}
	return info.name;
}

// text_of returns a string as JVMTI's functions do.
static char *text_of(JNIEnv *env, jstring string) {
	unsigned char *text = NULL;
	jsize size = (*env)->GetStringUTFLength(env, string);
	if ((*agent.jvmti)->Allocate(agent.jvmti, size + 1, &text) == JVMTI_ERROR_NONE) {
		(*env)->GetStringUTFRegion(env, string, 0, (*env)->GetStringLength(env, string), (char *)text);
		text[size] = '\0';
	}
	return (char *)text;
}

static struct names names_of(JNIEnv *env, jthread thread, bool is_virtual) {
	jvmtiThreadInfo info = {0};
	struct names names = {0};
	jstring name = is_virtual ? NULL : thread_name(env, thread, &info.thread_group);
	if (name != NULL) {
		info.name = text_of(env, name);
		(*env)->DeleteLocalRef(env, name);
	} else if ((*agent.jvmti)->GetThreadInfo(agent.jvmti, thread, &info) != JVMTI_ERROR_NONE) {
		return names;
	}
	jthreadGroup parent = NULL;
	names.name = info.name;
	names.group = group_name(env, info.thread_group, &parent);
	names.parent = group_name(env, parent, NULL);
	(*env)->DeleteLocalRef(env, parent);
	(*env)->DeleteLocalRef(env, info.thread_group);
	(*env)->DeleteLocalRef(env, info.context_class_loader);
	return names;
}

static void names_free(struct names *names) {
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)names->name);
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)names->group);
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)names->parent);
}

enum { LONGEST_NAME = 4096 };

// put appends a name, cut to LONGEST_NAME bytes.
static unsigned char *put(unsigned char *at, const char *text) {
	return ring_put_text(at, text, text == NULL ? 0 : strnlen(text, LONGEST_NAME));
}

enum { LARGEST_START = sizeof(struct thread_place) + 3 * (sizeof(uint32_t) + LONGEST_NAME) };

// put_start puts the place and the names of a thread, and returns the record of its start, without times.
static struct record put_start(
	JNIEnv *env, jthread thread, unsigned flags, const struct thread_place *place, unsigned char *payload) {
	struct names names = names_of(env, thread, flags & VIRTUAL);
	memcpy(payload, place, sizeof *place);
	unsigned char *end = put(put(put(payload + sizeof *place, names.name), names.group), names.parent);
	names_free(&names);
	return (struct record){.kind = THREAD_START, .flags = flags, .thread = thread_id(env, thread),
		.object = object_id(env, thread), .payload = payload, .payload_size = end - payload};
}

static void publish_start(JNIEnv *env, jthread thread, int64_t time, unsigned flags) {
	unsigned char payload[LARGEST_START];
	struct thread_place place = {0};
	int64_t id = thread_id(env, thread), used = 0;
	if (flags & VIRTUAL) {
		virtual_owner_add(env, thread, id);
	} else {
		place = owner_add(env, thread, id);
		used = is_carrier(env, thread) ? 0 : cpu_time_of(thread);
	}
	struct record record = put_start(env, thread, flags, &place, payload);
	int64_t now = ring_begin();
	record.time = time ? time : now;
	record.argument = used;
	ring_publish(&record);
	ring_end();
}

void announce_ended(JNIEnv *env, jthread thread, int64_t time) {
	jint state = 0;
	if (known_object_id(thread) != 0 || // its start was published
		(*agent.jvmti)->GetThreadState(agent.jvmti, thread, &state) != JVMTI_ERROR_NONE ||
		!(state & JVMTI_THREAD_STATE_TERMINATED)) {
		return;
	}
	unsigned char payload[LARGEST_START];
	struct thread_place place = {0};
	struct record record = put_start(env, thread, EXISTED | (is_virtual(env, thread) ? VIRTUAL : 0), &place, payload);
	record.time = time;
	ring_publish(&record);
	ring_publish(&(struct record){.kind = THREAD_END, .thread = record.thread, .time = time});
}

void announce_existing(JNIEnv *env, jthread thread, int64_t time, unsigned flags) {
	publish_start(env, thread, time, flags);
}

void threads_reset(void) { announced++; }

uintptr_t recording_number(void) { return announced; }

bool on_carrier(void) { return self.id == 0 || self.carries; }

int64_t current_cpu_time(int64_t now) { return on_carrier() ? 0 : cpu_time_due(now); }

void publish_cpu_times(JNIEnv *env) {
	jint count = 0;
	jthread *threads = NULL;
	if ((*env)->PushLocalFrame(env, MANY_REFERENCES) != 0) {
		return;
	}
	(*agent.jvmti)->GetAllThreads(agent.jvmti, &count, &threads);
	for (jint i = 0; i < count; i++) {
		if (!is_own_thread(env, threads[i]) && !is_carrier(env, threads[i])) {
			struct record record = {.kind = CPU_USED, .thread = thread_id(env, threads[i]), .time = ring_begin()};
			record.argument = cpu_time_of(threads[i]);
			ring_publish(&record);
			ring_end();
		}
		(*env)->DeleteLocalRef(env, threads[i]);
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)threads);
	(*env)->PopLocalFrame(env, NULL);
}

void threads_hold(void) { pthread_mutex_lock(&announcing); }

void threads_release(void) { pthread_mutex_unlock(&announcing); }

// forget_owner removes a platform thread that ends. After it the JVM may free the thread's structures.
static void forget_owner(JNIEnv *env, int64_t id) {
	threads_hold();
	owner_remove(env, id);
	threads_release();
}

void JNICALL thread_start(jvmtiEnv *jvmti, JNIEnv *env, jthread thread) {
	(void)jvmti;
	renew();
	self.ended = is_own_thread(env, thread);
	if (self.ended) {
		return;
	}
	self.id = thread_id(env, thread);
	self.carries = is_carrier(env, thread);
	if (agent.active && self.announced != self.id) {
		self.announced = self.id;
		threads_hold(); // live threads may be listed just now
		publish_start(env, thread, 0, 0);
		threads_release();
	}
}

void JNICALL thread_end(jvmtiEnv *jvmti, JNIEnv *env, jthread thread) {
	(void)jvmti;
	(*env)->ExceptionCheck(env); // for a native thread that has not checked its last call of Java
	renew();
	forget_object(env);
	if (self.ended) {
		return;
	}
	if (self.id == 0) {
		self.id = thread_id(env, thread);
	}
	self.ended = true; // the JVM's later events on this thread are not the Java thread's
	blocked_ends(self.id);
	forget_owner(env, self.id);
	if (recording()) {
		exec_thread_ends(self.id, false);
		int64_t time = ring_begin();
		struct record record = {.kind = THREAD_END, .thread = self.id, .time = time};
		record.argument = self.carries ? 0 : cpu_time();
		ring_publish(&record);
		ring_end();
	}
	ring_retire();
	self.id = 0;
}

void JNICALL virtual_thread_start(jvmtiEnv *jvmti, JNIEnv *env, jthread thread) {
	(void)jvmti;
	if (!recording()) {
		return;
	}
	if (agent.late) {
		announce_virtual(env, thread, 0, VIRTUAL);
	} else {
		publish_start(env, thread, 0, VIRTUAL);
	}
}

void JNICALL virtual_thread_end(jvmtiEnv *jvmti, JNIEnv *env, jthread thread) {
	(void)jvmti;
	if (!recording()) {
		return;
	}
	int64_t id = current_virtual(env, thread);
	self.ended_virtual = id;
	blocked_ends(id);
	virtual_owner_remove(env, id);
	exec_thread_ends(id, true);
	int64_t time = ring_begin();
	ring_publish(&(struct record){.kind = THREAD_END, .thread = id, .time = time});
	ring_end();
}
