//go:build agent

// The agent's state, which all modules share, and messages. Every other module but ring includes this one.
//
// Two rules hold in all C code of the agent. No Java thread ever enters Go, and no callback for a thread or a monitor
// allocates memory. Callbacks publish records in ring buffers (ring.h), which Go reads on threads of its own. What only
// Go can do for a Java thread (parse options, rewrite class files) goes through exchange.h.
//
// Each module is a header and a C file. Includes have no cycles; from the lowest layer up:
//   ring, agent                  ring buffers; shared state
//   hotspot, javathread, exchange  HotSpot's own structures; fields of java.lang.Thread; work for Go
//   owner, id, cpu, collection   owners of monitors; ids of objects, classes and methods; CPU times; the JVM's counters
//   of garbage collections
//   virtualowner                 monitors that virtual threads own
//   blocked, openwait            threads that are blocked; waits of java.util.concurrent
//   stack, thread                stack traces; starts and ends of threads, the current thread's id
//   waitset                      threads that wait on a monitor
//   monitor, call, classes, sleeper  JVMTI's monitor events; calls between threads; class files; threads asleep at the
//   start
//   park, io, heap               parks, acquired locks and signals of conditions; waits for input and output;
//   allocations and frees
//   holder                       samples of who holds what others are blocked on
//   initwait                     samples of threads that wait until another one has initialised a class
//   statefield, executor, state  states of what threads wait for when the recording ends; of executors
//   heapdump, sampler            heap dumps; samples of methods by the JVM's flight recorder
//   recording, load              begin and end of a recording; how the library comes into a JVM
#ifndef TRCX_AGENT_H
#define TRCX_AGENT_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "jvmti21.h"
#include "ring.h"

// What is recorded of calls of methods; bci.CallKind has the same values.
enum exec { NO_EXEC, EXEC_COVERAGE, EXEC_COUNTS, EXEC_AGGREGATED, EXEC_FULL };

// settings are the agent's options as Go has parsed them.
struct settings {
	const char *refusal;  // why nothing is recorded; NULL if something is
	bool recorded;        // refused, because a recording is active
	bool stop;            // the recording is to end
	bool ready;           // the caller only asks whether the recording has begun
	bool summary;         // the caller only asks how the recording went; refusal has the answer when it is over
	void *segment;        // shared memory to record to
	bool elsewhere;       // another process reads the segment
	bool contanalysis;    // calls between threads are recorded
	bool owner;           // owners of monitors are looked up
	int64_t owner_period; // nanoseconds from one sample of the owners to the next; 0 for no samples
	bool parks;           // waits by LockSupport.park are recorded
	bool io;              // waits for input and output are recorded
	bool heap;            // allocations and frees are recorded
	int heap_interval;    // mean number of bytes between two recorded allocations; 0 for all
	const char *dump;     // file for a heap dump when the JVM ends; NULL for none
	bool wait_sets;       // notifications are recorded with the threads that they remove from the wait set
	int exec;             // what is recorded of calls of methods, an enum exec
	bool exec_jdk;        // filters may include classes of the JDK, too
	bool auto_tune;       // methods that are called often and are short are left out
	int max_nodes;        // limit of the nodes of all trees of calls
	const char *samples;  // file for the JVM's own samples of methods; NULL if it takes none
	const char *sample_event; // its name for a sample, and the setting that has the interval
	const char *sample_pace;
	int interval;         // milliseconds between samples of a thread, or between writings of the trees; 0 for none
	int stack_depth;      // depth of recorded stack traces, in frames
	int64_t delay;        // nanoseconds until the recording begins
	int64_t duration;     // nanoseconds until it ends; 0 for no end
	const void *recorder; // class file of java.lang.TrcxRecorder, which rewritten classes call
	size_t recorder_size; // in bytes
	const void *calls;    // class file of java.lang.TrcxCalls, which instrumented methods call
	size_t calls_size;    // in bytes
};

struct agent {
	JavaVM *vm;
	jvmtiEnv *jvmti;
	int java;          // feature release: 17 for JDK 17
	char jvm[200];     // name and version of the JVM
	bool attached;     // loaded into a running JVM
	bool virtual;      // JVMTI reports virtual threads
	bool retransforms; // classes can be rewritten
	bool linked;       // rewritten classes find the native methods that they call
	bool late;         // threads ran before the recording began
	bool active;       // a recording is set up and has not ended
	bool recording;    // read by every callback
	bool heap_ready;   // allocations are recorded; read by every callback for one
	struct settings settings;
};
extern struct agent agent;

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

// recording reports whether events are recorded now.
static inline bool recording(void) { return likely(__atomic_load_n(&agent.recording, __ATOMIC_RELAXED)); }

// say prints one line on standard error.
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

// last_said copies the last message that say has printed.
void last_said(char *text, size_t size);

// say_lost reports, once a recording, that this JVM lacks what is needed to record something: in the trace, and on
// standard error or, after an attach, to trcx attach.
void say_lost(const char *what);

// global_class returns a global reference to a class of the boot loader, or NULL if it has no class of that name.
jclass global_class(JNIEnv *env, const char *name);

// threw reports whether Java code has thrown an exception, which it clears.
static inline bool threw(JNIEnv *env) {
	bool thrown = (*env)->ExceptionCheck(env);
	(*env)->ExceptionClear(env);
	return thrown;
}

// MANY_REFERENCES is the capacity of a frame of local references to all classes or all threads: HotSpot's limit. With
// -Xcheck:jni the JVM warns about a method that has more references than the capacity of its frame.
enum { MANY_REFERENCES = 1 << 16 };

#endif
