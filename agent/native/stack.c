//go:build agent

#include "stack.h"

#include "id.h"

// stack_of_caller copies the calling thread's stack trace to frames, innermost first, and returns its size in bytes.
// Methods that are HIDDEN, such as Object.wait, are left out.
static size_t stack_of_caller(uint64_t *frames) {
	enum { CALLS = 12 }; // largest number of hidden frames above the caller
	jvmtiFrameInfo found[MAX_STACK + CALLS];
	JNIEnv *env = NULL;
	jint count = 0;
	(*agent.vm)->GetEnv(agent.vm, (void **)&env, JNI_VERSION_10);
	if (env == NULL ||
		(*agent.jvmti)->GetStackTrace(agent.jvmti, NULL, 0, agent.settings.stack_depth + CALLS, found, &count) !=
			JVMTI_ERROR_NONE) {
		return 0;
	}
	size_t n = 0;
	for (jint i = 0; i < count && n < (size_t)agent.settings.stack_depth; i++) {
		int64_t id = method_id(env, found[i].method);
		if (id > 0) {
			uint64_t location =
				found[i].location >= 0 && found[i].location < NO_LOCATION ? (uint64_t)found[i].location : NO_LOCATION;
			frames[n++] = (uint64_t)id << 16 | location;
		}
	}
	return n * sizeof *frames;
}

size_t put_stack(uint64_t *frames) { return agent.settings.stack_depth > 0 ? stack_of_caller(frames) : 0; }

static __attribute__((noinline)) void publish_stack(struct record *record) {
	uint64_t frames[MAX_STACK];
	record->payload_size = stack_of_caller(frames);
	record->payload = frames;
	ring_publish(record);
}

void publish_with_stack(struct record *record) {
	if (unlikely(agent.settings.stack_depth > 0)) {
		publish_stack(record);
	} else {
		ring_publish(record);
	}
}
