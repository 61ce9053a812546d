package switchlog

import (
	"fmt"

	"github.com/trcx/trcx/trace"
)

// thread is a thread of the log.
type thread struct {
	name    string // without Thread-
	state   state
	started bool
	since   trace.Time // for a running thread: when it was woken or started
	// earliest is the time from which a thread that does not run can have been woken or started.
	earliest trace.Time
	woken    bool           // another thread has woken it
	by       trace.ThreadID // that thread
	object   string         // that it waits on
	age      int            // the age in which it last occurred; see threads
}

func (t *thread) id() []byte { return []byte(t.name) }

// threadObject and waitObject return the ids of the thread's object, and of the object on which only this thread waits.
// Names have no blanks.
func (t *thread) threadObject() string { return prefix + t.name }
func (t *thread) waitObject() string   { return "wait " + t.name }

// threads has the threads that occurred in this age or the previous one. The log does not show the ends of threads, so
// an age ends when maxThreads have occurred in it.
type threads struct {
	byName         map[string]*thread
	recent, before []*thread // of this age and of the previous one, in the order of their first occurrence
	age            int
}

// maxThreads is the number of threads in an age.
const maxThreads = 1 << 16

// all returns the threads in the order of their first occurrence.
func (t *threads) all() []*thread { return append(t.unseen(), t.recent...) }

// unseen returns the threads that occurred in the previous age only.
func (t *threads) unseen() (old []*thread) {
	for _, thread := range t.before {
		if thread.age < t.age {
			old = append(old, thread)
		}
	}
	return old
}

// threadOf returns the thread of the name and adds it if it is new.
func (r *reader) threadOf(name []byte) *thread {
	t := r.threads.byName[string(name)]
	if t == nil {
		t = &thread{name: string(name), age: r.threads.age - 1}
		r.threads.byName[t.name] = t
	}
	if t.age < r.threads.age {
		t.age = r.threads.age
		r.threads.recent = append(r.threads.recent, t)
	}
	return t
}

// nextAge ends the age if it is full. Threads that did not occur in it are assumed to have ended, and removed.
func (r *reader) nextAge() {
	if len(r.threads.recent) < maxThreads {
		return
	}
	for _, old := range r.threads.unseen() {
		r.endThread(old)
	}
	r.threads.before, r.threads.recent = r.threads.recent, r.threads.before[:0]
	r.threads.age++
}

// endThread ends a thread.
func (r *reader) endThread(t *thread) {
	if !r.limitReported {
		r.limitReported = true
		r.report(ruleThreads, trace.Warning, 0,
			fmt.Sprintf(
				"Thread-%s did not occur among %d other threads and is assumed to have ended, as are further ones",
				t.name, maxThreads))
	}
	r.putPendingWake(t) // an error is kept
	if t.state != unseen {
		r.out.Element(trace.ThreadEnd, r.offset).Raw(trace.AttrThreadIDRef, t.id()).At(r.now).Put()
	}
	delete(r.threads.byName, t.name)
}
