//go:build agent

// Parks: waits by LockSupport.park and the like, by which all of java.util.concurrent waits.
//
// Platform threads park in native methods of jdk.internal.misc.Unsafe, which are replaced while a recording runs; JNI
// allows that at any time. Virtual threads park in Java code: rewritten classes report that, and acquired locks and
// signals of conditions.
#ifndef TRCX_PARK_H
#define TRCX_PARK_H

#include "agent.h"

// parks_prepare replaces the native methods and has the classes rewritten, if parks are recorded. It reports each part
// that cannot be recorded.
void parks_prepare(JNIEnv *env);

// parks_stop restores the native methods.
void parks_stop(void);

// publish_existing_park publishes the park of another thread that is parked when the recording begins.
void publish_existing_park(JNIEnv *env, const jvmtiStackInfo *info);

// is_parked reports whether a thread is about to park for an object, or is parked for it. It sets owner to a local
// reference to the thread that owns the object; NULL for none.
bool is_parked(JNIEnv *env, jthread thread, jthread *owner);

// parked_for returns a local reference to the object of this id if another thread is parked for it; else NULL.
jobject parked_for(JNIEnv *env, jthread parked, int64_t id);

enum { UNKNOWN_OWNER = -1 };

// synchronizer_owner returns the id of the thread that owns an AbstractOwnableSynchronizer; 0 for none, UNKNOWN_OWNER if
// this JVM lacks the field.
int64_t synchronizer_owner(JNIEnv *env, jobject synchronizer);

// owning_thread returns that thread; NULL for none, or if this JVM lacks the field.
jthread owning_thread(JNIEnv *env, jobject synchronizer);

// lock_owner returns a local reference to the thread that owns a lock for which another thread is parked, and its id;
// NULL and 0 if nobody owns it. The id is UNKNOWN_OWNER if the thread is not parked for it.
jthread lock_owner(JNIEnv *env, jthread parked, int64_t lock, int64_t *id);

#endif
