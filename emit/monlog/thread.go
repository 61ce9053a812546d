package monlog

import (
	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/trace"
)

// thread is a thread, or an object that is known to be one's.
type thread struct {
	id     trace.ThreadID // unknown where only the object is known
	object trace.ObjectID
	hash   uint32
	wait   string // the event that ends its open wait
	ended  bool
}

// threads are those that live, and the newest of those that have ended: these may still be said to own a monitor, or be
// joined.
type threads struct {
	hashes  *hashes
	known   map[trace.ThreadID]*thread // the newest of each id
	objects map[trace.ObjectID]*thread // of the objects that are threads, the newest
	passing *lru.Ring[*thread]         // those that have ended, and those of which only the object is known
}

// mostPassing is how many threads are remembered that have ended, or were started or interrupted and not seen.
const mostPassing = 1 << 16

func newThreads(of *hashes) threads {
	return threads{hashes: of, known: map[trace.ThreadID]*thread{}, objects: map[trace.ObjectID]*thread{},
		passing: lru.NewRing[*thread](mostPassing)}
}

// of is the newest thread of the id.
func (t *threads) of(id trace.ThreadID) *thread {
	if t.known[id] == nil {
		t.known[id] = &thread{id: id, hash: t.hashes.give()}
	}
	return t.known[id]
}

// start makes a thread that begins. One of which the trace does not say the object keeps the hash code of its id.
func (t *threads) start(id trace.ThreadID, object trace.ObjectID) *thread {
	before := t.known[id]
	started := &thread{id: id, object: object}
	switch {
	case object.IsObject():
		started.hash = t.hashes.of(object)
		t.objects[object] = started
	case before != nil && !before.object.IsObject():
		started.hash = before.hash
	default:
		started.hash = t.hashes.give()
	}
	t.known[id] = started
	if before != nil {
		t.end(before)
	}
	return started
}

// end is for a thread that has ended.
func (t *threads) end(ended *thread) {
	ended.wait = ""
	if !ended.ended {
		ended.ended = true
		t.passes(ended)
	}
}

// names is for an object that is named as a thread's.
func (t *threads) names(object trace.ObjectID) {
	if object.IsObject() && t.objects[object] == nil {
		t.objects[object] = &thread{object: object}
		t.passes(t.objects[object])
	}
}

// isThread says whether the object is known to be that of another thread than this one.
func (t *threads) isThread(object trace.ObjectID, than *thread) bool {
	return t.objects[object] != nil && object != than.object
}

// passes remembers the thread for a while, and forgets another one for it.
func (t *threads) passes(passing *thread) {
	gone, left := t.passing.Put(passing)
	if !left {
		return
	}
	newest := t.known[gone.id]
	if newest == gone {
		delete(t.known, gone.id)
	}
	switch {
	case !gone.object.IsObject():
		if newest == gone || newest == nil || newest.hash != gone.hash {
			t.hashes.release(gone.hash)
		}
	case t.objects[gone.object] == gone:
		t.forget(gone.object)
	}
}

// forget is for an object that is gone, or whose id comes to be that of another one.
func (t *threads) forget(object trace.ObjectID) {
	delete(t.objects, object)
	t.hashes.forget(object)
}

// move is for an object that has another id from here on.
func (t *threads) move(from, to trace.ObjectID) {
	if !from.IsObject() || !to.IsObject() || from == to {
		return
	}
	moved := t.objects[from]
	delete(t.objects, from)
	delete(t.objects, to)
	if moved != nil {
		moved.object = to
		t.objects[to] = moved
	}
	t.hashes.move(from, to)
}
