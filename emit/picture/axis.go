package picture

import (
	"math"
	"strconv"
)

// axis maps times to places.
type axis struct {
	from, to    int64
	left, width float64
}

// pixel is how many nanoseconds a pixel is wide.
func (a *axis) pixel() float64 { return float64(a.to-a.from) / a.width }

// x is the place of a time, which may be outside.
func (a *axis) x(time int64) float64 { return a.left + float64(time-a.from)/a.pixel() }

// inside is the place of a time, or that end of the axis which is nearer to it.
func (a *axis) inside(time int64) float64 { return a.x(min(max(time, a.from), a.to)) }

// tick is a labelled time of the axis.
type tick struct {
	time  int64
	label string
}

// units are the units of times.
var units = []struct {
	name  string
	nanos int64
}{{"s", 1_000_000_000}, {"ms", 1_000_000}, {"µs", 1000}, {"ns", 1}}

// ticks returns round times, as many as fit with labels of the width.
func (a *axis) ticks(width func(label string) float64) (all []tick) {
	const between = 36
	for step := int64(1); ; step = rounder(step) {
		if float64(step)/a.pixel() < between {
			if step > math.MaxInt64/10 {
				return nil
			}
			continue
		}
		label := labels(max(a.to, -a.from), step)
		if float64(step)/a.pixel() < between+max(width(label(a.from)), width(label(a.to))) && step <= math.MaxInt64/10 {
			continue
		}
		for time := a.from / step * step; time <= a.to; time += step {
			if time >= a.from {
				all = append(all, tick{time, label(time)})
			}
			if time > math.MaxInt64-step {
				break
			}
		}
		return all
	}
}

// rounder is the next step of 1, 2, 5, 10, 20, …
func rounder(step int64) int64 {
	power := int64(1)
	for step/power >= 10 {
		power *= 10
	}
	if step/power == 2 {
		return 5 * power
	}
	return 2 * step
}

// labels write times up to the latest one in one unit, as exactly as the steps need.
func labels(latest, step int64) func(time int64) string {
	unit := units[len(units)-1]
	for _, u := range units {
		if latest >= u.nanos {
			unit = u
			break
		}
	}
	decimals := 0
	for part := unit.nanos; part > step; part /= 10 {
		decimals++
	}
	return func(time int64) string {
		if time == 0 {
			return "0"
		}
		return strconv.FormatFloat(float64(time)/float64(unit.nanos), 'f', decimals, 64) + " " + unit.name
	}
}
