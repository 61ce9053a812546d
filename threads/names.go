package threads

import (
	"strconv"

	"github.com/trcx/trcx/internal/arena"
	"github.com/trcx/trcx/trace"
)

// Names has the names of threads, and the recordings of their ids, in about thirty bytes each. The zero Names is empty,
// and keeps everything in memory.
type Names struct {
	positions List[uint64] // in texts, plus one; 0 if nothing is known of the thread
	texts     arena.Arena
}

// Thread names an incarnation of a thread.
type Thread struct {
	ID          trace.ThreadID
	Name, Group string // "" if unknown
	Session     int    // the index of the recording that the id belongs to
}

// Title returns the thread's name, or "thread " and its id if the name is unknown.
func (t *Thread) Title() string {
	if t.Name != "" {
		return t.Name
	}
	return "thread " + t.ID.String()
}

// OfJVM reports whether the thread is one of the JVM's own by its name or group.
func (t *Thread) OfJVM() bool {
	described := trace.ModelThread{Name: t.Name, Group: t.Group}
	return described.OfJVM()
}

// Keep keeps the names of threads that have ended in the Store.
func (n *Names) Keep(s Store) {
	n.positions.Keep(s)
	n.texts.Store = s
}

// Put adds a thread, or replaces what is known of it.
func (n *Names) Put(t *trace.ModelThread) {
	*n.positions.Change(t.Key) = n.texts.Add(t.ID.String(), t.Name, t.Group, strconv.Itoa(t.Session)) + 1
}

// End notes that the thread has ended. It is to be called once for each thread.
func (n *Names) End(key trace.ThreadKey) { n.positions.End(key) }

// Last returns the last key.
func (n *Names) Last() trace.ThreadKey { return n.positions.Last() }

// Get returns the thread of the key; the zero Thread if nothing is known of it.
func (n *Names) Get(key trace.ThreadKey) (t Thread) {
	if key == 0 || key > n.positions.Last() {
		return t
	}
	position := *n.positions.At(key)
	if position == 0 {
		return t
	}
	var id, session string
	n.texts.Get(position-1, &id, &t.Name, &t.Group, &session)
	t.ID = trace.ThreadFrom([]byte(id))
	t.Session, _ = strconv.Atoi(session)
	return t
}

// VirtualName returns the name shown for a virtual thread without a name: virtual #27.
func VirtualName(id trace.ThreadID) string { return "virtual #" + id.String() }
