//go:build agent

#include "openwait.h"

enum { CACHE_LINE = 64 };

static struct place {
	_Alignas(CACHE_LINE) int64_t thread; // 0 for no wait; the others are read only if it is the same before and after
	int64_t object, since;
	enum awaited_kind kind;
	bool unreported;
} places[MAX_OPENWAITS];
static uint32_t used;

void openwait_begins(const struct record *record, enum awaited_kind kind) {
	uint32_t at = record->thread % MAX_OPENWAITS;
	struct place *place = &places[at];
	if (kind == PARKS_FOR_LOCK && place->kind == kind && place->object == record->object &&
		__atomic_load_n(&place->thread, __ATOMIC_RELAXED) == record->thread) {
		return;
	}
	__atomic_store_n(&place->thread, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	__atomic_store_n(&place->object, record->object, __ATOMIC_RELAXED);
	__atomic_store_n(&place->since, record->time, __ATOMIC_RELAXED);
	__atomic_store_n(&place->kind, kind, __ATOMIC_RELAXED);
	bool unreported = (kind == PARKS || kind == PARKS_FOR_LOCK) && record->flags & EXISTED && record->argument != 0;
	__atomic_store_n(&place->unreported, unreported, __ATOMIC_RELAXED);
	__atomic_store_n(&place->thread, record->thread, __ATOMIC_RELEASE);
	for (uint32_t was = __atomic_load_n(&used, __ATOMIC_RELAXED); was <= at;) {
		if (__atomic_compare_exchange_n(&used, &was, at + 1, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
			break;
		}
	}
}

static void end(int64_t thread, bool acquired) {
	struct place *place = &places[thread % MAX_OPENWAITS];
	if (__atomic_load_n(&place->thread, __ATOMIC_RELAXED) == thread && (acquired || place->kind != PARKS_FOR_LOCK)) {
		__atomic_store_n(&place->thread, 0, __ATOMIC_RELAXED);
	}
}

void openwait_ends(int64_t thread) { end(thread, false); }

void openwait_acquired(int64_t thread) { end(thread, true); }

void openwait_was(int64_t thread, int64_t object) {
	const struct place *place = &places[thread % MAX_OPENWAITS];
	if (__atomic_load_n(&place->object, __ATOMIC_RELAXED) == object) {
		end(thread, true);
	}
}

uint32_t openwaits_used(void) { return __atomic_load_n(&used, __ATOMIC_ACQUIRE); }

bool openwait_at(uint32_t at, struct openwait *wait) {
	const struct place *place = &places[at];
	wait->thread = __atomic_load_n(&place->thread, __ATOMIC_ACQUIRE);
	wait->object = __atomic_load_n(&place->object, __ATOMIC_RELAXED);
	wait->since = __atomic_load_n(&place->since, __ATOMIC_RELAXED);
	wait->kind = __atomic_load_n(&place->kind, __ATOMIC_RELAXED);
	wait->unreported = __atomic_load_n(&place->unreported, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return wait->thread != 0 && __atomic_load_n(&place->thread, __ATOMIC_RELAXED) == wait->thread;
}

void openwaits_clear(void) {
	for (uint32_t at = 0; at < openwaits_used(); at++) {
		__atomic_store_n(&places[at].thread, 0, __ATOMIC_RELAXED);
	}
}
