//go:build agent

// Where things lie in the memory of a HotSpot JVM, as it tells debuggers (vmStructs). Where a JVM does not tell, they stay UNKNOWN.
#ifndef TRCX_HOTSPOT_H
#define TRCX_HOTSPOT_H

#include "agent.h"

enum { UNKNOWN = -1 };

struct hotspot {
	bool found, looked;
	bool owners_by_id;         // the owner of a monitor is a thread's id, and no address
	long pending_monitor;      // in a JavaThread: the ObjectMonitor that it is blocked on
	long waiting_monitor;      // likewise, that it waits on
	long owner;                // in an ObjectMonitor
	long object;               // likewise: a weak handle of the object
	long stack_base, stack_size; // in a JavaThread
	long owner_id;             // likewise: the id by which it, or the virtual thread on it, owns monitors
	long lock_stack;           // likewise: what it has locked the fast way
	long lock_stack_top, lock_stack_base; // in a lock stack
	long env;                  // in a JavaThread: its JNIEnv
	jfieldID eetop;            // of java.lang.Thread: the address of its JavaThread
};
extern struct hotspot hotspot;

// jvm_library is the library of this JVM, for dlsym; NULL if it cannot be found.
void *jvm_library(void);

// hotspot_find reads the JVM's tables. That takes a moment, and is done by a thread of Go's while the JVM starts.
void hotspot_find(void);

// hotspot_look finds out the rest, of Java's threads, after hotspot_find. It is called by a platform thread.
void hotspot_look(JNIEnv *env);

static inline uint64_t read_word(const char *base, long offset) { return *(const volatile uint64_t *)(base + offset); }

// java_thread_of is the JVM's structure for a platform thread; NULL if it has none any more.
static inline const char *java_thread_of(JNIEnv *env, jthread thread) {
	return hotspot.eetop != NULL ? (const char *)(intptr_t)(*env)->GetLongField(env, thread, hotspot.eetop) : NULL;
}

#endif
