package jfr

import (
	"slices"

	"github.com/trcx/trcx/internal/lru"
)

// threadCache has the state of live threads and of those that ended last, within a limit of bytes. Beyond the limit it
// evicts the least recently used threads, since many recordings lack the ends of virtual threads. Threads in an
// interval are not evicted; if all are, no thread can be added.
type threadCache[P cacheEntry] struct {
	threads   map[threadID]P
	newThread func() P
	limit     int // in bytes
	// evicted reports that threads possibly alive were evicted; limitReached that one could not be added.
	evicted, limitReached bool

	used    int                 // bytes
	ended   *lru.Ring[threadID] // that ended last
	clock   uint64              // counts uses
	retryAt uint64              // clock before which eviction is not tried again
}

// cacheEntry is a pointer to a struct that embeds cachedThread.
type cacheEntry interface{ entry() *cachedThread }

// cachedThread is the part of a thread's state that the cache uses.
type cachedThread struct {
	interval *interval // in which the thread is; nil if it runs
	lastUse  uint64
	charged  int32 // bytes
	dead     bool
}

func (t *cachedThread) entry() *cachedThread { return t }

const (
	threadMemory = 384 << 20 // limit of a threadCache: more than a million threads, all in intervals
	// threadCharge is charged for a thread with its interval and the interval's object, whether it has them or not.
	threadCharge = 344
	maxEnded     = 1 << 14 // ended threads kept
)

func newThreadCache[P cacheEntry](limit int, newThread func() P) threadCache[P] {
	return threadCache[P]{threads: map[threadID]P{}, newThread: newThread, limit: limit,
		ended: lru.NewRing[threadID](maxEnded)}
}

// get returns the thread of the id and adds it if it is new. It reports false if the limit is reached.
func (c *threadCache[P]) get(id threadID) (p P, ok bool) {
	c.clock++
	p, ok = c.threads[id]
	if !ok {
		if c.used+threadCharge > c.limit && !c.evictHalf() {
			c.limitReached = true
			return p, false
		}
		p = c.newThread()
		c.threads[id] = p
		c.charge(p, threadCharge)
	}
	p.entry().lastUse = c.clock
	return p, true
}

// charge adds bytes to the size of a thread.
func (c *threadCache[P]) charge(p P, bytes int) {
	p.entry().charged += int32(bytes)
	c.used += bytes
}

// end marks a thread as dead. It is kept until maxEnded others have ended.
func (c *threadCache[P]) end(id threadID) {
	c.threads[id].entry().dead = true
	oldest, left := c.ended.Put(id)
	if p, ok := c.threads[oldest]; left && ok && p.entry().dead {
		c.remove(oldest, p)
	}
}

func (c *threadCache[P]) remove(id threadID, p P) {
	c.used -= int(p.entry().charged)
	delete(c.threads, id)
}

// evictHalf evicts half of the running threads and reports whether one can be added now. It visits all threads; so if
// few are evicted, it is not tried again soon.
func (c *threadCache[P]) evictHalf() bool {
	if c.clock < c.retryAt {
		return false
	}
	var running []uint64
	for _, p := range c.threads {
		if p.entry().interval == nil {
			running = append(running, p.entry().lastUse)
		}
	}
	slices.Sort(running)
	half := running[:len(running)/2] // excludes the last used thread, which the caller may hold
	for id, p := range c.threads {
		if t := p.entry(); t.interval == nil && len(half) > 0 && t.lastUse <= half[len(half)-1] {
			c.evicted = c.evicted || !t.dead
			c.remove(id, p)
		}
	}
	const few = 16
	if len(half) <= len(c.threads)/few {
		c.retryAt = c.clock + uint64(len(c.threads)/few) + 1
	}
	return c.used+threadCharge <= c.limit
}
