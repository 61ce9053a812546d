//go:build agent

// Virtual threads that own monitors.
//
// The JVM's structures (owner.h) do not lead to a virtual thread that has left its carrier, nor up to JDK 23 to any
// virtual thread. But JVMTI knows which monitors a given thread owns. So the agent's own thread asks it, for the virtual
// threads that wait, and only while a thread is blocked for some time on a monitor of an unknown owner.
#ifndef TRCX_VIRTUALOWNER_H
#define TRCX_VIRTUALOWNER_H

#include "agent.h"

void virtual_owners_prepare(void);

// virtual_owner_add adds a live virtual thread to the possible owners, virtual_owner_remove removes it.
void virtual_owner_add(JNIEnv *env, jthread thread, int64_t id);
void virtual_owner_remove(JNIEnv *env, int64_t id);
// virtual_owners_clear removes all.
void virtual_owners_clear(JNIEnv *env);

// owner_wanted notes that the record's thread is blocked on a monitor whose owner the record does not have, and
// owner_not_wanted that the thread is blocked no longer.
void owner_wanted(const struct record *record);
void owner_not_wanted(int64_t thread);

enum { ASK_OWNERS_PAUSE = 20 * 1000 * 1000 }; // nanoseconds from one call of virtual_owners_ask to the next

// virtual_owners_ask asks JVMTI for the owners that are wanted, and publishes those that it finds. It takes a fiftieth of
// ASK_OWNERS_PAUSE at most, and goes on with the next call. Only the agent's own thread calls it.
void virtual_owners_ask(JNIEnv *env);

#endif
