//go:build agent

// Samples of who holds the monitors and locks on which threads are blocked, and where the holders are.
//
// A thread that releases a monitor and takes it again, before one that is blocked gets it, posts no event. So the agent's
// own thread looks who has each object on which a thread has been blocked for a period: the owner in the monitor
// (blocked.h), or in the lock's exclusiveOwnerThread. It publishes each change, of the owner or of the place, and the
// owner once more after each record that has told another one.
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
