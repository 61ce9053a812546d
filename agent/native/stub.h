//go:build agent

// Runtime stubs: machine code by which compiled Java code calls the JVM, for example to allocate an object.
//
// AsyncGetCallTrace does not read a stack whose top is a stub of HotSpot's C2 compiler, because such a stub is marked as
// one whose frame may be incomplete anywhere. At a call into the JVM it is complete, so the mark is removed until the
// recording ends.
#ifndef TRCX_STUB_H
#define TRCX_STUB_H

#include "agent.h"

// stub_make_readable removes the mark of the stub at the top of the calling thread's stack. It reports whether there was
// one.
bool stub_make_readable(JNIEnv *env);

// stubs_restore sets the marks again, after the recording.
void stubs_restore(void);

#endif
