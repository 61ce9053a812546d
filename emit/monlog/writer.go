package monlog

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trcx/trcx/trace"
)

// Writer is a convert.Sink of one recording that writes a log and its metadata.
type Writer struct {
	out, metadata io.Writer
	buffer        []byte
	hashes        hashes
	threads       threads
	code          code
	lost          lost
	err           error
}

const flushAt = 128 << 10

// Options select the destination of the metadata.
type Options struct {
	// Metadata is the output of the metadata file; nil for none.
	Metadata io.Writer
}

// NewWriter returns a Writer of a log to w.
func NewWriter(w io.Writer, o Options) *Writer {
	if o.Metadata == nil {
		o.Metadata = io.Discard
	}
	hashes := newHashes()
	return &Writer{out: w, metadata: o.Metadata, hashes: hashes, threads: newThreads(hashes), code: newCode(),
		lost: lost{kinds: map[string]bool{}}}
}

// Begin begins the only recording.
func (w *Writer) Begin(int) error { return w.err }

// Put writes the line of an element.
func (w *Writer) Put(e *trace.Event) error {
	switch write := writers[e.Kind]; {
	case write != nil:
		write(w, e)
	case e.Kind == trace.Root || e.IsPlaceholder() || slices.Contains(preamble, e.Kind):
	default:
		w.lost.element(e.Name())
	}
	if len(w.buffer) >= flushAt {
		w.flush()
	}
	return w.err
}

// preamble has the elements that describe the recording. A log does not have them.
var preamble = []trace.Kind{trace.Node, trace.ProcessCreate, trace.AgentCreate, trace.AgentDestroy, trace.TraceStart,
	trace.TraceEnd, trace.Filter, trace.Option,
	trace.RuntimeInitDone, trace.RuntimeShutdown}

// End ends the recording.
func (w *Writer) End(trace.Ending) error {
	w.flush()
	return w.err
}

// Finish writes the metadata.
func (w *Writer) Finish() error {
	w.buffer = w.code.appendTo(w.buffer, &w.lost)
	if w.err == nil {
		_, w.err = w.metadata.Write(w.buffer)
	}
	return w.err
}

func (w *Writer) flush() {
	if w.err == nil && len(w.buffer) > 0 {
		_, w.err = w.out.Write(w.buffer)
	}
	w.buffer = w.buffer[:0]
}

// Notes returns sentences about what the log lacks and what it changes.
func (w *Writer) Notes() (notes []string) {
	if what := w.lost.list(); what != "" {
		notes = append(notes, "a monitor log cannot carry "+what)
	}
	switch mapped := w.hashes.count; {
	case mapped == 1:
		notes = append(notes, "1 id of an object or a thread is not a hash code of 8 hexadecimal digits; it was replaced by one")
	case mapped > 1:
		notes = append(notes,
			fmt.Sprintf("%d ids of objects and threads are not hash codes of 8 hexadecimal digits; they were replaced by some",
				mapped))
	}
	if w.code.linesForLocations {
		notes = append(notes, "the trace has no locations in the code of methods; lines are written instead")
	}
	return notes
}

var writers = [trace.KindCount]func(*Writer, *trace.Event){
	trace.ThreadStart:         (*Writer).threadStart,
	trace.ThreadEnd:           acting((*Writer).threadEnd),
	trace.MonWait:             acting((*Writer).monWait),
	trace.MonWaited:           acting((*Writer).monWaited),
	trace.MonContendedEnter:   acting((*Writer).monContendedEnter),
	trace.MonContendedEntered: acting(simple("MonitorContendedEntered")),
	trace.CallStart:           acting((*Writer).callStart),
	trace.CallNotify:          acting((*Writer).callNotify),
	trace.CallInterrupt:       (*Writer).interrupt,
	trace.ThreadInterrupted:   (*Writer).interrupt,
	trace.ClassDef:            func(w *Writer, e *trace.Event) { w.code.class(e) },
	trace.MethodDef:           func(w *Writer, e *trace.Event) { w.code.method(e) },
	trace.ObjAlloc:            (*Writer).objectDefined,
	trace.ObjDef:              (*Writer).objectDefined,
	trace.ObjFree:             func(w *Writer, e *trace.Event) { w.threads.forget(e.Object(trace.AttrObjIDRef)) },
	trace.ObjMove: func(w *Writer, e *trace.Event) {
		w.threads.move(e.Object(trace.AttrObjIDRef), e.Object(trace.AttrNewObjID))
	},
	trace.Annotation: (*Writer).line,
}

// acting returns a function that calls write with the element's thread. It skips elements without thread or time, and
// elements that a reader has added because its log lacked them.
func acting(write func(*Writer, *trace.Event, *thread)) func(*Writer, *trace.Event) {
	return func(w *Writer, e *trace.Event) {
		id := e.Thread()
		if !id.Known() || !e.Timed() {
			w.lost.note(lostUnusable)
			return
		}
		t := w.threads.of(id)
		if _, unlogged := e.Extra.Annotation(trace.NoteUnlogged); unlogged {
			t.wait = "" // if the wait has ended or begun here, the log lacks the event
			return
		}
		w.lost.of(e)
		write(w, e, t)
	}
}

// simple returns a function that writes the name of the event and the element's object and stack.
func simple(name string) func(*Writer, *trace.Event, *thread) {
	return func(w *Writer, e *trace.Event, t *thread) {
		w.begin(e, name, t)
		w.hash(w.hashes.of(e.Object(trace.AttrObjIDRef)))
		w.end(e)
	}
}

func (w *Writer) threadStart(e *trace.Event) {
	id := e.Thread()
	if !id.Known() || !e.Timed() {
		w.lost.note(lostUnusable)
		return
	}
	t := w.threads.start(id, e.Object(trace.AttrObjIDRef))
	if _, unlogged := e.Extra.Annotation(trace.NoteUnlogged); unlogged {
		return
	}
	w.lost.of(e)
	if e.Text(trace.AttrGroupName) != "" {
		w.lost.note(lostGroups)
	}
	w.begin(e, "ThreadStarted", t)
	w.buffer = append(w.buffer, ',')
	w.buffer = append(w.buffer, w.lost.oneLine(e.Text(trace.AttrThreadName))...)
	w.buffer = append(w.buffer, '\n')
}

func (w *Writer) threadEnd(e *trace.Event, t *thread) {
	w.begin(e, "ThreadEnded", t)
	w.buffer = append(w.buffer, '\n')
	w.threads.end(t)
}

// wait has the names of a kind of waits in the log.
type wait struct{ begins, ends string }

var (
	sleep       = wait{"ThreadSleep", "ThreadSlept"}
	join        = wait{"ThreadJoin", "ThreadJoined"}
	objectWait  = wait{"ObjectWait", "ObjectWaited"}
	waitsByCall = map[string]wait{trace.CallJoin: join, trace.CallWait: objectWait}
)

// waitOf returns the kind of a wait: what the trace states, else a join if the object is of another thread.
func (w *Writer) waitOf(e *trace.Event, t *thread) wait {
	object := e.Object(trace.AttrObjIDRef)
	if object.IsSleep() {
		return sleep
	}
	if call, ok := e.Extra.Annotation(trace.NoteCall); ok {
		if known, ok := waitsByCall[call]; ok {
			return known
		}
	}
	if w.threads.isThread(object, t) {
		return join
	}
	return objectWait
}

func (w *Writer) monWait(e *trace.Event, t *thread) {
	of := w.waitOf(e, t)
	t.wait = of.ends
	w.waitLine(e, of.begins, t)
}

func (w *Writer) monWaited(e *trace.Event, t *thread) {
	name := w.waitOf(e, t).ends
	if _, said := e.Extra.Annotation(trace.NoteCall); !said && t.wait != "" &&
		(t.wait == sleep.ends) == (name == sleep.ends) {
		name = t.wait // meanwhile the object may be known as a thread's
	}
	t.wait = ""
	w.waitLine(e, name, t)
}

func (w *Writer) waitLine(e *trace.Event, name string, t *thread) {
	if name == sleep.begins || name == sleep.ends {
		w.begin(e, name, t)
		w.end(e)
		return
	}
	simple(name)(w, e, t)
}

func (w *Writer) monContendedEnter(e *trace.Event, t *thread) {
	w.begin(e, "MonitorContendedEnter", t)
	w.hash(w.hashes.of(e.Object(trace.AttrObjIDRef)))
	owner := uint64(0)
	if id := (trace.ThreadID{ID: e.ID(trace.AttrThreadOwner)}); id.Known() && id.String() != "0" {
		owner = w.threads.of(id).hash
	}
	w.hash(owner)
	w.end(e)
}

func (w *Writer) callStart(e *trace.Event, t *thread) {
	w.threads.addObject(e.Object(trace.AttrObjIDRef))
	simple("ThreadStart")(w, e, t)
}

func (w *Writer) callNotify(e *trace.Event, t *thread) {
	name := "ObjectNotify"
	if e.Flag(trace.AttrIsNotifyAll) {
		name = "ObjectNotifyAll"
	}
	simple(name)(w, e, t)
}

func (w *Writer) interrupt(e *trace.Event) {
	w.threads.addObject(e.Object(trace.AttrObjIDRef))
	w.lost.note(lostInterrupts)
}

func (w *Writer) objectDefined(e *trace.Event) {
	if e.Has(trace.AttrClassIDRef) {
		w.lost.note(lostClasses)
	}
	w.threads.forget(e.Object(trace.AttrObjID))
}

// line writes a line that the reader could not decode.
func (w *Writer) line(e *trace.Event) {
	if string(e.Value(trace.AttrName)) != trace.NoteLine {
		w.lost.element(e.Name())
		return
	}
	w.buffer = append(append(w.buffer, w.lost.oneLine(e.Text(trace.AttrValue))...), '\n')
}

// begin begins a line.
func (w *Writer) begin(e *trace.Event, name string, t *thread) {
	w.buffer = append(append(e.Time.AppendTo(w.buffer), ','), name...)
	w.hash(t.hash)
}

// hash appends a hash code as a field.
func (w *Writer) hash(code uint64) { w.buffer = appendHex(append(w.buffer, ','), code, 8) }

// appendHex appends a number with at least the given number of digits.
func appendHex(dst []byte, value uint64, digits int) []byte {
	return fmt.Appendf(dst, "%0*X", digits, value)
}

// end appends the stack, if any, and ends the line.
func (w *Writer) end(e *trace.Event) {
	w.buffer = append(w.code.appendStack(w.buffer, e), '\n')
}

// What a log cannot carry.
const (
	lostTimeouts   = "timeouts"
	lostInterrupts = "interrupts"
	lostClasses    = "classes of objects"
	lostGroups     = "thread groups"
	lostCauses     = "which thread ended a wait or released a monitor"
	lostParks      = "parked threads and locks of java.util.concurrent (they are written as waits and contended " +
		"monitors)"
	lostInferred = "which events are inferred (they are written like the others)"
	lostUnusable = "elements without thread or time"
	lostNames    = "line ends, NUL and lone surrogates in names"
	lostCommas   = "commas in names of classes and methods"
)

// lost collects what the log cannot represent.
type lost struct {
	kinds    map[string]bool
	elements []string
}

func (l *lost) note(kind string) { l.kinds[kind] = true }

// maxElements is the limit of listed names of elements.
const maxElements = 8

// element notes that elements of the name are left out.
func (l *lost) element(name string) {
	if len(l.elements) < maxElements && !slices.Contains(l.elements, name) {
		l.elements = append(l.elements, name)
	}
}

// of notes properties of an element that a line cannot have.
func (l *lost) of(e *trace.Event) {
	if e.Has(trace.AttrTimeout) || e.Has(trace.AttrIsTimedOut) {
		l.note(lostTimeouts)
	}
	if _, parked := e.Extra.Annotation(trace.NotePark); parked {
		l.note(lostParks)
	}
	if e.By().Known() {
		l.note(lostCauses)
	}
	if e.Inferred() {
		l.note(lostInferred)
	}
}

// oneLine returns a name for a line of text, without ends of lines, NUL, and halves of surrogate pairs.
func (l *lost) oneLine(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool {
		return r == '\r' || r == '\n' || r == 0 || r == utf8.RuneError
	}) {
		return name
	}
	plain := make([]byte, 0, len(name))
	for rest := name; rest != ""; {
		size := 1
		switch {
		case rest[0] == '\r' || rest[0] == '\n':
			plain = append(plain, ' ')
		case rest[0] == 0:
			plain = append(plain, "\uFFFD"...)
		case isSurrogate(rest):
			plain, size = append(plain, "\uFFFD"...), 3
		default: // also a byte that is not UTF-8, as in logs of other encodings
			plain = append(plain, rest[0])
		}
		rest = rest[size:]
	}
	if string(plain) != name {
		l.note(lostNames)
	}
	return string(plain)
}

// isSurrogate reports whether a text begins with half of a surrogate pair, encoded as in UTF-8; see
// trace.EscapeJava.
func isSurrogate(text string) bool {
	return len(text) >= 3 && text[0] == 0xED && text[1] >= 0xA0 && text[1] <= 0xBF && text[2]&0xC0 == 0x80
}

// oneField returns a name for a field, without commas as well.
func (l *lost) oneField(name string) string {
	if strings.Contains(name, ",") {
		l.note(lostCommas)
		name = strings.ReplaceAll(name, ",", ";")
	}
	return l.oneLine(name)
}

// list joins the notes.
func (l *lost) list() string {
	all := slices.Sorted(maps.Keys(l.kinds))
	if len(l.elements) > 0 {
		names := strings.Join(l.elements, ", ")
		if len(l.elements) == maxElements {
			names += " …"
		}
		all = append(all, "elements such as "+names)
	}
	return strings.Join(all, "; ")
}
