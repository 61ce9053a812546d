package main

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// outside is the probability that the median is above its upper bound: 2.5 %, which makes the bound the upper end of a
// 95 % interval. It holds for every distribution: the bound's rank is the smallest number of rounds whose chance to be
// below the median is less than that.
const outside = 0.025

// upperBound returns the upper bound of the values' median, and whether there are enough values for one.
func upperBound(values []float64) (bound float64, enough bool) {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	tail := 0.0 // probability that at least below of n values are below their median
	for below := n; below >= 0; below-- {
		if tail += binomial(n, below); tail > outside {
			return sorted[min(below, n-1)], below < n
		}
	}
	return 0, false
}

// lowerBound returns the lower end of the same interval.
func lowerBound(values []float64) float64 {
	negative := make([]float64, len(values))
	for i, value := range values {
		negative[i] = -value
	}
	bound, _ := upperBound(negative)
	return -bound
}

// binomial returns the probability that k of n fair coins show heads.
func binomial(n, k int) float64 {
	all, _ := math.Lgamma(float64(n + 1))
	heads, _ := math.Lgamma(float64(k + 1))
	tails, _ := math.Lgamma(float64(n - k + 1))
	return math.Exp(all - heads - tails - float64(n)*math.Ln2)
}

// costVerdict returns how many times as long the second command runs, or how much longer, with the upper bound.
func costVerdict(a, b []measurement, e expectation) string {
	ratios, more := make([]float64, len(a)), make([]float64, len(a))
	for i := range a {
		ratios[i] = quotient(b[i].wall, a[i].wall)
		more[i] = float64(b[i].wall - a[i].wall)
	}
	if e.added > 0 {
		bound, enough := upperBound(more)
		return fmt.Sprintf("%+.1f ms", time.Duration(median(more)).Seconds()*1e3) +
			boundVerdict(fmt.Sprintf("%+.1f ms", time.Duration(bound).Seconds()*1e3), fmt.Sprintf("%+v", e.added),
				enough, bound <= float64(e.added))
	}
	bound, enough := upperBound(ratios)
	text := fmt.Sprintf("%.2f times as long", median(ratios))
	if enough {
		text += fmt.Sprintf(", at 95 %% at least %.2f", lowerBound(ratios))
	}
	return text + boundVerdict(fmt.Sprintf("%.2f", bound), fmt.Sprint(e.most), enough, bound <= e.most)
}

func boundVerdict(bound, most string, enough, kept bool) string {
	if !enough {
		return ", too few rounds for a bound"
	}
	return fmt.Sprintf(", at 95 %% at most %s  want at most %s: %s", bound, most, reached(kept))
}
