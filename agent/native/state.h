//go:build agent

// The states of objects for which threads wait, once for each object and again when a recording ends: the permits of a
// semaphore, who runs a task, how full a pool's queue is.
//
// Everything is read from private fields of java.util.concurrent, by JNI. Nothing is locked, so a state can be read
// while it changes; but a thread has already waited a second for its object. What this JVM's classes lack is left out.
#ifndef TRCX_STATE_H
#define TRCX_STATE_H

#include "agent.h"

// states_prepare watches the classes of executors.
void states_prepare(void);

// states_poll publishes the states of the awaited objects, of each object once, if a look is due. states_pause returns
// the nanoseconds until the next look; 0 for never.
void states_poll(JNIEnv *env);
int64_t states_pause(void);

// states_publish publishes the states of the awaited objects. Only the agent's own thread calls it.
void states_publish(JNIEnv *env);

#endif
