//go:build agent

#include "stub.h"

#include <pthread.h>

#include "hotspot.h"

// Fields and sizes of HotSpot's code cache. It has some heaps; each is divided into segments. A map has a byte for each
// segment: how many segments before it its block begins, or a large number in several steps.
static struct {
	bool known, narrow;             // narrow: a mark has 16 bits, otherwise 32
	const char *const *heaps;       // a GrowableArray
	long length, elements;          // GrowableArray
	long memory, map, segment_bits; // CodeHeap: two VirtualSpaces, and the binary logarithm of a segment's size
	long low, high;                 // VirtualSpace
	uint64_t block_header;          // bytes between the begin of a block and its CodeBlob
	long mark, frame_size;          // CodeBlob
	long last_sp;                   // JavaThread: the top of the stack in Java code
} cache;

enum { NEVER_COMPLETE = -1, FREE_SEGMENT = 0xff, MAX_HEAPS = 16, MAX_FRAME = 1 << 10, MAX_MARKED = 64 };

static void *marks[MAX_MARKED]; // those removed
static size_t marked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void find_cache(void) {
	const char *const *heaps = hotspot_static("CodeCache", "_heaps");
	long anchor = hotspot_offset("JavaThread", "_anchor"), sp = hotspot_offset("JavaFrameAnchor", "_last_Java_sp");
	cache.heaps = heaps;
	cache.length = hotspot_offset("GrowableArrayBase", "_len");
	cache.elements = hotspot_offset("GrowableArray<int>", "_data");
	cache.memory = hotspot_offset("CodeHeap", "_memory");
	cache.map = hotspot_offset("CodeHeap", "_segmap");
	cache.segment_bits = hotspot_offset("CodeHeap", "_log2_segment_size");
	cache.low = hotspot_offset("VirtualSpace", "_low");
	cache.high = hotspot_offset("VirtualSpace", "_high");
	cache.block_header = hotspot_size("HeapBlock");
	cache.mark = hotspot_offset("CodeBlob", "_frame_complete_offset");
	cache.frame_size = hotspot_offset("CodeBlob", "_frame_size");
	cache.narrow = hotspot_is("CodeBlob", "_frame_complete_offset", "int16_t");
	cache.last_sp = anchor + sp;
	cache.known = heaps != NULL && *heaps != NULL && anchor != UNKNOWN && sp != UNKNOWN && cache.length != UNKNOWN &&
				  cache.elements != UNKNOWN && cache.memory != UNKNOWN && cache.map != UNKNOWN &&
				  cache.segment_bits != UNKNOWN && cache.low != UNKNOWN && cache.high != UNKNOWN &&
				  cache.block_header != 0 && cache.mark != UNKNOWN && cache.frame_size != UNKNOWN &&
				  (cache.narrow || hotspot_is("CodeBlob", "_frame_complete_offset", "int"));
}

// blob_in returns the CodeBlob with the address, if the heap has it; NULL otherwise.
static char *blob_in(const char *heap, uint64_t address) {
	uint64_t low = read_word(heap, cache.memory + cache.low), high = read_word(heap, cache.memory + cache.high);
	if (address < low || address >= high) {
		return NULL;
	}
	const unsigned char *map = (const unsigned char *)read_word(heap, cache.map + cache.low);
	int bits = *(const int *)(heap + cache.segment_bits);
	uint64_t segment = (address - low) >> bits;
	if (map[segment] == FREE_SEGMENT) {
		return NULL;
	}
	while (map[segment] > 0 && map[segment] <= segment) {
		segment -= map[segment];
	}
	return (char *)low + (segment << bits) + cache.block_header;
}

static char *blob_of(uint64_t address) {
	const char *heaps = *cache.heaps;
	int count = *(const int *)(heaps + cache.length);
	const char *const *all = (const char *const *)read_word(heaps, cache.elements);
	for (int i = 0; i < count && i < MAX_HEAPS; i++) {
		char *blob = blob_in(all[i], address);
		if (blob != NULL) {
			return blob;
		}
	}
	return NULL;
}

static int mark_at(const void *mark) { return cache.narrow ? *(const int16_t *)mark : *(const int32_t *)mark; }

static void set_mark(void *mark, int value) {
	if (cache.narrow) {
		*(volatile int16_t *)mark = (int16_t)value;
	} else {
		*(volatile int32_t *)mark = value;
	}
}

// remove_mark reports whether there was a mark to remove. After the recording it removes none, so that all are restored.
static bool remove_mark(void *mark) {
	bool removed = false;
	pthread_mutex_lock(&lock);
	if (recording() && mark_at(mark) == NEVER_COMPLETE && marked < MAX_MARKED) {
		marks[marked++] = mark;
		set_mark(mark, 0);
		removed = true;
	}
	pthread_mutex_unlock(&lock);
	return removed;
}

bool stub_make_readable(JNIEnv *env) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, find_cache);
	if (!cache.known || hotspot.env <= 0) {
		return false;
	}
	const uint64_t *sp = (const uint64_t *)read_word((const char *)env - hotspot.env, cache.last_sp);
	char *blob = sp != NULL ? blob_of(sp[-1]) : NULL; // a call pushes its return address
	if (blob == NULL) {
		return false;
	}
	int frame_size = *(const int *)(blob + cache.frame_size);
	return frame_size > 0 && frame_size < MAX_FRAME && remove_mark(blob + cache.mark);
}

void stubs_restore(void) {
	pthread_mutex_lock(&lock);
	while (marked > 0) {
		set_mark(marks[--marked], NEVER_COMPLETE);
	}
	pthread_mutex_unlock(&lock);
}
