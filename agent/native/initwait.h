//go:build agent

// Threads that wait until another one has initialised a class. JVMTI has neither an event nor a state for these waits:
// such threads are RUNNABLE. But each waits on a monitor within the JVM, as no other RUNNABLE thread does. So the
// agent's own thread looks ten times a second, or less often if there are very many threads, for threads that have been
// in such a wait since the previous look.
//
// Everything is read from what HotSpot exports (hotspot.h). On a JVM that lacks something nothing is published.
#ifndef TRCX_INITWAIT_H
#define TRCX_INITWAIT_H

#include "agent.h"

// initwaits_poll publishes the waits that it finds, and the ends of waits found before. Only the agent's own thread
// calls it.
void initwaits_poll(JNIEnv *env);

// initwaits_pause returns the nanoseconds until the next poll; 0 if this JVM does not show such waits.
int64_t initwaits_pause(void);

// initwaits_end waits until no poll is under way, and forgets the waits.
void initwaits_end(void);

#endif
