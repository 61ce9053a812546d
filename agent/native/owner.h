//go:build agent

// The owner of a monitor, read from the JVM's own structures (hotspot.h).
//
// Only structures of live threads are read, and monitors that such a thread is blocked on or waits for at that moment.
// No Java object is touched.
//
// A thread that is about to be blocked leads to its monitor, and the monitor to its owner:
//   up to JDK 23   the address of a JavaThread, or an address in its stack; the reader of the records finds the thread
//   later          the thread's id
// Or the owner is ANONYMOUS, at the first contention of a monitor that was locked the fast way. Then the owner is the
// thread that has the object in its lock stack.
#ifndef TRCX_OWNER_H
#define TRCX_OWNER_H

#include "agent.h"

// thread_place has the addresses of a platform thread's structures; all zero if they are unknown.
struct thread_place {
	uint64_t java_thread, stack_low, stack_high;
};

void owners_prepare(JNIEnv *env);

// owner_add adds a live platform thread to the possible owners; owner_remove removes it before it ends.
struct thread_place owner_add(JNIEnv *env, jthread thread, int64_t id);
void owner_remove(JNIEnv *env, int64_t id);
// owners_reset removes all threads.
void owners_reset(JNIEnv *env);

// owner_lives reports whether the platform thread has been added, and not removed.
bool owner_lives(int64_t id);

// owner_thread returns a local reference to a live platform thread; NULL if none has this id.
jthread owner_thread(JNIEnv *env, int64_t id);

// owner_of_pending sets in the record the owner of the monitor that the calling thread is about to be blocked on, if it
// can be found. It returns the monitor; NULL if it cannot be found. The JVM keeps the monitor until the thread has
// entered it.
const void *owner_of_pending(JNIEnv *env, jobject object, struct record *record);

// pending_monitor_of returns the monitor that another thread is blocked on, or NULL. The caller keeps the thread from
// ending.
const void *pending_monitor_of(JNIEnv *env, jthread thread);

// waiting is a platform thread that has been in one wait, on the monitor, since the call before.
struct waiting {
	int64_t thread;
	uint64_t monitor;
};

// owners_waiting finds the added platform threads that wait on a monitor, by Object.wait or within the JVM, and already
// waited on it at the call before. It finds each wait once, and returns the number of waits. It begins at the place
// *from, and sets it to the place to continue at, 0 at the end.
int owners_waiting(uint32_t *from, struct waiting *found, int limit);

// owner_waits reports whether the thread waits on the monitor.
bool owner_waits(const struct waiting *waiting);

// owner_at returns the id of the live platform thread whose JavaThread has the address; 0 if no added thread has it, or
// the thread is a carrier.
int64_t owner_at(JNIEnv *env, uint64_t java_thread);

enum { NO_OWNER = 0, ANONYMOUS_OWNER = 1 };

// owner_word reads a monitor's owner as the monitor has it. owner_of_word returns the id of that thread; 0 if unknown.
uint64_t owner_word(const void *monitor);
int64_t owner_of_word(uint64_t word);

// monitor_use is a monitor's owner, as the monitor has it, and the number of threads that wait on it.
struct monitor_use {
	uint64_t owner;
	int32_t waiters;
};

// monitor_use_of reads the monitor that a platform thread waits on or is blocked on; false if it does neither, or the
// monitor cannot be found.
bool monitor_use_of(int64_t thread, struct monitor_use *use);

// native_id_of returns the id by which Linux knows a platform thread; 0 if it cannot be found.
int32_t native_id_of(int64_t thread);

// awaited_object returns the object that another thread is blocked on or waits on, as the record's kind says; NULL if
// it cannot be found. It sets the owner in the record. The caller keeps the thread from ending (threads_hold).
jobject awaited_object(JNIEnv *env, jthread thread, struct record *record);

#endif
