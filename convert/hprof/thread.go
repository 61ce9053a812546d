package hprof

import "github.com/trcx/trcx/internal/lru"

// maxEnded is how many threads that have ended are remembered.
const maxEnded = 1 << 16

// threads are those of a log, by their numbers: all that live, and those that ended last.
type threads struct {
	lives map[uint64]bool // false of those that have ended
	ended *lru.Ring[uint64]
}

func newThreads() threads {
	return threads{lives: map[uint64]bool{}, ended: lru.NewRing[uint64](maxEnded)}
}

// seen says whether anything was said of the thread.
func (t *threads) seen(number uint64) bool {
	_, seen := t.lives[number]
	return seen
}

// hasEnded says whether the thread is known to have ended.
func (t *threads) hasEnded(number uint64) bool { return t.seen(number) && !t.lives[number] }

// end ends a thread that lives, and says whether another one is forgotten, which gives room.
func (t *threads) end(number uint64) (forgotten bool) {
	t.lives[number] = false
	oldest, left := t.ended.Put(number)
	if !left || !t.hasEnded(oldest) {
		return false
	}
	delete(t.lives, oldest)
	return true
}
