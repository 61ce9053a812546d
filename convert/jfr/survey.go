package jfr

import (
	"context"
	"iter"

	"github.com/trcx/trcx/trace"
)

// player is told what happens, in the order of time.
type player interface {
	// begins takes a deed. If it goes on, the player adds it to those that do.
	begins(d *deed, open *rests) error
	// ends takes a rest that is over, and was not removed before.
	ends(*rest) error
}

// play tells the deeds to a player, merged with those that a survey has found out.
func play(ctx context.Context, deeds, found *sorted, p player) error {
	next, stop := pull(deeds)
	defer stop()
	nextFound, stopFound := pull(found)
	defer stopFound()
	d, f := next(), nextFound()
	var open rests
	for steps := 0; ; steps++ {
		if steps%stepsPerLook == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if first := open.first(); first != nil && first.endsBefore(d, f) {
			if err := p.ends(first); err != nil {
				return err
			}
			open.remove(first)
			continue
		}
		earliest := d
		if d == nil || f != nil && (f.begin < d.begin || f.begin == d.begin && d.kind != known) {
			earliest = f
		}
		if earliest == nil {
			break
		}
		if err := p.begins(earliest, &open); err != nil {
			return err
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

// endsBefore says whether the rest is over before the next deed begins, and the next one that was found out; either may
// be nil.
func (r *rest) endsBefore(d, f *deed) bool {
	end := r.end()
	return (d == nil || end < d.begin || end == d.begin && d.kind != known) && (f == nil || end < f.begin)
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

// survey finds out when threads can have done what only events of others tell: who started a thread, who notified one.
// The moment of the other's event is the latest possible; where the thread did not run then, it was before it stopped
// running.
type survey struct {
	infer    bool // notifications are concluded from waits that they ended
	found    *sorted
	standing crowd[*standing]
}

// standing is what is known of a thread at a moment.
type standing struct {
	presence
	known   trace.Time // since when it is known
	since   trace.Time // since when it rests, or is dead
	classed bool       // the class of its object is found
	acted   trace.Time // when it did something last, or came to run again
	call    notifyCall
}

// notifyCall is the last call of notify or notifyAll by a thread.
type notifyCall struct {
	address uint64
	at      trace.Time
}

func newSurvey(infer bool, found *sorted, room int) *survey {
	return &survey{infer: infer, found: found,
		standing: newCrowd(room, func() *standing { return &standing{known: unknownTime} })}
}

// unknownTime is before all others.
const unknownTime trace.Time = -1

// of is the thread; not ok if there is no room for it.
func (s *survey) of(id threadID, at trace.Time) (*standing, bool) {
	t, ok := s.standing.find(id)
	if ok && t.known == unknownTime {
		t.known = at
	}
	return t, ok
}

func (s *survey) begins(d *deed, open *rests) error {
	if d.thread == 0 {
		return nil
	}
	id := threadID{d.scope, d.thread}
	t, ok := s.of(id, d.begin)
	if !ok {
		return nil
	}
	if err := s.waitsSince(t, d); err != nil {
		return err
	}
	t.acted = d.begin
	switch d.kind {
	case known:
		t.revive(d.begin)
	case notifies:
		t.call = notifyCall{d.address, d.begin}
	case started:
		t.revive(d.begin)
		if d.other != 0 && d.other != d.thread {
			call := &deed{kind: callsStart, scope: d.scope, other: d.thread, stack: d.stack, place: d.place}
			err := s.place(d.other, d.begin, 0, call)
			t.known = min(t.known, call.begin)
			return err
		}
	case ended:
		if t.dead {
			return nil
		}
		if err := s.rush(t, d.begin, open); err != nil {
			return err
		}
		s.standing.died(id)
		t.since = d.begin
	case enters, waits, sleeps, parks:
		return s.rests(t, d, open)
	}
	return nil
}

// waitsSince lets a wait that is reported by its end only begin at the latest moment that is possible: when the thread
// was notified.
func (s *survey) waitsSince(t *standing, d *deed) error {
	if d.flags&unbegun == 0 || d.flags&(timedOut|joins) != 0 || d.other == 0 {
		return nil
	}
	notifier := s.standing.of[threadID{d.scope, d.other}]
	if notifier == nil || notifier.call.address != d.address || notifier.call.at <= t.acted {
		return nil
	}
	earlier := *d
	earlier.begin = notifier.call.at
	earlier.length += int64(d.begin - earlier.begin)
	return s.found.add(&earlier)
}

// revive: one that was dead is another one from here on.
func (t *standing) revive(at trace.Time) {
	if t.dead {
		t.dead, t.known, t.since, t.classed = false, at, 0, false
	}
}

// rests takes a rest by the rules of telling.rest.
func (s *survey) rests(t *standing, d *deed, open *rests) error {
	if t.rest != nil && t.rest.end() < d.end() {
		if err := s.rush(t, d.begin, open); err != nil {
			return err
		}
	}
	if t.rest == nil {
		t.rest, t.since = open.add(d), d.begin
	}
	return s.classify(d)
}

// rush ends what the thread rests in before its time.
func (s *survey) rush(t *standing, at trace.Time, open *rests) error {
	r := t.rest
	if r == nil {
		return nil
	}
	err := s.over(r, min(r.end(), at))
	open.remove(r)
	return err
}

// classify finds out the class of a thread's object by a join.
func (s *survey) classify(d *deed) error {
	if d.flags&joins == 0 || d.class == 0 {
		return nil
	}
	t, ok := s.of(threadID{d.scope, d.other}, d.begin)
	if !ok || t.classed {
		return nil
	}
	t.classed = true
	return s.found.add(&deed{kind: ofClass, scope: d.scope, thread: d.other, class: d.class, begin: t.known,
		timeout: notTimed})
}

func (s *survey) ends(r *rest) error { return s.over(r, r.end()) }

// over ends a rest at the time.
func (s *survey) over(r *rest, at trace.Time) error {
	if t, known := s.standing.of[threadID{r.scope, r.thread}]; known {
		t.rest, t.acted = nil, max(t.acted, at)
	}
	if !s.infer || r.kind != waits || r.flags&timedOut != 0 || r.other == 0 || r.other == r.thread {
		return nil
	}
	return s.place(r.other, at, r.begin, &deed{kind: callsNotify, scope: r.scope, other: r.thread,
		flags: r.flags & joins, place: r.place})
}

// place adds what the thread did at the latest at a moment, and not before another one.
func (s *survey) place(thread uint64, latest, earliest trace.Time, d *deed) error {
	d.thread, d.begin, d.timeout = thread, latest, notTimed
	t, ok := s.of(threadID{d.scope, thread}, latest)
	if !ok {
		return nil
	}
	if t.rest != nil || t.dead {
		d.begin = t.since
	}
	if d.begin < earliest || t.dead && d.flags&joins != 0 { // who is dead is known to have ended the joins
		return nil
	}
	return s.found.add(d)
}
