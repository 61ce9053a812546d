//go:build agent

// Samples of who holds the monitors and locks on which threads are blocked, and where the holders are.
//
// JVMTI posts no event for a thread that releases a monitor and takes it again before a blocked thread gets it. So the
// agent's own thread looks up the owner of each object on which a thread has been blocked for a period: in the monitor
// (blocked.h), or in the lock's exclusiveOwnerThread. It publishes each change of the owner or of its place, and
// publishes the owner again after each record that has named another one.
#ifndef TRCX_HOLDER_H
#define TRCX_HOLDER_H

#include "agent.h"

// holders_sample takes samples. Only the agent's own thread calls it.
void holders_sample(JNIEnv *env);

// holders_pause returns the nanoseconds until the next samples; 0 while no thread is blocked. They take a sixtieth of a
// core at most.
int64_t holders_pause(void);

// holders_end waits until no samples are being taken, and forgets the blocked threads.
void holders_end(void);

#endif
