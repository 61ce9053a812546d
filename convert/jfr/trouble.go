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

// trouble is what the JVM reports that slowed or stopped its program: how often, for how many ns, and what the longest
// was.
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

// addTrouble adds an event of a trouble.
func (r *reader) addTrouble(kind string, e *event, what string) {
	t := r.troubles[kind]
	if t.count++; t.count == 1 || e.duration > t.longest {
		t.longest, t.what = e.duration, what
	}
	t.total = min(t.total, math.MaxInt64-e.duration) + e.duration
	r.troubles[kind] = t
}

// placeOf returns the innermost call of the program in a stack trace, such as app.Main.run(line 12); "" if there is
// none.
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

// pinned decodes that a virtual thread kept its carrier while it waited.
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

// safepoint decodes that threads had to stop, which took a while. Those that had stopped waited for the others.
func (r *reader) safepoint(_ *decoder, e *event) bool {
	r.addTrouble(troubleSafepoint, e, "")
	return false
}

// vmOperation decodes an operation for which the JVM stopped the program, unless it is one of a garbage collection or
// of a thread dump.
func (r *reader) vmOperation(d *decoder, e *event) bool {
	name := r.constants.string(d.typeDecoder, &r.values, slotText)
	if r.values.numbers[slotCount] != 0 && d.has[slotCount] && !isCollection(name) && !slices.Contains(ofDumps, name) {
		r.addTrouble(troubleOperation, e, "for "+name)
	}
	return false
}

// ofDumps are the operations of a thread dump, which a recording itself makes in each chunk. They stop a program that
// hangs, too, and are not why it does.
var ofDumps = []string{"PrintThreads", "PrintJNI", "FindDeadlocks"}

// isCollection reports whether an operation is one of a garbage collector.
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
		m.put(m.Element(trace.Option, 0).Text(trace.AttrKey, trace.OptionTrouble+kind).Text(trace.AttrValue,
			strings.TrimSpace(fmt.Sprint(t.count, " ", t.total, " ", t.longest, " ", t.what))))
	}
}
