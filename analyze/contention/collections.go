package contention

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/internal/gcpause"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// Collections add up garbage collections.
type Collections struct {
	Count   uint64 `json:"count"`
	Paused  uint64 `json:"paused"`  // while the JVM was stopped, in nanoseconds; overlapping pauses count once
	Longest int64  `json:"longest"` // the longest pause, in nanoseconds
}

// ProcessorLoad is how busy all processors were: with the JVM, and in all.
type ProcessorLoad struct {
	JVM     LoadFigures `json:"jvm"`
	Machine LoadFigures `json:"machine"`
}

// LoadFigures are shares of all processors, from 0 to 1. A Max of 0 is unknown.
type LoadFigures struct {
	Mean float64 `json:"mean"`
	Max  float64 `json:"max,omitempty"`
}

// add adds the mean, and keeps the larger maximum.
func (l *LoadFigures) add(other LoadFigures) {
	l.Mean += other.Mean
	l.Max = max(l.Max, other.Max)
}

// collected counts a collection. The sum of the pauses follows at the end of the recording.
func (c *Collector) collected(r *trace.Collection) {
	if r.Part {
		return
	}
	if c.trace.Collections == nil {
		c.trace.Collections = &Collections{}
	}
	c.trace.Collections.add(Collections{1, 0, min(r.Longest, int64(r.End-r.Time))})
	c.paused.Add(r)
}

// endSession adds the pauses, the length, the load and the troubles of a recording.
func (c *Collector) endSession(r *trace.SessionEnd) {
	if paused := c.paused.Total(); paused > 0 {
		c.trace.Collections.Paused += uint64(paused)
	}
	c.paused = gcpause.Sum{}
	if c.session.Start > 0 {
		c.trace.Recorded = histogram.Sum(c.trace.Recorded, max(int64(r.Last-c.session.Start), 0))
	}
	if load := c.session.Load; load.Known {
		c.loads++
		c.load.JVM.add(LoadFigures(load.JVM))
		c.load.Machine.add(LoadFigures(load.Machine))
	}
	c.addTroubles(c.session.Troubles)
}

// meanLoad returns the mean load of all recordings; nil if it is unknown.
func (c *Collector) meanLoad() *ProcessorLoad {
	if c.loads == 0 {
		return nil
	}
	mean := c.load
	mean.JVM.Mean /= c.loads
	mean.Machine.Mean /= c.loads
	return &mean
}

func (c *Collections) add(other Collections) {
	c.Count += other.Count
	c.Paused += other.Paused
	c.Longest = max(c.Longest, other.Longest)
}

// Trouble is something reported by a JVM that slowed or stopped its program, other than what threads did.
type Trouble struct {
	Kind  string `json:"kind"`  // pinned, safepoint, operation or collector
	Count uint64 `json:"count"` // number of times
	// Total and Longest are in nanoseconds. What describes the longest one, "" if unknown.
	Total   int64  `json:"total"`
	Longest int64  `json:"longest"`
	What    string `json:"what,omitempty"`
}

// addTroubles adds the troubles of a recording: values with count, total, longest and what, with spaces between.
func (c *Collector) addTroubles(values []trace.NamedValue) {
	for _, one := range values {
		trouble := Trouble{Kind: one.Name}
		fields := strings.SplitN(one.Value, " ", 4)
		if len(fields) == 4 {
			trouble.What = fields[3]
		}
		_, err := fmt.Sscan(one.Value, &trouble.Count, &trouble.Total, &trouble.Longest)
		if err == nil && trouble.Count > 0 && trouble.Longest >= 0 && trouble.Total >= trouble.Longest {
			c.trace.Troubles = append(c.trace.Troubles, trouble)
		}
	}
}

// Collected returns the collections of all traces, and the length of all recordings of the traces that have some.
func (s *Statistics) Collected() (sum Collections, recorded int64) {
	for i := range s.Traces {
		if t := &s.Traces[i]; t.Collections != nil {
			sum.add(*t.Collections)
			recorded = histogram.Sum(recorded, cmp.Or(t.Recorded, t.Duration))
		}
	}
	return sum, recorded
}

// collectionTable shows the garbage collections. It is empty without any.
func collectionTable(s *Statistics, _ Order) answer.Table {
	t := answer.Table{Title: "Garbage collections",
		Columns: slices.Concat(answer.Right("count").Spare(1),
			answer.Right("paused", "longest", "share of the run"))}
	sum, recorded := s.Collected()
	if sum.Count == 0 {
		return t
	}
	var share any
	if !s.Selected && recorded > 0 {
		share = phrase.Percent(int64(sum.Paused), recorded)
	}
	t.Add(sum.Count, answer.Total(sum.Paused), answer.Time(sum.Longest), share)
	return t
}

// loadTable shows the load of the processors, as a mean over the traces' time. It is empty if no trace has the load, or
// the traces are selected in part, as their load is unknown then.
func loadTable(s *Statistics, _ Order) answer.Table {
	t := answer.Table{Title: "Load of all processors",
		Columns: slices.Concat(answer.Left("by"), answer.Right("mean", "largest"))}
	var sum ProcessorLoad
	duration := 0.0
	for i := range s.Traces {
		if l := s.Traces[i].Load; l != nil && s.Traces[i].Duration > 0 {
			weight := float64(s.Traces[i].Duration)
			sum.JVM.add(LoadFigures{l.JVM.Mean * weight, l.JVM.Max})
			sum.Machine.add(LoadFigures{l.Machine.Mean * weight, l.Machine.Max})
			duration += weight
		}
	}
	if duration == 0 || s.Selected {
		return t
	}
	row := func(by string, l LoadFigures) {
		var most any
		if l.Max > 0 {
			most = percentOf(l.Max)
		}
		t.Add(by, percentOf(l.Mean/duration), most)
	}
	row("the JVM", sum.JVM)
	row("the machine", sum.Machine)
	return t
}

// percentOf writes a share, from 0 to 1, in percent.
func percentOf(part float64) string { return phrase.Percent(int64(part*1e6), 1e6) }
