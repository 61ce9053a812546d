// Package names caches the names of a trace's threads by their keys.
//
// Outputs use it for records that refer to a thread by key only. Its memory does not depend on the length of the
// trace: names that are not used for a long time are evicted, and lookups of evicted names are counted.
package names

import (
	"strconv"

	"github.com/trcx/trcx/internal/arena"
	"github.com/trcx/trcx/internal/list"
	"github.com/trcx/trcx/trace"
)

// The limits of the size of each generation, in bytes: of threads that live, and of those that have ended.
var (
	maxSize  = 16 << 20
	maxEnded = 8 << 20
)

// Cache maps thread keys to names. Put and Get move a thread to the young generation. When that is full it becomes the
// old one, whose threads are evicted. Threads that have ended are kept in some thirty bytes each. The zero Cache is
// empty.
type Cache struct {
	young, old map[trace.ThreadKey]Thread
	size       int // of the young generation, in bytes
	ended      ended
	evicted    bool // a thread was evicted
	misses     uint64
}

// ended are the threads that have ended, in generations of their own.
type ended struct {
	young, old arena.Arena
	size       int               // of the young generation, in bytes
	generation uint64            // the number of the young one
	positions  list.List[uint64] // by key: the generation's number, and the position in it plus one; 0 if there is none
}

// positionBits is the number of bits of a position in a generation.
const positionBits = 32

// Thread is an incarnation of a thread.
type Thread struct {
	ID      trace.ThreadID
	Name    string // "" if it is unknown
	Session int    // the recording that its ids belong to
}

// Title returns the thread's name, or "thread " and its id if the name is unknown.
func (t *Thread) Title() string {
	if t.Name != "" {
		return t.Name
	}
	return "thread " + t.ID.String()
}

// threadSize is the size of a cached thread that lives, without its name, in bytes.
const threadSize = 128

// Put adds a thread, or replaces its name.
func (c *Cache) Put(t *trace.ModelThread) {
	c.put(t.Key, Thread{ID: t.ID, Name: t.Name, Session: t.Session})
}

// End notes that the thread has ended.
func (c *Cache) End(key trace.ThreadKey) {
	t, cached := c.young[key]
	if cached {
		c.size -= sizeOf(t)
		delete(c.young, key)
	} else if t, cached = c.old[key]; !cached {
		return
	}
	delete(c.old, key)
	c.evicted = c.ended.put(key, t) || c.evicted
}

func (c *Cache) put(key trace.ThreadKey, t Thread) {
	if c.young == nil {
		c.young = make(map[trace.ThreadKey]Thread)
	}
	if before, cached := c.young[key]; cached {
		c.size -= sizeOf(before)
	}
	c.young[key] = t
	if c.size += sizeOf(t); c.size > maxSize {
		c.evicted = c.evicted || len(c.old) > 0
		c.young, c.old, c.size = nil, c.young, 0
	}
}

// sizeOf returns the size of a cached thread that lives, in bytes.
func sizeOf(t Thread) int { return threadSize + len(t.Name) }

// Get returns the thread as it was put last, or a Thread with its id only if it is not cached.
func (c *Cache) Get(thread trace.ThreadRef) Thread {
	if t, ok := c.young[thread.Key]; ok {
		return t
	}
	if t, ok := c.old[thread.Key]; ok {
		c.put(thread.Key, t)
		return t
	}
	if t, ok := c.ended.get(thread.Key); ok {
		return t
	}
	if c.evicted {
		c.misses++
	}
	return Thread{ID: thread.ID}
}

// put adds a thread, and reports whether others were evicted.
func (e *ended) put(key trace.ThreadKey, t Thread) (evicted bool) {
	for e.positions.Len() <= int(key) {
		e.positions.Add(0)
	}
	id, session := t.ID.String(), strconv.Itoa(t.Session)
	if e.size > maxEnded {
		evicted = e.generation > 0
		e.old, e.young, e.size = e.young, arena.Arena{}, 0
		e.generation++
	}
	e.size += len(id) + len(t.Name) + len(session)
	*e.positions.At(int(key)) = e.generation<<positionBits | e.young.Add(id, t.Name, session) + 1
	return evicted
}

func (e *ended) get(key trace.ThreadKey) (t Thread, cached bool) {
	if int(key) >= e.positions.Len() {
		return t, false
	}
	var id, name, session string
	position := *e.positions.At(int(key))
	generation := position >> positionBits
	if position == 0 || generation+1 < e.generation {
		return t, false
	}
	in := &e.young
	if generation < e.generation {
		in = &e.old
	}
	in.Get(position&(1<<positionBits-1)-1, &id, &name, &session)
	t = Thread{ID: trace.ThreadFrom([]byte(id)), Name: name}
	t.Session, _ = strconv.Atoi(session)
	if generation < e.generation {
		e.put(key, t)
	}
	return t, true
}

// Misses returns the number of lookups without a result since the first eviction.
func (c *Cache) Misses() uint64 { return c.misses }
