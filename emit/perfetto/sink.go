package perfetto

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"

	"github.com/trcx/trcx/internal/extsort"
	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/internal/names"
	"github.com/trcx/trcx/trace"
)

// Sink is a trace.Sink that draws the model. It writes when the Summary comes.
type Sink struct {
	format   format
	out      counter
	timeline extsort.Sorter // the tracks and the marks on them
	runs     extsort.Sorter // what is known of Running events and their causes, see arrows.go
	acts     extsort.Sorter // what can be a cause
	tracks   []track        // by the threads' keys
	names    names.Book
	earliest trace.Time // of any event or mark
	closed   end        // the last event of the deadlock at hand
	details  writer
	record   []byte
	stacks   *lru.Cache[*trace.Stack, []byte] // their lines
	err      error
}

// Piece is a piece of the critical path.
type Piece struct {
	Thread trace.ThreadRef
	// State is what the thread did, a state other than DeadLock and Dead; of a Latency, in which no thread ran, it says
	// nothing.
	State   trace.ModelType
	Latency bool
	// Class is that of the monitor that the thread waited for, or "".
	Class string
	// From and To are the times of its ends.
	From, To trace.Time
}

// track is that of a thread.
type track struct {
	end     trace.Time // of the last slice
	session uint32
	drawn   bool // there is something on it
}

const (
	never   = trace.Time(math.MinInt64)
	forever = trace.Time(math.MaxInt64)
)

// The sections that are sorted.
const (
	trackSection byte = iota
	markSection
)

// memory is how many bytes of records are kept before they go to a file; 0 leaves that to the sorters.
var memory = 0

// NewJSON returns a Sink that writes Trace Event JSON. folder is where temporary files go; "" is the system's own
// place.
func NewJSON(out io.Writer, folder string) *Sink {
	s := newSink(out, folder)
	s.format = &jsonFormat{out: &s.out}
	return s
}

// NewProtobuf returns a Sink that writes Perfetto's protobuf. folder is where temporary files go; "" is the system's
// own place.
func NewProtobuf(out io.Writer, folder string) *Sink {
	s := newSink(out, folder)
	s.format = newProtobufFormat(&s.out)
	return s
}

func newSink(out io.Writer, folder string) *Sink {
	return &Sink{
		out: counter{out: out}, earliest: forever,
		stacks:   lru.NewCache[*trace.Stack, []byte](maxStackLines),
		timeline: extsort.Sorter{Folder: folder, Name: "timeline", Memory: memory},
		runs:     extsort.Sorter{Folder: folder, Name: "runs", Memory: memory},
		acts:     extsort.Sorter{Folder: folder, Name: "acts", Memory: memory},
	}
}

// Written is how many bytes were written, before any compression.
func (s *Sink) Written() int64 { return s.out.written }

// Close removes the temporary files. It may be called at any time, and twice.
func (s *Sink) Close() error {
	return errors.Join(s.timeline.Close(), s.runs.Close(), s.acts.Close())
}

// Put draws the record. Of a session or thread, a later description replaces an earlier one.
func (s *Sink) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.Origin:
		s.earliest = min(s.earliest, r.Time)
	case *trace.Session:
		s.describe(uint64(r.Index), pathTrack, processName(r))
	case *trace.ModelThread:
		s.thread(r)
	case *trace.Interval:
		s.interval(r)
	case *trace.ModelEvent:
		s.event(r)
	case *trace.Binding:
		s.cause(r.Running, r.Cause)
	case *trace.DeadlockLoop:
		s.deadlock(r)
	case *trace.Summary:
		s.writeAll()
	}
	return s.err
}

// processName is what to call the process of a recording: "JVM 4711 (org.eclipse.tptp.jvmti)".
func processName(d *trace.Session) string {
	var b strings.Builder
	b.WriteString("JVM")
	for _, part := range []struct {
		values             []trace.NamedValue
		name, begin, close string
	}{{d.Process, "pid", " ", ""}, {d.Agent, "agentName", " (", ")"}} {
		for _, v := range part.values {
			if v.Name == part.name && v.Value != "" {
				b.WriteString(part.begin + shown(v.Value) + part.close)
			}
		}
	}
	return b.String()
}

// thread keeps the name of the thread.
func (s *Sink) thread(t *trace.ModelThread) {
	s.names.Thread(t)
	s.track(t.Key).session = uint32(t.Session)
	thread := names.Thread{ID: t.ID, Name: t.Name}
	s.describe(uint64(t.Session), t.Key, shown(thread.Title()))
}

// describe keeps the name of a track.
func (s *Sink) describe(session uint64, key trace.ThreadKey, name string) {
	s.record = append(s.record[:0], name...)
	s.add(extsort.Key{Section: trackSection, Group: session, ID: uint64(key), Order: s.timeline.Records()})
}

func (s *Sink) track(key trace.ThreadKey) *track {
	for int(key) >= len(s.tracks) {
		s.tracks = append(s.tracks, track{end: never})
	}
	return &s.tracks[key]
}

// title is what to call a thread that is known, or "".
func (s *Sink) title(thread trace.ThreadRef) string {
	if thread.Key == 0 {
		return ""
	}
	known := s.names.Of(thread)
	return shown(known.Title())
}

// interval draws a slice.
func (s *Sink) interval(g *trace.Interval) {
	t := s.track(g.Thread.Key)
	begin := max(t.end, g.Time)
	t.end, t.drawn = max(begin, g.End), true
	w := &s.details
	w.buf = w.buf[:0]
	w.number(eventArgument, uint64(g.ID))
	s.object(monitorArgument, g.Object, g.Class)
	if g.Type == trace.WaitingForJoin {
		w.text(joinedArgument, s.title(g.Other))
	} else {
		w.text(ownerArgument, s.title(g.Other))
	}
	w.frame(callerArgument, g.Caller)
	w.frame(ownerCallerArgument, g.OtherCaller)
	if g.Timeout > 0 {
		w.number(timeoutArgument, uint64(g.Timeout))
	}
	w.flag(timedOutArgument, g.TimedOut)
	w.flag(inferredArgument, g.Inferred)
	w.flag(openArgument, g.Open)
	w.stack(s.stackLines(g.Stack))
	m := mark{kind: slice, look: lookOf(g), session: uint64(g.Session), track: g.Thread.Key, at: begin,
		length: int64(t.end - begin),
		event:  uint64(g.ID), subject: s.subject(g), details: w.buf}
	s.draw(&m)
}

// object adds the object that a mark is about.
func (s *Sink) object(role argument, object trace.ObjectID, class string) {
	if object.Known() {
		s.details.id(role, object.ID)
		s.details.text(classArgument, shown(class))
	}
}

// subject is what the thread waits for, as people would call it.
func (s *Sink) subject(g *trace.Interval) []byte {
	w := &s.details
	switch {
	case g.Type == trace.WaitingForJoin && g.Other.Key != 0:
		w.scratch = append(w.scratch[:0], s.title(g.Other)...)
	case g.Class != "":
		w.scratch = append(w.scratch[:0], shown(g.Class)...)
	case g.Object.Known():
		w.scratch = append(append(w.scratch[:0], "object "...), shown(g.Object.String())...)
	default:
		return nil
	}
	return w.scratch
}

// draw adds a mark, and what ends it.
func (s *Sink) draw(m *mark) {
	if m.kind == slice && m.length == 0 {
		m.kind = point
	}
	s.put(m)
	if _, parts := s.format.order(); parts && m.kind == slice {
		s.put(&mark{kind: ending, session: m.session, track: m.track, at: m.at + trace.Time(m.length), event: m.event})
	}
}

// put adds a mark to those that are sorted. No two of them have the same key, so that their order does not depend on
// when they came.
func (s *Sink) put(m *mark) {
	s.earliest = min(s.earliest, m.at)
	order, _ := s.format.order()
	rank := order[m.kind]
	last := m.arrow
	if last == 0 && m.track != pathTrack {
		last = 1 // pieces of the path have numbers of their own
	}
	s.record = m.append(s.record[:0])
	s.add(extsort.Key{Section: markSection, Group: sortable(m.at), ID: rank.place<<rankShift | m.event,
		Order: rank.step<<rankShift | last})
}

// rankShift leaves room for the numbers of events beside those of a rank.
const rankShift = 56

func (s *Sink) add(k extsort.Key) {
	if s.err == nil {
		s.err = s.timeline.Add(k, s.record)
	}
}

// sortable is a time as a number that sorts like it, and timeFrom gives it back.
func sortable(at trace.Time) uint64       { return uint64(at) ^ 1<<63 }
func timeFrom(sortable uint64) trace.Time { return trace.Time(sortable ^ 1<<63) }

// event draws an instant; of a Running event it keeps what arrows need.
func (s *Sink) event(e *trace.ModelEvent) {
	t := s.track(e.Thread.Key)
	t.drawn = true
	s.earliest = min(s.earliest, e.Time)
	switch {
	case e.Type == trace.Running:
		s.run(e, max(t.end, e.Time), uint64(t.session))
		return
	case e.Type == trace.Dead:
		t.end = max(t.end, e.Time)
		return
	case e.Type == trace.DeadLock:
		s.closed = end{uint64(e.ID), e.Time, e.Thread.Key, uint64(t.session)}
	case e.Type.IsState():
		return
	}
	s.act(e)
	s.instant(e, uint64(t.session))
}

func (s *Sink) instant(e *trace.ModelEvent, session uint64) {
	w := &s.details
	w.buf = w.buf[:0]
	w.number(eventArgument, uint64(e.ID))
	subject := ""
	if e.Type == trace.StartsThread || e.Type == trace.InterruptThread {
		s.object(objectArgument, e.Object, e.Class) // a thread's
	} else {
		s.object(monitorArgument, e.Object, e.Class)
		subject = shown(e.Class)
	}
	if e.Type == trace.HandoffLock {
		w.text(receiverArgument, s.title(e.Other))
	} else {
		w.text(ownerArgument, s.title(e.Other))
	}
	w.frame(callerArgument, e.Caller)
	w.flag(inferredArgument, e.Inferred)
	w.stack(s.stackLines(e.Stack))
	w.scratch = append(w.scratch[:0], subject...)
	m := mark{kind: instant, look: look(e.Type), session: session, track: e.Thread.Key, at: e.Time, event: uint64(e.ID),
		subject: w.scratch, details: w.buf}
	s.draw(&m)
}

// mostTitles is how many threads of a deadlock are named.
const mostTitles = 100

// deadlock draws a deadlock across all tracks, unless all that its threads say of it was cut off.
func (s *Sink) deadlock(d *trace.DeadlockLoop) {
	at := s.closed
	s.closed = end{}
	if at.event == 0 {
		return
	}
	var titles []string
	for _, t := range d.Threads[:min(len(d.Threads), mostTitles)] {
		titles = append(titles, s.title(t))
	}
	if more := len(d.Threads) - len(titles); more > 0 {
		titles = append(titles, fmt.Sprintf("… %d more", more))
	}
	w := &s.details
	w.buf = w.buf[:0]
	w.text(threadsArgument, strings.Join(append(titles, titles[0]), " → "))
	s.draw(&mark{kind: loop, look: deadlockLoop, session: at.session, track: at.track, at: d.Time,
		event: at.event, details: w.buf})
}

// CriticalPath draws the critical path on a track of its own. The pieces, in the order of their times, are given before
// End.
func (s *Sink) CriticalPath(pieces iter.Seq[Piece]) error {
	at, number := never, uint64(0)
	for p := range pieces {
		number++
		m := mark{kind: slice, look: look(p.State), track: pathTrack, at: max(at, p.From), event: number}
		at = max(m.at, p.To)
		m.length = int64(at - m.at)
		s.piece(&m, &p)
	}
	return s.err
}

// piece draws a piece of the critical path.
func (s *Sink) piece(m *mark, p *Piece) {
	s.track(pathTrack).drawn = true
	title := s.title(p.Thread)
	w := &s.details
	w.buf = w.buf[:0]
	w.number(pieceArgument, m.event)
	w.text(threadArgument, title)
	w.text(classArgument, shown(p.Class))
	m.before, m.subject, m.details = []byte(title), []byte(shown(p.Class)), w.buf
	if p.Latency {
		m.look = latency
	}
	s.draw(m)
}

// writeAll writes the drawing.
func (s *Sink) writeAll() {
	s.arrows()
	if s.err != nil {
		return
	}
	s.format.begin(s.earliest, len(s.tracks))
	s.write()
	if s.err = s.timeline.Err(); s.err != nil {
		return
	}
	s.format.finish()
	s.out.flush()
	s.err = s.out.err
}

// write writes the tracks, and then the marks.
func (s *Sink) write() {
	var held extsort.Key // the last track, which may yet get another name
	var name []byte
	var m mark
	if s.track(pathTrack).drawn {
		s.format.thread(0, pathTrack, []byte("critical path"))
	}
	for k, record := range s.timeline.Sorted() {
		if len(name) > 0 && (k.Section != held.Section || k.Group != held.Group || k.ID != held.ID) {
			s.writeTrack(held, name)
			name = name[:0]
		}
		if k.Section == trackSection {
			held, name = k, append(name[:0], record...)
			continue
		}
		m.read(timeFrom(k.Group), record)
		s.format.mark(&m)
		if s.out.err != nil {
			return
		}
	}
	if len(name) > 0 {
		s.writeTrack(held, name)
	}
}

// writeTrack writes the name of a process, or that of a thread of which anything is drawn.
func (s *Sink) writeTrack(k extsort.Key, name []byte) {
	key := trace.ThreadKey(k.ID)
	switch {
	case key == pathTrack:
		s.format.process(k.Group, name)
	case s.tracks[key].drawn:
		s.format.thread(k.Group, key, name)
	}
}
