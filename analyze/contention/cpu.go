package contention

import (
	"fmt"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// Processors is the RUNNABLE time of threads between two moments at which their CPU time is known, and the part of it
// in which they were on a processor. In the rest they were ready for one, or waited for what the trace does not have.
type Processors struct {
	Runnable uint64 `json:"runnable"` // nanoseconds
	OnCPU    uint64 `json:"onCPU"`    // nanoseconds, up to Runnable
}

func (p *Processors) merge(other *Processors) {
	p.Runnable = histogram.Sum(p.Runnable, other.Runnable)
	p.OnCPU = histogram.Sum(p.OnCPU, other.OnCPU)
}

// words are the sentence of the headline, "" if no CPU time is known.
func (p *Processors) words() string {
	if p.Runnable == 0 {
		return ""
	}
	text := fmt.Sprintf("RUNNABLE: %s on a processor", shareOf(p.OnCPU, p.Runnable))
	if rest := p.Runnable - p.OnCPU; rest > 0 {
		text += fmt.Sprintf("; the other %s ready for one, or in waits that the trace does not have",
			phrase.Total(rest))
	}
	return text + "."
}

// processorTimes are those of the live threads whose CPU time was known once.
type processorTimes map[trace.ThreadKey]*processorTime

// processorTime is a thread's RUNNABLE time since its CPU time was known last.
type processorTime struct {
	used     int64      // the CPU time then, in nanoseconds
	runnable int64      // of the intervals that have ended, without what was before
	running  bool       // an interval is open
	since    trace.Time // when it began
}

// processorSum is the time of a pool. CPU time can be a little more than RUNNABLE time: a thread goes to sleep, and
// wakes up, within its waits.
type processorSum struct{ runnable, used int64 }

func (s *processorSum) processors() Processors {
	runnable := uint64(max(s.runnable, 0))
	return Processors{runnable, min(uint64(max(s.used, 0)), runnable)}
}

// put adds a CPU time of a thread to the sum of its pool.
func (p processorTimes) put(r *trace.CPUTime, sum *processorSum) {
	t := p[r.Thread.Key]
	if t == nil {
		p[r.Thread.Key] = &processorTime{used: r.Used, running: true, since: r.Time}
		return
	}
	open := int64(0)
	if t.running {
		open = int64(max(r.Time-t.since, 0))
	}
	sum.runnable += t.runnable + open
	sum.used += max(r.Used-t.used, 0)
	t.used, t.runnable = r.Used, -open
}

// begin notes that a state of a thread begins.
func (p processorTimes) begin(e *trace.ModelEvent) {
	t := p[e.Thread.Key]
	switch {
	case t == nil:
	case e.Type == trace.Dead:
		delete(p, e.Thread.Key)
	case e.Type == trace.Running:
		t.running, t.since = true, e.Time
	}
}

// end notes that an interval of a thread has ended.
func (p processorTimes) end(i *trace.Interval) {
	if t := p[i.Thread.Key]; t != nil && t.running && i.Type == trace.Running {
		t.running = false
		t.runnable += int64(max(i.End-max(i.Time, t.since), 0))
	}
}
