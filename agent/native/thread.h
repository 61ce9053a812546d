//go:build agent

// Threads: the id of the current one, starts and ends.
//
// A thread's id is Java's own, Thread.tid. A native thread runs one platform thread, whose id is cached. A carrier runs
// virtual threads in turn, so the JVM is asked for the current thread at each event.
#ifndef TRCX_THREAD_H
#define TRCX_THREAD_H

#include "agent.h"

// threads_reset forgets which threads were announced, for another recording.
void threads_reset(void);

// recording_number is different for each recording.
uintptr_t recording_number(void);

// current_thread returns the id of the thread that runs here, or 0 if its events are not recorded. thread may be NULL.
int64_t current_thread(JNIEnv *env, jthread thread);

// current_platform_thread returns likewise the id of a platform thread; 0 if a virtual thread runs here.
int64_t current_platform_thread(JNIEnv *env);

// platform_thread_object returns a weak reference to the platform thread that runs here, which has this id; NULL if
// there is no memory for it. It is valid until the thread ends.
jthread platform_thread_object(JNIEnv *env, int64_t id);

// current_virtual_thread returns the id of the virtual thread that runs here, or 0 if its events are not recorded.
int64_t current_virtual_thread(JNIEnv *env, jthread thread);

// on_carrier reports whether the current thread may continue on another native thread.
bool on_carrier(void);

// current_cpu_time returns the CPU time in nanoseconds of the platform thread that runs here, at the end of a wait at this
// time; 0 if it is not to be recorded.
int64_t current_cpu_time(int64_t now);

// publish_cpu_times publishes the CPU times of all live platform threads.
void publish_cpu_times(JNIEnv *env);

// set_own_thread excludes the agent's own Java thread from the recording; is_own_thread reports whether it is that one.
void set_own_thread(jthread thread);
bool is_own_thread(JNIEnv *env, jthread thread);

// exclude_thread excludes the events of the calling thread, which is the agent's own.
void exclude_thread(void);

// announce_existing publishes the start of a platform thread that lives when the recording begins, with that time. A
// thread that starts at that moment may also publish its start itself.
void announce_existing(JNIEnv *env, jthread thread, int64_t time, unsigned flags);

// announce_existing_virtual likewise publishes the start of a virtual thread, unless that is published already or the
// thread has ended. It reports whether it did.
bool announce_existing_virtual(JNIEnv *env, jthread thread, int64_t time);

// announce_ended publishes, at the time, the start and the end of a thread that had ended before the recording began
// but still owns something. It does not publish a live thread, or a thread that was published.
void announce_ended(JNIEnv *env, jthread thread, int64_t time);

// threads_hold keeps platform threads from starting and ending until threads_release.
void threads_hold(void);
void threads_release(void);

// JVMTI's ThreadStart, ThreadEnd, VirtualThreadStart and VirtualThreadEnd.
void JNICALL thread_start(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);
void JNICALL thread_end(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);
void JNICALL virtual_thread_start(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);
void JNICALL virtual_thread_end(jvmtiEnv *jvmti, JNIEnv *env, jthread thread);

#endif
