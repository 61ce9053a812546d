package blame

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// Sample is a sum for a flame graph, from its root on: where threads waited, what for, who is to blame, and where that
// one was. Threads count for their pools.
type Sample struct {
	Waiter trace.Frame // the place of the waiting threads; its method is nil if that is unknown
	// For is what they waited for, such as "lock of shop.Cache".
	For     string
	Culprit Culprit
	// Place is where the culprit waits, or had waited before it ran; its method is nil if that is unknown.
	Place trace.Frame
	Total int64 // nanoseconds
}

// maxSampled limits the places and monitors that samples tell apart, of waiting threads; the others are one.
const maxSampled = 1 << 10

// Samples returns the sums, the largest first.
func (b *Blame) Samples() []Sample {
	type sampled struct {
		place uint32
		what  string
	}
	groups := grouped(b, func(s trace.SegmentID, kept critical.Kept) sampled {
		object, _, _ := b.recorder.WaitOf(s)
		return sampled{b.recorder.Place(s), reason(kept.Type, object.Class)}
	})
	var samples []Sample
	var rest []uint32
	for i, g := range groups {
		if i >= maxSampled {
			rest = append(rest, g.ends...)
			continue
		}
		samples = b.addSamples(samples, g.ends, g.Longest.Caller, reason(g.Longest.Type, g.Longest.Object.Class))
	}
	if len(rest) > 0 {
		samples = b.addSamples(samples, rest, trace.Frame{}, "others")
	}
	slices.SortStableFunc(samples, func(x, y Sample) int { return cmp.Compare(y.Total, x.Total) })
	return samples
}

// addSamples appends the samples of the waits that the segments ended.
func (b *Blame) addSamples(samples []Sample, ends []uint32, waiter trace.Frame, what string) []Sample {
	keys := newKeys(true)
	keys.pools = b.recorder
	for n, sum := range b.forest.sums(keys, ends) {
		if sum.total > 0 {
			k := keys.list[n]
			samples = append(samples, Sample{waiter, what, b.culprit(k), b.recorder.Frame(k.place), sum.total})
		}
	}
	return samples
}

// reason is what threads waited for, by the class of the object.
func reason(typ trace.ModelType, class string) string {
	what := map[trace.ModelType]string{trace.WaitingForLock: "lock", trace.WaitingForObject: "notification",
		trace.WaitingForJoin: "end of thread"}[typ]
	if class == "" || typ == trace.WaitingForJoin {
		return what
	}
	return what + " of " + phrase.Name(trace.JavaClassName(class))
}

// Frames returns the titles of the sample's frames for people, from the root on: the place of the waiting threads, what
// they waited for, the pool that is to blame, its place, and its state. Unknown places are left out.
func (s *Sample) Frames() []string {
	frames := []string{cmp.Or(phrase.Frame(s.Waiter), "(unknown place)"), "[" + s.For + "]"}
	if s.Culprit.Kind == Unknown {
		return append(frames, "(unknown)")
	}
	frames = append(frames, cmp.Or(phrase.Name(s.Culprit.Pool), "(thread without a name)"))
	if place := phrase.Frame(s.Place); place != "" {
		frames = append(frames, place)
	}
	return append(frames, "["+s.Culprit.Did()+"]")
}
