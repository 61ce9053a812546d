//go:build agent

#include "stack.h"

#include <dlfcn.h>

#include "hotspot.h"
#include "id.h"
#include "thread.h"

enum { CALLS = 12 }; // largest number of hidden frames above the caller

// trace is a stack trace that is being copied.
struct trace {
	uint64_t *frames; // up to agent.settings.stack_depth
	size_t shown, hidden;
};

static bool is_full(const struct trace *t) { return t->shown == (size_t)agent.settings.stack_depth; }

// append appends a frame, unless its method is HIDDEN, such as Object.wait. The location is an index into the method's
// bytecodes.
static void append(JNIEnv *env, struct trace *t, jmethodID method, jlocation location) {
	if (is_full(t)) {
		return;
	}
	int64_t id = method_id(env, method);
	if (id > 0) {
		uint64_t place = location >= 0 && location < NO_LOCATION ? (uint64_t)location : NO_LOCATION;
		t->frames[t->shown++] = (uint64_t)id << 16 | place;
	} else {
		t->hidden++;
	}
}

// AsyncGetCallTrace is HotSpot's function for profilers, which takes a third of the time of JVMTI's GetStackTrace. It
// knows only methods that have an id, which GetStackTrace gives them. At a compiled frame that it cannot walk it stops, as
// if that was the outermost one.

struct call_frame {
	jint location;
	jmethodID method;
};

struct call_trace {
	JNIEnv *env;
	jint count; // of frames; 0 or less is the reason why there are no frames
	struct call_frame *frames;
};

static void (*get_call_trace)(struct call_trace *, jint depth, void *context);

void stacks_prepare(void) {
	void *jvm = jvm_library();
	get_call_trace = jvm != NULL ? (void (*)(struct call_trace *, jint, void *))dlsym(jvm, "AsyncGetCallTrace") : NULL;
}

// outermost is the method of the calling thread's outermost frame, as GetStackTrace knows it.
static __thread jmethodID outermost;

// append_fast appends the calling thread's frames, and reports whether it could. A carrier's stack goes on below its
// virtual thread.
static bool append_fast(JNIEnv *env, struct trace *t, jint wanted) {
	struct call_frame found[MAX_STACK + CALLS];
	struct call_trace trace = {.env = env, .frames = found};
	if (get_call_trace == NULL || on_carrier()) {
		return false;
	}
	get_call_trace(&trace, wanted, NULL);
	for (jint i = 0; i < trace.count; i++) {
		if (found[i].method == NULL) {
			return false;
		}
	}
	for (jint i = 0; i < trace.count; i++) {
		append(env, t, found[i].method, found[i].location);
	}
	return trace.count > 0 && (is_full(t) || (trace.count < wanted && found[trace.count - 1].method == outermost));
}

// append_exact appends the wanted number of a thread's frames, and reports whether that was enough. NULL is the calling
// thread.
static bool append_exact(JNIEnv *env, jthread thread, struct trace *t, jint wanted) {
	jvmtiFrameInfo found[MAX_STACK + CALLS];
	jint count = 0;
	(*agent.jvmti)->GetStackTrace(agent.jvmti, thread, 0, wanted, found, &count);
	if (thread == NULL && count > 0 && count < wanted) {
		outermost = found[count - 1].method;
	}
	for (jint i = 0; i < count; i++) {
		append(env, t, found[i].method, found[i].location);
	}
	return count < wanted || is_full(t);
}

// copy_stack copies a thread's stack trace to frames, innermost first, and returns its size in bytes; NULL is the calling
// thread. Each frame costs time. So it asks for the number of frames shown and of those hidden last time, and for more
// only if these are too few.
static size_t copy_stack(JNIEnv *env, jthread thread, uint64_t *frames) {
	static __thread jint expected; // number of hidden frames
	struct trace t = {.frames = frames};
	jint wanted = agent.settings.stack_depth + expected;
	if (thread != NULL || !append_fast(env, &t, wanted)) {
		t.shown = t.hidden = 0;
		if (!append_exact(env, thread, &t, wanted)) {
			t.shown = t.hidden = 0;
			append_exact(env, thread, &t, agent.settings.stack_depth + CALLS);
		}
	}
	jint hidden = t.hidden < CALLS ? (jint)t.hidden : CALLS;
	expected = hidden >= expected ? hidden : expected - 1;
	return t.shown * sizeof *frames;
}

static size_t stack_of_caller(uint64_t *frames) {
	JNIEnv *env = NULL;
	(*agent.vm)->GetEnv(agent.vm, (void **)&env, JNI_VERSION_10);
	return env != NULL ? copy_stack(env, NULL, frames) : 0;
}

size_t stack_of(JNIEnv *env, jthread thread, uint64_t *frames) {
	return agent.settings.stack_depth > 0 ? copy_stack(env, thread, frames) : 0;
}

size_t copy_frames(JNIEnv *env, const jvmtiStackInfo *info, uint64_t *frames) {
	struct trace t = {.frames = frames};
	for (jint i = 0; i < info->frame_count; i++) {
		append(env, &t, info->frame_buffer[i].method, info->frame_buffer[i].location);
	}
	return t.shown * sizeof *frames;
}

jint stack_frames(void) { return agent.settings.stack_depth + CALLS; }

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
