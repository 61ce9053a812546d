package jfr

import (
	"context"
	"iter"

	"github.com/trcx/trcx/trace"
)

// player is told what happens, in the order of time.
type player interface {
	// begins takes a deed, and says whether it goes on until its end.
	begins(*deed) (goesOn bool, err error)
	// ends takes a deed that goes on, when it is over.
	ends(*deed) error
}

// play tells the deeds to a player, merged with those that a survey has found out.
func play(ctx context.Context, deeds, found *sorted, p player) error {
	next, stop := pull(deeds)
	defer stop()
	nextFound, stopFound := pull(found)
	defer stopFound()
	d, f := next(), nextFound()
	var open openDeeds
	var over deed
	for steps := 0; d != nil || f != nil || len(open) > 0; steps++ {
		if steps%stepsPerLook == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(open) > 0 && (d == nil || d.kind == known && open[0].end() < d.begin || d.kind != known && open[0].end() <= d.begin) &&
			(f == nil || open[0].end() < f.begin) {
			open.pop(&over)
			if err := p.ends(&over); err != nil {
				return err
			}
			continue
		}
		earliest := d
		if d == nil || f != nil && (f.begin < d.begin || f.begin == d.begin && d.kind != known) {
			earliest = f
		}
		goesOn, err := p.begins(earliest)
		switch {
		case err != nil:
			return err
		case goesOn:
			open.push(earliest)
		}
		if earliest == d {
			d = next()
		} else {
			f = nextFound()
		}
	}
	if err := deeds.Err(); err != nil {
		return err
	}
	return found.Err()
}

// stepsPerLook is how many deeds are told before the context is asked again.
const stepsPerLook = 4096

// pull gives the deeds one by one, then nil. A deed is good until the next one.
func pull(s *sorted) (next func() *deed, stop func()) {
	var d deed
	take, stop := iter.Pull2(s.Sorted())
	return func() *deed {
		key, record, ok := take()
		if !ok {
			return nil
		}
		d.read(key, record)
		return &d
	}, stop
}

// openDeeds are deeds that go on: a heap, the one on top that ends first.
type openDeeds []deed

func (o openDeeds) before(i, j int) bool {
	return o[i].end() < o[j].end() || o[i].end() == o[j].end() && o[i].order < o[j].order
}

func (o *openDeeds) push(d *deed) {
	*o = append(*o, *d)
	h := *o
	for i := len(h) - 1; i > 0 && h.before(i, (i-1)/2); i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
}

// pop takes out the one that ends first.
func (o *openDeeds) pop(d *deed) {
	h := *o
	*d = h[0]
	last := len(h) - 1
	h[0] = h[last]
	h = h[:last]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if h.before(child, least) {
				least = child
			}
		}
		if least == i {
			break
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
	*o = h
}

// survey finds out when threads can have done what only events of others tell: who started a thread, who notified one. The moment of the other's event
// is the latest possible; where the thread did not run then, it was before it stopped running.
type survey struct {
	infer    bool // notifications are concluded from waits that they ended
	found    *sorted
	standing map[threadID]*standing
	dead     deadThreads
}

// standing is what is known of a thread at a moment.
type standing struct {
	known   trace.Time
	resting bool       // it does not run
	since   trace.Time // since when it rests, or is dead
	order   uint64     // of the deed in which it rests
	dead    bool
	classed bool // the class of its object is found
}

func (s *survey) of(id threadID, at trace.Time) *standing {
	t := s.standing[id]
	if t == nil {
		t = &standing{known: at}
		s.standing[id] = t
	}
	return t
}

func (s *survey) begins(d *deed) (goesOn bool, err error) {
	id := threadID{d.scope, d.thread}
	switch d.kind {
	case known:
		if t := s.of(id, d.begin); t.dead {
			*t = standing{known: d.begin}
		}
	case started:
		if t := s.of(id, d.begin); t.dead {
			*t = standing{known: d.begin}
		}
		if d.other != 0 && d.other != d.thread {
			return false, s.place(d.other, d.begin, 0, &deed{kind: callsStart, scope: d.scope, other: d.thread, stack: d.stack, place: d.place})
		}
	case ended:
		t := s.of(id, d.begin)
		t.dead, t.since, t.resting = true, d.begin, false
		if old, full := s.dead.add(id); full && s.standing[old] != nil && s.standing[old].dead {
			delete(s.standing, old)
		}
	case enters, waits, sleeps, parks:
		t := s.of(id, d.begin)
		if !t.resting {
			t.resting, t.since, t.order = true, d.begin, d.order
		}
		return true, s.classify(d)
	}
	return false, nil
}

// classify finds out the class of a thread's object by a join.
func (s *survey) classify(d *deed) error {
	if d.flags&joins == 0 || d.class == 0 {
		return nil
	}
	t := s.of(threadID{d.scope, d.other}, d.begin)
	if t.classed {
		return nil
	}
	t.classed = true
	return s.found.add(&deed{kind: ofClass, scope: d.scope, thread: d.other, class: d.class, begin: t.known, timeout: notTimed})
}

func (s *survey) ends(d *deed) error {
	t := s.of(threadID{d.scope, d.thread}, d.begin)
	if t.order == d.order {
		t.resting = false
	}
	if !s.infer || d.kind != waits || d.flags&timedOut != 0 || d.other == 0 || d.other == d.thread {
		return nil
	}
	return s.place(d.other, d.end(), d.begin, &deed{kind: callsNotify, scope: d.scope, class: d.class, address: d.address, other: d.thread, flags: d.flags & joins, place: d.place})
}

// place adds what the thread did at the latest at a moment, and not before another one.
func (s *survey) place(thread uint64, latest, earliest trace.Time, d *deed) error {
	d.thread, d.begin, d.timeout = thread, latest, notTimed
	t := s.of(threadID{d.scope, thread}, latest)
	if t.resting || t.dead {
		d.begin = t.since
	}
	if d.begin < earliest || t.dead && d.flags&joins != 0 { // who is dead is known to have ended the joins
		return nil
	}
	return s.found.add(d)
}

// deadThreads are the threads that died last.
type deadThreads struct {
	ids  []threadID
	next int
}

// maxDead is how many dead threads are remembered.
const maxDead = 1 << 14

// add adds one, and returns the one that has been dead longest once there are too many.
func (d *deadThreads) add(id threadID) (oldest threadID, full bool) {
	if len(d.ids) < maxDead {
		d.ids = append(d.ids, id)
		return oldest, false
	}
	oldest, d.ids[d.next] = d.ids[d.next], id
	d.next = (d.next + 1) % maxDead
	return oldest, true
}
