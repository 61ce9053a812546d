// Package phrase formats names, calls, counts and lists for people. Names are sanitized: none can control a terminal.
package phrase

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
)

// maxName limits a name, in characters, and a method's name with its package and class. Longer ones are attacks.
const maxName = 300

// Name returns the name on one line, without its middle if it is long.
func Name(text string) string { return sanitize.Short(sanitize.Text(text), maxName) }

// Call returns a call as Java's stack traces have it: app.Main.run(Main.java:7). It is "" without a method. The file is
// "", or the line below 0, if it is unknown.
func Call(method, file string, line int) string {
	switch {
	case method == "":
		return ""
	case file == "" && line < 0:
		return Name(method)
	case file == "":
		file = "line " + strconv.Itoa(line)
	case line >= 0:
		file += ":" + strconv.Itoa(line)
	}
	return Name(method) + "(" + Name(file) + ")"
}

// Number returns the number with its digits in groups of three: 12,345.
func Number[N int | uint64](n N) string {
	digits := strconv.FormatUint(uint64(n), 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Count returns the number with its noun: 1 thread, 2 threads. The plural is the noun with an s, or the one given.
func Count[N int | uint64](n N, noun string, plural ...string) string {
	switch {
	case n == 1:
	case len(plural) > 0:
		noun = plural[0]
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// List joins the items as a sentence does: a, b and c. The conjunction is "and" or "or".
func List(items []string, conjunction string) string {
	last := len(items) - 1
	if last < 1 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:last], ", ") + " " + conjunction + " " + items[last]
}

// Percent returns the part of the whole, rounded, but not to 0 % or 100 % unless that is exact.
func Percent(part, whole int64) string {
	share := 100 * float64(part) / float64(max(whole, 1))
	switch {
	case part > 0 && share <= 0.5:
		return "<1 %"
	case part < whole && share >= 99.5:
		return ">99 %"
	}
	return fmt.Sprintf("%.0f %%", share)
}

// Size formats a size in a suitable unit, with three digits or a few more: 1.23 GiB, 45.6 KiB, 120 B.
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

// Duration formats a duration in a suitable unit, with three digits or a few more: 1.23 s, 45.6 ms.
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
