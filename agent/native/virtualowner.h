//go:build agent

// Virtual threads that own monitors.
//
// The JVM's structures (owner.h) do not lead to a virtual thread that has left its carrier and, up to JDK 23, to no
// virtual thread at all. But JVMTI knows which monitors a given thread owns. So the agent's own thread asks JVMTI about
// the waiting virtual threads, but only while a thread stays blocked on a monitor of an unknown owner (holder.h).
#ifndef TRCX_VIRTUALOWNER_H
#define TRCX_VIRTUALOWNER_H

#include "agent.h"

void virtual_owners_prepare(void);

// virtual_owner_add adds a live virtual thread to the possible owners, virtual_owner_remove removes it.
void virtual_owner_add(JNIEnv *env, jthread thread, int64_t id);
void virtual_owner_remove(JNIEnv *env, int64_t id);
// virtual_owners_clear removes all.
void virtual_owners_clear(JNIEnv *env);

// live_thread returns a local reference to a live thread, virtual or not; NULL if no live thread has this id.
jthread live_thread(JNIEnv *env, int64_t id);

// found_owner gets the id of an object whose monitor a thread owned at some moment after the time. The ring is busy.
typedef void found_owner(int64_t object, int64_t owner, int64_t time);

// virtual_owners_ask asks JVMTI for the monitors of the waiting virtual threads, from the place next on, until it has
// used the limit of CPU time. It returns the place to continue at; 0 after the last.
uint32_t virtual_owners_ask(JNIEnv *env, uint32_t next, int64_t limit, found_owner *found);

#endif
