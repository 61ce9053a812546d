package contention

import (
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// Longest is an interval in which a thread did not run.
type Longest struct {
	Time  int64  `json:"time"`            // its length in nanoseconds
	For   string `json:"for,omitempty"`   // what the thread waited for, for people: latch CountDownLatch 73
	Place string `json:"place,omitempty"` // the call in which it waited, for people
}

// longest is the longest interval of a kind, while intervals are counted.
type longest struct {
	time    int64
	object  trace.ObjectID
	class   string
	session int
	joined  trace.ThreadRef
	caller  trace.Frame
}

// keepLongest keeps the interval if it is the longest of its kind. Blocks and idle waits are left out.
func (p *pool) keepLongest(s *trace.Interval) {
	var kind Kind
	switch {
	case s.Type == trace.Sleeping:
		kind = Slept
	case s.Type == trace.WaitingForJoin:
		kind = Joined
	case s.Type != trace.WaitingForObject || s.IsIdle():
		return
	default:
		if kind = partOf(s); kind == 0 && s.Timeout > 0 {
			kind = Timed
		} else if kind == 0 {
			kind = Waited
		}
	}
	if length := s.Length(); length > p.longest[kind].time {
		p.longest[kind] = longest{length, s.Object, s.Class, s.Session, s.Other, s.Caller}
	}
}

// longestOf returns the longest intervals of the pool, by the names of their kinds.
func (c *Collector) longestOf(p *pool) map[string]*Longest {
	var all map[string]*Longest
	for kind := range p.longest {
		l := &p.longest[kind]
		if l.time == 0 {
			continue
		}
		if all == nil {
			all = map[string]*Longest{}
		}
		all[kinds[kind]] = &Longest{Time: l.time, For: c.titleOf(Kind(kind), l), Place: wording.Frame(l.caller)}
	}
	return all
}

// titleOf names what the thread waited for; "" if that is unknown, or nothing.
func (c *Collector) titleOf(kind Kind, l *longest) string {
	switch {
	case kind == Joined && l.joined.Key != 0:
		return wording.Thread(l.joined.ID, c.namedThread(l.joined.Key).Name)
	case kind == Joined || kind == Slept || !l.object.Known():
		return ""
	}
	var lock trace.ObjectID
	lockClass := ""
	if condition := c.conditions[objectName{l.session, l.object}]; condition != nil {
		lock, lockClass = condition.Lock, condition.LockClass
	}
	return wording.Condition(l.object, l.class, lock, lockClass)
}

// words continue a sentence about intervals of a total time: " on latch CountDownLatch 73 at app.Main.run", or, if there
// are others, "; longest 2 s on …".
func (l *Longest) words(kind Kind, total uint64) (text string) {
	switch {
	case l == nil:
		return ""
	case l.For != "" && kind == Joined:
		text = " for the end of " + l.For
	case l.For != "":
		text = " on " + l.For
	}
	if l.Place != "" {
		text += " at " + l.Place
	}
	if text != "" && uint64(l.Time) < total {
		text = "; longest " + phrase.Duration(l.Time) + text
	}
	return text
}
