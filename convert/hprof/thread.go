package hprof

import "github.com/trcx/trcx/internal/lru"

// maxEnded limits the ended threads that are remembered.
const maxEnded = 1 << 16

// threads has the threads of a log by number: all live ones, and the last ones that ended.
type threads struct {
	alive map[uint64]bool // false for ended ones
	ended *lru.Ring[uint64]
}

func newThreads() threads {
	return threads{alive: map[uint64]bool{}, ended: lru.NewRing[uint64](maxEnded)}
}

// seen reports whether the thread occurred.
func (t *threads) seen(number uint64) bool {
	_, seen := t.alive[number]
	return seen
}

// hasEnded reports whether the thread has ended.
func (t *threads) hasEnded(number uint64) bool { return t.seen(number) && !t.alive[number] }

// end ends a live thread. It reports whether another one is removed.
func (t *threads) end(number uint64) (forgotten bool) {
	t.alive[number] = false
	oldest, left := t.ended.Put(number)
	if !left || !t.hasEnded(oldest) {
		return false
	}
	delete(t.alive, oldest)
	return true
}
