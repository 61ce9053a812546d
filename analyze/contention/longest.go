package contention

import (
	"cmp"
	"fmt"

	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// Longest is an interval in which a thread did not run.
type Longest struct {
	Time  int64  `json:"time"`            // its length in nanoseconds
	For   string `json:"for,omitempty"`   // what the thread waited for, for people: latch CountDownLatch 73
	Place string `json:"place,omitempty"` // the call in which it waited, for people
	// Whole is the whole length if the window cuts the interval to the Time; else 0.
	Whole int64 `json:"whole,omitempty"`
}

// keepLongest keeps the interval if it is the longest of its kind, or of its part. It leaves out idle waits, sleeps
// since before the recording, and blocks that a window does not cut.
func (p *pool) keepLongest(s *trace.Interval, kind, part Kind) {
	if kind == Blocked && s.Whole == 0 || s.IsIdle() || isAsleepBefore(s) || s.Length() == 0 {
		return
	}
	kind = cmp.Or(part, kind)
	if l := p.longest[kind]; l == nil || s.Length() > l.Length() {
		kept := *s
		p.longest[kind] = &kept
	}
}

// longestOf returns the longest intervals of the pool, by the name of their kind.
func (c *Collector) longestOf(p *pool) map[string]*Longest {
	all := map[string]*Longest{}
	for kind, l := range p.longest {
		if l != nil {
			all[kinds[kind]] = &Longest{Time: l.Length(), For: c.titleOf(Kind(kind), l), Place: wording.Frame(l.Caller),
				Whole: l.Whole}
		}
	}
	return all
}

// titleOf names what the thread waited for; "" if it is unknown, or nothing.
func (c *Collector) titleOf(kind Kind, l *trace.Interval) string {
	switch {
	case kind == Joined && l.Other.Key != 0:
		return wording.Thread(l.Other.ID, c.namedThread(l.Other.Key).Name)
	case kind == Joined || kind == Slept || !l.Object.Known(), kind == IO && javaname.IsPermit(l.Class):
		return ""
	}
	if kind == Init {
		return wording.Initialisation(l.Object, l.Class)
	}
	described := c.described[objectName{l.Session, l.Object}]
	return wording.Condition(l.Object, l.Class, described.Lock, described.LockClass)
}

// words continues a sentence about intervals of a total time: " on latch CountDownLatch 73 at app.Main.run" or, if
// there are others, "; longest 2 s on …".
func (l *Longest) words(kind Kind, total uint64) (text string) {
	switch {
	case l == nil:
		return ""
	case l.For != "" && kind == Joined:
		text = " for the end of " + l.For
	case l.For != "" && kind == Init:
		text = " for " + l.For
	case l.For != "":
		text = " on " + l.For
	}
	if l.Place != "" {
		text += " at " + l.Place
	}
	switch {
	case (text != "" || l.Whole > 0) && uint64(l.Time) < total:
		length := phrase.Duration(l.Time)
		if l.Whole > 0 {
			length += ", of " + phrase.Duration(l.Whole) + " in all,"
		}
		text = "; longest " + length + text
	case l.Whole > 0:
		text += "; it takes " + phrase.Duration(l.Whole) + " in all"
	}
	return text
}

// wholeBlock is a sentence on the whole length of the longest block that the window cuts; "" if it cuts none.
func (s *Statistics) wholeBlock() string {
	var longest *Longest
	for _, p := range s.Pools {
		if l := p.Longest[kinds[Blocked]]; l != nil && !p.OfJVM && (longest == nil || l.Time > longest.Time) {
			longest = l
		}
	}
	if longest == nil {
		return ""
	}
	return fmt.Sprintf("The longest of the blocks that reach beyond the window, %s in it, takes %s in all.",
		phrase.Duration(longest.Time), phrase.Duration(longest.Whole))
}
