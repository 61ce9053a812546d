//go:build agent

// Threads that wait until another one has initialised a class. JVMTI has no event of these waits, nor a state: they are
// RUNNABLE. But each waits on a monitor within the JVM, which no thread in this state does otherwise. So the agent's own
// thread looks ten times a second, or less often where threads are very many, which of them have been in such a wait
// since the look before.
//
// All is read from what HotSpot exports (hotspot.h). What this JVM lacks is not found, and nothing is published.
#ifndef TRCX_INITWAIT_H
#define TRCX_INITWAIT_H

#include "agent.h"

// initwaits_poll publishes the waits that it finds, and the ends of those that it has found before. Only the agent's own
// thread calls it.
void initwaits_poll(JNIEnv *env);

// initwaits_pause returns the nanoseconds until the next poll; 0 if this JVM does not show such waits.
int64_t initwaits_pause(void);

// initwaits_end waits until no poll is under way, and forgets the waits.
void initwaits_end(void);

#endif
