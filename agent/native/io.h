//go:build agent

// Waits of platform threads for input and output: accept, connect, read, write and select on channels and sockets.
//
// The native methods of sun.nio.ch are wrapped when the JVM binds them; those that are bound already are replaced, as
// JNI allows at any time. Only a call that has to wait is recorded. Virtual threads park instead.
#ifndef TRCX_IO_H
#define TRCX_IO_H

#include "agent.h"

// io_prepare has the native methods wrapped, if these waits are recorded. late: the JVM has run for a while.
void io_prepare(JNIEnv *env, bool late);

// io_stop restores the native methods.
void io_stop(void);

// io_wrapper returns the function that is to be bound instead of the native method at the address; NULL for none.
void *io_wrapper(const void *address);

// publish_existing_io publishes the wait for input or output that another platform thread is in when the recording
// begins, and returns its object; 0 if it is in none.
int64_t publish_existing_io(JNIEnv *env, jthread thread);

#endif
