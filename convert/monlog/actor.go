package monlog

import (
	"fmt"
	"slices"

	"github.com/trcx/trcx/trace"
)

// Events contradict each other when the thread of a hash code does what it cannot do as things stand. What that proves:
//
//   - A ThreadStarted of one that lives: a thread starts once and its ThreadStarted is its first event, so these are
//     two threads of one hash code. (A ThreadStarted after a ThreadEnded is no contradiction: the hash code has come
//     again.)
//   - An event after the ThreadEnded: a dead thread does nothing, so this is another one, whose ThreadStarted is not in
//     the log.
//   - A thread that is blocked by itself: nobody waits for a monitor that he owns, so the owner is another thread of
//     the hash code.
//   - The end of a wait that had to be taken for over because its thread did something else: it was not over, so it was
//     another thread that did that.
//   - Anything else that a thread does while it waits, sleeps or is blocked, and an end without its begin: either an
//     event is missing or these are two threads. Nothing proves the second, and the first is likelier, so it is taken
//     for that, until one of the above comes.
//
// No contradiction are: MonitorContendedEnter of a waiting thread on the object that it waits on, since it needs the
// monitor to return; an owner that is dead, waits or is blocked on the same monitor, since it has let go between when
// it was asked for and when that was written; ThreadStart of a living thread, which is a mistake of the program. Two
// objects of one hash code never show: releases of monitors are not in the log.

// thread is a thread that lives, as far as the log says.
type thread struct {
	hash, id uint64 // the id is the hash code, or another one if that is taken
	idText   []byte // in decimal
	state    state
	object   uint64 // that it waits on, joins or is blocked on; or has just waited on
	since    int    // the line in which the state began
	began    int    // the line in which the thread did
	waited   bool   // its last event was the return from a wait on the object
	// inner is the call that a MonitorContendedEnter on its object came in, and that will return: waiting or joining;
	// else running.
	inner       state
	innerObject uint64
	taken       taken
	next        *thread // another one of the hash code
}

// taken is a state that was taken for over because of what the thread did in the line.
type taken struct {
	state  state
	object uint64
	since  int
	line   int
}

// can says whether the thread can have done it.
func (t *thread) can(rec *record) bool {
	e := rec.event
	switch {
	case e.named:
		return false
	case e.ends != running && t.state == e.ends:
		return t.object == rec.object
	case e.ends == blocked: // virtual threads of JDK 25 come back from a wait like that
		return t.state == running && t.waited && t.object == rec.object
	case e.ends != running:
		return t.state == running && t.inner == e.ends && t.innerObject == rec.object
	case t.state == running:
		return true
	}
	return e.begins == blocked && (t.state == waiting || t.state == joining) && t.object == rec.object
}

// actor finds the thread that has done it, if there is one that can have.
func (r *reader) actor(rec *record) *thread {
	head := r.threads.of(rec.thread)
	if head == nil || head.can(rec) {
		return head
	}
	for before := head; before.next != nil; before = before.next {
		if t := before.next; t.can(rec) {
			before.next, t.next = t.next, head
			r.threads.lead(t)
			return t
		}
	}
	return nil
}

// began makes a thread that begins here, or is seen here first.
func (r *reader) began(hash uint64) *thread {
	t := &thread{hash: hash, id: hash, began: r.lines.Number, next: r.threads.of(hash)}
	for r.hasID(t) {
		t.id += 1 << 32
	}
	t.idText = trace.AppendDecimal(nil, t.id)
	r.threads.lead(t)
	r.named.add(hash, 0)
	return t
}

// hasID says whether another living thread of the hash code has the id.
func (r *reader) hasID(t *thread) bool {
	for other := t.next; other != nil; other = other.next {
		if other.id == t.id {
			return true
		}
	}
	return false
}

// ended forgets a thread, but for its hash code.
func (r *reader) ended(t *thread) {
	r.gone.add(t.hash, r.lines.Number)
	head := r.threads.of(t.hash)
	switch {
	case head != t:
		for before := head; before != nil; before = before.next {
			if before.next == t {
				before.next = t.next
			}
		}
	case t.next != nil:
		r.threads.lead(t.next)
	default:
		r.threads.forget(t.hash)
	}
}

// threadOf finds or makes the thread of an event other than ThreadStarted. It is one of which the log can say it next:
// what it lacks for that is put.
func (r *reader) threadOf(rec *record) *thread {
	if t := r.actor(rec); t != nil {
		return t
	}
	head := r.threads.of(rec.thread)
	if head == nil {
		return r.seenFirst(rec)
	}
	if t := r.outOfTaken(rec, head); t != nil {
		return t
	}
	r.unpaired(rec, head)
	return head
}

// seenFirst is a thread that the log has not said to begin.
func (r *reader) seenFirst(rec *record) *thread {
	if line, dead := r.gone.find(rec.thread); dead {
		r.wrong(RuleCollision, 0,
			fmt.Sprintf(
				"thread %08X does something after its ThreadEnded in line %d: this is another thread of the same "+
					"hash code, whose ThreadStarted is missing",
				rec.thread, line))
	}
	t := r.began(rec.thread)
	r.putUnseen(t, rec)
	r.putBegin(t, rec)
	return t
}

// outOfTaken is for the end of what was taken for over: the thread that did something else in between is another one.
func (r *reader) outOfTaken(rec *record, head *thread) *thread {
	for t := head; t != nil; t = t.next {
		if rec.event.ends == running || t.taken.state != rec.event.ends || t.taken.object != rec.object {
			continue
		}
		r.wrong(RuleCollision, 0,
			fmt.Sprintf(
				"two threads have the hash code %08X: one %s since line %d, and %s ends that here; the one of line "+
					"%d is another",
				rec.thread, describeState(t.taken.state, t.taken.object), t.taken.since, rec.event.name, t.taken.line))
		t.taken = taken{}
		other := r.began(rec.thread)
		r.putUnseen(other, rec)
		r.putBegin(other, rec)
		return other
	}
	return nil
}

// unpaired reports what the thread cannot do as things stand, and puts what is missing.
func (r *reader) unpaired(rec *record, t *thread) {
	switch {
	case t.state == running:
		r.wrong(RuleUnpaired, 0,
			fmt.Sprintf(
				"%s of thread %08X has no %s before it: that line is missing, or another thread has the same hash "+
					"code; when it began is unknown",
				rec.event.name, t.hash, beginning(rec.event.ends).name))
	default:
		r.wrong(RuleUnpaired, 0,
			fmt.Sprintf(
				"%s of thread %08X, which %s since line %d: the %s is missing, or another thread has the same hash code",
				rec.event.name, t.hash, describeState(t.state, t.object), t.since, ending(t.state).name))
		r.putEnd(t, rec)
	}
	r.putBegin(t, rec)
}

// describeState says in words what a thread does.
func describeState(s state, object uint64) string {
	if s == sleeping {
		return doing[s]
	}
	return fmt.Sprintf("%s %08X", doing[s], object)
}

// ownerOf is the id of the thread that owns the monitor by which another one is blocked, which is made if it is not
// known; 0 if the log does not say it.
func (r *reader) ownerOf(rec *record, t *thread) (id uint64) {
	if rec.owner == 0 {
		return 0
	}
	for owner := r.threads.of(rec.owner); owner != nil; owner = owner.next {
		if owner != t {
			return owner.id
		}
	}
	if rec.owner == t.hash {
		r.wrong(RuleCollision, 0,
			fmt.Sprintf("thread %08X is blocked by itself: the owner of %08X is another thread of the same hash code",
				t.hash, rec.object))
	} else if _, dead := r.gone.find(rec.owner); dead {
		return rec.owner
	}
	owner := r.began(rec.owner)
	r.putUnseen(owner, rec)
	return owner.id
}

// heads are the first threads of each hash code, from which the others hang. Those that were asked for lately are near.
type heads struct {
	all  map[uint64]*thread
	near [256]*thread // by the lowest byte of the hash code
}

// of is the first thread of the hash code, or nil.
func (h *heads) of(hash uint64) *thread {
	near := &h.near[byte(hash)]
	if *near == nil || (*near).hash != hash {
		*near = h.all[hash]
	}
	return *near
}

// lead makes the thread the first one of its hash code.
func (h *heads) lead(t *thread) { h.all[t.hash], h.near[byte(t.hash)] = t, t }

func (h *heads) forget(hash uint64) {
	delete(h.all, hash)
	h.near[byte(hash)] = nil
}

// remembered are hash codes, each with a line, as many as there is room for: of those that came long ago some are
// forgotten.
type remembered struct{ recent, older map[uint64]int }

// mostRemembered is how many there are in each half.
const mostRemembered = 1 << 16

func (m *remembered) add(hash uint64, line int) {
	if m.recent == nil || len(m.recent) >= mostRemembered {
		m.recent, m.older = map[uint64]int{}, m.recent
	}
	m.recent[hash] = line
}

func (m *remembered) find(hash uint64) (line int, ok bool) {
	if line, ok = m.recent[hash]; !ok {
		line, ok = m.older[hash]
	}
	return line, ok
}

func (m *remembered) forget(hash uint64) {
	delete(m.recent, hash)
	delete(m.older, hash)
}

// living are the lines in which the living threads of the hash code began, in that order.
func (r *reader) living(hash uint64) (lines []int) {
	for t := r.threads.of(hash); t != nil; t = t.next {
		lines = append(lines, t.began)
	}
	slices.Sort(lines)
	return lines
}
