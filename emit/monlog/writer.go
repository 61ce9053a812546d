package monlog

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trcx/trcx/trace"
)

// Writer writes a log and its metadata. It is a sink of one recording.
type Writer struct {
	out, metadata io.Writer
	buffer        []byte
	hashes        *hashes
	threads       threads
	code          code
	lost          lost
	err           error
}

const flushAt = 128 << 10

// NewWriter returns a Writer of a log to out, and of its metadata.
func NewWriter(out, metadata io.Writer) *Writer {
	hashes := newHashes()
	return &Writer{out: out, metadata: metadata, hashes: hashes, threads: newThreads(hashes), code: newCode()}
}

// Begin begins the recording; there is one.
func (w *Writer) Begin(int) error { return w.err }

// Element writes the line of an element.
func (w *Writer) Element(e *trace.Event) error {
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

// preamble are the elements that describe the recording, which a log does not.
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

// Notes say what of the trace the log does not have, and what it has otherwise.
func (w *Writer) Notes() (notes []string) {
	if what := w.lost.list(); what != "" {
		notes = append(notes, "a monitor log cannot carry "+what)
	}
	switch mapped := w.hashes.mapped; {
	case mapped == 1:
		notes = append(notes, "1 id of an object or a thread is no hash code of 8 hexadecimal digits, and got one")
	case mapped > 1:
		notes = append(notes,
			fmt.Sprintf("%d ids of objects and threads are no hash codes of 8 hexadecimal digits, and got some",
				mapped))
	}
	if w.code.linesForLocations {
		notes = append(notes, "the trace has no locations in the code of methods; lines stand for them")
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

// acting makes a writer of one that needs a thread. An element that says no thread or time means nothing, and one that
// a reader has put where the log lacked it is left out.
func acting(write func(*Writer, *trace.Event, *thread)) func(*Writer, *trace.Event) {
	return func(w *Writer, e *trace.Event) {
		id := e.Thread()
		if !id.Known() || !e.Timed() {
			w.lost.note(lostUnusable)
			return
		}
		t := w.threads.of(id)
		if _, unlogged := e.Extra.Annotation(trace.UnloggedAnnotation); unlogged {
			t.wait = "" // if it has ended or begun here, the log does not have by which event
			return
		}
		w.lost.of(e)
		write(w, e, t)
	}
}

// simple writes the element's object and stack behind the name of the event.
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
	if _, unlogged := e.Extra.Annotation(trace.UnloggedAnnotation); unlogged {
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

// wait is a method by which a thread waits, as the log has it.
type wait struct{ begins, ends string }

var (
	sleep       = wait{"ThreadSleep", "ThreadSlept"}
	join        = wait{"ThreadJoin", "ThreadJoined"}
	objectWait  = wait{"ObjectWait", "ObjectWaited"}
	waitsByCall = map[string]wait{trace.CallJoin: join, trace.CallWait: objectWait}
)

// waitOf is the method by which the thread waits: a wait on the object of another thread is taken for a join, unless
// the trace says it.
func (w *Writer) waitOf(e *trace.Event, t *thread) wait {
	object := e.Object(trace.AttrObjIDRef)
	if object.IsSleep() {
		return sleep
	}
	if call, ok := e.Extra.Annotation(trace.CallAnnotation); ok {
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
	if _, said := e.Extra.Annotation(trace.CallAnnotation); !said && t.wait != "" &&
		(t.wait == sleep.ends) == (name == sleep.ends) {
		name = t.wait // the object may have become known as a thread's since
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
	owner := uint32(0)
	if id := (trace.ThreadID{ID: e.ID(trace.AttrThreadOwner)}); id.Known() && id.String() != "0" {
		owner = w.threads.of(id).hash
	}
	w.hash(owner)
	w.end(e)
}

func (w *Writer) callStart(e *trace.Event, t *thread) {
	w.threads.names(e.Object(trace.AttrObjIDRef))
	simple("ThreadStart")(w, e, t)
}

func (w *Writer) callNotify(e *trace.Event, t *thread) {
	name := "ObjectNotify"
	if all, _ := e.Flag(trace.AttrIsNotifyAll); all {
		name = "ObjectNotifyAll"
	}
	simple(name)(w, e, t)
}

func (w *Writer) interrupt(e *trace.Event) {
	w.threads.names(e.Object(trace.AttrObjIDRef))
	w.lost.note(lostInterrupts)
}

func (w *Writer) objectDefined(e *trace.Event) {
	if e.Has(trace.AttrClassIDRef) {
		w.lost.note(lostClasses)
	}
	w.threads.forget(e.Object(trace.AttrObjID))
}

// line writes a line of which the reader could make no element.
func (w *Writer) line(e *trace.Event) {
	if string(e.Value(trace.AttrName)) != trace.LineAnnotation {
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

const upperHex = "0123456789ABCDEF"

// hash appends a field that is a hash code.
func (w *Writer) hash(code uint32) { w.buffer = appendHex(append(w.buffer, ','), uint64(code), 8) }

// appendHex appends a number with at least so many digits.
func appendHex(dst []byte, value uint64, digits int) []byte {
	for shift := 60; shift >= 0; shift -= 4 {
		if shift < 4*digits || value>>shift > 0 {
			dst = append(dst, upperHex[value>>shift&15])
		}
	}
	return dst
}

// end appends the stack, if there is one, and ends the line.
func (w *Writer) end(e *trace.Event) {
	w.buffer = append(w.code.appendStack(w.buffer, e), '\n')
}

// What a log cannot carry.
const (
	lostTimeouts   = "timeouts"
	lostInterrupts = "interrupts"
	lostClasses    = "classes of objects"
	lostGroups     = "thread groups"
	lostCauses     = "who ended a wait or let a monitor go"
	lostParks      = "parked threads and locks of java.util.concurrent (they are written as waits and contended " +
		"monitors)"
	lostInferred = "what was concluded and not recorded (it is written like the rest)"
	lostUnusable = "elements without thread or time"
	lostNames    = "line ends, NUL and lone surrogates in names"
	lostCommas   = "commas in names of classes and methods"
)

// lost is what the log does not have of the trace.
type lost struct {
	kinds    map[string]bool
	elements []string
}

func (l *lost) note(kind string) {
	if l.kinds == nil {
		l.kinds = map[string]bool{}
	}
	l.kinds[kind] = true
}

// mostElements is how many names of elements are listed.
const mostElements = 8

// element notes that elements of the name are left out.
func (l *lost) element(name string) {
	if len(l.elements) < mostElements && !slices.Contains(l.elements, name) {
		l.elements = append(l.elements, name)
	}
}

// of notes what an element has that a line cannot say.
func (l *lost) of(e *trace.Event) {
	if e.Has(trace.AttrTimeout) || e.Has(trace.AttrIsTimedOut) {
		l.note(lostTimeouts)
	}
	if _, parked := e.Extra.Annotation(trace.ParkAnnotation); parked {
		l.note(lostParks)
	}
	if e.By().Known() {
		l.note(lostCauses)
	}
	if e.Inferred() {
		l.note(lostInferred)
	}
}

// oneLine is a name without what cannot stand in a line of text: ends of lines, NUL, and halves of surrogate pairs.
func (l *lost) oneLine(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool {
		return r == '\r' || r == '\n' || r == 0 ||
			r == utf8.RuneError
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
		default: // also a byte that is no UTF-8, as logs in other encodings have it
			plain = append(plain, rest[0])
		}
		rest = rest[size:]
	}
	if string(plain) != name {
		l.note(lostNames)
	}
	return string(plain)
}

// isSurrogate says whether the text begins with half of a surrogate pair, in the three bytes that UTF-8 would give it;
// see trace.EscapeJava.
func isSurrogate(text string) bool {
	return len(text) >= 3 && text[0] == 0xED && text[1] >= 0xA0 && text[1] <= 0xBF && text[2]&0xC0 == 0x80
}

// oneField is a name without commas as well.
func (l *lost) oneField(name string) string {
	if strings.Contains(name, ",") {
		l.note(lostCommas)
		name = strings.ReplaceAll(name, ",", ";")
	}
	return l.oneLine(name)
}

// list lists what is lost.
func (l *lost) list() string {
	var all []string
	for kind := range l.kinds {
		all = append(all, kind)
	}
	slices.Sort(all)
	if len(l.elements) > 0 {
		names := strings.Join(l.elements, ", ")
		if len(l.elements) == mostElements {
			names += " …"
		}
		all = append(all, "elements such as "+names)
	}
	return strings.Join(all, "; ")
}
