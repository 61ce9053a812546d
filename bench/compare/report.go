package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// line returns the result as one line. Its columns have fixed widths, so that lines of several runs align.
func line(name string, a, b []measurement, e expectation) string {
	text := fmt.Sprintf("%-34s  %s  %s", name, side(a), side(b))
	if e.memory {
		return text + "  " + memoryVerdict(peak(a), peak(b), e)
	}
	if e.most > 0 || e.added > 0 {
		return text + "  " + costVerdict(a, b, e)
	}
	return text + "  " + timeVerdict(a, b, e)
}

// side returns one command's times and memory.
func side(runs []measurement) string {
	walls := durations(runs)
	return fmt.Sprintf("%8.3f s (min %8.3f s, %6.1f MiB)", median(walls).Seconds(), slices.Min(walls).Seconds(),
		mebibytes(peak(runs)))
}

func timeVerdict(a, b []measurement, e expectation) string {
	ratio := quotient(median(durations(a)), median(durations(b)))
	rounds := make([]float64, len(a))
	for i := range a {
		rounds[i] = quotient(a[i].wall, b[i].wall)
	}
	text := fmt.Sprintf("%6.2f times (%.2f to %.2f)", ratio, slices.Min(rounds), slices.Max(rounds))
	text += verdict("want", e.want, ratio) + verdict("goal", e.goal, ratio)
	return text
}

func verdict(name string, wanted, ratio float64) string {
	if wanted == 0 {
		return ""
	}
	return fmt.Sprintf("  %s %g: %s", name, wanted, reached(ratio >= wanted))
}

func reached(yes bool) string {
	if yes {
		return "reached"
	}
	return "MISSED"
}

func memoryVerdict(a, b int64, e expectation) string {
	if a == 0 || b == 0 {
		return "peak memory is unknown on this system"
	}
	more := (float64(b)/float64(a) - 1) * 100
	text := fmt.Sprintf("%+6.1f %% memory", more)
	if e.limit > 0 {
		text += fmt.Sprintf("  want at most %g MiB: %s", e.limit, reached(mebibytes(b) <= e.limit))
	}
	if e.within > 0 {
		text += fmt.Sprintf("  want at most +%g %%: %s", e.within, reached(more <= e.within))
	}
	return strings.TrimSpace(text)
}

func durations(runs []measurement) []time.Duration {
	walls := make([]time.Duration, len(runs))
	for i, r := range runs {
		walls[i] = r.wall
	}
	return walls
}

// median returns the middle value; of an even number, the mean of the two in the middle.
func median[T ~int64 | ~float64](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}

func peak(runs []measurement) int64 {
	return slices.MaxFunc(runs, func(a, b measurement) int { return cmp.Compare(a.peak, b.peak) }).peak
}

func quotient(a, b time.Duration) float64 { return float64(a) / float64(max(b, 1)) }

func mebibytes(bytes int64) float64 { return float64(bytes) / (1 << 20) }
