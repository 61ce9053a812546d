package timeline

import (
	"maps"
	"slices"

	"github.com/trcx/trcx/trace"
)

// Recorder is a trace.Sink that fills an Index. Its memory is the Index and a block of records for each thread.
type Recorder struct {
	index *Index
	open  int // bytes in open blocks
	live  bool
	err   error
	dead  []trace.ThreadKey // threads that have ended, those settled next first
	limits
}

// limits bound what a Recorder keeps in memory.
type limits struct {
	// blockRecords is the number of records in a block: small enough that reading one takes next to no time, and large
	// enough that the directory stays small.
	blockRecords uint32
	// maxOpen limits the bytes in open blocks; beyond it all of them are written.
	maxOpen int
	// maxDead limits the ended threads that still have lanes: others often act on a thread shortly after its end.
	maxDead int
}

// pendingCause is the cause of a Running event.
type pendingCause struct {
	running trace.EventID
	cause   trace.Cause
}

// interactions are the types of events that are instants of a timeline.
var interactions = map[trace.ModelType]Interaction{
	trace.StartsThread: Start, trace.DeadAndNotifyJoined: Join, trace.Notify: Notify, trace.NotifyAll: NotifyAll,
	trace.InterruptThread: Interrupt,
	trace.HandoffLock:     HandOff, trace.WaitTimeoutExceed: Timeout,
}

// instantOf has, by type, the interaction plus one; 0 for other types.
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
	trace.StateInIO: InIO, trace.StateInitialising: WaitingForObject, trace.StateDeadlocked: Deadlocked,
}

// NewRecorder returns a Recorder whose index has its blocks in a temporary file. The file is in the folder where the
// index will be saved; "" is the system's folder, from which it cannot be saved. A live index can be read between calls
// of Put, and has open spans.
func NewRecorder(saved string, live bool) (*Recorder, error) {
	index, err := newIndex(saved)
	if err != nil {
		return nil, err
	}
	return &Recorder{index: index, live: live, limits: limits{256, 32 << 20, 1024}}, nil
}

// Index returns the index. It is complete after the Summary.
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
		if len(r.index.late) < maxLate { // until the Running interval comes; for good, if it has come
			r.index.late[rec.Running], r.index.changed = rec.Cause, nil
		}
	case *trace.Origin:
		r.index.start, r.index.started = rec.Time, true
	case *trace.Session:
		r.index.session(rec)
	case *trace.ModelThread:
		t := r.thread(rec.Key)
		t.session, t.aside = rec.Session, rec.Aside
		r.index.names.Put(rec)
	case *trace.ModelObject:
		r.object(rec)
	case *trace.DeadlockLoop:
		r.deadlock(rec)
	case *trace.Summary:
		r.finish(rec)
	}
	return r.err
}

// floor returns the start of the thread's session. Earlier times are shown there: times of real threads are late by up
// to 2 ms, and one damaged time should not shrink the whole trace to a speck.
func (r *Recorder) floor(t *entry) int64 {
	if t.session < len(r.index.Sessions) {
		return r.index.Sessions[t.session].start
	}
	return 0
}

// maxClassless limits the objects whose class is still unknown, maxLocks the conditions whose locks are known.
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

// thread returns the entry of the thread, which is added when first seen; valid until the next call.
func (r *Recorder) thread(key trace.ThreadKey) *entry {
	x := r.index
	for x.threads.Last() < key {
		x.threads.Change(x.threads.Add()).born = never
	}
	return x.threads.Change(key)
}

// lane returns the lane of the thread.
func (r *Recorder) lane(key trace.ThreadKey) *lane {
	x := r.index
	if l := x.lanes[key]; l != nil {
		return l
	}
	t := r.thread(key)
	l := newLane(r.floor(t))
	x.lanes[key] = l
	for i := range t.pieces { // it had no lane because it got no records for a while
		p := t.pieces[i]
		r.thread(key).pieces[i] = piece{}
		if err := x.load(&l.tracks[i], &p, key); err != nil {
			r.fail(err)
		}
		r.open += len(l.tracks[i].text)
	}
	if r.thread(key).dead {
		r.ended(key)
	}
	return l
}

// fail keeps the first error.
func (r *Recorder) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// ended notes that the thread has ended, and settles threads that ended long before.
func (r *Recorder) ended(key trace.ThreadKey) {
	t := r.thread(key)
	if t.leaving {
		return
	}
	t.leaving = true
	r.dead = append(r.dead, key)
	if len(r.dead) < 2*r.maxDead {
		return
	}
	for _, key := range r.dead[:r.maxDead] {
		r.settle(key)
		t := r.thread(key)
		if t.leaving = false; !t.ended {
			t.ended = true
			r.index.end(key)
		}
	}
	r.dead = append(r.dead[:0], r.dead[r.maxDead:]...)
}

// settle writes the open blocks of a thread that gets no more records.
func (r *Recorder) settle(key trace.ThreadKey) {
	if l := r.index.lanes[key]; l != nil {
		for i := range l.tracks {
			r.open -= len(l.tracks[i].text)
		}
		r.fail(r.index.settle(key))
	}
}

// event keeps an instant, or the cause of a Running event.
func (r *Recorder) event(e *trace.ModelEvent) {
	key := e.Thread.Key
	l, t := r.lane(key), r.thread(key)
	at := max(r.index.since(e.Time), r.floor(t))
	t.born = min(t.born, at)
	r.index.Events++
	switch {
	case e.Type == trace.Dead:
		t.dead, t.died, l.current, l.pending = true, at, nil, pendingCause{}
		r.ended(key)
	case e.Type == trace.Running:
		l.pending = pendingCause{e.ID, e.Cause}
	case instantOf[e.Type] != 0:
		x := r.index
		r.put(key, spanTrack, &record{
			kind: instantRecord, interaction: Interaction(instantOf[e.Type] - 1), begin: at, end: at, event: e.ID,
			object: x.numbers.object(e.Object),
			class:  x.numbers.text(e.Class), other: e.Other.Key, stack: x.numbers.stack(e.Stack), inferred: e.Inferred,
		})
	}
	if r.live && e.Type.IsState() && e.Type != trace.DeadLock && e.Type != trace.Dead { // for readers before it ends
		rec := r.span(&trace.Interval{ModelEvent: *e, Open: true})
		rec.begin, rec.end = at, at
		l.current = &rec
	}
}

// maxLate limits the causes that become known after the begin of their spans.
const maxLate = 1 << 20

// interval keeps a span.
func (r *Recorder) interval(s *trace.Interval) {
	x, key := r.index, s.Thread.Key
	rec := r.span(s)
	rec.begin, rec.end = x.since(s.Time), x.since(s.End)
	if s.Type == trace.Running {
		r.cause(&rec, key)
	}
	x.Inferred = x.Inferred || s.Inferred
	begin, end := cut(&rec, r.lane(key).tracks[spanTrack].last)
	x.furthest = max(x.furthest, begin-rec.begin)
	r.put(key, spanTrack, &rec)
	t := r.thread(key)
	t.times[rec.kind] += end - begin
	t.counts[rec.kind]++
	x.strip.add(State(rec.kind), begin, end)
}

// span returns the record of an interval, without its times and its cause.
func (r *Recorder) span(s *trace.Interval) record {
	n := &r.index.numbers
	rec := record{
		kind: recordKind(states[s.State()]), open: s.Open, timedOut: s.TimedOut, inferred: s.Inferred, event: s.ID,
		caller: n.frame(s.Caller), otherCaller: n.frame(s.OtherCaller), stack: n.stack(s.Stack),
	}
	if s.Type != trace.Running {
		rec.object, rec.class, rec.other, rec.timeout = n.object(s.Object), n.text(s.Class), s.Other.Key,
			max(s.Timeout, 0)
		rec.io, rec.park = s.IO, s.Park && s.Type == trace.WaitingForLock
		rec.init = s.Init && State(rec.kind) == WaitingForObject
	}
	return rec
}

// cause adds the cause to a Running span, and the effect to the other thread.
func (r *Recorder) cause(rec *record, key trace.ThreadKey) {
	l, cause := r.lane(key), trace.Cause{}
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
	begin, _ := cut(rec, l.tracks[spanTrack].last)
	r.put(cause.Thread, spanTrack, &record{
		kind: effectRecord, interaction: rec.interaction, begin: rec.cause.Time, end: rec.cause.Time, event: cause.ID,
		cause: End{rec.event, key, begin},
	})
}

// put adds a record to a track of the thread, and writes the block if it is full.
func (r *Recorder) put(key trace.ThreadKey, track int, rec *record) {
	t := &r.lane(key).tracks[track]
	r.open -= len(t.text)
	t.text = rec.append(t.text, &t.from)
	t.sum(rec, key)
	if t.open.records == r.blockRecords {
		r.fail(r.index.write(t))
	}
	if r.open += len(t.text); r.open > r.maxOpen {
		r.writeAll()
	}
}

// writeAll writes all open blocks.
func (r *Recorder) writeAll() {
	for _, key := range slices.Sorted(maps.Keys(r.index.lanes)) {
		l := r.index.lanes[key]
		for i := range l.tracks {
			r.fail(r.index.write(&l.tracks[i]))
			l.tracks[i].text = nil
		}
	}
	r.open = 0
}

// deadlock keeps a deadlock if all of its threads were selected.
func (r *Recorder) deadlock(d *trace.DeadlockLoop) {
	r.index.possible = r.index.possible || d.IsPossible()
	loop := Deadlock{Time: r.index.since(d.Time)}
	for _, t := range d.Threads {
		if r.thread(t.Key).aside {
			return
		}
		loop.Threads = append(loop.Threads, t.Key)
	}
	r.index.Deadlocks = append(r.index.Deadlocks, loop)
}

// OnPath notes a part of the critical path that runs through the thread, if the thread was selected. Parts of a thread
// must come in the order of time, after all intervals and before the Summary.
func (r *Recorder) OnPath(thread trace.ThreadKey, from, to trace.Time, latency bool) error {
	rec := record{kind: pathRecord, begin: r.index.since(from), end: r.index.since(to)}
	t := r.thread(thread)
	if t.aside {
		return r.err
	}
	if latency {
		rec.kind = latencyRecord
	}
	t.onPath += rec.end - rec.begin
	r.put(thread, pathTrack, &rec)
	return r.err
}

// finish writes the rest, and completes the index.
func (r *Recorder) finish(s *trace.Summary) {
	for _, key := range slices.Sorted(maps.Keys(r.index.lanes)) {
		r.settle(key)
	}
	if s.HasStart {
		r.index.last = max(r.index.since(s.Last), 0)
	}
	r.index.Truncated, r.index.CutOff, r.index.Events = s.Truncated, s.CutOff, s.Events
	r.index.finish()
	r.fail(r.index.flush())
	r.fail(r.index.failed())
}
