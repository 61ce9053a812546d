// Package names caches the names of a trace's threads by their keys.
//
// Outputs use it for records that refer to a thread by key only. Its memory does not depend on the length of the
// trace: names that are not used for a long time are evicted, and lookups of evicted names are counted.
package names

import "github.com/trcx/trcx/trace"

// The limits of the size of each generation, in bytes: of threads that live, and of those that have ended.
var (
	maxSize  = 16 << 20
	maxEnded = 8 << 20
)

// Cache maps thread keys to names. Put and Get move a thread to the young generation. When that is full it becomes the
// old one, whose threads are evicted. Threads that have ended are kept in some twelve bytes each. The zero Cache is
// empty.
type Cache struct {
	young, old map[trace.ThreadKey]Thread
	size       int // of the young generation, in bytes
	ended      ended
	evicted    bool // a thread was evicted
	misses     uint64
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

// Misses returns the number of lookups without a result since the first eviction.
func (c *Cache) Misses() uint64 { return c.misses }
