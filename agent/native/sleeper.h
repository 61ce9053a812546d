//go:build agent

// Threads that sleep when the recording begins. JVMTI reports no end of a sleep, so they are polled.
//
// The list belongs to the calling thread.
#ifndef TRCX_SLEEPER_H
#define TRCX_SLEEPER_H

#include "agent.h"

enum { POLL_SLEEPERS = 10 * 1000 * 1000 }; // nanoseconds from one poll to the next

void sleepers_init(void);
void sleepers_add(JNIEnv *env, jthread thread);
bool sleepers_empty(void);

// sleepers_poll publishes the ends of sleeps and drops those threads.
void sleepers_poll(JNIEnv *env);
void sleepers_free(JNIEnv *env);

#endif
