package methods

import (
	"cmp"
	"fmt"
	"math"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/phrase"
)

// Hot is the method that a thread ran most.
type Hot struct {
	Title       string
	Part, Whole int64 // the method's and the thread's nanoseconds, or samples
	by          hotBy
}

// hotBy says where a Hot is known from.
type hotBy uint8

const (
	hotInCPU hotBy = iota
	hotInMoments
	hotInCalls
)

// String is the method with its share: app.Order.total (62 % of samples on a processor).
func (h Hot) String() string {
	of := [...]string{hotInCPU: "of samples on a processor", hotInMoments: "of RUNNABLE samples",
		hotInCalls: "of the time of calls, without known waits"}[h.by]
	return fmt.Sprintf("%s (%s %s)", phrase.Name(h.Title), phrase.Percent(h.Part, h.Whole), of)
}

// Add returns the sum for two threads, and false if they do not agree.
func (h Hot) Add(other Hot) (Hot, bool) {
	agree := h.Title == other.Title && h.by == other.by
	h.Part, h.Whole = histogram.Sum(h.Part, other.Part), histogram.Sum(h.Whole, other.Whole)
	return h, agree
}

// leastSampled is the least number of a thread's samples that show its hot method.
const leastSampled = 20

// Hot returns the hot methods of threads, by the threads' ids: the method in which most samples on a processor found
// the thread, or else most RUNNABLE samples; or else the method whose calls took most time without waits. A time that
// the resolution of the clock can explain does not make a method hot. It is nil for several recordings, because their
// ids of threads can be equal.
func (c *Collector) Hot() map[string]Hot {
	if len(c.sessions) != 1 {
		return nil
	}
	hot, s := map[string]Hot{}, c.sessions[0]
	for kind := range samplings {
		if s.samples[kind].count > 0 {
			s.sampledBy(kind).addHot(hot, hotBy(kind))
		}
	}
	s.addHot(hot, hotInCalls)
	return hot
}

// addHot adds the hot methods of those of the tree's threads that do not have one yet.
func (s *Session) addHot(hot map[string]Hot, by hotBy) {
	sums, of := map[int32]hotSum{}, (*thread)(nil) // by the methods' indexes
	done := func() {
		if of != nil {
			s.addHottest(hot, by, of.id, sums)
		}
		sums = map[int32]hotSum{} // a thread can have far fewer than the one before
	}
	s.walk(nil, func(t *thread, i int32) {
		if t != of {
			done()
			of = t
		}
		n := s.tree.at(i)
		time := n.base
		if n.waits > 0 && by == hotInCalls {
			for _, wait := range s.tree.waits[n.waits-1] {
				time -= wait
			}
		}
		sums[n.method] = sums[n.method].plus(hotSum{time, n.calls})
	}, func(*thread, int32) {})
	done()
}

// hotSum is the time of a method, and the number of its calls or samples.
type hotSum struct {
	time  int64
	calls uint64
}

// plus adds two sums.
func (h hotSum) plus(other hotSum) hotSum {
	return hotSum{histogram.Sum(h.time, other.time), histogram.Sum(h.calls, other.calls)}
}

// addHottest adds the hottest of the methods that a thread called, by their indexes, unless the thread has a hot one.
func (s *Session) addHottest(hot map[string]Hot, by hotBy, thread string, called map[int32]hotSum) {
	if _, known := hot[thread]; known {
		return
	}
	found, calls, samples := Hot{by: by}, uint64(0), uint64(0)
	for index, of := range called {
		add(&found.Whole, of.time)
		add(&samples, of.calls)
		if of.time < found.Part {
			continue
		}
		title := s.methods[index].Title()
		if cmp.Or(cmp.Compare(of.time, found.Part), cmp.Compare(found.Title, title), cmp.Compare(of.calls, calls)) > 0 {
			found.Title, found.Part, calls = title, of.time, of.calls
		}
	}
	chance := 2 * float64(s.resolution()) * math.Sqrt(float64(calls))
	enough := samples >= leastSampled
	if by == hotInCalls {
		enough = float64(found.Part) > chance
	}
	if found.Part > 0 && enough {
		hot[thread] = found
	}
}

// Sentence says how much time the calls of a recording took, and the method that took most; "" without timed calls.
func (c *Collector) Sentence() string {
	if len(c.sessions) != 1 {
		return ""
	}
	s := c.sessions[0]
	t := s.Tables(nil)
	if t.Total.Calls == 0 || t.Total.Base == 0 {
		return ""
	}
	rows := (&View{}).sort(t.Methods)
	text := s.summary(t, &View{})
	if chance := 2 * float64(s.resolution()) * math.Sqrt(float64(rows[0].Calls)); float64(rows[0].Base) > chance {
		text = fmt.Sprintf("%s, most in %s (%s).", text[:len(text)-1], phrase.Name(rows[0].Title),
			phrase.Percent(rows[0].Base, t.Total.Base))
	}
	return text
}
