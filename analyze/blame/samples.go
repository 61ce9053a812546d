package blame

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// Sample is a sum for a flame graph, from its root on: where threads waited, what for, who is to blame, and where that
// culprit was. Threads count for their pools.
type Sample struct {
	// Waiter is the call stack of the waiting threads, innermost first; only the program's own call unless the recorder
	// keeps stacks. It is empty if unknown.
	Waiter []trace.Frame
	// For is what they waited for, such as "lock of shop.Cache".
	For     string
	Culprit Culprit
	// Stack is where the culprit waits, or had waited before it ran; like Waiter.
	Stack []trace.Frame
	Total int64 // nanoseconds
	limit limit
}

// limit is why a sample lacks a part of its description.
type limit uint8

const (
	unlimited   limit = iota
	otherPlaces       // without Waiter and For: there were too many
	smallerSums       // the sum of the samples beyond the limit
)

// Samples returns the sums, the largest first. The last one sums up those beyond the limit.
func (b *Blame) Samples() []Sample {
	type sampled struct {
		stack uint32
		what  string
	}
	groups := grouped(b, b.finished.ends, func(s trace.SegmentID, kept critical.Kept) sampled {
		object, state, _ := b.recorder.WaitOf(s)
		return sampled{b.recorder.Stack(s), reason(state, &object)}
	})
	lists, firsts := [][]uint32{}, []Sample{}
	for i := range min(b.limits.places, len(groups.list)) {
		ends := groups.endsOf(i)
		waiter := b.recorder.Frames(b.recorder.Stack(trace.SegmentID(ends[0])))
		longest := b.longestOf(&groups.list[i])
		lists = append(lists, ends)
		firsts = append(firsts, Sample{Waiter: waiter, For: reason(longest.State, &longest.Object)})
	}
	var others []uint32
	for i := b.limits.places; i < len(groups.list); i++ {
		others = append(others, groups.endsOf(i)...)
	}
	if len(others) > 0 {
		lists, firsts = append(lists, others), append(firsts, Sample{limit: otherPlaces})
	}
	keys := newKeys(byPlace)
	keys.pools = b.recorder
	var samples []Sample
	rest := Sample{limit: smallerSums}
	for i, sums := range b.finished.sums(keys, lists...) {
		for n, sum := range sums {
			if sum.total > 0 {
				k, sample := keys.list[n], firsts[i]
				sample.Culprit, sample.Stack = b.culprit(k, keys.names), b.recorder.Frames(k.place)
				sample.Total = sum.total
				samples = append(samples, sample)
			}
		}
		if len(samples) > 2*b.limits.samples {
			samples = largest(samples, b.limits.samples, &rest)
		}
	}
	if samples = largest(samples, b.limits.samples, &rest); rest.Total > 0 {
		samples = append(samples, rest)
	}
	return samples
}

// largest returns the given number of samples, the largest first, and adds the others to rest.
func largest(samples []Sample, limit int, rest *Sample) []Sample {
	slices.SortStableFunc(samples, func(x, y Sample) int { return cmp.Compare(y.Total, x.Total) })
	kept := min(limit, len(samples))
	for i := range samples[kept:] {
		rest.Total = histogram.Sum(rest.Total, samples[kept+i].Total)
	}
	return samples[:kept]
}

// reasons name what threads wait for in a state.
var reasons = [trace.StateCount]string{trace.StateBlocked: "lock", trace.StateDeadlocked: "lock",
	trace.StateWaiting: "notification", trace.StateTimedWaiting: "notification", trace.StateParked: "park",
	trace.StateInIO: "input or output", trace.StateJoining: "end of thread",
	trace.StateInitialising: "initialisation"}

// reason says what threads wait for in the state, by the class of the object: lock of shop.Cache, latch CountDownLatch,
// condition of ReentrantLock.
func reason(state trace.State, o *critical.Object) string {
	synchronizer, ok := javaname.SynchronizerOf(o.Class)
	switch {
	case state == trace.StateJoining || o.Class == "":
		return reasons[state]
	case ok && synchronizer.Word == "condition" && o.LockClass != "":
		return "condition of " + phrase.Name(javaname.SimpleClass(o.LockClass))
	case ok && (state == trace.StateParked || synchronizer.Word == "lock"):
		return synchronizer.String()
	}
	return reasons[state] + " of " + phrase.Name(javaname.PlainClass(o.Class))
}

// Level is a frame of a flame graph.
type Level struct {
	Title string      // for people
	Call  trace.Frame // the call; its method is nil for other frames
}

// Levels returns the sample's frames, from the root on: the calls of the waiting threads, what they waited for, the
// pool that is to blame, its calls, and its state. Unknown calls of the pool are left out.
func (s *Sample) Levels() []Level {
	if s.limit == smallerSums {
		return []Level{{Title: "(smaller sums)"}}
	}
	levels := calls(s.Waiter)
	switch {
	case s.limit == otherPlaces:
		levels = []Level{{Title: "(other places)"}}
	case len(levels) == 0:
		levels = []Level{{Title: "(unknown place)"}}
	}
	if s.For != "" {
		levels = append(levels, Level{Title: "[" + s.For + "]"})
	}
	switch s.Culprit.Kind {
	case Unknown:
		return append(levels, Level{Title: "(unknown)"})
	case Paused:
		return append(levels, Level{Title: "[garbage collection]"})
	}
	levels = append(levels, Level{Title: cmp.Or(phrase.Name(s.Culprit.Pool), "(thread without a name)")})
	levels = append(levels, calls(s.Stack)...)
	return append(levels, Level{Title: "[" + s.Culprit.Did() + "]"})
}

// calls returns the frames as levels, the outermost first.
func calls(stack []trace.Frame) (levels []Level) {
	for _, frame := range slices.Backward(stack) {
		levels = append(levels, Level{cmp.Or(wording.Frame(frame), "(unknown method)"), frame})
	}
	return levels
}

// Frames returns the titles of Levels.
func (s *Sample) Frames() (titles []string) {
	for _, level := range s.Levels() {
		titles = append(titles, level.Title)
	}
	return titles
}

// ShortenedStacks returns the number of waits in the whole trace whose samples have only the program's own call, as
// there were too many different call stacks.
func (b *Blame) ShortenedStacks() uint64 { return b.recorder.ShortenedStacks() }
