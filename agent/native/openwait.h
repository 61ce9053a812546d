//go:build agent

// The waits that threads are in, for monitors and of java.util.concurrent, for the thread that reads the states of what
// they wait for (state.c).
//
// Each thread keeps its own wait, in a cache line that no other thread writes, unless their ids are far apart.
#ifndef TRCX_OPENWAIT_H
#define TRCX_OPENWAIT_H

#include "agent.h"

// openwait is a thread that waits for an object since a time.
struct openwait {
	int64_t thread, object, since;
	enum awaited_kind { PARKS, PARKS_FOR_LOCK, WAITS_FOR_MONITOR } kind;
};

enum { MAX_OPENWAITS = 1 << 14 }; // each thread at its id modulo this; one whose place is taken takes it over

// openwait_begins notes that the record's thread begins to wait. One that parks again for the same lock has not stopped.
void openwait_begins(const struct record *record, enum awaited_kind kind);

// openwait_ends notes that the thread goes on, unless it has parked for a lock; openwait_acquired that it has got the lock,
// or given up.
void openwait_ends(int64_t thread);
void openwait_acquired(int64_t thread);

// openwait_at copies the wait at the place, up to openwaits_used; false if there is none.
uint32_t openwaits_used(void);
bool openwait_at(uint32_t at, struct openwait *wait);

// openwaits_clear forgets all, for another recording.
void openwaits_clear(void);

#endif
