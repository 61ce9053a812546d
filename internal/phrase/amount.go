package phrase

import (
	"math"
	"strconv"
)

// Size formats a size in a fitting unit, with three digits or a few more: 1.23 GiB, 45.6 KiB, 120 B.
func Size(bytes uint64) string {
	for _, u := range []struct {
		name  string
		shift int
	}{{"GiB", 30}, {"MiB", 20}, {"KiB", 10}} {
		if bytes >= 1<<u.shift {
			return decimals(float64(bytes)/float64(uint64(1)<<u.shift)) + " " + u.name
		}
	}
	return strconv.FormatUint(bytes, 10) + " B"
}

// Duration formats a duration in a fitting unit, with three digits or a few more: 1.23 s, 45.6 ms.
func Duration(nanoseconds int64) string {
	for _, u := range []struct {
		name  string
		nanos float64
	}{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}} {
		if value := float64(nanoseconds) / u.nanos; math.Abs(value) >= 1 {
			return decimals(value) + " " + u.name
		}
	}
	return strconv.FormatInt(nanoseconds, 10) + " ns"
}

// Total formats a sum of durations like Duration. It saturates at 292 years.
func Total(nanoseconds uint64) string { return Duration(int64(min(nanoseconds, math.MaxInt64))) }

// decimals formats the value with as many decimals, up to two, as make three digits.
func decimals(value float64) string {
	places := 2
	for size := math.Abs(math.Trunc(value)); places > 0 && size >= 10; size /= 10 {
		places--
	}
	return strconv.FormatFloat(value, 'f', places, 64)
}
