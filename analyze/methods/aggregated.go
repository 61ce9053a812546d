package methods

import (
	"cmp"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// aggregate is an open agMethodEntry.
type aggregate struct {
	node    int32 // in the tree of calls or of samples; noNode if nothing around it is shown
	method  threadstate.Key
	sampled bool
}

// aggregatedEntry adds calls that the recorder has summed up, at a place of the tree.
func (c *Collector) aggregatedEntry(e *trace.Event) {
	t := c.aggregatedThread(e)
	s, k := c.current, threadstate.KeyOf(e.Value(trace.AttrMethodIDRef))
	m := c.methodOf(e, k)
	calls, counted := digits.Number(e.Value(trace.AttrNumCalls))
	at, tr := aggregate{noNode, k, e.Has(trace.AttrSamples)}, &s.tree
	if at.sampled {
		calls, counted = digits.Number(e.Value(trace.AttrSamples))
		tr = &s.samples[OnCPU]
	} else {
		add(&m.entered, uint64(calls))
		s.Aggregated = true
	}
	if n := len(t.aggregates); n > 0 && t.aggregates[n-1].sampled == at.sampled {
		at.node = t.aggregates[n-1].node
	}
	if !m.excluded && counted {
		if at.node == noNode && at.sampled {
			at.node = s.sampledRoot(t, OnCPU)
		} else if at.node == noNode {
			at.node = s.rootOf(t)
		}
		at.node = tr.child(at.node, m.index)
	}
	t.aggregates = append(t.aggregates, at)
	if s.windowed || at.node == noNode || !counted {
		return
	}
	n, base := tr.at(at.node), seconds(e, trace.AttrBaseTime)
	add(&n.base, base)
	add(&n.compensated, base)
	if m.excluded && !at.sampled {
		return
	}
	add(&n.calls, uint64(calls))
	add(&n.cumulative, seconds(e, trace.AttrCumulativeTime))
	if e.Has(trace.AttrMinTime) && e.Has(trace.AttrMaxTime) {
		n.minimum = min(n.minimum, seconds(e, trace.AttrMinTime))
		n.maximum = max(n.maximum, seconds(e, trace.AttrMaxTime))
	}
}

// aggregatedThread returns the thread of the element. An element without a thread, as the recorder writes it for the
// ended virtual threads, gets one thread that stands for all of them.
func (c *Collector) aggregatedThread(e *trace.Event) *thread {
	return cmp.Or(c.thread(e), c.current.unnamed())
}

// unnamed returns the thread that stands for all of elements that name none.
func (s *Session) unnamed() *thread {
	if s.threadless == nil {
		s.threadless = newThread("")
	}
	return s.threadless
}

// aggregatedExit ends the innermost agMethodEntry of the method.
func (c *Collector) aggregatedExit(e *trace.Event) {
	t := c.aggregatedThread(e)
	k := threadstate.KeyOf(e.Value(trace.AttrMethodIDRef))
	for i := len(t.aggregates) - 1; i >= 0; i-- {
		if t.aggregates[i].method == k {
			t.aggregates = t.aggregates[:i]
			return
		}
	}
	c.current.Findings.Stray++
}

// seconds returns a length of time in nanoseconds, 0 if it is unknown.
func seconds(e *trace.Event, a trace.Attr) int64 {
	length, reading := trace.ParseTime(e.Value(a))
	if reading != trace.Exact && reading != trace.Truncated {
		return 0
	}
	return int64(length)
}

// counted is what a methodCount counts.
type counted struct {
	thread *thread // nil for all
	method *method
}

// count keeps how often a method ran, by the recorder's count.
func (c *Collector) count(e *trace.Event) {
	n, is := digits.Number(e.Value(trace.AttrCount))
	if !is {
		return
	}
	m := c.methodOf(e, threadstate.KeyOf(e.Value(trace.AttrMethodIDRef)))
	if _, is := e.Extra.Annotation(trace.NoteLeftOut); is {
		if !m.leftOut && !m.excluded {
			c.current.Findings.LeftOut++
		}
		m.leftOut = true
		return
	}
	k := counted{c.thread(e), m}
	if _, known := c.current.counts[k]; !known {
		c.current.counted = append(c.current.counted, k)
	}
	c.current.counts[k] = histogram.Sum(c.current.counts[k], uint64(n))
}

// addCounts adds the counts of methods without calls. For other methods it compares the counts with the calls.
func (s *Session) addCounts() {
	sums := map[*method]uint64{}
	for _, k := range s.counted {
		n := s.counts[k]
		sums[k.method] = histogram.Sum(sums[k.method], n)
		if n == 0 || k.method.entered > 0 || k.method.excluded || s.windowed {
			continue
		}
		s.Counted = true
		root := s.rootOf(cmp.Or(k.thread, s.unnamed()))
		add(&s.tree.at(s.tree.child(root, k.method.index)).calls, n)
	}
	for m, n := range sums {
		if m.entered > 0 && m.entered != n {
			s.Findings.Miscounted++
		}
	}
}
