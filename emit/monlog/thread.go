package monlog

import (
	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/trace"
)

// thread is a thread, or the object of an unknown one.
type thread struct {
	id     trace.ThreadID // unknown if only the object is known
	object trace.ObjectID
	hash   uint64
	wait   string // the event that ends its open wait
	ended  bool
}

// threads are the live threads, and the last ones that have ended: these may still be named as owners or be joined.
type threads struct {
	hashes   hashes
	byID     map[trace.ThreadID]*thread // the newest of each id
	byObject map[trace.ObjectID]*thread // the newest of each object
	ended    *lru.Ring[*thread]         // threads that have ended, and threads with a known object alone
}

// maxEnded is the limit of threads that have ended, or were started or interrupted and not seen.
const maxEnded = 1 << 16

func newThreads(of hashes) threads {
	return threads{hashes: of, byID: map[trace.ThreadID]*thread{}, byObject: map[trace.ObjectID]*thread{},
		ended: lru.NewRing[*thread](maxEnded)}
}

// of returns the newest thread of the id.
func (t *threads) of(id trace.ThreadID) *thread {
	if t.byID[id] == nil {
		t.byID[id] = &thread{id: id, hash: t.hashes.give()}
	}
	return t.byID[id]
}

// start adds a thread that begins. One without a known object keeps the hash code of its id.
func (t *threads) start(id trace.ThreadID, object trace.ObjectID) *thread {
	before := t.byID[id]
	started := &thread{id: id, object: object}
	switch {
	case object.IsObject():
		started.hash = t.hashes.of(object)
		t.byObject[object] = started
	case before != nil && !before.object.IsObject():
		started.hash = before.hash
	default:
		started.hash = t.hashes.give()
	}
	t.byID[id] = started
	if before != nil {
		t.end(before)
	}
	return started
}

// end marks a thread as ended.
func (t *threads) end(ended *thread) {
	ended.wait = ""
	if !ended.ended {
		ended.ended = true
		t.evict(ended)
	}
}

// addObject adds the object of an unknown thread.
func (t *threads) addObject(object trace.ObjectID) {
	if object.IsObject() && t.byObject[object] == nil {
		t.byObject[object] = &thread{object: object}
		t.evict(t.byObject[object])
	}
}

// isThread reports whether the object belongs to a thread other than this one.
func (t *threads) isThread(object trace.ObjectID, than *thread) bool {
	return t.byObject[object] != nil && object != than.object
}

// evict adds a thread to the ended ones, and drops the oldest of these if there are too many.
func (t *threads) evict(ended *thread) {
	gone, left := t.ended.Put(ended)
	if !left {
		return
	}
	newest := t.byID[gone.id]
	if newest == gone {
		delete(t.byID, gone.id)
	}
	switch {
	case !gone.object.IsObject():
		if newest == gone || newest == nil || newest.hash != gone.hash {
			t.hashes.release(gone.hash)
		}
	case t.byObject[gone.object] == gone:
		t.forget(gone.object)
	}
}

// forget drops a freed object, or one whose id is used again.
func (t *threads) forget(object trace.ObjectID) {
	delete(t.byObject, object)
	t.hashes.forget(object)
}

// move changes the id of an object.
func (t *threads) move(from, to trace.ObjectID) {
	if !from.IsObject() || !to.IsObject() || from == to {
		return
	}
	moved := t.byObject[from]
	delete(t.byObject, from)
	delete(t.byObject, to)
	if moved != nil {
		moved.object = to
		t.byObject[to] = moved
	}
	t.hashes.move(from, to)
}
