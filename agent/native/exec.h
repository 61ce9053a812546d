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

// exec_first is the number of the next instrumented method. exec_define publishes the class and its methods, which have the
// numbers from there on, and reports whether it could. One thread at a time may call both.
int64_t exec_first(void);
bool exec_define(const char *name, const unsigned char *definitions, size_t size);

// exec_thread_ends publishes the calls of a thread that ends.
void exec_thread_ends(int64_t thread, bool is_virtual);

// exec_end publishes the calls of all threads; exec_undo makes classes as they were.
void exec_end(void);
void exec_undo(JNIEnv *env);

#endif
