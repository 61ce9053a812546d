package critical

import (
	"math"

	"github.com/trcx/trcx/trace"
)

// segment is a SegmentID in as many bits as a record has for one; 0 is none.
type segment uint32

// maxSegments limits the segments of a trace.
const maxSegments = math.MaxUint32

// record is a segment in 24 bytes. A value that does not fit into its bits is marked, and kept as exceptional.
//
//	field     Running                               other states
//	own       begin (40 bits), thread (24)          the same
//	previous  segment that it ends                  the same
//	link      segment of the cause                  object
//	who       event of the cause                    owner, or joined thread
//	rest      state (3), releases (1), latency      state (3), variant (2), two frames, idle (1)
type record struct {
	// own is the time of its beginning, relative to the base of its neighbourhood, in the upper 40 bits, and the key of
	// its thread in the others.
	own uint64
	// previous is the segment of the thread that it ends.
	previous segment
	// link is, of a Running segment, the segment of its cause, or 0 if a path cannot follow that; of another one, the
	// object: its index plus one, or 0.
	link uint32
	// who is, of a Running segment, the id of its cause, relative to the base; of another one, the key of the monitor's
	// owner or of the joined thread.
	who uint32
	// rest is the state, a bit if the cause releases a monitor, and in the other bits, of a Running segment, the
	// latency: nanoseconds from the cause to its beginning; of another one the variant and the numbers of the frames of
	// its caller and, above, of its owner's caller; and a bit if the thread waits for its next task.
	rest uint32
}

const (
	keyBits   = 24
	stateBits = 3
	releases  = 1 << stateBits
	otherBits = stateBits + 1
	waitBits  = stateBits + 2
	frameBits = (31 - waitBits) / 2
	idleBit   = 1 << 31
)

// variant is how a thread waits: people have several names for a state of the model.
type variant uint8

const (
	plain variant = iota
	timed
	parked
	inIO
	variants
	// inferred is the one of a WaitingForLock whose owner the trace does not report: the owner is concluded, and may
	// have released the monitor before.
	inferred = timed
)

// states are those that people read, by type and variant.
var states = func() (states [trace.ModelTypeCount][variants]trace.State) {
	for typ := range trace.ModelTypeCount {
		if !typ.IsState() {
			continue
		}
		states[typ] = [variants]trace.State{
			plain:  (&trace.ModelEvent{Type: typ}).State(),
			timed:  (&trace.ModelEvent{Type: typ, Timeout: 1}).State(),
			parked: (&trace.ModelEvent{Type: typ, Park: true}).State(),
			inIO:   (&trace.ModelEvent{Type: typ, IO: trace.IORead}).State(),
		}
	}
	return states
}()

func variantOf(e *trace.ModelEvent) variant {
	switch {
	case e.Type == trace.WaitingForLock && e.Inferred && !e.Park:
		return inferred
	case e.IO != trace.NoIO:
		return inIO
	case e.Park:
		return parked
	case e.Timeout > 0:
		return timed
	}
	return plain
}

// stateOf returns the segment's state as people read it.
func (r *records) stateOf(s segment) trace.State {
	rec := r.of(s)
	if rec.state().IsBusy() {
		return states[rec.state()][plain]
	}
	return states[rec.state()][rec.variant()]
}

// variant returns how the thread waits; for states that are not busy.
func (rec *record) variant() variant {
	return variant(rec.rest >> stateBits & (1<<(waitBits-stateBits) - 1))
}

// The marks of exceptional values.
const (
	farBegin   = math.MinInt64 >> keyBits
	farKey     = 1<<keyBits - 1
	farCause   = math.MinInt32
	farLatency = math.MaxUint32 >> otherBits
	farFrame   = 1<<frameBits - 1
)

// exceptional has the values that did not fit into a record.
type exceptional struct {
	begin   trace.Time
	thread  trace.ThreadKey
	cause   trace.EventID
	latency int64
	frames  [2]uint32
}

// base is the time and event id to which those of a neighbourhood of records are relative.
type base struct {
	begin trace.Time
	event trace.EventID
}

// neighbourhood is the number of records with a common base, as a power of two: few enough to be within nine minutes of
// it if there is one a second.
const neighbourhood = 9

// records are those of all segments.
type records struct {
	list         store
	bases        []base
	exceptionals map[segment]exceptional
}

// count returns the number of segments, which is the last one.
func (r *records) count() segment { return segment(r.list.size) }

func (r *records) of(s segment) *record { return r.list.at(int(s - 1)) }

// change returns the record of the segment, to be changed.
func (r *records) change(s segment) *record { return r.list.change(int(s - 1)) }

func (r *records) baseOf(s segment) base { return r.bases[(s-1)>>neighbourhood] }

// add adds the record of the next segment.
func (r *records) add(e *trace.ModelEvent, previous segment) (segment, *record) {
	s := segment(r.list.size + 1)
	if r.list.size&(1<<neighbourhood-1) == 0 {
		r.bases = append(r.bases, base{e.Time, e.ID})
	}
	offset, key := int64(e.Time-r.baseOf(s).begin), e.Thread.Key
	if offset != offset<<keyBits>>keyBits || offset == farBegin {
		offset = farBegin
		r.except(s, func(x *exceptional) { x.begin = e.Time })
	}
	if key >= farKey {
		key = farKey
		r.except(s, func(x *exceptional) { x.thread = e.Thread.Key })
	}
	r.list.add(record{own: uint64(offset)<<keyBits | uint64(key), previous: previous, rest: uint32(e.Type)})
	return s, r.change(s)
}

// except keeps a value that does not fit into the segment's record.
func (r *records) except(s segment, note func(*exceptional)) {
	if r.exceptionals == nil {
		r.exceptionals = map[segment]exceptional{}
	}
	x := r.exceptionals[s]
	note(&x)
	r.exceptionals[s] = x
}

// bind sets the cause of a Running segment: an event of another segment, latency nanoseconds before it began. release
// reports that the thread of the cause released a monitor.
func (r *records) bind(s segment, rec *record, in segment, id trace.EventID, latency int64, release bool) {
	rec.link = uint32(in)
	difference := int64(id - r.baseOf(s).event)
	if difference <= farCause || difference > math.MaxInt32 {
		difference = farCause
		r.except(s, func(x *exceptional) { x.cause = id })
	}
	rec.who = uint32(difference)
	bits := uint32(trace.Running)
	if release {
		bits |= releases
	}
	if latency >= farLatency {
		r.except(s, func(x *exceptional) { x.latency = latency })
		latency = farLatency
	}
	rec.rest = bits | uint32(latency)<<otherBits
}

// placed sets the numbers of the frames of a segment: of its caller, and of its owner's caller.
func (r *records) placed(s segment, rec *record, caller, owner uint32) {
	if max(caller, owner) >= farFrame {
		r.except(s, func(x *exceptional) { x.frames = [2]uint32{caller, owner} })
		caller, owner = farFrame, 0
	}
	rec.rest |= (caller | owner<<frameBits) << waitBits
}

func (rec *record) state() trace.ModelType { return trace.ModelType(rec.rest & (1<<stateBits - 1)) }

func (rec *record) runs() bool { return rec.state() == trace.Running }

// begin returns the time at which the segment began.
func (r *records) begin(s segment) trace.Time { return r.beginOf(s, r.of(s)) }

// beginOf is begin with the segment's record.
func (r *records) beginOf(s segment, rec *record) trace.Time {
	offset := int64(rec.own) >> keyBits
	if offset == farBegin {
		return r.exceptionals[s].begin
	}
	return r.baseOf(s).begin + trace.Time(offset)
}

// thread returns the key of the segment's thread.
func (r *records) thread(s segment) trace.ThreadKey { return r.threadIn(s, r.of(s)) }

// threadIn is thread with the segment's record.
func (r *records) threadIn(s segment, rec *record) trace.ThreadKey {
	key := trace.ThreadKey(rec.own & (1<<keyBits - 1))
	if key == farKey {
		return r.exceptionals[s].thread
	}
	return key
}

// cause returns the cause of a Running segment that has a link.
func (r *records) cause(s segment) trace.EventID {
	difference := int32(r.of(s).who)
	if difference == farCause {
		return r.exceptionals[s].cause
	}
	return r.baseOf(s).event + trace.EventID(int64(difference))
}

// latency returns the nanoseconds from the cause of a Running segment, of the record, to its beginning.
func (r *records) latency(s segment, rec *record) int64 {
	latency := rec.rest >> otherBits
	if latency == farLatency {
		return r.exceptionals[s].latency
	}
	return int64(latency)
}

// framesAt returns the numbers of the frames of a segment in which the thread waits: of its caller, and of its owner's.
func (r *records) framesAt(s segment) (caller, owner uint32) {
	numbers := r.of(s).rest &^ idleBit >> waitBits
	if caller = numbers & farFrame; caller == farFrame {
		x := r.exceptionals[s]
		return x.frames[0], x.frames[1]
	}
	return caller, numbers >> frameBits
}

// length returns the length, in nanoseconds, of the segment before the thread's next one; 0 if its end is before its
// beginning.
func (r *records) length(s, next segment) int64 { return max(int64(r.begin(next)-r.begin(s)), 0) }
