//go:build agent

// Calls of methods: classes are instrumented by agent/bci so that their methods call java.lang.TrcxCalls, which keeps in
// memory of this module which methods were called, how often, or the tree of calls of each thread, or publishes each
// call. TrcxCalls.java has the same layout. The memory is never freed: a thread may be in a method of TrcxCalls at any time.
#ifndef TRCX_EXEC_H
#define TRCX_EXEC_H

#include "agent.h"

// exec_prepare makes the memory and TrcxCalls; false if calls cannot be recorded.
bool exec_prepare(JNIEnv *env);

// exec_begin instruments the classes that are loaded, and those that will be.
void exec_begin(JNIEnv *env);

// exec_wanted reports whether the class that is being loaded may have to be instrumented.
bool exec_wanted(JNIEnv *env, jobject loader, const char *name);

// exec_first is the number of the first instrumented method of a class that is loaded; again: to be instrumented otherwise.
// exec_define publishes the class and its methods, which have the numbers from there on, unless they are known, and reports
// whether it could. One thread at a time may call both.
int64_t exec_first(const char *name, bool again);
bool exec_define(const char *name, int64_t first, const unsigned char *definitions, size_t size);

// exec_leaves_out reports whether the method of this number is left out when its class is instrumented again.
bool exec_leaves_out(int64_t method);

// exec_poll leaves out methods that are called often and are short, and publishes what is new in the trees, if it is time
// for that. exec_pause returns the nanoseconds until then, 0 for never.
void exec_poll(JNIEnv *env);
int64_t exec_pause(void);

// exec_thread_ends publishes the calls of a thread that ends.
void exec_thread_ends(int64_t thread, bool is_virtual);

// exec_end publishes the calls of all threads; exec_undo makes classes as they were.
void exec_end(void);
void exec_undo(JNIEnv *env);

#endif
