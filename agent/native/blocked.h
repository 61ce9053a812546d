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
	const void *monitor; // NULL of a lock
	bool existed;        // it was blocked before the recording, and does not say when that ends
};

enum { MAX_BLOCKED = 1 << 14 }; // each thread at its id modulo this; one whose place is taken is left out

// blocked_prepare begins another recording, with what wakes the thread that samples.
void blocked_prepare(void (*wake)(void));

// blocked_begins notes that the record's thread is blocked, after the record is published. The thread itself calls it,
// or the one that samples.
void blocked_begins(const struct record *record, const void *monitor, int64_t owner);

// blocked_ends notes that the thread is blocked no longer, before the time of that is read.
void blocked_ends(int64_t thread);

// blocked_changed notes that a record other than a sample's has told something of the object's owner. blocked_changes
// counts the times.
void blocked_changed(int64_t object);
uint32_t blocked_changes(int64_t object);

// For the thread that samples.

// blocked_told notes the owner that a sample has told.
void blocked_told(int64_t object, int64_t owner);

// blocked_used returns how many places have been in use. blocked_at copies the blocked thread at the place; false if
// there is none.
uint32_t blocked_used(void);
bool blocked_at(uint32_t at, struct blocked *blocked);

// blocked_still reports whether the thread has been blocked all the time since it was read.
bool blocked_still(const struct blocked *blocked);

// blocked_word reads the owner in the monitor that the thread is blocked on; false if it is blocked no longer.
bool blocked_word(const struct blocked *blocked, uint64_t *word);

// blocked_await tells that the thread that samples sleeps until the next thread is blocked. It returns false, and does
// not tell so, if one is.
bool blocked_await(void);

// blocked_clear empties all places.
void blocked_clear(void);

#endif
