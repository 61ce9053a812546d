//go:build agent

// The callbacks that see a JVM's threads, and what they share.
//
// Two rules hold in all of this C code: no thread of Java ever enters Go, and no callback for a thread or a monitor allocates memory of its own. What is
// seen goes into rings (ring.h); Go reads them elsewhere. What Go has to do for Java (options, class files) is handed to a thread of Go's own
// (exchange.c).
#ifndef TRCX_AGENT_H
#define TRCX_AGENT_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "jvmti21.h"
#include "ring.h"

// What the options say, as Go has understood them.
struct settings {
	bool refused;        // nothing is recorded, and it was said why
	bool stop;           // the recording is to end
	bool ready;          // it is only asked whether the recording has begun
	void *segment;       // where to record
	bool elsewhere;      // another process reads the segment
	bool contanalysis;   // calls between threads are recorded
	bool owner;          // owners of monitors are looked up
	int stack_depth;     // frames of a call stack
	int64_t delay;       // nanoseconds until the recording begins
	int64_t duration;    // nanoseconds until it ends; 0 for never
	const void *recorder; // the class file of the class that rewritten classes call
	size_t recorder_size;
};

// What Agent_OnAttach returns, to be told apart by who has attached it; cmd/trcx knows them, too.
enum {
	ATTACH_REFUSED = 101,
	ATTACH_RECORDED_ALREADY = 102,
	ATTACH_NOT_RECORDED = 103,
	ATTACH_FAILED = 104,
};

struct agent {
	JavaVM *vm;
	jvmtiEnv *jvmti;
	int java;          // 17 for JDK 17
	bool attached;     // loaded into a running JVM
	bool virtual;      // virtual threads are told of
	bool retransforms; // classes can be rewritten
	bool linked;       // rewritten classes find what they call
	bool rewrites;     // calls are seen by rewritten classes, not by wrapped native methods
	bool late;         // threads ran before the recording began
	bool active;       // a recording was set up, and has not ended
	bool recording;    // read by every callback
	struct settings settings;
};
extern struct agent agent;

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

static inline bool recording(void) { return likely(__atomic_load_n(&agent.recording, __ATOMIC_RELAXED)); }

// say prints one line on standard error.
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

// exchange.c: what Go does for Java.

// configure has Go understand the options and make the segment; configured waits until it has, and returns false, with a line said, if nothing is to be
// recorded.
void configure(const char *options);
bool configured(struct settings *settings);
// rewrite has Go rewrite a class file. The result is allocated by JVMTI; NULL if the class stays as it is.
unsigned char *rewrite(const unsigned char *class_file, jint size, jint *new_size);
// await_drained waits until everything published is written, but not for ever.
void await_drained(void);

// recording.c: the beginning and the end.

void JNICALL vm_init(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);
// open_recording takes over what the options say; false if nothing is to be recorded.
bool open_recording(struct settings *settings);
void JNICALL vm_death(jvmtiEnv *jvmti, JNIEnv *env);
// attach has the agent's own thread begin a recording in a running JVM; await_begun waits until it has, and says whether it has.
void attach(JNIEnv *env);
bool await_begun(void);
void end_recording(void);
// is_control says whether the thread is the agent's own.
bool is_control(JNIEnv *env, jthread thread);

// thread.c: who acts.

// global_class is a class of the boot loader, to be kept; NULL if there is none of the name.
jclass global_class(JNIEnv *env, const char *name);
// threads_prepare looks up what is needed of java.lang.Thread.
bool threads_prepare(JNIEnv *env);
// threads_reset forgets which threads were announced, for another recording.
void threads_reset(void);
// recording_number is another one for each recording.
uintptr_t recording_number(void);
// on_carrier says whether the thread that acts here may go on elsewhere.
bool on_carrier(void);
// threads_meet_virtual looks up what is needed to know virtual threads and their carriers. It must not be called before the first of them is made: it would
// initialise their classes, which start threads.
void threads_meet_virtual(JNIEnv *env);
// acting returns the id of the thread that runs here, or 0 if nothing is to be recorded of it. thread may be NULL.
int64_t acting(JNIEnv *env, jthread thread);
int64_t thread_id(JNIEnv *env, jthread thread);
// announce publishes a thread's start, once, at the time or now if that is 0.
void announce(JNIEnv *env, jthread thread, int64_t time, unsigned flags);
// threads_hold keeps platform threads from ending, until threads_release; it says whether this one has not ended yet.
bool threads_hold(jthread thread);
void threads_release(void);
bool is_carrier(JNIEnv *env, jobject thread);
void JNICALL thread_start(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);
void JNICALL thread_end(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);
void JNICALL virtual_thread_start(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);
void JNICALL virtual_thread_end(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);

// monitor.c: contention, waits, collections.

void JNICALL contended_enter(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jobject object);
void JNICALL contended_entered(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jobject object);
void JNICALL monitor_wait(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jobject object, jlong timeout);
void JNICALL monitor_waited(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jobject object, jboolean timed_out);
void JNICALL gc_start(jvmtiEnv *jvmti);
void JNICALL gc_finish(jvmtiEnv *jvmti);
// state_now publishes what a thread that ran before the recording is waiting for now; it says whether that is a sleep.
bool state_now(JNIEnv *env, jthread thread);

// call.c: calls between threads, by wrapping native methods and by the calls that rewritten classes make.

void JNICALL native_method_bind(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jmethodID method, void *address, void **new_address);
void calls_prepare(JNIEnv *env);
// wrapped says whether all native methods that matter were seen when they were bound.
bool wrapped(void);

// object.c: ids that last.

// object_id returns the object's id, which is defined at first sight; 0 if that was not possible.
int64_t object_id(JNIEnv *env, jobject object);
// stack_of_caller notes the calling thread's stack, innermost frame first, and returns its size in bytes.
size_t stack_of_caller(uint64_t *frames);
enum { MAX_STACK = 512 };
// ids_reset makes all ids new ones, for another recording.
void ids_reset(void);

// publish_with_stack publishes the record with the calling thread's stack, if that is wanted.
void publish_with_stack(struct record *record);

// owner.c: who holds a monitor.

void owners_prepare(JNIEnv *env);
// owner_of_pending notes in the record who holds the monitor that the calling thread is about to be blocked on, if that can be known.
void owner_of_pending(JNIEnv *env, jobject object, struct record *record);
// awaited_object is the object that another thread is blocked on, or waits on, as the record's kind says; NULL if that is not known. It notes the owner. The
// thread must be held by threads_hold.
jobject awaited_object(JNIEnv *env, jthread thread, struct record *record);
// A thread is known to owners from its beginning to its end.
struct thread_place {
	uint64_t java_thread, stack_low, stack_high;
};
struct thread_place owner_add(JNIEnv *env, jthread thread, int64_t id);
void owner_remove(int64_t id);
void owners_forget(void);

// classes.c: classes that are rewritten.

void JNICALL class_file_load(jvmtiEnv *jvmti, JNIEnv *env, jclass redefined, jobject loader, const char *name, jobject domain, jint size,
			     const unsigned char *data, jint *new_size, unsigned char **new_data);
// classes_prepare rewrites what has been loaded already, where calls are seen by rewritten classes. A late one is that of a JVM that has run for a while.
void classes_prepare(JNIEnv *env, bool late);
// classes_leave rewrites no more.
void classes_leave(void);
// virtual_threads_await has the class of virtual threads rewritten when the first of them is made.
void virtual_threads_await(void);
void JNICALL class_prepare(jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jclass class);
// classes_linked says whether that class can be called.
bool classes_linked(JNIEnv *env);

#endif
