package drain

import (
	"strconv"
	"strings"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/internal/modified"
	"github.com/trcx/trcx/trace"
)

// allocations is the state of recorded allocations.
type allocations struct {
	sample []byte             // annotations of an allocation that is a sample; nil if all are recorded
	arrays map[int64]int64    // JVMPI's types of the elements of array classes
	hidden map[int64]bool     // classes whose objects are not shown
	shown  map[int64]struct{} // live objects that are shown, where some are hidden

	aligned    bool  // the trace has the alignment of objects, or does not need it
	written    int64 // number of objects that are written as allocated and not as freed
	collection int64 // number of the latest garbage collection
}

// newAllocations returns the state for an interval of sampled allocations in bytes; 0 if all are recorded.
func newAllocations(interval int) allocations {
	h := allocations{arrays: map[int64]int64{}}
	if interval > 0 {
		h.sample = appendAnnotation(nil, trace.NoteSamples, "1")
		h.sample = appendAnnotation(h.sample, trace.NoteInterval, strconv.Itoa(interval))
	}
	return h
}

// JVMPI's types of the elements of an array, by the second letter of its class's name.
var elementTypes = map[byte]int64{'L': objectArray, '[': objectArray, 'Z': 4, 'C': 5, 'F': 6, 'D': 7, 'B': 8, 'S': 9,
	'I': 10, 'J': 11}

const objectArray = 2

// defineClass keeps what the allocations of a class, whose name has slashes, need.
func (h *allocations) defineClass(class int64, name string, shows Shows) {
	if len(name) > 1 && name[0] == '[' {
		h.arrays[class] = elementTypes[name[1]]
	}
	if shows != nil && !shows(modified.Decode([]byte(strings.Trim(name, "[L;"))), "") {
		if h.hidden == nil {
			h.hidden, h.shown = map[int64]bool{}, map[int64]struct{}{}
		}
		h.hidden[class] = true
	}
}

// allocated handles Allocated. An object that a thread allocates within a wait, as a virtual thread does to unmount,
// gets no thread: for a reader of the trace the thread does not run.
func (d *Drainer) allocated(t *thread, r *ring.Record, now int64) {
	class := r.CutClass()
	h := &d.allocations
	switch {
	case h.hidden[class]:
		return
	case r.Argument < 0:
		d.summary.Strays++
		return
	}
	if !h.aligned {
		d.writeAlignment()
	}
	if h.shown != nil {
		h.shown[r.Object] = struct{}{}
	}
	inner := append(d.scratch.annotation[:0], h.sample...)
	inner = d.appendStack(inner, r)
	d.scratch.annotation = inner
	h.written++
	object, size, isArray := trcxml.Number(r.Object), trcxml.Number(r.Argument), trcxml.Number(h.arrays[class])
	if t.State.Suspended() {
		d.write(objAllocInWait, inner, object, trcxml.Number(class), size, isArray, trcxml.Number(now))
		return
	}
	d.write(objAllocSized, inner, object, trcxml.Number(class), size, isArray, trcxml.Number(t.id), trcxml.Number(now))
}

// writeAlignment writes the alignment of objects, unless it is the smallest one, which most JVMs have.
func (d *Drainer) writeAlignment() {
	d.allocations.aligned = true
	if alignment := d.segment.Alignment(); alignment > trace.LeastAlignment {
		d.writeOption(trace.OptionAlignment, strconv.Itoa(alignment))
	}
}

// freed handles Freed.
func (d *Drainer) freed(r *ring.Record) {
	if h := &d.allocations; h.shown != nil {
		if _, shown := h.shown[r.Object]; !shown {
			return
		}
		delete(h.shown, r.Object)
	}
	d.allocations.written--
	now := d.traceTime(r.Time)
	d.noteTime(now)
	d.write(objFree, nil, trcxml.Number(r.Object), trcxml.Number(now))
}

// collectors has the names of the garbage collectors.
var collectors = [...]string{ring.Serial: "Serial", ring.Parallel: "Parallel", ring.G1: "G1",
	ring.Shenandoah: "Shenandoah", ring.Z: "Z", ring.Epsilon: "Epsilon"}

// collected handles GCFinish. Sizes that no heap can have are left out.
func (d *Drainer) collected(r *ring.Record) {
	now := d.traceTime(r.Time)
	d.noteTime(now)
	inner := d.scratch.annotation[:0]
	if collector := int(r.Flags &^ ring.HasPayload); collector != ring.NoCollector && collector < len(collectors) {
		c := r.Collection()
		inner = appendAnnotation(inner, trace.NoteCollector, collectors[collector])
		inner = appendAnnotation(inner, trace.NoteEnds, d.allocations.ended(collector, c))
		if c.Number > 0 {
			inner = appendAnnotation(inner, trace.NoteNumber, strconv.FormatInt(c.Number, 10))
		}
		if c.Full >= 0 {
			inner = appendAnnotation(inner, trace.NoteFull, strconv.FormatInt(c.Full, 10))
		}
	}
	d.scratch.annotation = inner
	if r.Argument <= 0 || r.Object < 0 || r.Object > r.Argument {
		d.write(gcFinish, inner, trcxml.Number(now))
		return
	}
	used, total := trcxml.Number(r.Object), trcxml.Number(r.Argument)
	if d.allocations.sample != nil {
		d.write(gcFinishUsed, inner, trcxml.Number(now), used, total)
		return
	}
	d.write(gcFinishCounted, inner, trcxml.Number(now), trcxml.Number(max(0, d.allocations.written)), used, total)
}

// ended returns what ends with a pause: the collection, or only the pause. Serial, Parallel and G1 collect in pauses
// only; but G1 also has pauses for marking, which begin no collection. Other collectors go on after each pause.
func (h *allocations) ended(collector int, c ring.CollectionInfo) string {
	begun := c.Number > h.collection
	h.collection = c.Number
	if collector == ring.Serial || collector == ring.Parallel || collector == ring.G1 && begun {
		return trace.EndsCycle
	}
	return trace.EndsPause
}
