//go:build agent

#include "virtualpark.h"

#include <stdlib.h>

#include "cpu.h"
#include "javathread.h"
#include "park.h"
#include "stack.h"
#include "thread.h"

#define CONTAINER "jdk/internal/vm/ThreadContainer"

// elements returns the elements of the Stream that a method of the object returns; NULL if it fails.
static jobjectArray elements(JNIEnv *env, jobject object, const char *method) {
	jclass class = (*env)->GetObjectClass(env, object);
	jmethodID get = (*env)->GetMethodID(env, class, method, "()Ljava/util/stream/Stream;");
	jobject stream = get != NULL ? (*env)->CallObjectMethod(env, object, get) : NULL;
	jclass streams = stream != NULL && !(*env)->ExceptionCheck(env) ? (*env)->FindClass(env, "java/util/stream/Stream") : NULL;
	jmethodID to_array = streams != NULL ? (*env)->GetMethodID(env, streams, "toArray", "()[Ljava/lang/Object;") : NULL;
	jobjectArray array = to_array != NULL ? (*env)->CallObjectMethod(env, stream, to_array) : NULL;
	return threw(env) ? NULL : array;
}

// add adds the threads of a container, such as an executor, and of the containers in it.
static void add(JNIEnv *env, jobject container, struct virtual_threads *list) {
	if (list->count == MAX_CONTAINERS) {
		return;
	}
	jobjectArray threads = elements(env, container, "threads");
	if (threads != NULL) {
		list->containers[list->count++] = threads;
	}
	jobjectArray children = elements(env, container, "children");
	jsize count = children != NULL ? (*env)->GetArrayLength(env, children) : 0;
	for (jsize i = 0; i < count && list->count < MAX_CONTAINERS; i++) {
		add(env, (*env)->GetObjectArrayElement(env, children, i), list);
	}
}

void virtual_threads_list(JNIEnv *env, struct virtual_threads *list) {
	list->count = 0;
	if (!have_virtual_threads() || !agent.settings.parks) {
		return;
	}
	jclass class = (*env)->FindClass(env, CONTAINER "s");
	jmethodID get = class != NULL ? (*env)->GetStaticMethodID(env, class, "root", "()L" CONTAINER ";") : NULL;
	jobject root = get != NULL ? (*env)->CallStaticObjectMethod(env, class, get) : NULL;
	if (!threw(env) && root != NULL) {
		add(env, root, list);
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
	enum { LONGEST = 100 * 1000 * 1000, MANY = 2000 };
	int64_t end = cpu_time() + LONGEST;
	jvmtiFrameInfo *frames = list->count > 0 ? malloc(stack_frames() * sizeof *frames) : NULL;
	jsize count = 0;
	bool goes_on = frames != NULL;
	for (int i = 0; i < list->count && goes_on; i++) {
		count += (*env)->GetArrayLength(env, list->containers[i]);
		goes_on = publish_all(env, list->containers[i], true, time, end, frames);
	}
	for (int i = 0; i < list->count && goes_on && count <= MANY; i++) {
		goes_on = publish_all(env, list->containers[i], false, time, end, frames);
	}
	free(frames);
}
