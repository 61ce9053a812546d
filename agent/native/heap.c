//go:build agent

#include "heap.h"

#include <string.h>
#include <time.h>

#include "collection.h"
#include "hotspot.h"
#include "id.h"
#include "stack.h"
#include "thread.h"

static enum collector collector;
static bool available; // JVMTI supports the events
static int64_t freed; // number of frees that were published
static int64_t collections; // number of collections that have ended
static struct collection collected; // payload of the GC_FINISH that is still to be published

void heap_capabilities(const jvmtiCapabilities *potential, jvmtiCapabilities *wanted) {
	available =
		potential->can_generate_sampled_object_alloc_events && potential->can_generate_object_free_events;
	wanted->can_generate_sampled_object_alloc_events = wanted->can_generate_object_free_events = available;
}

static void set_event(jvmtiEventMode mode, jvmtiEvent event) {
	(*agent.jvmti)->SetEventNotificationMode(agent.jvmti, mode, event, NULL);
}

// reach_sample allocates an array of the default interval's size or so. A thread of JDK 17 that ran before the interval
// was set samples by it only after its next sample.
static void reach_sample(JNIEnv *env) {
	enum { MORE_THAN_ANY_DISTANCE = 8 << 20 };
	jbyteArray array = (*env)->NewByteArray(env, MORE_THAN_ANY_DISTANCE);
	(*env)->ExceptionClear(env);
	(*env)->DeleteLocalRef(env, array);
}

void heap_prepare(void) {
	if (agent.settings.heap) {
		collections = 0;
		collector = hotspot_collector();
		ring_header()->alignment = hotspot_alignment();
		collections_begin(collector);
	}
}

// The event of frees stays enabled after the first recording. To set its mode, HotSpot waits for a thread that
// is posting such events, and no safepoint can begin meanwhile. If one does, that thread stops in it: the JVM hangs.
static bool frees_reported;

void heap_begin(JNIEnv *env) {
	if (!agent.settings.heap) {
		return;
	}
	if (!available || (*agent.jvmti)->SetHeapSamplingInterval(agent.jvmti, agent.settings.heap_interval) != JVMTI_ERROR_NONE) {
		say("this JVM reports no allocations: the heap is not recorded");
		agent.settings.heap = false;
		return;
	}
	freed = 0;
	__atomic_store_n(&ring_header()->collected, 0, __ATOMIC_RELEASE);
	if (!agent.late) {
		set_event(JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC); // otherwise the array would not be a sample
		__atomic_store_n(&agent.heap_ready, false, __ATOMIC_RELEASE);
		reach_sample(env);
	}
	__atomic_store_n(&agent.heap_ready, true, __ATOMIC_RELEASE);
	set_event(JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC);
	if (!frees_reported) {
		frees_reported = true;
		set_event(JVMTI_ENABLE, JVMTI_EVENT_OBJECT_FREE);
	}
}

// await_frees waits until the JVM has reported all objects that the last collection freed.
static void await_frees(void) {
	enum { PAUSE = 20 * 1000 * 1000, QUIET = 3, LONGEST = 100 };
	int64_t before = -1;
	for (int quiet = 0, i = 0; quiet < QUIET && i < LONGEST; i++) {
		heap_publish_use();
		int64_t now = __atomic_load_n(&freed, __ATOMIC_ACQUIRE);
		quiet = now == before ? quiet + 1 : 0;
		before = now;
		nanosleep(&(struct timespec){.tv_nsec = PAUSE}, NULL);
	}
}

static jint JNICALL clear_tag(jlong class_tag, jlong size, jlong *tag, jint length, void *data) {
	(void)class_tag, (void)size, (void)length, (void)data;
	*tag = is_allocated(*tag) ? 0 : *tag;
	return JVMTI_VISIT_OBJECTS;
}

void heap_end(bool shutdown) {
	if (!agent.settings.heap) {
		return;
	}
	__atomic_store_n(&agent.heap_ready, false, __ATOMIC_RELEASE);
	set_event(JVMTI_DISABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC);
	if (__atomic_load_n(&collections, __ATOMIC_ACQUIRE) > 0) {
		await_frees();
	}
	if (!shutdown) { // the JVM keeps 67 bytes for a tag
		jvmtiHeapCallbacks callbacks = {.heap_iteration_callback = clear_tag};
		(*agent.jvmti)->IterateThroughHeap(agent.jvmti, JVMTI_HEAP_FILTER_UNTAGGED, NULL, &callbacks, NULL);
	}
}

void JNICALL object_allocated(
	jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jobject object, jclass class, jlong size) {
	(void)jvmti;
	bool recorded = recording() && __atomic_load_n(&agent.heap_ready, __ATOMIC_ACQUIRE);
	int64_t id = recorded ? current_thread(env, thread) : 0;
	if (id == 0) {
		return;
	}
	struct {
		int64_t class;
		uint64_t frames[MAX_STACK];
	} payload;
	if ((payload.class = class_id(class)) != 0) {
		struct record record = {.kind = ALLOCATED, .thread = id, .time = ring_begin(), .argument = size};
		record.object = reserve_object_id();
		record.payload = &payload;
		record.payload_size = sizeof payload.class + put_stack(payload.frames);
		if (ring_publish(&record)) {
			set_allocated(object, record.object);
		}
		ring_end();
	}
}

void JNICALL object_freed(jvmtiEnv *jvmti, jlong tag) {
	(void)jvmti;
	if (!recording() || !is_allocated(tag)) {
		return;
	}
	int64_t time = ring_begin();
	ring_publish(&(struct record){.kind = FREED, .time = time, .object = object_of_tag(tag)});
	ring_end();
	__atomic_add_fetch(&freed, 1, __ATOMIC_RELEASE);
}

// Garbage collections.

bool heap_collected(struct record *record) {
	static struct collection paused;
	if (!agent.settings.heap) {
		return false;
	}
	__atomic_add_fetch(&collections, 1, __ATOMIC_RELEASE);
	paused = collection_paused();
	record->flags = collector;
	record->payload = &paused;
	record->payload_size = sizeof paused;
	if (!__atomic_load_n(&agent.heap_ready, __ATOMIC_ACQUIRE) || heap_has_collected()) {
		return false;
	}
	collected = paused;
	__atomic_store_n(&ring_header()->collected, record->time, __ATOMIC_RELEASE);
	return true;
}

bool heap_has_collected(void) {
	return agent.settings.heap && __atomic_load_n(&ring_header()->collected, __ATOMIC_ACQUIRE) != 0;
}

// memory calls a method of Runtime that returns a number of bytes; 0 if an exception is pending.
static jlong memory(JNIEnv *env, jclass class, jobject runtime, const char *method) {
	jmethodID id = !(*env)->ExceptionCheck(env) ? (*env)->GetMethodID(env, class, method, "()J") : NULL;
	return id != NULL ? (*env)->CallLongMethod(env, runtime, id) : 0;
}

void heap_publish_use(void) {
	JNIEnv *env = NULL;
	static bool publishing; // by another thread
	if (!heap_has_collected() || (*agent.vm)->GetEnv(agent.vm, (void **)&env, JNI_VERSION_10) != JNI_OK ||
		__atomic_exchange_n(&publishing, true, __ATOMIC_ACQ_REL)) {
		return;
	}
	struct record record = {
		.kind = GC_FINISH, .flags = collector, .payload = &collected, .payload_size = sizeof collected};
	jclass class = (*env)->FindClass(env, "java/lang/Runtime");
	jmethodID get = class != NULL ? (*env)->GetStaticMethodID(env, class, "getRuntime", "()Ljava/lang/Runtime;") : NULL;
	jobject runtime = get != NULL ? (*env)->CallStaticObjectMethod(env, class, get) : NULL;
	if (runtime != NULL) {
		record.argument = memory(env, class, runtime, "totalMemory");
		record.object = record.argument - memory(env, class, runtime, "freeMemory");
	}
	(*env)->ExceptionClear(env);
	(*env)->DeleteLocalRef(env, runtime);
	(*env)->DeleteLocalRef(env, class);
	ring_begin();
	if ((record.time = __atomic_load_n(&ring_header()->collected, __ATOMIC_ACQUIRE)) != 0) {
		ring_publish(&record);
	}
	__atomic_store_n(&ring_header()->collected, 0, __ATOMIC_RELEASE);
	ring_end();
	__atomic_store_n(&publishing, false, __ATOMIC_RELEASE);
}
