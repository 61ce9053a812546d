package critical

import (
	"fmt"

	"github.com/trcx/trcx/trace"
)

// Recorder is a trace.Sink that keeps what a walk from the end of the run to its beginning needs. Per
// state change that is a record of 24 bytes; besides these there are tables of the threads, monitors and places in the
// program.
type Recorder struct {
	records
	threads list[thread] // by their keys, less one
	objects list[object]
	byID    map[trace.ObjectID]uint32 // where the object stands among them, plus one; of the session at hand
	session int
	places  places
	halts   map[segment]segment // see halt
	start   trace.Time          // of the trace
	ends    [ofNobody]Start     // the latest thing that was done, by the roles of threads
	stuck   int                 // deadlocked threads
}

// thread is what is kept of an incarnation.
type thread struct {
	id      trace.ThreadID
	name    string
	session int
	last    segment // of its segments
	did     moment  // the latest thing that it did
	role    role
	counted [ofNobody]moment // the latest one that can be the end of the run, by the roles that it had
}

// moment is a time, if there is one.
type moment struct {
	at    trace.Time
	known bool
}

// object is one that threads waited for.
type object struct {
	id      trace.ObjectID
	class   string
	session int
}

// Start is where a walk begins: at something that a thread did. The zero Start is none.
type Start struct {
	Thread trace.ThreadKey
	At     trace.Time
	chosen bool // and not the end of the run
}

// NewRecorder returns a Recorder that has seen nothing.
func NewRecorder() *Recorder {
	return &Recorder{byID: map[trace.ObjectID]uint32{}, places: newPlaces(), halts: map[segment]segment{}}
}

// NewRecorderIn returns a Recorder that keeps half a million state changes in memory and the others in a file in the
// folder, "" being the system's place for temporary files. Whoever asks it for paths asks Failed afterwards, and closes
// it in the end.
func NewRecorderIn(folder string) *Recorder {
	r := NewRecorder()
	r.list.spills, r.list.folder = true, folder
	return r
}

// Failed is what went wrong with the file, if anything did: paths are not to be trusted then.
func (r *Recorder) Failed() error { return r.list.failed() }

// Close removes the file. There are no paths any more.
func (r *Recorder) Close() error { return r.list.close() }

// Put keeps what the path needs of the record.
func (r *Recorder) Put(rec trace.Record) error {
	switch rec := rec.(type) {
	case *trace.Activity:
		r.acted(rec)
	case *trace.ModelEvent:
		return r.event(rec)
	case *trace.Binding:
		s := segment(rec.Segment)
		r.caused(s, r.change(s), rec.Cause, r.begin(s), false)
		return r.list.failed()
	case *trace.Origin:
		r.start = rec.Time
	case *trace.Session:
		if rec.Index != r.session { // ids of different sessions never meet
			r.session = rec.Index
			clear(r.byID)
		}
	case *trace.ModelThread:
		r.addThread(rec)
	case *trace.ModelObject:
		r.addObject(rec)
	case *trace.DeadlockLoop:
		r.stuck += len(rec.Threads)
	}
	return nil
}

// addThread keeps the names of the thread.
func (r *Recorder) addThread(t *trace.ModelThread) {
	for r.threads.size < int(t.Key) {
		r.threads.add(thread{})
	}
	kept := r.threadOf(t.Key)
	kept.id, kept.name, kept.session, kept.role = t.ID, t.Name, t.Session, roleOf(t)
}

// threadOf is the thread of the key, which has been described.
func (r *Recorder) threadOf(key trace.ThreadKey) *thread { return r.threads.at(int(key - 1)) }

// addObject keeps the class of the object.
func (r *Recorder) addObject(o *trace.ModelObject) {
	if place := r.byID[o.ID]; place != 0 {
		if known := r.objects.at(int(place - 1)); known.class == "" || known.class == o.Class {
			known.class = o.Class
			return
		}
	}
	r.objects.add(object{o.ID, o.Class, r.session})
	r.byID[o.ID] = uint32(r.objects.size)
}

// acted keeps the latest thing that the thread did, and that anyone did.
func (r *Recorder) acted(a *trace.Activity) {
	t := r.threadOf(a.Thread.Key)
	t.did.advance(a.Time)
	if t.role == ofNobody {
		return
	}
	t.counted[t.role].advance(a.Time)
	if end := &r.ends[t.role]; end.Thread == 0 || a.Time >= end.At {
		*end = Start{Thread: a.Thread.Key, At: a.Time}
	}
}

func (m *moment) advance(at trace.Time) {
	if !m.known || at > m.at {
		*m = moment{at, true}
	}
}

// event keeps the segment that the event opens, and that a hand-off lets go of a monitor.
func (r *Recorder) event(e *trace.ModelEvent) error {
	switch {
	case e.Type == trace.HandoffLock:
		if s := r.threadOf(e.Other.Key).last; s != 0 && r.of(s).runs() { // its Running event has come just before
			r.change(s).rest |= releases
		}
	case e.Type.IsState() && e.Type != trace.DeadLock:
		return r.open(e)
	}
	return nil
}

// open begins a segment.
func (r *Recorder) open(e *trace.ModelEvent) error {
	if e.Segment > mostSegments {
		return fmt.Errorf(
			"the trace has more than %d state changes, and a path through more cannot be walked; cut the trace "+
				"into parts", uint64(mostSegments))
	}
	t := r.threadOf(e.Thread.Key)
	s, rec := r.add(e, t.last)
	t.last = s
	switch e.Type {
	case trace.Running:
		c, release := e.Cause, e.ReacquiredFrom.Key != 0
		// a notification was not enough: who had the monitor had to let go of it, which is what the segment waited for
		if release {
			c.Segment, c.Time = trace.SegmentID(r.threadOf(e.ReacquiredFrom.Key).last), e.Time
		}
		r.caused(s, rec, c, e.Time, release)
	case trace.Dead:
	default:
		rec.link = r.byID[e.Object]
		rec.who = uint32(e.Other.Key)
		r.placed(s, rec, r.places.number(e.Caller), r.places.number(e.OtherCaller))
	}
	return r.list.failed()
}

// caused notes the cause of a Running segment that begins at the time. One that is dated later is none that a path can
// follow, and neither is that of a thread without a segment.
func (r *Recorder) caused(s segment, rec *record, c trace.Cause, begin trace.Time, release bool) {
	switch {
	case c.ID == 0:
	case c.Segment != 0 && c.Time <= begin:
		r.bind(s, rec, segment(c.Segment), c.ID, int64(begin-c.Time), release)
	default:
		r.unbind(rec)
	}
}

// unbind notes that nothing is known to have brought about a Running segment.
func (r *records) unbind(rec *record) { rec.link, rec.who, rec.rest = 0, 0, uint32(trace.Running) }
