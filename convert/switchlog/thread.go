package switchlog

import (
	"fmt"

	"github.com/trcx/trcx/trace"
)

// thread is a thread of the log.
type thread struct {
	name    string // without Thread- before it
	state   state
	started bool
	since   trace.Time // of a running one: when it was woken or started
	// earliest is, of one that does not run yet, when it can have been woken or started.
	earliest trace.Time
	woken    bool           // it has been woken
	by       trace.ThreadID // by this thread
	object   string         // that it waits on
	age      int            // the one in which it was seen last; see threads
}

func (t *thread) id() []byte { return []byte(t.name) }

// threadObject and waitObject are the ids of the thread's own object, and of the one that it waits on, which no other
// thread does. Names have no blanks.
func (t *thread) threadObject() string { return prefix + t.name }
func (t *thread) waitObject() string   { return "wait " + t.name }

// threads are those of the log that were seen in this age or the one before. The log does not say that a thread has
// ended, and so an age ends when mostThreads were seen in it.
type threads struct {
	known          map[string]*thread
	recent, before []*thread // that were seen in this age, and in the one before, in the order in which that was first
	age            int
}

// mostThreads is how many threads are seen in an age.
const mostThreads = 1 << 16

// all are the threads in the order in which they were seen first, since they were forgotten or at all.
func (t *threads) all() []*thread { return append(t.old(), t.recent...) }

// old are those that were not seen in this age, but in the one before.
func (t *threads) old() (old []*thread) {
	for _, thread := range t.before {
		if thread.age < t.age {
			old = append(old, thread)
		}
	}
	return old
}

// threadOf is the thread of the name.
func (r *reader) threadOf(name []byte) *thread {
	t := r.threads.known[string(name)]
	if t == nil {
		t = &thread{name: string(name), age: r.threads.age - 1}
		r.threads.known[t.name] = t
	}
	if t.age < r.threads.age {
		t.age = r.threads.age
		r.threads.recent = append(r.threads.recent, t)
	}
	return t
}

// age ends the age if it has had its threads. Those that were not seen in it are taken for ended, and are forgotten.
func (r *reader) age() {
	if len(r.threads.recent) < mostThreads {
		return
	}
	for _, old := range r.threads.old() {
		r.end(old)
	}
	r.threads.before, r.threads.recent = r.threads.recent, r.threads.before[:0]
	r.threads.age++
}

// end takes a thread for ended.
func (r *reader) end(t *thread) {
	if !r.crowded {
		r.crowded = true
		r.report(RuleThreads, trace.Warning, 0,
			fmt.Sprintf(
				"Thread-%s was not seen while more than %d others were, and is taken for ended; and so are others "+
					"from here on", t.name, mostThreads))
	}
	r.settle(t) // an error is kept
	if t.state != unseen {
		r.out.Element(trace.ThreadEnd, r.offset).Raw(trace.AttrThreadIDRef, t.id()).At(r.now).Put()
	}
	delete(r.threads.known, t.name)
}
