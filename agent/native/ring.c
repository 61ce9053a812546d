//go:build agent

// Publishing in ring buffers. agent/ring documents the protocol between producers and the consumer.
#include "ring.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Static_assert(offsetof(struct header, epoch) == 32 && offsetof(struct header, rings) == 56 &&
				   offsetof(struct header, ringless) == 64 && offsetof(struct header, java_version) == 80 &&
				   offsetof(struct header, collected) == 88 && offsetof(struct header, alignment) == 96 &&
				   offsetof(struct header, overhead) == 100 &&
				   offsetof(struct header, extensions) == 104 && offsetof(struct header, jvm) == 128,
	"the header is laid out as in agent/ring/layout.go");
_Static_assert(sizeof(struct control) == CONTROL_SIZE && offsetof(struct control, tail) == 64, "so is a control");
_Static_assert(sizeof(struct cell) == CELL_SIZE, "so is a cell");
_Static_assert(EXTENSIONS == 8 * sizeof(((struct header *)NULL)->extensions), "an extension has a bit");

enum {
	LONGEST_WAIT = 100 * 1000 * 1000, // limit in nanoseconds of a thread's wait for free cells
	LONGEST_WAIT_OF_ALLOCATION = 2 * 1000 * 1000 * 1000 - 1, // for a thread that publishes allocations or frees
	NAP = 20 * 1000,
	CHECK_EVERY = 256, // cells between two checks of how many wait
};

// part is memory for cells: a ring's own, or an extension.
struct part {
	struct cell *cells;
	uint64_t size; // in cells, a power of two
};

// producer is the producer's side of a ring buffer.
struct producer {
	struct control *control;
	struct part own, current;
	uint64_t head;       // the position of the next cell
	uint64_t start;      // the position of the first cell in current
	uint64_t tail;       // the consumer's, as last read
	bool dropping;       // the ring was full for LONGEST_WAIT
	unsigned depth;      // nesting of ring_begin
	uint32_t generation; // of the segment
};

static unsigned char *segment;
static uint32_t generation;
static struct producer definitions;
static __thread struct producer mine;

#define load(field) __atomic_load_n(&(field), __ATOMIC_ACQUIRE)
#define store(field, value) __atomic_store_n(&(field), (value), __ATOMIC_RELEASE)

int64_t ring_now(void) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

struct header *ring_header(void) {
	return (struct header *)segment;
}

static struct control *control_of(uint32_t number) {
	return (struct control *)(segment + CONTROLS_AT + (size_t)number * CONTROL_SIZE);
}

// part_at returns one of the parts of a size from the offset on.
static struct part part_at(size_t at, uint32_t number, uint64_t size) {
	return (struct part){(struct cell *)(segment + at + number * size * CELL_SIZE), size};
}

// use makes the producer write its next cells into the part, which is empty.
static void use(struct producer *p, struct part part) {
	p->current = part;
	p->start = p->tail = p->head;
}

// open_ring opens a ring at the position where the previous ring has ended.
static void open_ring(struct producer *p, struct control *control, struct part own) {
	p->control = control;
	p->own = own;
	p->head = load(control->head);
	use(p, own);
}

void ring_segment(void *base) {
	segment = base;
	generation++;
	definitions = (struct producer){0};
	open_ring(&definitions, control_of(0), part_at(DEFINITIONS_AT, 0, DEFINITIONS_CELLS));
}

// acquire makes a free ring the calling thread's; false if all are in use.
static bool acquire(void) {
	struct header *header = ring_header();
	if (load(header->stop)) { // no consumer would free it again
		return false;
	}
	for (uint32_t n = 0; n < MAX_RINGS; n++) {
		struct control *control = control_of(n + 1);
		uint32_t expected = RING_FREE;
		if (load(control->state) != RING_FREE || !__atomic_compare_exchange_n(&control->state, &expected, RING_LIVE,
													 false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
			continue;
		}
		for (uint32_t used = load(header->rings); used <= n;) {
			if (__atomic_compare_exchange_n(&header->rings, &used, n + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
				break;
			}
		}
		open_ring(&mine, control, part_at(RINGS_AT, n, RING_CELLS));
		return true;
	}
	return false;
}

// ready reports whether the calling thread has a ring. It acquires one if needed.
static inline bool ready(void) {
	if (__builtin_expect(mine.control != NULL && mine.generation == generation, true)) {
		return true;
	}
	mine = (struct producer){.generation = generation};
	return acquire();
}

int64_t ring_begin(void) {
	if (!ready()) {
		return ring_now();
	}
	if (mine.depth++ > 0) {
		return ring_now();
	}
	// A consumer that reads the clock and then does not see the mark knows that this thread's next record is later. So
	// the mark must be visible before the clock is read.
	__atomic_exchange_n(&mine.control->busy, 1, __ATOMIC_SEQ_CST);
	int64_t now = ring_now();
	store(mine.control->begin, now);
	return now;
}

void ring_end(void) {
	if (mine.control == NULL || mine.generation != generation || mine.depth == 0 || --mine.depth > 0) {
		return;
	}
	store(mine.control->busy, 0);
}

void ring_wake(void) {
	struct header *header = ring_header();
	__atomic_add_fetch(&header->wake, 1, __ATOMIC_SEQ_CST);
	if (load(header->sleeping)) {
		syscall(SYS_futex, &header->wake, FUTEX_WAKE, 1, NULL, NULL, 0);
	}
}

// is_free reports whether the current part has this number of free cells, and one more for a CONTINUED.
static inline bool is_free(const struct producer *p, uint64_t cells) {
	return p->head - p->tail + cells < p->current.size;
}

static inline bool fits(struct producer *p, uint64_t cells) {
	if (__builtin_expect(is_free(p, cells), true)) {
		return true;
	}
	p->tail = load(p->control->tail);
	return is_free(p, cells);
}

// cell_at returns the cell of the position. A part is used from its beginning, which saves memory.
static inline struct cell *cell_at(const struct producer *p, uint64_t position) {
	return &p->current.cells[(position - p->start) & (p->current.size - 1)];
}

// continue_in has the ring continue in another part: an extension by its number from 1, or the ring's own cells. The
// consumer sees that together with the next record.
static void continue_in(struct producer *p, uint32_t number, struct part part) {
	*cell_at(p, p->head) = (struct cell){.word = CONTINUED, .argument = number};
	p->head++;
	use(p, part);
}

// extend has the ring continue in a free extension, and reports whether it could.
static bool extend(struct producer *p) {
	struct header *header = ring_header();
	uint64_t used = load(header->extensions);
	while (used != UINT64_MAX && !load(header->stop) &&
		   p->head - load(p->control->tail) <= MAX_WAITING - EXTENSION_CELLS) {
		uint32_t n = __builtin_ctzll(~used);
		if (__atomic_compare_exchange_n(
				&header->extensions, &used, used | UINT64_C(1) << n, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			continue_in(p, n + 1, part_at(EXTENSIONS_AT, n, EXTENSION_CELLS));
			return true;
		}
	}
	return false;
}

// await_cells handles a ring overflow: it extends the ring, or waits until the cells fit, for longest nanoseconds at most;
// not at all while records are being dropped.
static bool await_cells(struct producer *p, uint64_t cells, int64_t longest) {
	struct header *header = ring_header();
	int64_t begin = 0;
	while (!fits(p, cells) && !extend(p)) {
		if (p->dropping || load(header->stalled) || load(header->stop)) {
			return false;
		}
		int64_t now = ring_now();
		begin = begin ? begin : now;
		if (now - begin > longest) {
			p->dropping = true;
			return false;
		}
		ring_wake();
		nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
	}
	return true;
}

// put_payload copies the payload's size and bytes into the cells from the position on.
static void put_payload(struct producer *p, uint64_t position, const void *payload, size_t size) {
	unsigned char *bytes = (unsigned char *)p->current.cells;
	size_t ring = p->current.size * CELL_SIZE, at = (unsigned char *)cell_at(p, position) - bytes;
	uint32_t length = size;
	memcpy(bytes + at, &length, sizeof length);
	at += sizeof length; // fits in the cell
	size_t first = size < ring - at ? size : ring - at;
	memcpy(bytes + at, payload, first);
	memcpy(bytes, (const unsigned char *)payload + first, size - first);
}

unsigned char *ring_put_text(unsigned char *at, const char *text, uint32_t length) {
	memcpy(at, &length, sizeof length);
	if (length > 0) {
		memcpy(at + sizeof length, text, length);
	}
	return at + sizeof length + length;
}

// check_waiting wakes the consumer if many cells wait. If few do, the ring continues in its own cells again.
static void check_waiting(struct producer *p) {
	uint64_t tail = load(p->control->tail);
	if (p->head - tail >= p->own.size / 2) {
		ring_wake();
		return;
	}
	p->dropping = false;
	if (p->current.cells != p->own.cells && tail >= p->start) {
		continue_in(p, 0, p->own);
	}
}

static bool publish(struct producer *p, const struct record *r) {
	uint64_t cells = 1;
	unsigned flags = r->flags;
	if (r->payload_size > 0) {
		cells += (sizeof(uint32_t) + r->payload_size + CELL_SIZE - 1) / CELL_SIZE;
		flags |= HAS_PAYLOAD;
	}
	int64_t longest = r->kind == ALLOCATED || r->kind == FREED || r->kind == CALL_TREE || r->kind == METHOD_COUNT
		? LONGEST_WAIT_OF_ALLOCATION : LONGEST_WAIT;
	if (__builtin_expect(!fits(p, cells), false) && !await_cells(p, cells, longest)) {
		store(p->control->dropped, p->control->dropped + 1);
		return false;
	}
	uint64_t head = p->head;
	*cell_at(p, head) = (struct cell){
		(uint64_t)r->kind | (uint64_t)(flags & 0xFF) << 8 | (uint64_t)r->thread << 16, r->time, r->object, r->argument};
	if (r->payload_size > 0) {
		put_payload(p, head + 1, r->payload, r->payload_size);
	}
	p->head = head + cells;
	store(p->control->head, p->head);
	if (head / CHECK_EVERY != p->head / CHECK_EVERY) {
		check_waiting(p);
	}
	return true;
}

bool ring_publish(const struct record *record) {
	if (!ready()) {
		__atomic_add_fetch(&ring_header()->ringless, 1, __ATOMIC_RELAXED);
		return false;
	}
	return publish(&mine, record);
}

bool ring_has_place(uint64_t cells) {
	if (!ready()) {
		return false;
	}
	if (fits(&mine, cells)) {
		return true;
	}
	enum { SPARE_EXTENSIONS = EXTENSIONS / 4 };
	return cells < EXTENSION_CELLS && __builtin_popcountll(load(ring_header()->extensions)) < EXTENSIONS - SPARE_EXTENSIONS &&
		   fits(&mine, 0) && extend(&mine);
}

void ring_drop(void) {
	if (ready()) {
		store(mine.control->dropped, mine.control->dropped + 1);
	}
}

bool ring_define(const struct record *record) { return publish(&definitions, record); }

void ring_retire(void) {
	if (mine.control == NULL || mine.generation != generation) {
		return;
	}
	store(mine.control->busy, 0);
	store(mine.control->state, RING_RETIRED);
	mine = (struct producer){0};
}
