package samples

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// Summary is what the samples of a trace show.
type Summary struct {
	Samples uint64
	States  [trace.StateCount]uint64 // how many samples found threads in each state
	// Place is where the most samples found threads RUNNABLE, AtPlace their number; no Method if it is unknown.
	Place   trace.Frame
	AtPlace uint64
	// Dumps is the number of thread dumps that have the samples; 0 if they are a profiler's.
	Dumps int
	// Alone reports that the trace has nothing but thread dumps.
	Alone bool
	// Untimed reports that the times between the dumps are unknown, and so the lengths of all waits.
	Untimed bool
	Busy    []Busy // threads that compute, the busiest first
	// Runnable are the threads that the last dump found RUNNABLE in the program.
	Runnable []Runnable
	// InIO are the threads that a profiler nearly always saw in native code, for input or output, at one place.
	InIO []InIO
}

// InIO is a thread that was in native code, for input or output.
type InIO struct {
	Thread   trace.ThreadRef
	Name     string
	Place    trace.Frame // of the program
	Seen, Of uint64      // how many of its samples were there, and how many there are
}

// Runnable is a thread that a dump found RUNNABLE.
type Runnable struct {
	Thread trace.ThreadRef
	Name   string
	Place  trace.Frame // of the program
	All    bool        // it was there in all dumps that have threads RUNNABLE
	Native bool        // in native code, which the program called for input or output
	Locks  bool        // the native code waits for the lock of a file
}

// Busy is a thread that computes.
type Busy struct {
	Thread trace.ThreadRef
	Name   string
	// Used is the CPU time that it used in the Length before To, in nanoseconds. Both are 0 if they are unknown.
	Used, Length int64
	To           trace.Time
	// Lifelong reports that the Length is since the thread began, Sampled that Used is what the samples stand for.
	Lifelong, Sampled bool
	// Pooled reports that it used little, and counts only because its pool used a core or more.
	Pooled bool
	// Place is where it was RUNNABLE in most samples, in all dumps or in the only one; no Method if it is unknown.
	Place trace.Frame
	// Seen is the number of dumps, or of the thread's samples, that found it there, Of the number of all.
	Seen, Of uint64
}

// The limits from which a thread counts as busy.
const (
	leastShare   = 2             // it used one part in so many of a processor
	leastInRun   = 50            // a busy machine leaves little; threads in native code use less
	leastAge     = 2_000_000_000 // nanoseconds, of a thread in a single dump
	leastLength  = 100_000_000   // nanoseconds, between two CPU times
	leastSamples = 10            // of a profiler
)

// Summary returns what the samples show; nil if there are no samples, no thread computes, and the trace has no dumps.
// The function returns a thread's name, and whether it is one of the JVM's.
func (c *Collector) Summary(describe func(trace.ThreadKey) (name string, ofJVM bool)) *Summary {
	s := &Summary{States: c.states}
	for _, count := range c.states {
		s.Samples += count
	}
	if s.States[trace.StateRunnable] >= leastProfile || c.dumps {
		s.Place, s.AtPlace = c.places.most()
	}
	if c.dumps {
		s.Dumps, s.Alone, s.Untimed = c.moments, c.alone, c.untimed
	}
	if c.alone {
		s.Dumps = max(s.Dumps, c.seen)
	}
	for key, t := range c.threads {
		name, ofJVM := describe(key)
		if at := &t.at; at.place.Method != nil && at.to == c.moments && !ofJVM {
			s.Runnable = append(s.Runnable, Runnable{t.ThreadRef, name, at.place, at.from == 1, at.native, at.locks})
		}
		if ofJVM && t.places.in(s.Place) > s.AtPlace/2 {
			s.Place, s.AtPlace = trace.Frame{}, 0
		}
		if place, seen := t.io.places.most(); !ofJVM && c.isInIO(t, seen) {
			s.InIO = append(s.InIO, InIO{t.ThreadRef, name, place, seen, t.samples})
		}
		if b := c.busy(t); b != nil && !ofJVM {
			b.Thread, b.Name = t.ThreadRef, name
			s.Busy = append(s.Busy, *b)
		}
	}
	s.Busy = withPools(s.Busy)
	slices.SortFunc(s.Runnable, func(a, b Runnable) int { return cmp.Compare(a.Thread.Key, b.Thread.Key) })
	slices.SortFunc(s.InIO, func(a, b InIO) int { return cmp.Compare(a.Thread.Key, b.Thread.Key) })
	slices.SortFunc(s.Busy, func(a, b Busy) int {
		return cmp.Or(cmp.Compare(b.Used, a.Used), cmp.Compare(b.Seen, a.Seen), cmp.Compare(a.Thread.Key, b.Thread.Key))
	})
	if s.Samples == 0 && len(s.Busy) == 0 && !s.Alone {
		return nil
	}
	return s
}

// isInIO reports whether the thread was nearly always in input or output at one place, where seen samples are, and for
// at least half of the profile.
func (c *Collector) isInIO(t *thread, seen uint64) bool {
	return seen >= leastProfile && seen >= t.samples-t.samples/10 && 2*(t.io.last-t.io.first) >= c.moment-c.first
}

// busy returns how the thread computes; nil if it does not. What it used may count only together with its pool.
func (c *Collector) busy(t *thread) *Busy {
	b := &Busy{Of: uint64(c.moments)}
	if t.most.dumps > 0 {
		b.Place, b.Seen = t.most.frame(), uint64(t.most.dumps)
	}
	profiled := c.moments > 0 && !c.dumps
	if profiled {
		b.Place, b.Seen = t.places.most()
		b.Of = t.samples
	}
	used, length := t.cpu.used()
	last := &t.cpu.last
	switch {
	case length >= max(leastLength, int64(c.last-c.start)/2):
		b.Used, b.Length, b.To = used, length, last.Time
	case profiled:
		return c.profiled(t)
	case c.moments == 1:
		if b.Place.Method == nil && t.at.to == c.moments {
			b.Place = t.at.place
		}
		if last.Age >= leastAge && b.Place.Method != nil {
			b.Used, b.Length, b.To, b.Lifelong = last.Used, last.Age, last.Time, true
		}
	}
	switch {
	case b.Used > 0 && b.Used >= b.Length/leastShare:
		return b
	case t.inDumps(c.moments):
		b.Used, b.Length, b.To = t.used, t.length, t.most.begin.Time+trace.Time(t.length)
		return b
	}
	b.Pooled = true
	return unless(b.Used == 0, b)
}

// inDumps reports whether the thread computes, as successive dumps show it RUNNABLE at the same calls.
func (t *thread) inDumps(moments int) bool {
	switch {
	case t.most.dumps < 2 || 2*t.most.dumps < moments || t.most.frame().Method == nil:
		return false
	case t.cpu.last.Used == 0:
		return !t.most.native
	}
	return t.length > 0 && t.used >= t.length/leastInRun
}

func unless(not bool, b *Busy) *Busy {
	if not {
		return nil
	}
	return b
}

// profiled returns how the thread computes, as a profiler has seen it: by the time that samples represent or, if all
// threads were sampled, by its share of the samples.
func (c *Collector) profiled(t *thread) *Busy {
	length := int64(c.moment - c.first)
	if t.runnable < leastSamples {
		return nil
	}
	b := &Busy{Of: t.samples}
	b.Place, b.Seen = t.places.most()
	if t.sampled > 0 {
		b.Used, b.Length, b.To, b.Sampled = min(t.sampled, length), length, c.moment, true
		b.Pooled = b.Used < length/leastShare
		return b
	}
	return unless(!c.samplesAll() || t.runnable*leastShare < t.samples, b)
}

// withPools leaves out threads that count only together with their pool, unless that used a core or more without those
// that used less than half of its average. Then all others of the pool count so.
func withPools(all []Busy) []Busy {
	pools := map[string][]Busy{}
	for i := range all {
		if b := &all[i]; b.Name != "" && b.Used > 0 {
			pools[threads.PoolOf(b.Name)] = append(pools[threads.PoolOf(b.Name)], *b)
		}
	}
	least := map[string]int64{} // of pools that used a core, what a thread that counts used
	for pool, of := range pools {
		sum, _ := Use(of)
		enough := max(sum/int64(2*len(of)), 1)
		of = slices.DeleteFunc(of, func(b Busy) bool { return b.Pooled && b.Used < enough })
		if used, length := Use(of); used >= length && slices.ContainsFunc(of, func(b Busy) bool { return b.Pooled }) {
			least[pool] = enough
		}
	}
	return slices.DeleteFunc(all, func(b Busy) bool {
		enough := least[threads.PoolOf(b.Name)]
		return b.Pooled && (enough == 0 || b.Used < enough)
	})
}

// Use returns the CPU time that threads used, and the time in which that was known of at least one of them.
func Use(all []Busy) (used, length int64) {
	begin := func(b *Busy) trace.Time { return b.To - trace.Time(b.Length) }
	ordered := slices.SortedFunc(slices.Values(all), func(a, b Busy) int { return cmp.Compare(begin(&a), begin(&b)) })
	end := trace.Time(math.MinInt64)
	for i := range ordered {
		b := &ordered[i]
		used = histogram.Sum(used, min(b.Used, b.Length))
		if b.To > end {
			length = histogram.Sum(length, int64(b.To-max(begin(b), end)))
			end = b.To
		}
	}
	return used, length
}

// samplesAll reports whether the profiler samples all threads, also those that wait.
func (c *Collector) samplesAll() bool {
	for state, count := range c.states {
		if count > 0 && trace.State(state) != trace.StateRunnable && trace.State(state) != trace.StateInIO {
			return true
		}
	}
	return false
}

// leastProfile is the number of a profiler's samples from which they get a sentence.
const leastProfile = 20

// Sentence says what a profiler's samples show, and a place if it is the program's: "21,000 samples: 62 % RUNNABLE, most
// at app.Main.parse(Main.java:12)."
// It is "" for dumps, which have only samples of RUNNABLE threads, and for few samples.
func (s *Summary) Sentence() string {
	if s == nil || s.Dumps > 0 || s.Samples < leastProfile {
		return ""
	}
	runnable := s.States[trace.StateRunnable]
	text := fmt.Sprintf("%s samples: %s RUNNABLE", phrase.Number(s.Samples), phrase.Percent(int64(runnable), int64(s.Samples)))
	at := s.Place
	at.Outer = nil
	if place := wording.Frame(at); place != "" && runnable > 0 {
		text += fmt.Sprintf(", most at %s (%s of these)", place, phrase.Percent(int64(s.AtPlace), int64(runnable)))
	}
	for state := trace.StateRunnable + 1; state < trace.StateCount; state++ {
		if count := s.States[state]; count > 0 {
			text += fmt.Sprintf(", %s %s", phrase.Percent(int64(count), int64(s.Samples)), state)
		}
	}
	return text + "."
}

// Merge returns the sum of the samples of two traces. Either may be nil.
func (s *Summary) Merge(other *Summary) *Summary {
	if s == nil || other == nil {
		return cmp.Or(s, other)
	}
	sum := &Summary{Samples: s.Samples + other.Samples, Place: s.Place, AtPlace: s.AtPlace,
		Dumps: s.Dumps + other.Dumps, Alone: s.Alone && other.Alone, Untimed: s.Untimed || other.Untimed,
		Busy: slices.Concat(s.Busy, other.Busy), Runnable: slices.Concat(s.Runnable, other.Runnable),
		InIO: slices.Concat(s.InIO, other.InIO)}
	for state := range sum.States {
		sum.States[state] = s.States[state] + other.States[state]
	}
	if other.AtPlace > s.AtPlace {
		sum.Place, sum.AtPlace = other.Place, other.AtPlace
	}
	return sum
}
