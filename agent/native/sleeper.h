//go:build agent

// Threads that sleep, or wait for input or output, when the recording begins. Nothing reports the ends of these waits,
// so the threads are polled.
//
// The list belongs to the calling thread.
#ifndef TRCX_SLEEPER_H
#define TRCX_SLEEPER_H

#include "agent.h"

void sleepers_init(void);

// sleepers_add adds a thread that waits for the object, or sleeps if that is SLEEP.
void sleepers_add(JNIEnv *env, jthread thread, int64_t object);
bool sleepers_empty(void);

// sleepers_pause returns the nanoseconds until the next poll. They grow as the recording lasts.
int64_t sleepers_pause(void);

// sleepers_poll publishes the ends of waits and drops those threads.
void sleepers_poll(JNIEnv *env);
void sleepers_free(JNIEnv *env);

#endif
