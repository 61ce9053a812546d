//go:build agent

// Calls of methods. agent/bci instruments classes so that their methods call java.lang.TrcxCalls. That notes in memory
// of this module which methods were called, how often they were called, or each thread's tree of calls; or it publishes
// each call. TrcxCalls.java has the same layout. The memory is never freed: a thread may be in TrcxCalls at any time.
#ifndef TRCX_EXEC_H
#define TRCX_EXEC_H

#include "agent.h"

// exec_prepare allocates the memory and defines TrcxCalls; false if calls cannot be recorded.
bool exec_prepare(JNIEnv *env);

// exec_begin instruments the loaded classes, and classes that are loaded later.
void exec_begin(JNIEnv *env);

// exec_wanted reports whether the class that is being loaded may have to be instrumented.
bool exec_wanted(JNIEnv *env, jobject loader, const char *name);

// exec_first returns the number of the first instrumented method of a class that is loaded or, with again, instrumented
// in another way. exec_define publishes the class and its methods, numbered from there, unless they are known, and
// reports whether it could. One thread at a time may call both.
int64_t exec_first(const char *name, bool again);
bool exec_define(const char *name, int64_t first, const unsigned char *definitions, size_t size);

// exec_leaves_out reports whether the method of this number is left out when its class is instrumented again.
bool exec_leaves_out(int64_t method);

// exec_poll leaves out short methods that are called often, and publishes what is new in the trees, when either is due.
// exec_pause returns the nanoseconds until then, 0 for never.
void exec_poll(JNIEnv *env);
int64_t exec_pause(void);

// exec_thread_ends publishes the calls of a thread that ends.
void exec_thread_ends(int64_t thread, bool is_virtual);

// exec_end publishes the calls of all threads; exec_undo restores the original classes.
void exec_end(void);
void exec_undo(JNIEnv *env);

#endif
