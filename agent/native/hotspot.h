//go:build agent

// Offsets of fields in HotSpot's structures, from the table that it exports for debuggers (vmStructs). A field that the
// table does not have is UNKNOWN.
#ifndef TRCX_HOTSPOT_H
#define TRCX_HOTSPOT_H

#include "agent.h"

enum { UNKNOWN = -1 };

struct hotspot {
	bool found, prepared;
	bool owners_by_id;                    // a monitor's owner is a thread's id, not an address
	long pending_monitor;                 // JavaThread: the ObjectMonitor that it is blocked on
	long waiting_monitor;                 // JavaThread: the ObjectMonitor that it waits on
	long owner;                           // ObjectMonitor
	long object;                          // ObjectMonitor: a weak handle of the object
	long waiters;                         // ObjectMonitor: how many threads wait on it
	long stack_base, stack_size;          // JavaThread
	long method, constants, holder;       // of a Method its ConstMethod, of that its ConstantPool, of that its class
	long init_thread;                     // InstanceKlass: the JavaThread that initialises it
	long owner_id;                        // JavaThread: the id by which it, or its virtual thread, owns monitors
	long lock_stack;                      // JavaThread: objects that it has locked the fast way
	long lock_stack_top, lock_stack_base; // LockStack
	long env;                             // JavaThread: its JNIEnv
	long os_thread, native_id;            // JavaThread: its OSThread; OSThread: the id by which Linux knows the thread
	jfieldID eetop;                       // java.lang.Thread: the address of its JavaThread
	void *park, *unpark;                  // native methods of Unsafe; NULL if they are not found
};
extern struct hotspot hotspot;

// copy_memory reads memory that the JVM may free meanwhile: then it fails, or the content is useless.
bool copy_memory(void *to, uint64_t from, size_t size);

// jvm_library returns a dlsym handle of this JVM's library; NULL if it cannot be found.
void *jvm_library(void);

// loaded_library returns likewise a handle of a library of the JDK, such as libnio.so; NULL if the JVM has not loaded it.
void *loaded_library(const char *name);

// other_library writes the path of another loaded library whose name has this ending, and reports whether there is one.
bool other_library(const char *ending, char *path, size_t size);

// checks_jni reports whether the JVM checks the use of JNI, as with -Xcheck:jni.
bool checks_jni(void);

// hotspot_find reads the JVM's table. A thread of Go calls it while the JVM starts, because it takes milliseconds.
void hotspot_find(void);

// hotspot_static returns the address of a static field; NULL if the JVM does not export it.
const void *hotspot_static(const char *type, const char *name);

// hotspot_offset returns the offset of a field; UNKNOWN if the JVM does not export it.
long hotspot_offset(const char *type, const char *name);

// hotspot_collector returns the garbage collector of this JVM.
enum collector hotspot_collector(void);

// hotspot_alignment returns the alignment of objects in bytes; 0 if it is unknown.
uint32_t hotspot_alignment(void);

// hotspot_find_park searches the JVM's library for park and unpark, which takes milliseconds, too.
void hotspot_find_park(void);

// hotspot_prepare looks up the fields that need a Java thread, after hotspot_find. A platform thread calls it.
void hotspot_prepare(JNIEnv *env);

static inline uint64_t read_word(const char *base, long offset) { return *(const volatile uint64_t *)(base + offset); }

// java_thread_of returns a platform thread's JavaThread; NULL if the thread has ended.
static inline const char *java_thread_of(JNIEnv *env, jthread thread) {
	return hotspot.eetop != NULL ? (const char *)(intptr_t)(*env)->GetLongField(env, thread, hotspot.eetop) : NULL;
}

#endif
