package critical

import (
	"fmt"
	"math"
	"slices"

	"github.com/trcx/trcx/analyze/idle"
	"github.com/trcx/trcx/analyze/internal/gcpause"
	"github.com/trcx/trcx/internal/list"
	"github.com/trcx/trcx/internal/numbering"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/spill"
	"github.com/trcx/trcx/internal/tempfile"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// Recorder is a trace.Sink that keeps what the walk from the end of the run to its beginning needs: 64 bytes a state
// change, and tables of the threads, monitors and places in the program.
type Recorder struct {
	records
	threads threads.List[thread]
	names   threads.Names
	file    *tempfile.Spill // nil if everything stays in memory
	objects list.List[numberedObject]
	classes numbering.Numbering[string]
	indexes map[trace.ObjectID]uint32 // in objects, plus one, of the current session
	// redefined are the ids that named objects of different classes in one session.
	redefined map[trace.ObjectID]struct{}
	session   int
	places    places
	stacks    *stacks             // nil unless they are kept
	halts     map[segment]segment // see halt
	window    window
	lines     lines
	oddEnds   spill.List[segment] // see OddEnds
	sightings spill.List[sighting]
	start     trace.Time // of the trace
	end       trace.Time // of the trace; set when it is over
	acts      uint64     // counts the activities
	closing   closing
	idle      idle.Finder
	loops     []trace.DeadlockLoop
	known     []role                       // see roles; nil until they are asked for after the latest record
	joins     map[trace.ObjectID][]segment // of threads not defined yet, in the current session
	pauses    gcpause.List
	untimed   bool // see Untimed

	conditions map[uint32]Object // the locks of conditions, by the conditions' numbers
}

// closing is what the end of a trace shows.
type closing struct {
	finished bool // the trace is not cut off
	shutdown bool // the JVM ended
	began    bool // the JVM started while it was recorded
	parks    bool // a thread was parked
	io       bool // a thread waited for input or output
	// summed is the time that threads were BLOCKED, in nanoseconds, if the trace has its sum but no single waits.
	summed int64
}

// thread is an incarnation of a thread.
type thread struct {
	last    segment         // its last segment
	ran     segment         // its first segment in which it runs
	died    segment         // its Dead one; 0 if it has not ended
	caused  bool            // the cause of ran is known
	selects bool            // it has waited in select
	loops   bool            // it has done so in a known event loop
	line    uint32          // of the monitor on which it is blocked; 0 for none
	starter trace.ThreadKey // the thread whose StartsThread caused ran; 0 if unknown
	did     moment          // its latest activity
	told    uint32          // the place of its latest call stack; 0 if unknown
	cpu     cpuTime
}

// moment is the time of an activity, and its number in the order of the trace, from 1 on. The zero moment stands for no
// activity.
type moment struct {
	at    trace.Time
	order uint64
}

// known reports whether the moment is an activity's.
func (m moment) known() bool { return m.order > 0 }

// after reports whether the moment is later than the other one; of equal times, later in the trace. Every activity is
// after the zero moment.
func (m moment) after(other moment) bool {
	switch {
	case !m.known() || !other.known():
		return m.known()
	case m.at != other.at:
		return m.at > other.at
	}
	return m.order > other.order
}

// numberedObject is an object that threads waited for, by the number of its class.
type numberedObject struct {
	id      trace.ObjectID
	class   uint32
	session uint32
}

// NewRecorder returns a Recorder without records that keeps everything in memory.
func NewRecorder() *Recorder {
	return &Recorder{indexes: map[trace.ObjectID]uint32{}, redefined: map[trace.ObjectID]struct{}{},
		joins: map[trace.ObjectID][]segment{}, conditions: map[uint32]Object{}, places: newPlaces(),
		halts: map[segment]segment{}, window: window{since: math.MinInt64, until: math.MaxInt64}}
}

// The memory for state changes, for holds and for sightings of a recorder with a file, in bytes: 130,000 of each. They
// are written and read in blocks of 2^recordBits, small enough that reading one takes next to no time.
const (
	maxRecords = 8 << 20
	maxHolds   = 2 << 20
	recordBits = 9
)

// NewRecorderIn returns a Recorder that keeps 130,000 state changes in memory. It spills the others to a file in the
// folder, with threads that have ended and the names of threads; "" is the system's folder for temporary files. After
// Path and WhatIf, Failed has to be checked; Close removes the file.
func NewRecorderIn(folder string) *Recorder {
	r := NewRecorder()
	r.file = tempfile.NewSpill(folder, "trcx-path-*")
	r.list.Keep(r.file, maxRecords, recordBits)
	r.lines.holds.Keep(r.file, maxHolds, recordBits)
	r.lines.stays.Keep(r.file, maxHolds, recordBits)
	r.sightings.Keep(r.file, maxHolds, recordBits)
	r.oddEnds.Keep(r.file, maxHolds, recordBits)
	r.threads.Keep(r.file)
	r.names.Keep(r.file)
	return r
}

// Failed returns the error of the file, or nil. After an error paths are wrong.
func (r *Recorder) Failed() error {
	if err := r.file.Err(); err != nil {
		return fmt.Errorf("what the critical path needs does not fit into memory, and cannot be kept in a file: %w", err)
	}
	return nil
}

// Close removes the file, and releases the memory. The Recorder and its paths must not be used afterwards.
func (r *Recorder) Close() error {
	err := r.file.Close()
	*r = Recorder{}
	return err
}

// Put keeps what the path needs of the record. It returns errors of the file, and an error for too many state changes.
func (r *Recorder) Put(rec trace.Record) error {
	r.idle.Observe(rec)
	r.known = nil
	switch rec := rec.(type) {
	case *trace.Activity:
		r.acts++
		if did := &r.threads.Change(rec.Thread.Key).did; !did.known() || rec.Time >= did.at {
			*did = moment{rec.Time, r.acts}
		}
	case *trace.ModelEvent:
		return r.event(rec)
	case *trace.Binding:
		s := segment(rec.Segment)
		r.change(s).caused(rec.Cause, r.begin(s), false)
		r.started(r.threads.Change(r.thread(s)), s, rec.Cause)
		return r.Failed()
	case *trace.MonitorOwner:
		place := uint32(0)
		if rec.Stack != nil {
			place = r.places.named(rec.Stack.Place())
		}
		if rec.Monitor == 0 {
			r.see(rec, place)
		} else {
			r.lines.changeOwner(rec, place)
		}
		return r.Failed()
	case *trace.Origin:
		r.start = rec.Time
		r.window.since, r.window.until = r.window.chosen.Bounds(rec.Time)
	case *trace.Session:
		r.untimed = r.untimed || rec.Untimed
		if rec.Index != r.session { // ids of different sessions never meet
			r.session = rec.Index
			r.indexes, r.joins = map[trace.ObjectID]uint32{}, map[trace.ObjectID][]segment{}
		}
	case *trace.ModelThread:
		r.addThread(rec)
	case *trace.ModelObject:
		number := r.objectNumber(rec)
		if rec.Lock.Known() {
			r.conditions[number] = Object{ID: rec.Lock, Class: rec.LockClass}
		}
	case *trace.DeadlockLoop:
		r.loops = append(r.loops, *rec)
	case *trace.CPUTime:
		r.usedCPU(rec)
	case *trace.Collection:
		r.pauses.Add(rec)
	case *trace.MonitorTime:
		r.closing.summed += rec.Total
	case *trace.Summary:
		r.closed(rec)
	}
	return nil
}

// Untimed reports that the times between thread dumps are unknown, and so all lengths.
func (r *Recorder) Untimed() bool { return r.untimed }

// Summed is a sentence on the time that threads were BLOCKED, if a trace has its sum but no single waits; else "".
func (r *Recorder) Summed() string {
	if r.closing.summed == 0 {
		return ""
	}
	return fmt.Sprintf("Threads were BLOCKED for %s in all, as MONITOR TIME states; it has no single waits. trcx stats has "+
		"the places.", phrase.Duration(r.closing.summed))
}

// addThread keeps the names of the thread.
func (r *Recorder) addThread(t *trace.ModelThread) {
	r.threads.Change(t.Key)
	r.names.Put(t)
	for _, s := range r.joins[t.Object] { // recorded before the thread's start
		r.change(s).other = t.Key
	}
	delete(r.joins, t.Object)
}

// objectNumber returns the index plus one of the object with its class. It adds the object if it is new.
func (r *Recorder) objectNumber(o *trace.ModelObject) uint32 {
	class := r.classes.Of(o.Class)
	if place := r.indexes[o.ID]; place != 0 {
		if known := r.objects.At(int(place - 1)); known.class == 0 || known.class == class {
			known.class = class
			return place
		}
		r.redefined[o.ID] = struct{}{}
	}
	r.objects.Add(numberedObject{o.ID, class, uint32(r.session)})
	r.indexes[o.ID] = uint32(r.objects.Len())
	return uint32(r.objects.Len())
}

// closed keeps what the end of the trace shows.
func (r *Recorder) closed(summary *trace.Summary) {
	r.end = summary.Last
	r.closing.finished = !summary.CutOff
	has := func(kind trace.Kind) bool {
		return slices.ContainsFunc(summary.Counts, func(count trace.ElementCount) bool {
			return count.Name == kind.String()
		})
	}
	r.closing.shutdown, r.closing.began = has(trace.RuntimeShutdown), has(trace.RuntimeInitDone)
}

// started keeps the thread that started this one, if this one runs for the first time in the segment.
func (r *Recorder) started(t *thread, s segment, c trace.Cause) {
	if s != t.ran {
		return
	}
	t.caused, t.starter = c.ID != 0, 0
	if t.caused && c.Type == trace.StartsThread {
		t.starter = c.Thread
	}
}

// event opens a segment, or marks the segment of a hand-off as one whose cause releases a monitor.
func (r *Recorder) event(e *trace.ModelEvent) error {
	if e.Stack != nil {
		r.threads.Change(e.Thread.Key).told = r.places.named(e.Stack.Place())
	}
	switch {
	case e.Type == trace.HandoffLock:
		if s := r.threads.At(e.Other.Key).last; s != 0 && r.of(s).runs() { // its Running event has come just before
			r.change(s).releases = true
		}
	case e.Type.IsState() && e.Type != trace.DeadLock:
		return r.open(e)
	}
	return nil
}

// open begins a segment. A Running event is a monContendedEntered, or the end of another wait.
func (r *Recorder) open(e *trace.ModelEvent) error {
	if e.Segment > maxSegments {
		return fmt.Errorf("the trace has more than %d state changes, the limit of a path; cut the trace into parts",
			uint64(maxSegments))
	}
	t := r.threads.Change(e.Thread.Key)
	rec := r.list.Put(record{begin: e.Time, thread: e.Thread.Key, previous: t.last, state: e.Type})
	s := r.count()
	if t.line != 0 {
		blocked := r.change(t.last)
		blocked.latency, t.line = int64(r.lines.leave(t.line)), 0
		if blocked.state == trace.WaitingForLock && (e.Type != trace.Running || e.Time <= blocked.begin) {
			r.oddEnds.Put(s)
		}
	}
	rec.named, t.last = e.Named, s
	if r.stacks != nil {
		r.stacks.put(e)
	}
	switch e.Type {
	case trace.Running:
		rec.caller = t.told
		c, release := e.Cause, e.ReacquiredFrom != 0
		if t.ran == 0 {
			t.ran = s
			r.started(t, s, c)
		}
		// the notification was not enough: the segment waited until the owner released the monitor
		if release {
			c.Segment, c.Time = trace.SegmentID(r.threads.At(e.ReacquiredFrom).last), e.Time
		}
		rec.caused(c, e.Time, release)
	case trace.Dead:
		if t.died == 0 {
			r.threads.End(e.Thread.Key)
			r.names.End(e.Thread.Key)
		}
		r.threads.Change(e.Thread.Key).died = s
	default:
		rec.object, rec.other = r.indexes[e.Object], e.Other.Key
		if e.Type == trace.WaitingForJoin && e.Other.Key == 0 {
			r.joinsUnknown(s, e.Object)
		}
		switch {
		case e.Monitor != 0:
			t.line, rec.cause = r.lines.enter(e)
		case e.Init:
			t.line, rec.cause = r.lines.enterClass(e)
		}
		rec.variant, rec.idle = variantOf(e), e.IsIdle() || e.Stack != nil && e.Stack.Idle
		r.closing.parks, r.closing.io = r.closing.parks || e.Park, r.closing.io || e.IO != trace.NoIO
		t.selects = t.selects || rec.idle && e.IO == trace.IOSelect
		t.loops = t.loops || e.IO == trace.IOSelect && e.Stack != nil && e.Stack.Idle
		rec.caller, rec.owner = r.places.number(e.Caller), r.places.number(e.OtherCaller)
		if e.Stack != nil && e.Stack.Library {
			rec.detail = r.places.number(e.Stack.Place())
		}
	}
	return r.Failed()
}

// maxJoins limits the number of objects whose threads may still be defined.
const maxJoins = 1 << 16

// joinsUnknown keeps a segment in which a thread waits for the end of a thread that the trace may still define.
func (r *Recorder) joinsUnknown(s segment, object trace.ObjectID) {
	if object.IsObject() && (len(r.joins) < maxJoins || r.joins[object] != nil) {
		r.joins[object] = append(r.joins[object], s)
	}
}

// caused sets the cause of a Running segment that begins at the time. The path cannot follow a cause that is later or
// whose thread has no segment.
func (rec *record) caused(c trace.Cause, begin trace.Time, release bool) {
	rec.handsOff = c.Type == trace.HandoffLock && c.ID != 0
	switch {
	case c.ID == 0:
	case c.Segment != 0 && c.Time <= begin:
		rec.bind(segment(c.Segment), c.ID, int64(begin-c.Time), release)
	default:
		rec.bind(0, 0, 0, false)
	}
}
