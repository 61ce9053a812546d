package jfr

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// trouble sums up events of a kind that the JVM reports as having slowed or stopped its program: their number, the ns
// in total, and the longest one.
type trouble struct {
	count          uint64
	total, longest int64
	what           string
}

// The kinds of troubles.
const (
	troublePinned    = "pinned"    // virtual threads kept their carriers while they waited
	troubleSafepoint = "safepoint" // threads took long to stop when the JVM asked them to
	troubleOperation = "operation" // the JVM stopped the program, not for a garbage collection
)

// addTrouble adds an event to the trouble of a kind.
func (r *reader) addTrouble(kind string, e *event, what string) {
	t := r.troubles[kind]
	if t.count++; t.count == 1 || e.duration > t.longest {
		t.longest, t.what = e.duration, what
	}
	t.total = min(t.total, math.MaxInt64-e.duration) + e.duration
	r.troubles[kind] = t
}

// placeOf returns the innermost call of the program in a stack trace, such as app.Main.run(line 12), or "".
func (r *reader) placeOf(stack uint32) string {
	for id, line := range decodeFrames(r.symbols.stacks[stack].frames) {
		m := r.symbols.methods[id]
		if class := r.symbols.names[m.class]; !enrich.IsLibrary(class) {
			place := javaname.Class(class) + "." + m.name
			if line > 0 {
				place += fmt.Sprintf("(line %d)", line)
			}
			return place
		}
	}
	return ""
}

// pinned decodes an event of a virtual thread that kept its carrier while it waited.
func (r *reader) pinned(_ *decoder, e *event) bool {
	what := ""
	if r.actor != nil {
		what = "by " + r.threadName(r.actor)
	}
	if place := r.placeOf(e.stack); place != "" {
		what += " at " + place
	}
	r.addTrouble(troublePinned, e, what)
	return false
}

// safepoint decodes an event of threads that took a while to stop. Threads that had stopped waited for the others.
func (r *reader) safepoint(_ *decoder, e *event) bool {
	r.addTrouble(troubleSafepoint, e, "")
	return false
}

// vmOperation decodes an operation for which the JVM stopped the program, but not garbage collections and thread dumps.
func (r *reader) vmOperation(d *decoder, e *event) bool {
	name := r.constants.string(d.typeDecoder, &r.values, slotText)
	if r.values.numbers[slotCount] != 0 && d.has[slotCount] && !isCollection(name) && !slices.Contains(ofDumps, name) {
		r.addTrouble(troubleOperation, e, "for "+name)
	}
	return false
}

// ofDumps are the operations of a thread dump, which a recording itself requests in each chunk. They also stop a
// program that hangs, but are not the reason why it hangs.
var ofDumps = []string{"PrintThreads", "PrintJNI", "FindDeadlocks"}

// isCollection reports whether an operation belongs to a garbage collector.
func isCollection(operation string) bool {
	for _, begins := range []string{"G1", "Z", "XMark", "XReloc", "Shenandoah", "CMS", "Parallel", "Gen"} {
		if strings.HasPrefix(operation, begins) {
			return true
		}
	}
	return strings.Contains(operation, "Collect") || strings.Contains(operation, "GC")
}

// emitTroubles emits options with the troubles.
func (r *reader) emitTroubles(m *emitter) {
	for _, kind := range slices.Sorted(maps.Keys(r.troubles)) {
		t := r.troubles[kind]
		m.option(trace.OptionTrouble+kind,
			strings.TrimSpace(fmt.Sprint(t.count, " ", t.total, " ", t.longest, " ", t.what)))
	}
}
