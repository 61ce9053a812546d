package jfr

import (
	"slices"

	"github.com/trcx/trcx/internal/lru"
)

// crowd is what a player knows of threads: of those that live, and of those that died last. It takes no more than a
// number of bytes, however many threads there are. Once that is not enough, threads that run are forgotten, those first
// of which nothing was heard for longest: many recordings do not tell of the ends of virtual threads. One that rests is
// not forgotten. Where all rest there is no room for others.
type crowd[P member] struct {
	of   map[threadID]P
	make func() P
	room int // in bytes
	// forgot says that threads that may live were forgotten; full that there was no room.
	forgot, full bool

	charged int
	dead    *lru.Ring[threadID] // those that died last
	touches uint64
	patient uint64 // up to so many touches there is no room for another thread
}

// member is what is known of one thread.
type member interface{ state() *presence }

// presence is what a crowd looks at.
type presence struct {
	rest    *rest  // in which it is; nil if it runs
	touched uint64 // when it was asked for
	charged int32
	dead    bool
}

func (p *presence) state() *presence { return p }

const (
	threadMemory = 384 << 20 // bytes of a crowd: of more than a million threads, all of them resting
	// What a thread is charged: for itself, and for what it rests in and the object there, whether it rests or not.
	threadCharge = 336
	maxDead      = 1 << 14 // how many dead threads are remembered
)

func newCrowd[P member](room int, make func() P) crowd[P] {
	return crowd[P]{of: map[threadID]P{}, make: make, room: room, dead: lru.NewRing[threadID](maxDead)}
}

// find is the thread of the id, which may be new. It is not ok where there is no room for it.
func (c *crowd[P]) find(id threadID) (p P, ok bool) {
	c.touches++
	p, ok = c.of[id]
	if !ok {
		if c.charged+threadCharge > c.room && !c.sweep() {
			c.full = true
			return p, false
		}
		p = c.make()
		c.of[id] = p
		c.charge(p, threadCharge)
	}
	p.state().touched = c.touches
	return p, true
}

// charge charges more bytes for a thread.
func (c *crowd[P]) charge(p P, bytes int) {
	p.state().charged += int32(bytes)
	c.charged += bytes
}

// died notes that the thread is dead, which is remembered for a while.
func (c *crowd[P]) died(id threadID) {
	c.of[id].state().dead = true
	oldest, left := c.dead.Put(id)
	if p, known := c.of[oldest]; left && known && p.state().dead {
		c.forget(oldest, p)
	}
}

func (c *crowd[P]) forget(id threadID, p P) {
	c.charged -= int(p.state().charged)
	delete(c.of, id)
}

// sweep forgets half of the threads that run, and says whether there is room now. It looks at all threads; so where
// that makes little room, it is not done again soon.
func (c *crowd[P]) sweep() bool {
	if c.touches < c.patient {
		return false
	}
	var running []uint64
	for _, p := range c.of {
		if p.state().rest == nil {
			running = append(running, p.state().touched)
		}
	}
	slices.Sort(running)
	half := running[:len(running)/2] // and never the one that was asked for last, with which somebody is busy
	for id, p := range c.of {
		if n := p.state(); n.rest == nil && len(half) > 0 && n.touched <= half[len(half)-1] {
			c.forgot = c.forgot || !n.dead
			c.forget(id, p)
		}
	}
	const seldom = 16
	if len(half) <= len(c.of)/seldom {
		c.patient = c.touches + uint64(len(c.of)/seldom) + 1
	}
	return c.charged+threadCharge <= c.room
}
