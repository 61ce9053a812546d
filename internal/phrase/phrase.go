// Package phrase formats threads, objects, frames, times and counts for people.
//
// The analyses and the commands use it, so that a thread has the same title in each report. Names are sanitized: none
// can control a terminal.
package phrase

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// maxName limits a name, in characters, and a method's name with its package and class. Longer ones are attacks.
const maxName = 300

// NoStacks is the note of an answer that lacks places in the program.
const NoStacks = "Some of these waits have no call stack in the trace, so their places in the program are unknown. " +
	"trcx record writes call stacks unless --stack-depth is 0."

// Unreported is the note of an answer about a trace that lacks waits of a kind, as its recorder may not report them; ""
// if it has all kinds.
func Unreported(parks, io bool) string {
	var kinds []string
	if !parks {
		kinds = append(kinds, "waits in java.util.concurrent")
	}
	if !io {
		kinds = append(kinds, "waits for input or output")
	}
	if len(kinds) == 0 {
		return ""
	}
	return "The trace has no " + List(kinds, "and no") + ": if there were any, they count as RUNNABLE."
}

// Deadlocked is a sentence on the number of threads of deadlocks; "" if it is 0. If a trace was cut off, they may have
// gone on.
func Deadlocked(threads int, cutOff bool) string {
	switch {
	case threads == 0:
		return ""
	case cutOff:
		return Count(threads, "thread") + " waited for each other at the end of the trace, which is cut off: see trcx " +
			"deadlocks."
	}
	return Count(threads, "thread is", "threads are") + " deadlocked: see trcx deadlocks."
}

// Name returns the name on one line, without its middle if it is long.
func Name(text string) string { return sanitize.Short(sanitize.Text(text), maxName) }

// Thread returns the thread's name and id, or the name alone if it has the id. The name is "" if it is unknown.
func Thread(id trace.ThreadID, name string) string {
	switch name {
	case "":
		return "thread " + Name(id.String())
	case trace.VirtualName(id):
		return Name(name)
	}
	return fmt.Sprintf("%s (thread %s)", Name(name), Name(id.String()))
}

// Object returns the object's class and its id, for a synchronizer of java.util.concurrent after its word: shop.Cache
// 900, latch CountDownLatch 901. The class is "" if it is unknown.
func Object(id trace.ObjectID, class string) string {
	switch {
	case !id.Known():
		return "an unknown object"
	case class == "":
		return "object " + Name(id.String())
	}
	title := Name(trace.JavaClassName(class))
	if s, ok := trace.SynchronizerOf(class); ok {
		title = s.String()
	}
	return title + " " + Name(id.String())
}

// Lock returns the lock of an object, or the object if it is a lock: the lock of shop.Cache 900, the lock ReentrantLock
// 901.
func Lock(id trace.ObjectID, class string) string {
	if s, ok := trace.SynchronizerOf(class); ok && s.Word == "lock" && id.Known() {
		return "the " + Object(id, class)
	}
	return "the lock of " + Object(id, class)
}

// Condition returns a condition with its lock: condition of ReentrantLock 70 (901). It is Object if the id of the lock
// is unknown.
func Condition(id trace.ObjectID, class string, lock trace.ObjectID, lockClass string) string {
	if !id.Known() || !lock.Known() {
		return Object(id, class)
	}
	of := "lock"
	if lockClass != "" {
		of = trace.SimpleClassName(lockClass)
	}
	return fmt.Sprintf("condition of %s %s (%s)", Name(of), Name(lock.String()), Name(id.String()))
}

// Frame returns the frame as Java's stack traces have it, app.Main.run(Main.java:7), with the method of a library that
// it called, (in java.util.Vector.add), or "" if its method is unknown.
func Frame(f trace.Frame) string {
	text := call(f)
	if f.Inner != nil && text != "" {
		text += " (in " + Method(f.Inner.Title()) + ")"
	}
	return text
}

// Method returns a method's title on one line, without its middle if it is long.
func Method(title string) string { return sanitize.Short(sanitize.Text(title), maxName) }

// call returns the frame without the library's method.
func call(f trace.Frame) string {
	if f.Method == nil || f.Method.Title() == "" {
		return ""
	}
	name, file := sanitize.Short(sanitize.Text(f.Method.Title()), maxName), f.Method.File
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

// Moment returns a time relative to the start, in seconds with six decimals: 1.234567 s.
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
