package main

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// A bound is what the median of the rounds is below, with a probability of at least 97.5 % (the upper end of a 95 %
// interval), whatever the rounds are distributed like: the fewest rounds that would lie below the median with less than
// the other 2.5 % decide. See costVerdict.
const beyond = 0.025

// upperBound is the bound of the values' median, and whether there are enough of them for one.
func upperBound(values []float64) (bound float64, enough bool) {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	tail := 0.0 // the probability that so many or more of n values lie below their median
	for below := n; below >= 0; below-- {
		if tail += binomial(n, below); tail > beyond {
			return sorted[min(below, n-1)], below < n
		}
	}
	return 0, false
}

// binomial is the probability that k of n fair coins show heads.
func binomial(n, k int) float64 {
	all, _ := math.Lgamma(float64(n + 1))
	heads, _ := math.Lgamma(float64(k + 1))
	tails, _ := math.Lgamma(float64(n - k + 1))
	return math.Exp(all - heads - tails - float64(n)*math.Ln2)
}

// costVerdict says how many times as long the second command takes, or how much longer, and the bound of it.
func costVerdict(a, b []measurement, e expectation) string {
	ratios, more := make([]float64, len(a)), make([]float64, len(a))
	for i := range a {
		ratios[i] = quotient(b[i].wall, a[i].wall)
		more[i] = float64(b[i].wall - a[i].wall)
	}
	if e.added > 0 {
		bound, enough := upperBound(more)
		return fmt.Sprintf("%+.1f ms", time.Duration(middle(more)).Seconds()*1e3) +
			boundVerdict(fmt.Sprintf("%+.1f ms", time.Duration(bound).Seconds()*1e3), fmt.Sprintf("%+v", e.added),
				enough, bound <= float64(e.added))
	}
	bound, enough := upperBound(ratios)
	return fmt.Sprintf("%.2f times as long", middle(ratios)) + boundVerdict(fmt.Sprintf("%.2f", bound),
		fmt.Sprint(e.most), enough, bound <= e.most)
}

func boundVerdict(bound, most string, enough, kept bool) string {
	if !enough {
		return ", too few rounds for a bound"
	}
	return fmt.Sprintf(", at 95 %% at most %s  want at most %s: %s", bound, most, reached(kept))
}

// middle is the median.
func middle(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}
