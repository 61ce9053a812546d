package critical

import (
	"math"

	"github.com/trcx/trcx/internal/spill"
	"github.com/trcx/trcx/trace"
)

// segment is a SegmentID in half as many bits; 0 for none.
type segment uint32

// maxSegments limits the segments of a trace.
const maxSegments = math.MaxUint32

// record is a segment. The trace has one for each state change, so long traces keep them in a file.
type record struct {
	begin    trace.Time
	thread   trace.ThreadKey
	previous segment // the thread's previous segment, which this one ends

	// For a Running segment: the event that is its cause, how many nanoseconds before the begin it was, and the segment
	// of the cause, 0 if a path cannot follow it; whether its thread released a monitor, whether that was a hand-off,
	// and whether the input names that thread. For a segment that is ForHolder, cause and latency are the numbers of
	// the first and the last hold that it covers, 0 if unknown. An open segment has no last one.
	event                     trace.EventID
	latency                   int64
	cause                     segment
	state                     trace.ModelType
	releases, handsOff, named bool
	// measured reports that detail is the known share of its time, of allOnCPU, in which the thread was on a processor.
	measured bool

	// For other segments: how the thread waits, and whether it waits for its next task; the index of the object plus
	// one, or 0; the monitor's owner, or the joined thread; the numbers of the places of its caller and the owner's; as
	// detail, the place of the innermost call, if the caller is a library's. For a Running segment, caller is the place
	// of the thread's latest call stack up to its begin, and owner the number of its latest sighting; 0 for none.
	variant       variant
	idle          bool
	detail        uint32
	object        uint32
	other         trace.ThreadKey
	caller, owner uint32
}

// variant is how a thread waits, because people have several names for a state of the model. A thread that waits for
// nothing is plain.
type variant uint8

const (
	plain variant = iota
	timed
	parked
	inIO
	initialising
	variants
	// inferred is the variant of a WaitingForLock whose owner the trace does not report: the owner is concluded, and
	// may have released the monitor before.
	inferred = timed
)

// states are the states that people read, by type and variant.
var states = func() (states [trace.ModelTypeCount][variants]trace.State) {
	for typ := range trace.ModelTypeCount {
		if !typ.IsState() {
			continue
		}
		states[typ] = [variants]trace.State{
			plain:        (&trace.ModelEvent{Type: typ}).State(),
			timed:        (&trace.ModelEvent{Type: typ, Timeout: 1}).State(),
			parked:       (&trace.ModelEvent{Type: typ, Park: true}).State(),
			inIO:         (&trace.ModelEvent{Type: typ, IO: trace.IORead}).State(),
			initialising: (&trace.ModelEvent{Type: typ, Init: true}).State(),
		}
	}
	return states
}()

func variantOf(e *trace.ModelEvent) variant {
	switch {
	case e.Type == trace.WaitingForLock && e.Inferred && !e.Park:
		return inferred
	case e.Init:
		return initialising
	case e.IO != trace.NoIO:
		return inIO
	case e.Park:
		return parked
	case e.HasTimeout():
		return timed
	}
	return plain
}

// stateOf returns the segment's state as people read it.
func (r *records) stateOf(s segment) trace.State {
	rec := r.of(s)
	return states[rec.state][rec.variant]
}

// records are the records of all segments.
type records struct{ list spill.List[record] }

// count returns the number of segments, which is also the last segment.
func (r *records) count() segment { return segment(r.list.Len()) }

func (r *records) of(s segment) *record { return r.list.At(int(s - 1)) }

// change returns the record of the segment for writing.
func (r *records) change(s segment) *record { return r.list.Change(int(s - 1)) }

// bind sets the cause of a Running segment, an event of another segment.
func (rec *record) bind(in segment, event trace.EventID, latency int64, release bool) {
	rec.cause, rec.event, rec.latency, rec.releases = in, event, latency, release
}

func (rec *record) runs() bool { return rec.state == trace.Running }

// begin returns the time at which the segment began.
func (r *records) begin(s segment) trace.Time { return r.of(s).begin }

// thread returns the key of the segment's thread.
func (r *records) thread(s segment) trace.ThreadKey { return r.of(s).thread }
