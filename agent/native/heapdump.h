//go:build agent

// Heap dumps, which the JVM itself writes.
#ifndef TRCX_HEAPDUMP_H
#define TRCX_HEAPDUMP_H

#include "agent.h"

// write_heap_dump has the JVM write the reachable objects into a new file, whose name ends with .hprof. If that fails,
// it reports why.
void write_heap_dump(JNIEnv *env, const char *file);

#endif
