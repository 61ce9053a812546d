//go:build agent

// Ring buffers: the memory that callbacks share with the writer of the trace. agent/ring declares the same layout in Go
// and documents it; its tests compare the two.
#ifndef TRCX_RING_H
#define TRCX_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	HEADER_SIZE = 4096,
	CONTROL_SIZE = 128,
	CELL_SIZE = 32,
	RING_CELLS = 2048,
	DEFINITIONS_CELLS = 32768,
	MAX_RINGS = 32768,
	EXTENSIONS = 64,
	EXTENSION_CELLS = 32768,
	MAX_WAITING = EXTENSIONS / 4 * EXTENSION_CELLS,
	CONTROLS_AT = HEADER_SIZE,
	DEFINITIONS_AT = CONTROLS_AT + (4 << 20) + 4096,
	EXTENSIONS_AT = DEFINITIONS_AT + DEFINITIONS_CELLS * CELL_SIZE,
	RINGS_AT = EXTENSIONS_AT + EXTENSIONS * EXTENSION_CELLS * CELL_SIZE,
	MAX_PAYLOAD = RING_CELLS / 2 * CELL_SIZE,
};

// Kinds of records and their flags, documented in agent/ring/layout.go.
enum kind {
	NO_RECORD,
	THREAD_START,
	THREAD_END,
	CONTENDED_ENTER,
	CONTENDED_ENTERED,
	WAIT,
	WAITED,
	CALL_START,
	CALL_INTERRUPT,
	CALL_NOTIFY,
	THREAD_INTERRUPTED,
	GC_START,
	GC_FINISH,
	INIT_DONE,
	SHUTDOWN,
	DEFINE_CLASS,
	DEFINE_OBJECT,
	DEFINE_METHOD,
	PARK,
	PARKED,
	UNPARK,
	ACQUIRED,
	SIGNAL,
	SIGNALLED,
	ALLOCATED,
	FREED,
	CPU_USED,
	HELD,
	INIT_WAIT,
	STATE,
	METHOD_COUNT,
	CALL_TREE,
	METHOD_ENTRY,
	METHOD_EXIT,
	LEFT_OUT,
	CONTINUED,
};

enum flag {
	VIRTUAL = 1 << 0,
	EXISTED = 1 << 1,
	OWNER_THREAD = 1 << 2,
	OWNER_ADDRESS = 1 << 3,
	TIMED_OUT = 1 << 4,
	ALL = 1 << 5,
	NATIVE = 1 << 6,
	HAS_PAYLOAD = 1 << 7,

	RECORDED = 1 << 0,

	ABSOLUTE = 1 << 0,
	IS_LOCK = 1 << 3,
	INTERRUPTED = 1 << 4,
	OWNABLE = 1 << 5,

	JOINS = 1 << 5,

	SEEN = 1 << 0,
	OWNER_NEWS = 1 << 0,
};

enum { OPERATION_SHIFT = 2 };
// Garbage collectors: the flags of a GC_FINISH.
enum collector {
	NO_COLLECTOR,
	SERIAL,
	PARALLEL,
	G1,
	SHENANDOAH,
	Z,
	EPSILON,
};

enum { SLEEP = -1, UNKNOWN_TIMEOUT = -1, NO_LOCATION = 0xFFFF };

enum phase { PHASE_WAITING, PHASE_RECORDING, PHASE_ENDED };

enum ring_state { RING_FREE, RING_LIVE, RING_RETIRED };

struct header {
	uint64_t magic;
	uint32_t version;
	uint32_t pid;
	uint32_t wake;
	uint32_t sleeping;
	uint32_t phase;
	uint32_t stalled;
	int64_t epoch;
	int64_t started;
	int64_t ended;
	uint32_t rings;
	uint32_t stop;
	uint64_t ringless;
	uint64_t left_alone;
	uint32_t java_version;
	uint32_t lost_size;
	int64_t collected;
	uint32_t alignment;
	uint32_t overhead;
	uint64_t extensions;
	uint32_t unused_too[4];
	char jvm[256];
	char lost[1024];
};

struct control {
	// The producer's cache line.
	uint64_t head;
	uint32_t busy;
	uint32_t state;
	int64_t begin;
	uint64_t dropped;
	uint64_t unused[4];
	// The consumer's cache line.
	uint64_t tail;
	uint64_t unused_too[7];
};

struct cell {
	uint64_t word; // kind, flags << 8, thread << 16
	int64_t time;
	int64_t object;
	int64_t argument;
};

// A record to be published.
struct record {
	enum kind kind;
	unsigned flags;
	int64_t thread;
	int64_t time;
	int64_t object;
	int64_t argument;
	const void *payload;
	size_t payload_size;
};

// ring_now returns CLOCK_MONOTONIC in nanoseconds, the time of all records.
int64_t ring_now(void);

// ring_segment sets the memory that records are written to.
void ring_segment(void *base);
struct header *ring_header(void);

// ring_begin marks the calling thread's ring busy and returns the time; a ring_end must follow. Both may be nested.
int64_t ring_begin(void);
void ring_end(void);

// ring_publish publishes a record in the calling thread's ring, between ring_begin and ring_end. If the ring is full,
// and no extension is free, it waits for a bounded time; then it counts the record as dropped, and returns false.
bool ring_publish(const struct record *record);

// ring_has_place reports whether the calling thread's ring has this number of free cells for itself, so that
// ring_publish does not wait. It leaves some of the extensions to records that must not be lost.
bool ring_has_place(uint64_t cells);

// ring_drop counts a record that the caller does not publish as lost.
void ring_drop(void);

// ring_define publishes a definition; the caller holds the lock of all definitions. It returns false if the ring was
// full.
bool ring_define(const struct record *record);

// ring_put_text writes a length and a text of that length into a payload, and returns the end. The text may be NULL if
// the length is 0.
unsigned char *ring_put_text(unsigned char *at, const char *text, uint32_t length);

// ring_retire frees the calling thread's ring; the thread may acquire another one later.
void ring_retire(void);

// ring_wake wakes the consumer.
void ring_wake(void);

#endif
