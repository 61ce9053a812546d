//go:build agent

// Stack traces, up to the stack depth of the options.
#ifndef TRCX_STACK_H
#define TRCX_STACK_H

#include "agent.h"

enum { MAX_STACK = 512 }; // largest depth of recorded stack traces, in frames

// stacks_prepare looks up how stack traces are read.
void stacks_prepare(void);

// publish_with_stack publishes the record, with the calling thread's stack trace if stack traces are recorded.
void publish_with_stack(struct record *record);

// put_stack writes the calling thread's stack trace to frames, up to MAX_STACK of them, and returns its size in bytes; 0
// if no stack traces are recorded.
size_t put_stack(uint64_t *frames);

// stack_of writes likewise the stack trace of another thread, and copy_frames one of stack_frames frames that JVMTI has
// read.
size_t stack_of(JNIEnv *env, jthread thread, uint64_t *frames);
size_t copy_frames(JNIEnv *env, const jvmtiStackInfo *info, uint64_t *frames);
jint stack_frames(void);

#endif
