// Package phrase says what people call the things of a trace: threads, objects, places in the program, times.
//
// It stands beneath the rooms of analyze that print for people, so that a thread has the same title in all of their
// answers, and does no harm to a terminal, whatever the trace calls it.
package phrase

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

const (
	// longestName is how many characters of a name people are shown: few enough for an id to stand behind it in a cell
	// of a table.
	longestName = 60
	// longestMethod is how many of a method's, which has its class and the packages before it.
	longestMethod = 80
)

// Name is a name on one line, without its middle if it is long.
func Name(text string) string { return sanitize.Short(sanitize.Text(text), longestName) }

// Thread is a thread by its name, which is "" if unknown, and its id.
func Thread(id trace.ThreadID, name string) string {
	if name == "" {
		return "thread " + Name(id.String())
	}
	return fmt.Sprintf("%s (thread %s)", Name(name), Name(id.String()))
}

// Object is an object by its class as Java writes it, which is "" if unknown, and its id.
func Object(id trace.ObjectID, class string) string {
	switch {
	case !id.Known():
		return "an unknown object"
	case class == "":
		return "object " + Name(id.String())
	}
	return Name(strings.ReplaceAll(class, "/", ".")) + " " + Name(id.String())
}

// Frame is a call as stack traces of Java write it, app.Main.run(Main.java:7), or "" if its method is not known.
func Frame(f trace.Frame) string {
	if f.Method == nil || f.Method.Title() == "" {
		return ""
	}
	name, file := sanitize.Short(sanitize.Text(f.Method.Title()), longestMethod), f.Method.File
	switch {
	case file == "" && f.Line == trace.NoLine:
		return name
	case file == "":
		file = "line " + strconv.Itoa(int(f.Line))
	case f.Line != trace.NoLine:
		file += ":" + strconv.Itoa(int(f.Line))
	}
	return name + "(" + Name(file) + ")"
}

// Moment is a time relative to the start, in seconds: 1.234567 s.
func Moment(at, start trace.Time) string {
	micros, sign := int64(at-start)/1000, ""
	if micros < 0 {
		micros, sign = -micros, "-"
	}
	return fmt.Sprintf("%s%d.%06d s", sign, micros/1_000_000, micros%1_000_000)
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
