//go:build agent

#include "virtualpark.h"

#include <stdlib.h>

#include "cpu.h"
#include "javathread.h"
#include "park.h"
#include "stack.h"
#include "thread.h"

static const int64_t LONGEST = 500 * 1000 * 1000; // limit of the CPU time of each step, in nanoseconds

#define CONTAINER "jdk/internal/vm/ThreadContainer"

// elements returns the elements of the Stream that a method of the object returns; NULL if it fails.
static jobjectArray elements(JNIEnv *env, jobject object, const char *method) {
	jclass class = (*env)->GetObjectClass(env, object);
	jmethodID get = (*env)->GetMethodID(env, class, method, "()Ljava/util/stream/Stream;");
	jobject stream = get != NULL ? (*env)->CallObjectMethod(env, object, get) : NULL;
	jclass streams =
		stream != NULL && !(*env)->ExceptionCheck(env) ? (*env)->FindClass(env, "java/util/stream/Stream") : NULL;
	jmethodID to_array = streams != NULL ? (*env)->GetMethodID(env, streams, "toArray", "()[Ljava/lang/Object;") : NULL;
	jobjectArray array = to_array != NULL ? (*env)->CallObjectMethod(env, stream, to_array) : NULL;
	bool failed = threw(env);
	(*env)->DeleteLocalRef(env, streams);
	(*env)->DeleteLocalRef(env, stream);
	(*env)->DeleteLocalRef(env, class);
	return failed ? NULL : array;
}

// add_threads adds the array of a container's threads, unless it is empty.
static void add_threads(JNIEnv *env, jobject container, struct virtual_threads *list) {
	jobjectArray threads = elements(env, container, "threads");
	jsize count = threads != NULL ? (*env)->GetArrayLength(env, threads) : 0;
	jobjectArray *longer = count > 0 ? realloc(list->arrays, (list->count + 1) * sizeof *longer) : NULL;
	if (longer == NULL) {
		(*env)->DeleteLocalRef(env, threads);
		return;
	}
	list->arrays = longer;
	list->arrays[list->count++] = threads;
	list->threads += count;
}

// add adds the threads of the containers in a container, and then of those in these: it takes the JVM longer to find them.
static void add(JNIEnv *env, jobject container, int depth, int64_t end, struct virtual_threads *list) {
	enum { DEEPEST = 500 };
	jobjectArray children = depth < DEEPEST && cpu_time() < end ? elements(env, container, "children") : NULL;
	jsize count = children != NULL ? (*env)->GetArrayLength(env, children) : 0;
	for (jsize i = 0; i < count && cpu_time() < end; i++) {
		jobject child = (*env)->GetObjectArrayElement(env, children, i);
		add_threads(env, child, list);
		(*env)->DeleteLocalRef(env, child);
	}
	for (jsize i = 0; i < count && cpu_time() < end; i++) {
		jobject child = (*env)->GetObjectArrayElement(env, children, i);
		add(env, child, depth + 1, end, list);
		(*env)->DeleteLocalRef(env, child);
	}
	(*env)->DeleteLocalRef(env, children);
}

void virtual_threads_list(JNIEnv *env, struct virtual_threads *list) {
	if (!have_virtual_threads() || !agent.settings.parks) {
		return;
	}
	jclass class = (*env)->FindClass(env, CONTAINER "s");
	jmethodID get = class != NULL ? (*env)->GetStaticMethodID(env, class, "root", "()L" CONTAINER ";") : NULL;
	jobject root = get != NULL ? (*env)->CallStaticObjectMethod(env, class, get) : NULL;
	if (!threw(env) && root != NULL) {
		add_threads(env, root, list);
		add(env, root, 0, cpu_time() + LONGEST, list);
	}
}

// publish publishes a thread and its park, unless the thread is known or has ended.
static void publish(JNIEnv *env, jthread thread, int64_t time, jvmtiFrameInfo *frames) {
	jvmtiStackInfo info = {.thread = thread, .frame_buffer = frames};
	if (is_virtual(env, thread) && announce_existing_virtual(env, thread, time) &&
		(*agent.jvmti)->GetThreadState(agent.jvmti, thread, &info.state) == JVMTI_ERROR_NONE) {
		(*agent.jvmti)->GetStackTrace(agent.jvmti, thread, 0, stack_frames(), frames, &info.frame_count);
		publish_existing_park(env, &info);
	}
}

// publish_all publishes the threads of an array that wait for owned locks, or else the others that are parked. It returns
// false when it has taken its time.
static bool publish_all(JNIEnv *env, jobjectArray threads, bool owned, int64_t time, int64_t end, jvmtiFrameInfo *frames) {
	jsize count = (*env)->GetArrayLength(env, threads);
	for (jsize i = 0; i < count && cpu_time() < end; i++) {
		jthread thread = (*env)->GetObjectArrayElement(env, threads, i), owner = NULL;
		if (is_virtual(env, thread) && is_parked(env, thread, &owner) && (owner != NULL) == owned) {
			publish(env, thread, time, frames);
			if (owner != NULL) {
				publish(env, owner, time, frames);
			}
		}
		(*env)->DeleteLocalRef(env, owner);
		(*env)->DeleteLocalRef(env, thread);
	}
	return cpu_time() < end;
}

void virtual_parks_publish(JNIEnv *env, const struct virtual_threads *list, int64_t time) {
	enum { MANY = 2000 };
	int64_t end = cpu_time() + LONGEST;
	jvmtiFrameInfo *frames = list->count > 0 ? malloc(stack_frames() * sizeof *frames) : NULL;
	bool goes_on = frames != NULL;
	for (int i = 0; i < list->count && goes_on; i++) {
		goes_on = publish_all(env, list->arrays[i], true, time, end, frames);
	}
	for (int i = 0; i < list->count && goes_on && list->threads <= MANY; i++) {
		goes_on = publish_all(env, list->arrays[i], false, time, end, frames);
	}
	free(frames);
}

void virtual_threads_free(struct virtual_threads *list) {
	free(list->arrays);
	*list = (struct virtual_threads){0};
}
