package enrich

import (
	"math"

	"github.com/trcx/trcx/internal/list"
	"github.com/trcx/trcx/trace"
)

// deadThreads keeps what can still be told of threads that are dead, and of their java.lang.Thread objects, in some 28
// bytes each: another thread may join the dead one, or name it as an owner, or use its id. A thread or object that is
// in use is none of them; one that is used again is restored until the end of the element.
type deadThreads struct {
	byID     index[uint32] // the numbers of the latest incarnations, from 1 on
	byObject index[uint32] // the numbers of the threads of objects; with described those of deadObjects
	threads  list.List[deadThread]
	wide     list.List[wideThread]
	objects  list.List[deadObject]
	names    *names
	owners   owners
	restored map[uint32]*thread // by their numbers
	// unused are the dead threads that may be compacted at the end of the element.
	unused []*thread
}

// deadThread is a thread that nothing refers to but its id and its object.
type deadThread struct {
	id      uint32 // as a number; of a wide one, the index of its wideThread
	segment uint32
	key     trace.ThreadKey
	at      uint32 // the number of its frame; with started and isWide
}

// wideThread has the numbers of a deadThread if one of them has more than 32 bits.
type wideThread struct {
	id      uint64
	segment trace.SegmentID
}

// deadObject is the object of a dead thread, if the sink has its description or the object has an owner.
type deadObject struct {
	thread uint32
	key    trace.ObjectKey
	class  uint32
	owner  uint32 // its number among the owners, 0 if there is none; with wasPut and wasReleased
}

const (
	described = 1 << 31 // in byObject
	// in deadThread.at
	started = 1 << 31
	isWide  = 1 << 30
	// in deadObject.owner
	wasPut      = 1 << 31
	wasReleased = 1 << 30
	// maxDead is the limit for the numbers of dead threads.
	maxDead = math.MaxUint32 >> 1
)

// numbering numbers values that recur, from 1 on; 0 is the zero value.
type numbering[T comparable] struct {
	numbers map[T]uint32
	values  []T
}

func (n *numbering[T]) of(value T) uint32 {
	var none T
	if value == none {
		return 0
	}
	number, ok := n.numbers[value]
	if !ok {
		if n.numbers == nil {
			n.numbers = map[T]uint32{}
		}
		n.values = append(n.values, value)
		number = uint32(len(n.values))
		n.numbers[value] = number
	}
	return number
}

func (n *numbering[T]) value(number uint32) (value T) {
	if number != 0 {
		value = n.values[number-1]
	}
	return value
}

// owners numbers the threads that own deadObjects, from 1 on: mostly one that joined them all.
type owners struct {
	numbers map[*thread]uint32
	slots   []ownerSlot
	free    []uint32
}

type ownerSlot struct {
	thread  *thread
	objects int
}

// add returns the number of an owner of one more object; 0 of nil.
func (o *owners) add(t *thread) uint32 {
	if t == nil {
		return 0
	}
	number, ok := o.numbers[t]
	if !ok {
		if last := len(o.free) - 1; last >= 0 {
			number, o.free = o.free[last], o.free[:last]
		} else {
			o.slots = append(o.slots, ownerSlot{})
			number = uint32(len(o.slots))
		}
		if o.numbers == nil {
			o.numbers = map[*thread]uint32{}
		}
		o.numbers[t] = number
		o.slots[number-1].thread = t
	}
	o.slots[number-1].objects++
	return number
}

// remove returns the owner of one object less.
func (o *owners) remove(number uint32) *thread {
	if number == 0 {
		return nil
	}
	slot := &o.slots[number-1]
	t := slot.thread
	if slot.objects--; slot.objects == 0 {
		slot.thread = nil
		delete(o.numbers, t)
		o.free = append(o.free, number)
	}
	return t
}

// thread returns the latest incarnation of the id; nil if there is none.
func (s *scope) thread(id trace.ID) *thread {
	if t := s.threads.get(id); t != nil {
		return t
	}
	if number := s.dead.byID.get(id); number != 0 {
		return s.dead.restore(number)
	}
	return nil
}

// object returns what is known of the object of the id; nil if nothing is.
func (s *scope) object(id trace.ID) *object {
	if o := s.objects.get(id); o != nil {
		return o
	}
	if t := s.unused.get(id); t != nil {
		return s.useObject(id, t)
	}
	if number := s.dead.byObject.get(id); number != 0 {
		return s.restoreObject(id, number)
	}
	return nil
}

// restore returns the dead thread of the number.
func (d *deadThreads) restore(number uint32) *thread {
	if t := d.restored[number]; t != nil {
		return t
	}
	kept := d.threads.At(int(number - 1))
	numbers := wideThread{uint64(kept.id), trace.SegmentID(kept.segment)}
	if kept.at&isWide != 0 {
		numbers = *d.wide.At(int(kept.id))
	}
	id := trace.ThreadID{ID: trace.NumberID(numbers.id)}
	t := &thread{ref: trace.ThreadRef{Key: kept.key, ID: id}, started: kept.at&started != 0, dead: true, place: -1,
		segment: numbers.segment, lastAt: kept.at &^ (started | isWide), number: number}
	if d.restored == nil {
		d.restored = map[uint32]*thread{}
	}
	d.restored[number] = t
	d.unused = append(d.unused, t)
	return t
}

// restoreObject makes the object of a dead thread, by its number in byObject, one of the objects again.
func (s *scope) restoreObject(id trace.ID, number uint32) *object {
	o := &object{id: trace.ObjectID{ID: id}, isThread: true}
	thread := number
	if number&described != 0 {
		o.number = number &^ described
		kept := s.dead.objects.At(int(o.number - 1))
		thread = kept.thread
		o.put, o.released = kept.owner&wasPut != 0, kept.owner&wasReleased != 0
		o.class, o.key = kept.class, kept.key
		o.owner = s.dead.owners.remove(kept.owner &^ (wasPut | wasReleased))
	}
	o.thread = s.dead.restore(thread)
	o.thread.object = objectNumber(id)
	s.dead.byObject.set(id, 0)
	s.objects.set(id, o)
	return o
}

// release notes that the object is less in use: if it is a dead thread's, both may be compacted.
func (e *Enricher) release(o *object) {
	if o.thread != nil && o.thread.dead {
		e.scope.dead.unused = append(e.scope.dead.unused, o.thread)
	}
}

// compact makes the dead threads that are not in use, with their objects, deadThreads. It is to be called at the end of
// an element.
func (s *scope) compact() {
	for i, t := range s.dead.unused {
		s.compactThread(t)
		s.dead.unused[i] = nil
	}
	s.dead.unused = s.dead.unused[:0]
}

// compactThread makes the thread a deadThread, unless something refers to it or to its object.
func (s *scope) compactThread(t *thread) {
	id, ok := t.ref.ID.Number()
	o := s.objectOf(t)
	d := &s.dead
	if !ok || !t.dead || t.activity != nil || t.quiet != nil || t.owns > 0 || t.open != nil || t.place >= 0 ||
		t.object == withText || d.threads.Len() >= maxDead ||
		o != nil && !s.canCompact(o) || t.number != 0 && d.restored[t.number] != t {
		return
	}
	if t.number == 0 {
		d.threads.Add(deadThread{})
		t.number = uint32(d.threads.Len())
		if s.threads.get(t.ref.ID.ID) == t {
			s.threads.set(t.ref.ID.ID, nil)
			d.byID.set(t.ref.ID.ID, t.number)
		}
	} else {
		delete(d.restored, t.number)
	}
	d.keep(t, id)
	switch {
	case o != nil:
		s.compactObject(o)
	case t.object != 0 && s.unused.get(objectID(t.object)) == t:
		s.unused.set(objectID(t.object), nil)
		d.byObject.set(objectID(t.object), t.number)
	}
}

// keep makes the deadThread of the thread's number the thread, which has the id.
func (d *deadThreads) keep(t *thread, id uint64) {
	kept := d.threads.At(int(t.number - 1))
	number, at := uint32(id), t.lastAt
	if t.started {
		at |= started
	}
	if id > math.MaxUint32 || t.segment > math.MaxUint32 {
		if kept.at&isWide == 0 {
			d.wide.Add(wideThread{})
			kept.id = uint32(d.wide.Len() - 1)
		}
		number, at = kept.id, at|isWide
		*d.wide.At(int(number)) = wideThread{id, t.segment}
	}
	*kept = deadThread{number, uint32(t.segment), t.ref.Key, at}
}

// canCompact reports whether nothing refers to the object of a dead thread but its id and the thread.
func (s *scope) canCompact(o *object) bool {
	_, ok := o.id.Number()
	return ok && !o.notified && o.idle() && o.blocked == 0 && o.outside == 0 && o.contended == 0 &&
		s.objects.get(o.id.ID) == o
}

// compactObject makes the object of the thread, which is a deadThread, a number or a deadObject.
func (s *scope) compactObject(o *object) {
	number := o.thread.number
	if o.put || o.owner != nil {
		if o.number == 0 {
			s.dead.objects.Add(deadObject{})
			o.number = uint32(s.dead.objects.Len())
		}
		kept := deadObject{thread: number, key: o.key, class: o.class, owner: s.dead.owners.add(o.owner)}
		if o.put {
			kept.owner |= wasPut
		}
		if o.released {
			kept.owner |= wasReleased
		}
		*s.dead.objects.At(int(o.number - 1)) = kept
		number = o.number | described
	}
	s.objects.set(o.id.ID, nil)
	s.dead.byObject.set(o.id.ID, number)
}
