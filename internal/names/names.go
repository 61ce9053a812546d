// Package names caches the names of a trace's threads by their keys.
//
// Outputs use it for records that refer to a thread by key only. Its memory does not depend on the length of the
// trace: names that are not used for a long time are evicted, and lookups of evicted names are counted.
package names

import (
	"github.com/trcx/trcx/internal/list"
	"github.com/trcx/trcx/trace"
)

// The limits of the size of each generation, in bytes: of threads that live, and of those that have ended.
var (
	maxSize  = 16 << 20
	maxEnded = 8 << 20
)

// Cache maps thread keys to names. Put and Get move a thread to the young generation. When that is full it becomes the
// old one, whose threads are evicted. Threads that have ended are kept in some twelve bytes each. The zero Cache is
// empty.
type Cache struct {
	young, old living
	size       int // of the young generation, in bytes
	ended      ended
	evicted    bool // a thread was evicted
	misses     uint64
}

// living are threads that live. A map of them would take twice the memory of one of their numbers.
type living struct {
	numbers map[trace.ThreadKey]uint32
	threads list.List[Thread] // by their numbers
	free    []uint32          // numbers that are not used
}

// get returns the thread of the key, if it is one of them.
func (l *living) get(key trace.ThreadKey) (t Thread, ok bool) {
	if number, ok := l.numbers[key]; ok {
		return *l.threads.At(int(number)), true
	}
	return t, false
}

// put adds the thread, or replaces it.
func (l *living) put(key trace.ThreadKey, t Thread) {
	number, ok := l.numbers[key]
	if last := len(l.free) - 1; !ok && last >= 0 {
		number, l.free = l.free[last], l.free[:last]
	} else if !ok {
		number = uint32(l.threads.Len())
		l.threads.Add(Thread{})
	}
	if l.numbers == nil {
		l.numbers = map[trace.ThreadKey]uint32{}
	}
	l.numbers[key] = number
	*l.threads.At(int(number)) = t
}

// remove removes the thread of the key, if it is one of them.
func (l *living) remove(key trace.ThreadKey) {
	if number, ok := l.numbers[key]; ok {
		*l.threads.At(int(number)) = Thread{}
		l.free = append(l.free, number)
		delete(l.numbers, key)
	}
}

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
	t, cached := c.young.get(key)
	if cached {
		c.size -= sizeOf(t)
		c.young.remove(key)
	} else if t, cached = c.old.get(key); !cached {
		return
	}
	c.old.remove(key)
	c.evicted = c.ended.put(key, t) || c.evicted
}

func (c *Cache) put(key trace.ThreadKey, t Thread) {
	if before, cached := c.young.get(key); cached {
		c.size -= sizeOf(before)
	}
	c.young.put(key, t)
	if c.size += sizeOf(t); c.size > maxSize {
		c.evicted = c.evicted || len(c.old.numbers) > 0
		c.young, c.old, c.size = living{}, c.young, 0
	}
}

// sizeOf returns the size of a cached thread that lives, in bytes.
func sizeOf(t Thread) int { return threadSize + len(t.Name) }

// Get returns the thread as it was put last, or a Thread with its id only if it is not cached.
func (c *Cache) Get(thread trace.ThreadRef) Thread {
	if t, ok := c.young.get(thread.Key); ok {
		return t
	}
	if t, ok := c.old.get(thread.Key); ok {
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

// Misses returns the number of lookups without a result since the first eviction.
func (c *Cache) Misses() uint64 { return c.misses }
