//go:build agent

// The current waits of threads: for monitors, in java.util.concurrent, and for input or output. The thread that reads the
// states of the awaited objects (state.c, peer.c) uses them.
//
// Each thread keeps its own wait, in a cache line that no other thread writes, unless their ids are far apart.
#ifndef TRCX_OPENWAIT_H
#define TRCX_OPENWAIT_H

#include "agent.h"

// openwait is a thread that has been waiting for an object since a time.
struct openwait {
	int64_t thread, object, since;
	enum awaited_kind { PARKS, PARKS_FOR_LOCK, WAITS_FOR_MONITOR, WAITS_FOR_IO } kind;
	bool unreported; // a park with a timeout from before the recording: the thread does not report its end
};

enum { LEAST_WAIT = 1000 * 1000 * 1000 }; // nanoseconds of a wait from which the state of its object is read

enum { MAX_OPENWAITS = 1 << 14 }; // a thread's place is its id modulo this; the latest thread has the place

// openwait_begins notes that the record's thread begins to wait. A thread that parks again for a lock still waits.
void openwait_begins(const struct record *record, enum awaited_kind kind);

// openwait_ends notes that the thread goes on, unless it has parked for a lock; openwait_acquired notes that it has
// acquired the lock or given up.
void openwait_ends(int64_t thread);
void openwait_acquired(int64_t thread);

// openwait_was notes that the thread does not wait for the object any more; it may wait for another one already.
void openwait_was(int64_t thread, int64_t object);

// openwait_at copies the wait at the place, which is less than openwaits_used; false if the place is empty.
uint32_t openwaits_used(void);
bool openwait_at(uint32_t at, struct openwait *wait);

// openwaits_clear forgets all waits, for another recording.
void openwaits_clear(void);

#endif
