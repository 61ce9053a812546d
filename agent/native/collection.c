//go:build agent

#include "collection.h"

#include <string.h>

#include "hotspot.h"

static enum collector collector;
static const char *const *heap;       // the address of the JVM's CollectedHeap
static long total_at;                 // CollectedHeap: number of collections
static const volatile uint64_t *major; // number of Z's pauses for full collections; NULL if unknown
static uint32_t last_full;
static uint64_t last_major;

// performance_counter returns the address of a number among the JVM's performance counters; NULL if they are disabled.
static const volatile uint64_t *performance_counter(const char *name) {
	enum { USED_AT = 8, FIRST_AT = 24, COUNT_AT = 28, NAME_AT = 4, VALUE_AT = 16 }; // as the JDK's jstat reads them
	const char *const *start = hotspot_static("PerfMemory", "_start");
	const char *memory = start != NULL ? *start : NULL;
	if (memory == NULL) {
		return NULL;
	}
	const int32_t used = *(const int32_t *)(memory + USED_AT), count = *(const int32_t *)(memory + COUNT_AT);
	int32_t at = *(const int32_t *)(memory + FIRST_AT);
	for (int32_t i = 0; i < count && at > 0 && at < used; i++) {
		const int32_t *entry = (const int32_t *)(memory + at);
		if (strcmp(memory + at + entry[NAME_AT / sizeof *entry], name) == 0) {
			return (const volatile uint64_t *)(memory + at + entry[VALUE_AT / sizeof *entry]);
		}
		at += *entry;
	}
	return NULL;
}

// read_total reads the numbers of all and of full collections that have begun, which HotSpot keeps side by side; false
// if they are unknown.
static bool read_total(uint32_t *total, uint32_t *full) {
	if (heap == NULL || *heap == NULL || total_at == UNKNOWN) {
		return false;
	}
	const volatile uint32_t *counts = (const volatile uint32_t *)(*heap + total_at);
	*total = counts[0];
	*full = counts[1];
	return *full <= *total;
}

void collections_begin(enum collector of) {
	collector = of;
	heap = hotspot_static("Universe", "_collectedHeap");
	total_at = hotspot_offset("CollectedHeap", "_total_collections");
	major = of == Z ? performance_counter("sun.gc.collector.2.invocations") : NULL;
	uint32_t total;
	if (!read_total(&total, &last_full)) {
		last_full = 0;
	}
	last_major = major != NULL ? *major : 0;
}

// Serial, Parallel and G1 make a full collection in one pause. Z makes it in several pauses, and pauses of other
// collections can come between them. Shenandoah does not count its cycles.
struct collection collection_paused(void) {
	const struct collection unknown = {.full = -1};
	uint32_t total, full;
	if (collector == NO_COLLECTOR || collector == SHENANDOAH || !read_total(&total, &full)) {
		return unknown;
	}
	bool is_full = full > last_full;
	last_full = full;
	if (collector == Z) {
		if (major == NULL) {
			return (struct collection){total, -1};
		}
		is_full = *major > last_major;
		last_major = *major;
	}
	return (struct collection){total, is_full ? full : 0};
}
