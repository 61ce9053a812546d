package perfetto

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/internal/extsort"
	"github.com/trcx/trcx/internal/list"
	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// Writer is a trace.Sink that draws the model. Its memory is bounded: tracks and marks are sorted, on disk if they are
// many, and written at the end.
type Writer struct {
	encoder    encoder
	out        counter
	timeline   extsort.Sorter   // tracks, and marks on them
	runs       extsort.Sorter   // Running events and their causes; see arrows.go
	acts       extsort.Sorter   // possible causes
	tracks     list.List[track] // by the threads' keys
	names      threads.Names
	conditions map[object]string // the titles of conditions whose locks are known
	earliest   trace.Time        // of all events and marks
	closed     end               // the last event of the current deadlock
	callers    map[caller]trace.ThreadKey
	callTracks map[trace.ThreadKey]trace.ThreadKey // the threads of tracks of calls; 0 if unknown
	drawnCalls uint64                              // begins and ends of calls
	samples    uint64
	onCPU      bool // samples are of time on a processor
	details    argumentWriter
	record     []byte
	stacks     *lru.Cache[*trace.Stack, []byte] // their lines
	err        error
}

// Format is one of the formats of timeline viewers.
type Format uint8

// The formats.
const (
	JSON     Format = iota // Trace Event JSON
	Protobuf               // Perfetto's protobuf: smaller, for large traces
)

// String names the format.
func (f Format) String() string { return [...]string{JSON: "JSON", Protobuf: "protobuf"}[f] }

// Options choose the output.
type Options struct {
	Format Format
	// TempDir is the directory of temporary files; "" is os.TempDir().
	TempDir string
	// Memory is the limit in bytes of each of three sorters; records beyond it go to a file. 0 is 4 MiB.
	Memory int
}

const (
	never   = trace.Time(math.MinInt64)
	forever = trace.Time(math.MaxInt64)
)

// The sections of the sorted records.
const (
	trackSection byte = iota
	markSection
)

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer, o Options) *Writer {
	sorter := func(name string) extsort.Sorter {
		return extsort.Sorter{Folder: o.TempDir, Name: name, Memory: o.Memory}
	}
	writer := &Writer{
		out: counter{out: w}, earliest: forever, stacks: lru.NewCache[*trace.Stack, []byte](maxStackLines),
		timeline: sorter("timeline"), runs: sorter("runs"), acts: sorter("acts"),
	}
	if o.Format == Protobuf {
		writer.encoder = newProtobufEncoder(&writer.out)
	} else {
		writer.encoder = &jsonEncoder{out: &writer.out}
	}
	return writer
}

// Written returns the number of bytes written, before any compression.
func (w *Writer) Written() int64 { return w.out.written }

// Close removes the temporary files. It may be called at any time, and twice.
func (w *Writer) Close() error {
	return errors.Join(w.timeline.Close(), w.runs.Close(), w.acts.Close())
}

// Put draws the record. A later description of a session or thread replaces an earlier one.
func (w *Writer) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.Origin:
		w.earliest = min(w.earliest, r.Time)
	case *trace.Session:
		w.describe(uint64(r.Index), pathTrack, processName(r))
	case *trace.ModelThread:
		w.thread(r)
	case *trace.ModelObject:
		w.condition(r)
	case *trace.Interval:
		w.interval(r)
	case *trace.ModelEvent:
		w.event(r)
	case *trace.Sample:
		w.sample(r)
	case *trace.Binding:
		w.cause(r.Running, r.Cause)
	case *trace.DeadlockLoop:
		w.deadlock(r)
	case *trace.Summary:
		w.writeAll()
	}
	return w.err
}

// interval draws a slice.
func (w *Writer) interval(g *trace.Interval) {
	t := w.track(g.Thread.Key)
	begin := max(t.end, g.Time)
	t.end, t.drawn = max(begin, g.End), true
	args := &w.details
	args.buf = args.buf[:0]
	args.number(eventArgument, uint64(g.ID))
	w.object(monitorArgument, g.Object, g.Class)
	if g.Type == trace.WaitingForJoin {
		args.text(joinedArgument, w.title(g.Other))
	} else {
		args.text(ownerArgument, w.title(g.Other))
	}
	args.frame(callerArgument, g.Caller)
	args.frame(ownerCallerArgument, g.OtherCaller)
	if g.Timeout > 0 {
		args.number(timeoutArgument, uint64(g.Timeout))
	}
	args.flag(timedOutArgument, g.TimedOut)
	args.flag(inferredArgument, g.Inferred)
	args.flag(openArgument, g.Open)
	args.stack(w.stackLines(g.Stack))
	m := mark{kind: slice, style: styleOf(g), session: uint64(g.Session), track: g.Thread.Key, at: begin,
		length: int64(t.end - begin), event: uint64(g.ID), subject: w.subject(g), details: args.buf}
	w.draw(&m)
}

// sample draws samples of a thread known to be RUNNABLE. What other threads did is said by their slices.
func (w *Writer) sample(s *trace.Sample) {
	if s.State != trace.StateRunnable || s.Stack == nil {
		return
	}
	t := w.track(s.Thread.Key)
	t.drawn, w.onCPU = true, w.onCPU || s.Period > 0
	args := &w.details
	args.buf = args.buf[:0]
	args.number(samplesArgument, s.Count)
	args.stack(w.stackLines(s.Stack))
	w.samples++
	w.put(&mark{kind: sample, style: sampled, session: uint64(t.session), track: s.Thread.Key, at: s.Time,
		length: s.Period, event: w.samples, subject: []byte(shown(s.Stack.Frames[0].Method.Title())),
		details: args.buf})
}

// object identifies an object of a session.
type object struct {
	session int
	id      trace.ObjectID
}

// condition keeps the title of a condition whose lock is known: condition of ReentrantLock 70.
func (w *Writer) condition(o *trace.ModelObject) {
	if !o.Lock.Known() {
		return
	}
	of := "lock"
	if o.LockClass != "" {
		of = javaname.SimpleClass(o.LockClass)
	}
	if w.conditions == nil {
		w.conditions = map[object]string{}
	}
	w.conditions[object{o.Session, o.ID}] = "condition of " + shown(of) + " " + shown(o.Lock.String())
}

// object appends the object of a mark.
func (w *Writer) object(role argument, object trace.ObjectID, class string) {
	if object.Known() {
		w.details.id(role, object.ID)
		w.details.text(classArgument, waitedClass(class))
	}
}

// subject returns the title of what the thread waits for.
func (w *Writer) subject(g *trace.Interval) []byte {
	args := &w.details
	switch {
	case g.Type == trace.WaitingForJoin && g.Other.Key != 0:
		args.scratch = append(args.scratch[:0], w.title(g.Other)...)
	case w.conditions[object{g.Session, g.Object}] != "":
		args.scratch = append(args.scratch[:0], w.conditions[object{g.Session, g.Object}]...)
	case g.Class != "":
		args.scratch = append(args.scratch[:0], waitedFor(g.Class)...)
	case g.Object.Known():
		args.scratch = append(append(args.scratch[:0], "object "...), shown(g.Object.String())...)
	default:
		return nil
	}
	return args.scratch
}

// waitedFor returns the class of what a thread waits for. A synchronizer has its kind before it: latch CountDownLatch.
func waitedFor(class string) string {
	if s, ok := javaname.SynchronizerOf(class); ok {
		return s.String()
	}
	return waitedClass(class)
}

// waitedClass returns the class of an object, and for a java.lang.Class object also the class that it represents.
func waitedClass(class string) string {
	if _, represented := javaname.SplitClassObject(class); represented != "" {
		return "class " + shown(represented)
	}
	return shown(class)
}

// draw adds a mark, and the end of a slice.
func (w *Writer) draw(m *mark) {
	if m.kind == slice && m.length == 0 {
		m.kind = point
	}
	w.put(m)
	if _, parts := w.encoder.order(); parts && m.kind == slice {
		w.put(&mark{kind: ending, session: m.session, track: m.track, at: m.at + trace.Time(m.length), event: m.event})
	}
}

// put adds a mark to the sorter. No two marks have the same key, so the result does not depend on the order of the
// calls.
func (w *Writer) put(m *mark) {
	w.earliest = min(w.earliest, m.at)
	order, _ := w.encoder.order()
	rank := order[m.kind]
	last := m.arrow
	if last == 0 && m.track != pathTrack {
		last = 1 // pieces of the path have numbers of their own
	}
	w.record = m.append(w.record[:0])
	w.add(extsort.Key{Section: markSection, Group: sortable(m.at), ID: rank.place<<rankShift | m.event,
		Order: rank.step<<rankShift | last})
}

// rankShift is the number of bits for event ids, below the bits of a rank.
const rankShift = 56

func (w *Writer) add(k extsort.Key) {
	if w.err == nil {
		w.err = w.timeline.Add(k, w.record)
	}
}

// sortable converts a time into a number with the same order, and timeFrom converts it back.
func sortable(at trace.Time) uint64       { return uint64(at) ^ 1<<63 }
func timeFrom(sortable uint64) trace.Time { return trace.Time(sortable ^ 1<<63) }

// event draws an instant. Of a Running event it records the end of an arrow.
func (w *Writer) event(e *trace.ModelEvent) {
	t := w.track(e.Thread.Key)
	t.drawn = true
	w.earliest = min(w.earliest, e.Time)
	switch {
	case e.Type == trace.Running:
		w.run(e, max(t.end, e.Time), uint64(t.session))
		return
	case e.Type == trace.Dead:
		t.end = max(t.end, e.Time)
		return
	case e.Type == trace.DeadLock:
		w.closed = end{uint64(e.ID), e.Time, e.Thread.Key, uint64(t.session)}
	case e.Type.IsState():
		return
	}
	w.act(e)
	w.instant(e, uint64(t.session))
}

func (w *Writer) instant(e *trace.ModelEvent, session uint64) {
	args := &w.details
	args.buf = args.buf[:0]
	args.number(eventArgument, uint64(e.ID))
	subject := ""
	if e.Type == trace.StartsThread || e.Type == trace.InterruptThread {
		w.object(objectArgument, e.Object, e.Class) // a thread's
	} else {
		w.object(monitorArgument, e.Object, e.Class)
		subject = cmp.Or(w.conditions[object{int(session), e.Object}], waitedFor(e.Class))
	}
	if e.Type == trace.HandoffLock {
		args.text(receiverArgument, w.title(e.Other))
	} else {
		args.text(ownerArgument, w.title(e.Other))
	}
	args.frame(callerArgument, e.Caller)
	args.flag(inferredArgument, e.Inferred)
	args.stack(w.stackLines(e.Stack))
	args.scratch = append(args.scratch[:0], subject...)
	m := mark{
		kind: instant, style: style(e.Type), session: session, track: e.Thread.Key, at: e.Time, event: uint64(e.ID),
		subject: args.scratch, details: args.buf,
	}
	w.draw(&m)
}

// maxTitles limits the threads that are named in a deadlock.
const maxTitles = 100

// deadlock draws a deadlock across all tracks, unless its events were left out.
func (w *Writer) deadlock(d *trace.DeadlockLoop) {
	at := w.closed
	w.closed = end{}
	if at.event == 0 {
		return
	}
	var titles []string
	for _, t := range d.Threads[:min(len(d.Threads), maxTitles)] {
		titles = append(titles, w.title(t))
	}
	if more := len(d.Threads) - len(titles); more > 0 {
		titles = append(titles, fmt.Sprintf("… %d more", more))
	}
	args := &w.details
	args.buf = args.buf[:0]
	args.text(threadsArgument, strings.Join(append(titles, titles[0]), " → "))
	w.draw(&mark{kind: loop, style: deadlockLoop, session: at.session, track: at.track, at: d.Time,
		event: at.event, details: args.buf})
}

// CriticalPath draws the critical path on a track of its own. It consumes the pieces in time order. Call it before the
// Summary is put.
func (w *Writer) CriticalPath(pieces iter.Seq[*critical.Piece]) error {
	at, number := never, uint64(0)
	for p := range pieces {
		number++
		m := mark{kind: slice, style: style(p.State), track: pathTrack, at: max(at, p.From), event: number}
		at = max(m.at, p.To)
		m.length = int64(at - m.at)
		w.piece(&m, p)
	}
	return w.err
}

// piece draws a piece of the critical path.
func (w *Writer) piece(m *mark, p *critical.Piece) {
	w.track(pathTrack).drawn = true
	args := &w.details
	args.buf = args.buf[:0]
	args.number(pieceArgument, m.event)
	if p.OnCPU >= 0 {
		args.number(onCPUArgument, uint64(p.OnCPU))
	}
	if p.Thread.Key != 0 {
		title := w.title(p.Thread.ThreadRef)
		m.before = []byte(title)
		args.text(threadArgument, title)
	}
	args.text(classArgument, waitedClass(p.Object.Class))
	m.details = args.buf
	m.subject = []byte(cmp.Or(w.conditions[object{p.Object.Session, p.Object.ID}], waitedFor(p.Object.Class)))
	switch {
	case p.Kind == critical.Latency:
		m.style = latency
	case p.Kind == critical.Unknown:
		m.style = unknown
	case p.Kind == critical.Paused:
		m.style = paused
	case p.Name == trace.StateParked || p.Name == trace.StateInIO || p.Name == trace.StateInitialising:
		m.style = styleOfState(p.Name, p.State)
	}
	w.draw(m)
}

// writeAll writes the drawing.
func (w *Writer) writeAll() {
	w.arrows()
	if w.err != nil {
		return
	}
	w.encoder.begin(w.earliest, w.tracks.Len())
	w.write()
	if w.err = w.timeline.Err(); w.err != nil {
		return
	}
	w.encoder.finish()
	w.out.flush()
	w.err = w.out.err
}

// write writes the tracks, and then the marks.
func (w *Writer) write() {
	var held extsort.Key // the last track, which may yet get another name
	var name []byte
	var m mark
	if w.track(pathTrack).drawn {
		w.encoder.thread(0, pathTrack, []byte("critical path"))
	}
	for k, record := range w.timeline.Sorted() {
		if len(name) > 0 && (k.Section != held.Section || k.Group != held.Group || k.ID != held.ID) {
			w.writeTrack(held, name)
			name = name[:0]
		}
		if k.Section == trackSection {
			held, name = k, append(name[:0], record...)
			continue
		}
		m.read(timeFrom(k.Group), record)
		if m.kind == sample && m.length == 0 && w.onCPU { // the two are never added
			continue
		}
		w.encoder.mark(&m)
		if w.out.err != nil {
			return
		}
	}
	if len(name) > 0 {
		w.writeTrack(held, name)
	}
}
