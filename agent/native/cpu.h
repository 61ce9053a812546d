//go:build agent

// CPU time of threads. It takes a system call. Where that is slow, a thread asks once in 10 ms at most.
#ifndef TRCX_CPU_H
#define TRCX_CPU_H

#include "agent.h"

// cpu_prepare measures what the system call costs.
void cpu_prepare(void);

// cpu_time_due returns the CPU time of the calling native thread in nanoseconds; 0 if it has asked just before.
int64_t cpu_time_due(int64_t now);

// cpu_time returns the CPU time of the calling native thread.
int64_t cpu_time(void);

// cpu_time_of returns the CPU time of a platform thread; 0 if it is not known.
int64_t cpu_time_of(jthread thread);

#endif
