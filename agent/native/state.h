//go:build agent

// The states of objects for which threads wait, once for each object and again when a recording ends: the permits of a
// semaphore, who runs a task, how full a pool's queue is.
//
// All is read from private fields of java.util.concurrent, by JNI. Nothing is locked, so a state can be that of a moment
// in which it changes; but its object has let a thread wait for a second. What this JVM's classes lack is left out.
#ifndef TRCX_STATE_H
#define TRCX_STATE_H

#include "agent.h"

// states_prepare watches the classes of executors.
void states_prepare(void);

// states_poll publishes the states of what threads have been waiting for, if it is time to look, but not again of the same
// objects. states_pause returns the nanoseconds until then; 0 if never.
void states_poll(JNIEnv *env);
int64_t states_pause(void);

// states_publish publishes the states of what threads have been waiting for. Only the agent's own thread calls it.
void states_publish(JNIEnv *env);

#endif
