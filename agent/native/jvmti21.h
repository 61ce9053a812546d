//go:build agent

// JDK 21's additions to JVMTI, for older headers. The library is built with headers from 17 on, and asks the JVM at run
// time. The numbers are from the JVM Tool Interface specification, version 21.
#ifndef TRCX_JVMTI21_H
#define TRCX_JVMTI21_H

#include <jvmti.h>

enum { EVENT_VIRTUAL_THREAD_START = 87, EVENT_VIRTUAL_THREAD_END = 88 };

struct callbacks {
	jvmtiEventCallbacks base;
#ifndef JNI_VERSION_21
	void(JNICALL *VirtualThreadStart)(jvmtiEnv *, JNIEnv *, jthread);
	void(JNICALL *VirtualThreadEnd)(jvmtiEnv *, JNIEnv *, jthread);
#endif
};

#ifdef JNI_VERSION_21
#define virtual_thread_callback(callbacks, name) ((callbacks)->base.name)
#else
#define virtual_thread_callback(callbacks, name) ((callbacks)->name)
#endif

// supports_virtual_threads reads the capability can_support_virtual_threads, request_virtual_threads sets it.
static inline _Bool supports_virtual_threads(const jvmtiCapabilities *c) {
	return ((const unsigned char *)c)[5] >> 4 & 1;
}
static inline void request_virtual_threads(jvmtiCapabilities *c) { ((unsigned char *)c)[5] |= 1 << 4; }

#endif
