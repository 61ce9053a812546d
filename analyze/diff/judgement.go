package diff

import (
	"cmp"
	"math"
)

// Delta returns how much more time the head has, in nanoseconds; below 0 if it has less.
func (c Change) Delta() int64 {
	return whole(float64(c.Head.Total) - c.scaled())
}

// count returns the number of lengths in base and head.
func (c Change) count() uint64 { return c.Base.Count + c.Head.Count }

// whole rounds to an int64, and saturates.
func whole(nanoseconds float64) int64 {
	switch {
	case nanoseconds >= math.MaxInt64:
		return math.MaxInt64
	case nanoseconds <= -math.MaxInt64:
		return -math.MaxInt64
	}
	return int64(math.Round(nanoseconds))
}

// scaled returns the scaled total of the base, in nanoseconds.
func (c Change) scaled() float64 { return float64(c.Base.Total) * c.scale }

// Noise returns the largest difference that can be chance, in nanoseconds: twice the standard deviation of the
// difference of two totals of independent lengths. That is the square root of the sum of the squares of all lengths.
func (c Change) Noise() int64 {
	return whole(2 * math.Sqrt(c.Head.Squares()+c.scale*c.scale*c.Base.Squares()))
}

// Judgement is the result of the statistical tests of a change.
type Judgement string

// The judgements.
const (
	Same       Judgement = "within noise"
	MoreOften  Judgement = "more often"
	LessOften  Judgement = "less often"
	Longer     Judgement = "longer each time"
	Shorter    Judgement = "shorter each time"
	MoreTime   Judgement = "more time"
	LessTime   Judgement = "less time"
	OnlyInHead Judgement = "only in head"
	OnlyInBase Judgement = "only in base"
)

// deviations is the number of standard deviations beyond which a difference is not chance.
const deviations = 2

// Judge returns what changed beyond noise: the number of lengths, the lengths, or only their total. If only one side
// has lengths, that is a change if there are more than four.
func (c Change) Judge() Judgement {
	often := (float64(c.Head.Count) - float64(c.Base.Count)*c.scale) / math.Sqrt(max(float64(c.Head.Count)+
		float64(c.Base.Count)*c.scale*c.scale, 1))
	switch {
	case c.Base.Count == 0 && often > deviations:
		return OnlyInHead
	case c.Head.Count == 0 && often < -deviations:
		return OnlyInBase
	}
	if moved := c.moved(); moved != Same {
		return moved
	}
	delta := c.Delta()
	switch beyond := max(delta, -delta) > c.Noise(); {
	case often > deviations && delta > 0:
		return MoreOften
	case often < -deviations && delta < 0:
		return LessOften
	case beyond && delta > 0:
		return MoreTime
	case beyond && delta < 0:
		return LessTime
	}
	return Same
}

// moved returns whether the lengths have another distribution, by the Kolmogorov-Smirnov test at a significance level
// of one percent, and in which direction: Longer, Shorter or Same.
func (c Change) moved() Judgement {
	n, m := float64(c.Base.Count), float64(c.Head.Count)
	if n == 0 || m == 0 {
		return Same
	}
	gap := widestGap(c.Base.Buckets(), c.Head.Buckets(), n, m)
	const onePercent = 1.628
	switch limit := onePercent * math.Sqrt((n+m)/(n*m)); {
	case gap > limit && c.averages() > 0:
		return Longer
	case gap < -limit && c.averages() < 0:
		return Shorter
	}
	return Same
}

// averages returns in which direction the mean moved, above 0 if it is larger in the head; 0 if it moved by less than
// one percent, or the median moved in the opposite direction.
func (c Change) averages() int {
	base, head := c.Base.Mean(), c.Head.Mean()
	mean := cmp.Compare(head, base)
	if max(head-base, base-head) < base/100 || cmp.Compare(c.Head.Percentile(50), c.Base.Percentile(50)) == -mean {
		return 0
	}
	return mean
}

// widestGap returns the largest difference of the two cumulative distributions; above 0 if the head has fewer short
// lengths.
func widestGap(base, head [][2]uint64, n, m float64) (widest float64) {
	below := 0.0
	for len(base) > 0 || len(head) > 0 {
		at := uint64(math.MaxUint64)
		if len(base) > 0 {
			at = base[0][0]
		}
		if len(head) > 0 {
			at = min(at, head[0][0])
		}
		if len(base) > 0 && base[0][0] == at {
			below += float64(base[0][1]) / n
			base = base[1:]
		}
		if len(head) > 0 && head[0][0] == at {
			below -= float64(head[0][1]) / m
			head = head[1:]
		}
		if math.Abs(below) > math.Abs(widest) {
			widest = below
		}
	}
	return widest
}
