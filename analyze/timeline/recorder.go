package timeline

import "github.com/trcx/trcx/trace"

// Recorder is a trace.Sink that fills an Index. Its memory is that of the Index and a block of records for each thread,
// at most limits.bytes in all.
type Recorder struct {
	index  *Index
	limits limits
	open   int // bytes in open blocks
	live   bool
	err    error
	// dead are threads that have ended, the next ones to be frozen first.
	dead []trace.ThreadKey
}

// pendingCause is what brought about a Running event.
type pendingCause struct {
	running trace.EventID
	cause   trace.Cause
}

// limits are those of a Recorder.
type limits struct {
	// records is how many records a block has: so few that reading one takes next to no time, and so many that the
	// directory stays small.
	records uint32
	bytes   int // in open blocks; beyond it all of them are written
	lanes   int // that are open at the end of a trace without being encoded
	// dead is how many threads that have ended still have open lanes: others often act on a thread just then.
	dead int
}

var defaults = limits{records: 256, bytes: 32 << 20, lanes: 1024, dead: 1024}

// interactions are the types of events that are instants of a timeline.
var interactions = map[trace.ModelType]Interaction{
	trace.StartsThread: Start, trace.DeadAndNotifyJoined: Join, trace.Notify: Notify, trace.NotifyAll: NotifyAll,
	trace.InterruptThread: Interrupt,
	trace.HandoffLock:     HandOff, trace.WaitTimeoutExceed: Timeout,
}

// instantOf has the interaction of each type plus one, and 0 for the others.
var instantOf = func() (of [trace.ModelTypeCount]uint8) {
	for typ, interaction := range interactions {
		of[typ] = uint8(interaction) + 1
	}
	return of
}()

// states are the codes of the states.
var states = [trace.StateCount]State{
	trace.StateBlocked: WaitingForLock, trace.StateWaiting: WaitingForObject, trace.StateTimedWaiting: TimedWaiting,
	trace.StateParked: Parked, trace.StateJoining: WaitingForJoin, trace.StateSleeping: Sleeping,
	trace.StateInIO: InIO, trace.StateDeadlocked: Deadlocked,
}

// stateOf returns the code of the state of an interval.
func stateOf(s *trace.Interval) State { return states[s.State()] }

// NewRecorder returns a Recorder whose index has its blocks in a temporary file, in the folder of the file as which it
// is to be saved; "" is the system's folder, from which it cannot be saved. A live index can be read between the calls
// of Put, and has open spans.
func NewRecorder(saved string, live bool) (*Recorder, error) {
	index, err := newIndex(saved)
	if err != nil {
		return nil, err
	}
	return &Recorder{index: index, limits: defaults, live: live}, nil
}

// Index is what is filled. It is complete after the Summary.
func (r *Recorder) Index() *Index { return r.index }

// Put adds the record to the index. The Summary completes it.
func (r *Recorder) Put(rec trace.Record) error {
	switch rec := rec.(type) {
	case *trace.Activity:
		r.index.last = max(r.index.last, r.index.since(rec.Time))
	case *trace.ModelEvent:
		r.event(rec)
	case *trace.Interval:
		r.interval(rec)
	case *trace.Binding:
		if len(r.index.late) < maxLate { // until the Running interval comes; or for good, where it has come
			r.index.late[rec.Running], r.index.changed = rec.Cause, nil
		}
	case *trace.Origin:
		r.index.start, r.index.started = rec.Time, true
	case *trace.Session:
		r.index.session(rec)
	case *trace.ModelThread:
		t := &r.lane(rec.Key).thread
		t.ID, t.Name, t.Group, t.Session, t.Aside = rec.ID.String(), rec.Name, rec.Group, rec.Session, rec.Aside
	case *trace.ModelObject:
		r.object(rec)
	case *trace.DeadlockLoop:
		r.deadlock(rec)
	case *trace.Summary:
		r.finish(rec)
	}
	return r.err
}

// floor is the start of the thread's session. What is dated earlier is shown there: real threads are late by up to 2
// ms, and one damaged time is not to make the whole trace a speck.
func (r *Recorder) floor(t *known) int64 {
	if t.Session < len(r.index.sessions) {
		return r.index.sessions[t.Session].start
	}
	return 0
}

// maxClassless limits the objects without a class whose class can still become known, maxLocks the conditions whose
// locks are known.
const (
	maxClassless = 1 << 16
	maxLocks     = 1 << 16
)

// object keeps the class of an object that had none when it was first named, and the lock of a condition.
func (r *Recorder) object(o *trace.ModelObject) {
	name := objectOf{o.Session, r.index.numbers.object(o.ID)}
	if _, waited := r.index.classes[name]; waited || o.Class == "" && len(r.index.classes) < maxClassless {
		r.index.classes[name] = r.index.numbers.text(o.Class)
	}
	if lock := r.index.numbers.object(o.Lock); lock != 0 && len(r.index.locks) < maxLocks {
		r.index.locks[name] = lockOf{lock, r.index.numbers.text(o.LockClass)}
	}
}

// lane returns the open lane of the thread, which is born when it is first seen; valid until the next call.
func (r *Recorder) lane(key trace.ThreadKey) *lane {
	x := r.index
	for int(key) > x.laneCount() {
		x.addLane()
	}
	s := x.slots.At(key)
	if *s&openSlot != 0 {
		return x.open[*s&^openSlot]
	}
	l, err := x.thaw(s, key)
	if err != nil {
		r.fail(err)
		return &lane{thread: known{Key: key}}
	}
	r.ended(key)
	return l
}

// fail keeps the first error.
func (r *Recorder) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// ended notes that the thread has ended, and freezes the one that ended limits.dead threads before.
func (r *Recorder) ended(key trace.ThreadKey) {
	r.dead = append(r.dead, key)
	if len(r.dead) < 2*r.limits.dead {
		return
	}
	for _, key := range r.dead[:r.limits.dead] {
		s := *r.index.slots.At(key)
		if s&openSlot == 0 { // it was noted twice
			continue
		}
		l := r.index.open[s&^openSlot]
		if !l.thread.Dead {
			continue
		}
		r.flushLane(l)
		if err := r.index.freeze(key); err != nil {
			r.fail(err)
		}
	}
	r.dead = append(r.dead[:0], r.dead[r.limits.dead:]...)
}

// event keeps what an instant says, and of a Running event what brought it about.
func (r *Recorder) event(e *trace.ModelEvent) {
	l := r.lane(e.Thread.Key)
	t := &l.thread
	at := max(r.index.since(e.Time), r.floor(t))
	t.Born = min(t.Born, at)
	r.index.events++
	switch {
	case e.Type == trace.Dead:
		t.Dead, t.Died, l.current, l.pending = true, at, nil, pendingCause{}
		r.ended(t.Key)
	case e.Type == trace.Running:
		l.pending = pendingCause{e.ID, e.Cause}
	case instantOf[e.Type] != 0:
		x := r.index
		r.put(l, &record{
			kind: instantRecord, interaction: Interaction(instantOf[e.Type] - 1), begin: at, end: at, event: e.ID,
			object: x.numbers.object(e.Object),
			class:  x.numbers.text(e.Class), other: e.Other.Key, stack: x.numbers.stack(e.Stack), inferred: e.Inferred,
		})
	}
	if r.live && e.Type.IsState() && e.Type != trace.DeadLock {
		r.now(l, e, at)
	}
}

// now keeps the span that the event begins, for those who ask before it ends.
func (r *Recorder) now(l *lane, e *trace.ModelEvent, at int64) {
	if l.current = nil; e.Type == trace.Dead {
		return
	}
	rec := r.span(&trace.Interval{ModelEvent: *e, Open: true})
	rec.begin, rec.end = at, at
	l.current = &rec
}

// maxLate limits the causes that become known after the spans that they began.
const maxLate = 1 << 20

// interval keeps a span.
func (r *Recorder) interval(s *trace.Interval) {
	x, l := r.index, r.lane(s.Thread.Key)
	rec := r.span(s)
	rec.begin, rec.end = x.since(s.Time), x.since(s.End)
	if s.Type == trace.Running {
		r.cause(&rec, l)
	}
	x.inferred = x.inferred || s.Inferred
	begin, _ := cut(&rec, r.spans(l).last)
	x.furthest = max(x.furthest, begin-rec.begin)
	r.put(r.lane(s.Thread.Key), &rec) // whose lane its cause may have moved
}

// span is the record of an interval, but for its times and its cause.
func (r *Recorder) span(s *trace.Interval) record {
	n := &r.index.numbers
	rec := record{
		kind: recordKind(stateOf(s)), open: s.Open, timedOut: s.TimedOut, inferred: s.Inferred, event: s.ID,
		caller: n.frame(s.Caller), otherCaller: n.frame(s.OtherCaller), stack: n.stack(s.Stack),
	}
	if s.Type != trace.Running {
		rec.object, rec.class, rec.other, rec.timeout = n.object(s.Object), n.text(s.Class), s.Other.Key,
			max(s.Timeout, 0)
		rec.io, rec.park = s.IO, s.Park && s.Type == trace.WaitingForLock
	}
	return rec
}

// cause notes in a Running span what brought it about, and with the other thread what it has brought about.
func (r *Recorder) cause(rec *record, l *lane) {
	cause := trace.Cause{}
	if p := &l.pending; p.running == rec.event {
		cause = p.cause
	}
	l.pending = pendingCause{}
	if late, ok := r.index.late[rec.event]; ok {
		cause = late
		delete(r.index.late, rec.event)
		r.index.changed = nil
	}
	if cause.ID == 0 || instantOf[cause.Type] == 0 {
		return
	}
	rec.interaction, rec.cause = r.index.causeOf(cause)
	begin, _ := cut(rec, r.spans(l).last)
	r.put(r.lane(cause.Thread), &record{
		kind: effectRecord, interaction: rec.interaction, begin: rec.cause.Time, end: rec.cause.Time, event: cause.ID,
		cause: End{rec.event, l.thread.Key, begin},
	})
}

// put adds a record to the thread's lane.
func (r *Recorder) put(l *lane, rec *record) {
	r.add(r.spans(l), rec, l)
}

// spans is the track of the thread's spans, which is told when the thread's session starts.
func (r *Recorder) spans(l *lane) *track {
	if l.spans.last == before {
		l.spans.last = r.floor(&l.thread)
	}
	return &l.spans
}

func (r *Recorder) add(t *track, rec *record, l *lane) {
	before := len(t.text)
	t.add(rec)
	r.index.summed = false
	r.open += len(t.text) - before
	if t.records == r.limits.records {
		r.flush(t, l)
	}
	if r.open > r.limits.bytes {
		r.flushAll()
	}
}

// flush writes an open block of the thread.
func (r *Recorder) flush(t *track, l *lane) {
	if t.records == 0 {
		return
	}
	r.open -= len(t.text)
	r.index.sumUp(l)
	if err := r.index.write(t); err != nil {
		r.fail(err)
	}
}

// flushLane writes the open blocks of a thread.
func (r *Recorder) flushLane(l *lane) {
	for _, t := range l.tracks() {
		r.flush(t, l)
	}
}

func (r *Recorder) flushAll() {
	for _, l := range r.index.open {
		if l == nil {
			continue
		}
		r.flushLane(l)
		for _, t := range l.tracks() {
			t.text = nil
		}
	}
}

// deadlock keeps which threads are deadlocked, where all of them were selected.
func (r *Recorder) deadlock(d *trace.DeadlockLoop) {
	loop := Deadlock{Time: r.index.since(d.Time)}
	for _, t := range d.Threads {
		if r.lane(t.Key).thread.Aside {
			return
		}
		loop.Threads = append(loop.Threads, t.Key)
	}
	r.index.deadlocks = append(r.index.deadlocks, loop)
}

// OnPath notes a part of the critical path that runs through the thread, if that was selected; parts of a thread come
// in the order of time. It is to be called after all intervals and before the Summary.
func (r *Recorder) OnPath(thread trace.ThreadKey, from, to trace.Time, latency bool) error {
	l, rec := r.lane(thread), record{kind: pathRecord, begin: r.index.since(from), end: r.index.since(to)}
	if l.thread.Aside {
		return r.err
	}
	if latency {
		rec.kind = latencyRecord
	}
	l.thread.summed().onPath += rec.end - rec.begin
	r.add(l.onPath(), &rec, l)
	return r.err
}

// freezeAll writes the open blocks, and freezes the lanes, whose threads get no more records.
func (r *Recorder) freezeAll() {
	for key := range r.index.slots.Keys() {
		s := *r.index.slots.At(key)
		if s&openSlot == 0 {
			continue
		}
		r.flushLane(r.index.open[s&^openSlot])
		if err := r.index.freeze(key); err != nil {
			r.fail(err)
		}
	}
}

// finish writes what is left, and completes the index.
func (r *Recorder) finish(s *trace.Summary) {
	if len(r.index.open)-len(r.index.free) > r.limits.lanes {
		r.freezeAll()
	}
	r.flushAll()
	if s.HasStart {
		r.index.last = max(r.index.since(s.Last), 0)
	}
	r.index.truncated, r.index.cutOff, r.index.events = s.Truncated, s.CutOff, s.Events
	r.index.finish()
	if r.err == nil {
		r.err = r.index.flush()
	}
}
