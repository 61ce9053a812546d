package contention

import (
	"math/bits"
	"strings"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/internal/gcpause"
	"github.com/trcx/trcx/trace"
)

// Processors is the RUNNABLE time of threads between two moments with known CPU time, its part on a processor, and its
// part in which a collection stopped the JVM. In the rest they were ready for a processor, or in waits that the trace
// does not have. Times are in nanoseconds.
type Processors struct {
	Runnable uint64 `json:"runnable"`
	OnCPU    uint64 `json:"onCPU"`             // up to Runnable
	Stopped  uint64 `json:"stopped,omitempty"` // up to the rest
	// Threads is the number of threads that were RUNNABLE, without those that were so for less than about 1/16 of the
	// longest such time; 0 if unknown. It is not saved.
	Threads uint64 `json:"-"`
}

// Ready is the rest.
func (p *Processors) Ready() uint64 {
	return p.Runnable - min(p.Runnable, histogram.Sum(p.OnCPU, p.Stopped))
}

func (p *Processors) merge(other *Processors) {
	p.Runnable = histogram.Sum(p.Runnable, other.Runnable)
	p.OnCPU = histogram.Sum(p.OnCPU, other.OnCPU)
	p.Stopped = histogram.Sum(p.Stopped, other.Stopped)
	p.Threads = histogram.Sum(p.Threads, other.Threads)
}

// words says what RUNNABLE threads did, "" if no CPU time is known. lacking says that the trace may lack waits.
func (p *Processors) words(lacking bool) string {
	if p.Runnable == 0 {
		return ""
	}
	parts := []string{shareOf(p.OnCPU, p.Runnable) + " on a processor"}
	if ready := p.Ready(); ready > 0 {
		text := shareOf(ready, p.Runnable) + " ready for one"
		if lacking {
			text += " or in waits that the trace does not have"
		}
		parts = append(parts, text)
	}
	if p.Stopped > 0 {
		parts = append(parts, shareOf(p.Stopped, p.Runnable)+" stopped by a collection")
	}
	return strings.Join(parts, ", ") + "."
}

// processorTimes are the times of the live threads whose CPU time has been known at least once.
type processorTimes struct {
	threads map[trace.ThreadKey]*processorTime
	stops   gcpause.List // a collection comes when it has ended, and threads act after it
	// attached is when the recording began, if the trace says so. States of threads that were alive then become known
	// some time later.
	attached trace.Time
	attaches bool
}

// processorTime is a thread's RUNNABLE time since its CPU time was last known.
type processorTime struct {
	used int64 // the CPU time then, in nanoseconds
	// runnable and stopped are sums over the intervals that have ended since.
	runnable, stopped int64
	// before is the time between the begin of the recording and the thread's first state, in which it may have been in
	// that already.
	before  int64
	unknown bool       // the open interval is such a time
	total   uint64     // its RUNNABLE time in the pool's sum
	running bool       // an interval is open
	dumped  bool       // its CPU times are from thread dumps
	since   trace.Time // when it began
	paused  int64      // the sum of all pauses then
}

// processorSum is the time of a pool. CPU time can slightly exceed RUNNABLE time: a thread goes to sleep and wakes up
// within its waits.
type processorSum struct {
	runnable, used, stopped int64
	sizes                   [65]uint64 // counts threads by the lengths, in bits, of their RUNNABLE times
}

func (s *processorSum) processors() Processors {
	runnable := uint64(max(s.runnable, 0))
	used := min(uint64(max(s.used, 0)), runnable)
	return Processors{runnable, used, min(uint64(max(s.stopped, 0)), runnable-used), s.threads()}
}

// fewBits is the number of bits by which a thread's time may be shorter than the longest one, so that it counts.
const fewBits = 4

func (s *processorSum) threads() (count uint64) {
	least := 1
	for size := len(s.sizes) - 1; size >= least; size-- {
		if s.sizes[size] > 0 && count == 0 {
			least = max(size-fewBits, least)
		}
		count += s.sizes[size]
	}
	return count
}

// count adds to the RUNNABLE time of a thread.
func (s *processorSum) count(t *processorTime, runnable int64) {
	if t.total > 0 {
		s.sizes[bits.Len64(t.total)]--
	}
	if t.total = histogram.Sum(t.total, uint64(max(runnable, 0))); t.total > 0 {
		s.sizes[bits.Len64(t.total)]++
	}
}

// put adds a CPU time of a thread to the sum of its pool.
func (p *processorTimes) put(r *trace.CPUTime, sum *processorSum) {
	t := p.threads[r.Thread.Key]
	if t == nil {
		p.threads[r.Thread.Key] = &processorTime{used: r.Used, running: true, since: r.Time, paused: p.stops.Total(),
			dumped: r.Age > 0, unknown: p.attaches && r.Time == p.attached}
		return
	}
	open, stopped, used := int64(0), int64(0), max(r.Used-t.used, 0)
	if t.running {
		open, stopped = int64(max(r.Time-t.since, 0)), p.stops.Total()-t.paused
		t.unknown = false // the sum has it
	}
	runnable := t.runnable + open
	runnable += min(t.before, max(used-runnable, 0)) // as far as its CPU time proves it
	sum.count(t, runnable)
	sum.runnable += runnable
	sum.stopped += t.stopped + stopped
	sum.used += used
	t.used, t.runnable, t.stopped, t.before = r.Used, -open, -stopped, 0
}

// sampled notes that a dump shows whether a thread that it calls RUNNABLE waits in native code.
func (p *processorTimes) sampled(s *trace.Sample) {
	t := p.threads[s.Thread.Key]
	switch running := s.State == trace.StateRunnable; {
	case t == nil || !t.dumped || t.running == running:
	case running:
		t.running, t.since, t.paused = true, s.Time, p.stops.Total()
	default:
		t.stop(s.Time, p.stops.Total())
	}
}

// stop ends the time in which the thread is RUNNABLE.
func (t *processorTime) stop(at trace.Time, paused int64) {
	t.running = false
	if t.unknown {
		t.unknown, t.before = false, int64(max(at-t.since, 0))
		return
	}
	t.runnable += int64(max(at-t.since, 0))
	t.stopped += paused - t.paused
}

// begin notes that a state of a thread begins.
func (p *processorTimes) begin(e *trace.ModelEvent) {
	t := p.threads[e.Thread.Key]
	switch {
	case t == nil:
	case e.Type == trace.Dead:
		delete(p.threads, e.Thread.Key)
	case e.Type == trace.Running:
		t.running, t.since, t.paused = true, e.Time, p.stops.Total()
	}
}

// end notes that an interval of a thread has ended.
func (p *processorTimes) end(i *trace.Interval) {
	if t := p.threads[i.Thread.Key]; t != nil && t.running && i.Type == trace.Running {
		t.stop(i.End, p.stops.Total())
	}
}
