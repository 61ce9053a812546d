//go:build agent

// The library's entry points: Agent_OnLoad and Agent_OnAttach.
#include <ctype.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "call.h"
#include "classes.h"
#include "exchange.h"
#include "heap.h"
#include "hotspot.h"
#include "io.h"
#include "monitor.h"
#include "recording.h"
#include "thread.h"

enum { OLDEST = 17, NEWEST = 25 }; // feature releases that the agent was tested with

// What Agent_OnAttach returns; cmd/trcx/attach.go has texts for them.
enum {
	ATTACH_REFUSED = 101,
	ATTACH_RECORDED_ALREADY = 102,
	ATTACH_NOT_RECORDED = 103,
	ATTACH_FAILED = 104,
	ATTACH_INCOMPLETE = 105, // the recording runs, without the parts that the reason names
	ATTACH_SUMMARY = 106,    // the reason says how the recording went
};

#define LIBRARY_NAME "libtrcxagent.so" // or the end of it; agent/attach knows it, too
#define REFUSAL_PROPERTY "trcx.refusal" // agent/attach reads it

// Signals. The JVM's handlers for SIGTERM and others run on the current stack, and a goroutine's is too small: a signal
// that reaches a thread of Go's would crash the JVM. So Go's runtime starts with all signals masked, and its threads
// inherit the mask. Constructors of this priority run before Go's.
//
// Go's runtime handles some signals, passes on those that are not its own, and has the others handled on another stack.
// A JVM that checks the use of JNI warns about handlers that are not its own, so it keeps its own. Then a fault of the
// agent looks like a fault of the JVM.

static sigset_t mask_before;
static bool handlers_stay;

__attribute__((constructor(101))) static void begin_signals(void) {
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &mask_before);
	handlers_stay = checks_jni();
}

int __real_sigaction(int signal, const struct sigaction *new, struct sigaction *old);

// __wrap_sigaction is what Go's runtime calls as sigaction: the linker's option --wrap replaces the name.
__attribute__((visibility("hidden"))) int __wrap_sigaction(
	int signal, const struct sigaction *new, struct sigaction *old) {
	struct sigaction before;
	if (new == NULL || !handlers_stay || __real_sigaction(signal, NULL, &before) != 0 || before.sa_handler == SIG_DFL) {
		return __real_sigaction(signal, new, old);
	}
	if (old != NULL) {
		*old = before;
	}
	return 0;
}

// restore_signals restores the loading thread's signal mask.
static void restore_signals(void) {
	static bool done;
	if (!done) {
		done = true;
		pthread_sigmask(SIG_SETMASK, &mask_before, NULL);
	}
}

// The JVM.

static bool property(const char *name, char *value, size_t size) {
	char *found = NULL;
	if ((*agent.jvmti)->GetSystemProperty(agent.jvmti, name, &found) != JVMTI_ERROR_NONE || found == NULL) {
		return false;
	}
	snprintf(value, size, "%s", found);
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)found);
	return true;
}

// check_jvm reads the JVM's name and version, and refuses a JVM that the agent was never tested with.
static bool check_jvm(void) {
	char name[128] = "", version[64] = "", vendor_version[96] = "";
	property("java.vm.name", name, sizeof name);
	property("java.vm.version", version, sizeof version);
	property("java.vendor.version", vendor_version, sizeof vendor_version);
	agent.java = atoi(version);
	snprintf(agent.jvm, sizeof agent.jvm, "%s %s", name, version);
	bool hotspot = strstr(name, "OpenJDK") != NULL || strstr(name, "HotSpot") != NULL;
	if (!hotspot || strstr(vendor_version, "GraalVM") != NULL) {
		say("%s is not a HotSpot JVM, and trcx is not tested with it; the program runs without recording", agent.jvm);
		return false;
	}
	if (agent.java < OLDEST || agent.java > NEWEST) {
		say("%s: trcx records JDK %d to %d; the program runs without recording", agent.jvm, OLDEST, NEWEST);
		return false;
	}
	return true;
}

// A JVM that is starting loads agents, up to JDK 20, a little before it has JVMTI for them: for START_MAX at most.
enum { START_PAUSE = 10 * 1000 * 1000, START_MAX = 1000 }; // nanoseconds; pauses

static bool open_jvmti(JavaVM *vm) {
	static const jint versions[] = {0x30150000, 0x300B0000}; // 21, 11
	agent.vm = vm;
	jint result = JNI_EDETACHED;
	for (int pauses = 0; result == JNI_EDETACHED && pauses < START_MAX; pauses++) {
		if (pauses > 0) {
			nanosleep(&(struct timespec){.tv_nsec = START_PAUSE}, NULL);
		}
		for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
			result = (*vm)->GetEnv(vm, (void **)&agent.jvmti, versions[i]);
			if (result == JNI_OK) {
				return true;
			}
		}
	}
	if (result == JNI_EDETACHED) {
		say("this JVM has not started within 10 s; the program runs without recording");
		return false;
	}
	say("this JVM has no version of JVMTI that trcx supports; the program runs without recording");
	return false;
}

static bool add_capabilities(void) {
	jvmtiCapabilities potential = {0}, wanted = {0};
	(*agent.jvmti)->GetPotentialCapabilities(agent.jvmti, &potential);
	if (!potential.can_tag_objects || !potential.can_generate_monitor_events) {
		say("this JVM reports no monitor events (another agent may have claimed them); the program runs without "
			"recording");
		return false;
	}
	wanted.can_tag_objects = wanted.can_generate_monitor_events = 1;
	wanted.can_generate_garbage_collection_events = potential.can_generate_garbage_collection_events;
	wanted.can_get_source_file_name = potential.can_get_source_file_name;
	wanted.can_get_monitor_info = potential.can_get_monitor_info;
	wanted.can_get_line_numbers = potential.can_get_line_numbers;
	wanted.can_get_bytecodes = potential.can_get_bytecodes;
	wanted.can_get_constant_pool = potential.can_get_constant_pool;
	wanted.can_get_thread_cpu_time = potential.can_get_thread_cpu_time;
	wanted.can_generate_native_method_bind_events = potential.can_generate_native_method_bind_events;
	agent.virtual = agent.java >= 21 && supports_virtual_threads(&potential);
	if (agent.virtual) {
		request_virtual_threads(&wanted);
		wanted.can_get_owned_monitor_info = potential.can_get_owned_monitor_info;
	}
	agent.retransforms = potential.can_retransform_classes;
	wanted.can_retransform_classes = agent.retransforms;
	heap_capabilities(&potential, &wanted);
	if ((*agent.jvmti)->AddCapabilities(agent.jvmti, &wanted) != JVMTI_ERROR_NONE) {
		say("this JVM refuses the capabilities that the agent needs; the program runs without recording");
		return false;
	}
	return true;
}

static bool set_callbacks(void) {
	struct callbacks callbacks = {0};
	callbacks.base.VMInit = vm_init;
	callbacks.base.VMDeath = vm_death;
	callbacks.base.NativeMethodBind = native_method_bind;
	callbacks.base.ClassFileLoadHook = class_file_load;
	callbacks.base.ClassLoad = class_load;
	callbacks.base.ClassPrepare = class_prepare;
	callbacks.base.ThreadStart = thread_start;
	callbacks.base.ThreadEnd = thread_end;
	callbacks.base.MonitorContendedEnter = contended_enter;
	callbacks.base.MonitorContendedEntered = contended_entered;
	callbacks.base.MonitorWait = monitor_wait;
	callbacks.base.MonitorWaited = monitor_waited;
	callbacks.base.GarbageCollectionStart = gc_start;
	callbacks.base.GarbageCollectionFinish = gc_finish;
	callbacks.base.SampledObjectAlloc = object_allocated;
	callbacks.base.ObjectFree = object_freed;
	virtual_thread_callback(&callbacks, VirtualThreadStart) = virtual_thread_start;
	virtual_thread_callback(&callbacks, VirtualThreadEnd) = virtual_thread_end;
	jint size = agent.virtual ? sizeof callbacks : sizeof callbacks.base;
	return (*agent.jvmti)->SetEventCallbacks(agent.jvmti, (jvmtiEventCallbacks *)&callbacks, size) == JVMTI_ERROR_NONE;
}

// is_alone reports whether the process has loaded no other copy of this library, as after an update of trcx. Two copies
// cannot share a JVM: they would replace the same native methods, and define the same classes.
static bool is_alone(void) {
	char path[PATH_MAX];
	if (!other_library(LIBRARY_NAME, path, sizeof path)) {
		return true;
	}
	say("the JVM has already loaded the agent %s, perhaps of another version of trcx, and keeps it until it ends; use the "
		"trcx that belongs to it, or restart the program", path);
	return false;
}

// open_agent prepares this JVM for recordings, once; it returns false, with a message, if it cannot.
static bool open_agent(JavaVM *vm) {
	static bool opened;
	if (!opened) {
		opened = is_alone() && open_jvmti(vm) && check_jvm() && add_capabilities() && set_callbacks();
	}
	if (!opened && agent.jvmti != NULL) {
		(*agent.jvmti)->DisposeEnvironment(agent.jvmti);
		agent.jvmti = NULL;
	}
	return opened;
}

// append_encoded appends the text percent-encoded, as far as it fits.
static void append_encoded(char *to, size_t size, const char *text) {
	size_t at = 0;
	for (; *text != '\0' && at + 4 <= size; text++) {
		unsigned char c = (unsigned char)*text;
		if (c < 128 && (isalnum(c) || c == '-' || c == '_' || c == '.')) {
			to[at++] = (char)c;
		} else {
			at += (size_t)snprintf(to + at, size - at, "%%%02X", c);
		}
	}
	to[at] = '\0';
}

// refuse returns the code for trcx attach, which reads the reason from a system property. The reason is the text, or
// the last message if the text is NULL; with an empty text, attach gets no reason.
static jint refuse(JNIEnv *env, jint code, const char *refusal) {
	char reason[1024], encoded[3 * sizeof reason];
	last_said(reason, sizeof reason);
	append_encoded(encoded, sizeof encoded, refusal != NULL ? refusal : reason);
	jclass class = (*env)->FindClass(env, "java/lang/System");
	jmethodID set = class == NULL ? NULL
		: (*env)->GetStaticMethodID(
			  env, class, "setProperty", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;");
	jstring key = set != NULL ? (*env)->NewStringUTF(env, REFUSAL_PROPERTY) : NULL;
	jstring value = key != NULL ? (*env)->NewStringUTF(env, encoded) : NULL;
	if (value != NULL) {
		(*env)->CallStaticObjectMethod(env, class, set, key, value);
	}
	(*env)->ExceptionClear(env);
	return code;
}

// report_begun returns the code for a recording that has begun.
static jint report_begun(JNIEnv *env) {
	struct header *header = ring_header();
	char lost[sizeof header->lost + 1] = "";
	memcpy(lost, header->lost, header->lost_size);
	return lost[0] == '\0' ? JNI_OK : refuse(env, ATTACH_INCOMPLETE, lost);
}

// Agent_OnLoad does not wait for Go, which starts while the JVM does; vm_init continues.
JNIEXPORT
jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
	(void)reserved;
	restore_signals();
	if (agent.vm != NULL) {
		say("the agent is loaded already; these options are not used: %s", options != NULL ? options : "");
		return JNI_OK;
	}
	if (open_agent(vm)) {
		configure(options != NULL ? options : "");
		enable_event(JVMTI_EVENT_VM_INIT);
	}
	return JNI_OK;
}

JNIEXPORT
jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
	(void)reserved;
	restore_signals();
	JNIEnv *env = NULL;
	if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) != JNI_OK) {
		return JNI_ERR;
	}
	agent.attached = agent.vm == NULL || agent.attached;
	struct settings settings = {0};
	bool active = agent.active;
	if (!open_agent(vm)) {
		return refuse(env, ATTACH_REFUSED, NULL);
	}
	configure(options != NULL ? options : "");
	if (!open_recording(&settings)) {
		if (settings.summary) {
			return refuse(env, ATTACH_SUMMARY, settings.refusal);
		}
		return settings.recorded ? refuse(env, ATTACH_RECORDED_ALREADY, "") : refuse(env, ATTACH_REFUSED, settings.refusal);
	}
	if (settings.summary) {
		return JNI_OK;
	}
	if (settings.ready) {
		return !await_begun() ? refuse(env, ATTACH_FAILED, NULL) : report_begun(env);
	}
	if (settings.stop && !active) {
		return refuse(env, ATTACH_NOT_RECORDED, failure() != NULL ? failure() : "");
	}
	if (settings.stop) {
		end_recording();
		return failure() != NULL ? refuse(env, ATTACH_FAILED, failure()) : JNI_OK;
	} else {
		attach_recording(env);
	}
	return JNI_OK;
}
