// Package names remembers what a trace has called its threads, for those who come to speak of them later.
//
// It stands beneath the rooms of emit that need names for keys. Its memory does not depend on the length of the trace:
// a name that has not been asked for in a long time is forgotten, and that is counted.
package names

import "github.com/trcx/trcx/trace"

// mostKept is about how many bytes of names each generation holds.
var mostKept = 16 << 20

// Book holds the names of threads. What is noted or asked for is in the young generation; when that is full it becomes
// the old one, and what was in the old one by then is forgotten. The zero Book is empty.
type Book struct {
	young, old map[trace.ThreadKey]Thread
	size       int  // bytes that the young ones take, about
	lost       bool // some are forgotten
	missed     uint64
}

// Thread is an incarnation of a thread.
type Thread struct {
	ID      trace.ThreadID
	Name    string // "" if the trace has not told it
	Session int    // the recording that its ids belong to
}

// Title is what to call the thread: its name, or else its id.
func (t *Thread) Title() string {
	if t.Name != "" {
		return t.Name
	}
	return "thread " + t.ID.String()
}

// threadSize is what a thread takes besides its name.
const threadSize = 128

// Thread notes what a thread is called now.
func (b *Book) Thread(t *trace.ModelThread) {
	b.note(t.Key, Thread{ID: t.ID, Name: t.Name, Session: t.Session})
}

func (b *Book) note(key trace.ThreadKey, t Thread) {
	if b.young == nil {
		b.young = make(map[trace.ThreadKey]Thread)
	}
	if before, again := b.young[key]; again {
		b.size -= threadSize + len(before.Name)
	}
	b.young[key] = t
	if b.size += threadSize + len(t.Name); b.size > mostKept {
		b.lost = b.lost || len(b.old) > 0
		b.young, b.old, b.size = nil, b.young, 0
	}
}

// Of is what was noted last of the thread; if that is forgotten, a Thread of which only the id is known.
func (b *Book) Of(thread trace.ThreadRef) Thread {
	if known, ok := b.young[thread.Key]; ok {
		return known
	}
	if known, ok := b.old[thread.Key]; ok {
		b.note(thread.Key, known)
		return known
	}
	if b.lost {
		b.missed++
	}
	return Thread{ID: thread.ID}
}

// Forgotten is how often a name was asked for that had been noted and was not there any more.
func (b *Book) Forgotten() uint64 { return b.missed }
