//go:build agent

// Calls between threads: start, interrupt, notify, notifyAll; and sleep, for which JVMTI has no event.
//
// Their native methods are replaced while a recording runs; JNI allows that at any time. So calls by reflection, by
// method references, by native code and from loops that already run are recorded, too. The calls of virtual threads are
// plain Java: their class is rewritten (classes.h), and calls the native methods of java.lang.TrcxRecorder.
#ifndef TRCX_CALL_H
#define TRCX_CALL_H

#include "agent.h"

// calls_prepare replaces the native methods of what is to be recorded. It reports each part that cannot be recorded.
void calls_prepare(JNIEnv *env);

// calls_stop restores the native methods.
void calls_stop(void);

#endif
