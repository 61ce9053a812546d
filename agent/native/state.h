//go:build agent

// The states of objects for which threads wait when a recording ends: the permits of a semaphore, who runs a task, how
// full a pool's queue is.
//
// Everything is read from private fields of java.util.concurrent, by JNI. Nothing is locked, so a state can be read
// while it changes; but a thread has already waited a second for its object. What this JVM's classes lack is left out.
#ifndef TRCX_STATE_H
#define TRCX_STATE_H

#include "agent.h"

// states_prepare watches the classes of executors.
void states_prepare(void);

// states_publish publishes the states of the awaited objects. Only the agent's own thread calls it.
void states_publish(JNIEnv *env);

#endif
