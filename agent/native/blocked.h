//go:build agent

// Threads that are blocked on a monitor or a lock, for the thread that samples the holders (holder.h).
//
// A blocked thread has a slot, which it fills and empties itself. From MonitorContendedEnter to the thread's own
// MonitorContendedEntered the JVM keeps the monitor, so its owner can be read while the slot is held.
#ifndef TRCX_BLOCKED_H
#define TRCX_BLOCKED_H

#include "agent.h"

// blocked is a thread that is blocked on an object.
struct blocked {
	int64_t thread, object, since;
	int64_t owner;       // the thread that the trace has as the owner since the begin; 0 if it has none
	const void *monitor; // NULL for a lock
	bool existed;        // it was blocked before the recording, and does not report when it goes on
};

enum { MAX_BLOCKED = 1 << 14 }; // a thread's place is its id modulo this; if it is taken, the thread is left out

// blocked_prepare begins another recording, with the function that wakes the sampling thread.
void blocked_prepare(void (*wake)(void));

// blocked_begins notes that the record's thread is blocked, after the record is published. The thread itself or the
// sampling thread calls it.
void blocked_begins(const struct record *record, const void *monitor, int64_t owner);

// blocked_ends notes that the thread is no longer blocked. It is called before the time of the end is read.
void blocked_ends(int64_t thread);

// blocked_changed notes that a record other than a sample has reported something about the object's owner.
// blocked_changes returns how often that has happened.
void blocked_changed(int64_t object);
uint32_t blocked_changes(int64_t object);

// For the sampling thread.

// blocked_told notes the owner that a sample has reported.
void blocked_told(int64_t object, int64_t owner);

// blocked_used returns how many places have been in use. blocked_at copies the blocked thread at the place; false if
// the place is empty.
uint32_t blocked_used(void);
bool blocked_at(uint32_t at, struct blocked *blocked);

// blocked_still reports whether the thread has been blocked all the time since it was read.
bool blocked_still(const struct blocked *blocked);

// blocked_word reads the owner in the monitor that the thread is blocked on; false if it is blocked no longer.
bool blocked_word(const struct blocked *blocked, uint64_t *word);

// blocked_await notes that the sampling thread sleeps until the next thread is blocked. It returns false, and notes
// nothing, if a thread is blocked now.
bool blocked_await(void);

// blocked_clear empties all places.
void blocked_clear(void);

#endif
