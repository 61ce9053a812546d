package switchlog

import (
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/trace"
)

// Writer is a trace.Sink of one recording that writes a log.
type Writer struct {
	out      io.Writer
	buffer   []byte
	threads  map[trace.ThreadKey]*thread
	queue    []*line                   // lines that wait for an earlier notification to be bound
	open     map[trace.EventID]*line   // unbound notifications
	lastRuns map[trace.EventID]*thread // threads by their last Running events
	ended    *lru.Ring[*thread]        // threads that have ended
	renamed  bool                      // some ids of threads were not valid names
	element  annotations
	lost     map[string]bool
	unbound  int // starts, interrupts and notifications without a known effect
	err      error
}

// thread is the state of a thread. It is kept after the thread's end, because a notification may be bound to it late.
type thread struct {
	key     trace.ThreadKey
	name    string
	running bool
	since   trace.Time
	before  int64         // nanoseconds of activity since its wake-up, before it was blocked
	known   bool          // the time of its wake-up is known
	run     trace.EventID // its last Running event
}

// line is a line of the log, or a notification that is not bound yet.
type line struct {
	text   string // the whole line; of a notification, up to the affected thread
	notify bool
	all    bool // it is a notifyAll
	event  trace.EventID
	woken  []string
}

// isFinal reports whether no later record can change the line.
func (l *line) isFinal() bool { return !l.notify || !l.all && len(l.woken) > 0 }

// annotations are properties of the current element that its records lack.
type annotations struct {
	active   string
	given    bool
	unlogged bool
	join     bool
}

// maxQueued limits the lines that wait until the effect of a notification is known. Above it, the oldest notification
// is written without its effect, and then the lines that waited for it.
const maxQueued = 1 << 16

// maxEnded is the limit of ended threads in memory.
const maxEnded = 1 << 16

const flushAt = 128 << 10

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer {
	return &Writer{out: w, threads: map[trace.ThreadKey]*thread{}, open: map[trace.EventID]*line{},
		lastRuns: map[trace.EventID]*thread{},
		ended:    lru.NewRing[*thread](maxEnded), lost: map[string]bool{}}
}

// What a log cannot carry.
const (
	lostLocks    = "contended monitors (a blocked thread is not active)"
	lostLoops    = "deadlocks (their threads are not active any more)"
	lostParks    = "parked threads (they are written as waits)"
	lostTimeouts = "timeouts"
	lostObjects  = "which object a thread waits on"
	lostMoments  = "times, but for how many milliseconds threads were active"
	lostEnds     = "ends of threads"
	lostLate     = "events of threads long after their ends"
	lostNames    = "names of threads"
	lostStacks   = "call stacks"
)

// Observe reads the annotations of an element. It must be called before the records of the element are put.
func (w *Writer) Observe(e *trace.Event) {
	w.element = annotations{}
	if e.Kind == trace.Annotation && string(e.Value(trace.AttrName)) == trace.NoteSwitch {
		w.add(&line{text: oneLine(e.Text(trace.AttrValue))})
		return
	}
	if e.Has(trace.AttrTimeout) || e.Has(trace.AttrIsTimedOut) {
		w.lost[lostTimeouts] = true
	}
	if e.Extra == nil {
		return
	}
	w.element.active, w.element.given = e.Extra.Annotation(trace.NoteActive)
	_, w.element.unlogged = e.Extra.Annotation(trace.NoteUnlogged)
	call, _ := e.Extra.Annotation(trace.NoteCall)
	w.element.join = call == trace.CallJoin
	if _, parked := e.Extra.Annotation(trace.NotePark); parked && e.Kind == trace.MonWait {
		w.lost[lostParks] = true
	}
	for _, text := range e.Extra.Annotations(trace.NoteSwitch) {
		w.add(&line{text: oneLine(text)})
	}
	if len(e.Extra.Stacks) > 0 {
		w.lost[lostStacks] = true
	}
}

func oneLine(text string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(text) }

// Put writes the line of an event once no later record can change it, and the rest at the Summary.
func (w *Writer) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.ModelThread:
		w.nameThread(r)
	case *trace.ModelEvent:
		w.event(r)
	case *trace.Binding:
		w.rebind(r)
	case *trace.Summary:
		for len(w.queue) > 0 {
			w.advance(true)
		}
		w.flush()
	}
	return w.err
}

// Close returns the first error.
func (w *Writer) Close() error { return w.err }

// nameThread names a thread: by its object, or by its id if that is unknown.
func (w *Writer) nameThread(m *trace.ModelThread) {
	if w.threads[m.Key] == nil {
		w.threads[m.Key] = &thread{key: m.Key}
	}
	t := w.threads[m.Key]
	if t.name == "" {
		if t.name = w.name(prefix + "T" + m.ID.String()); m.Object.IsObject() {
			t.name = w.objectName(m.Object)
		}
	}
	if m.Name != "" && !m.Unnamed && m.Name != t.name {
		w.lost[lostNames] = true
	}
}

const prefix = "Thread-"

// objectName returns the name of the thread of an object.
func (w *Writer) objectName(id trace.ObjectID) string {
	text := id.String()
	if strings.HasPrefix(text, prefix) && len(text) > len(prefix) {
		return w.name(text)
	}
	return w.name(prefix + text)
}

// maxName is the limit of a name in bytes.
const maxName = 256

// name returns the name, or a hash of it if a reader could not find the end of the name.
func (w *Writer) name(name string) string {
	if len(name) <= maxName && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r == ',' || r == '\u00A0' || r == '\uFFFD'
	}) {
		return name
	}
	w.renamed = true
	hash := fnv.New64a()
	io.WriteString(hash, name) //nolint:errcheck // a hash has no errors
	return prefix + "X" + strconv.FormatUint(hash.Sum64(), 36)
}

// event writes the line of an event.
func (w *Writer) event(e *trace.ModelEvent) {
	t := w.threads[e.Thread.Key]
	switch write := writers[e.Type]; {
	case write == nil:
	case t == nil:
		w.lost[lostLate] = true
	default:
		write(w, e, t)
	}
}

var writers = [trace.ModelTypeCount]func(*Writer, *trace.ModelEvent, *thread){
	trace.Running:          (*Writer).runs,
	trace.WaitingForLock:   (*Writer).blocked,
	trace.DeadLock:         func(w *Writer, _ *trace.ModelEvent, _ *thread) { w.lost[lostLoops] = true },
	trace.WaitingForObject: (*Writer).stops,
	trace.WaitingForJoin:   (*Writer).stops,
	trace.Sleeping:         (*Writer).stops,
	trace.Dead:             (*Writer).ends,
	trace.StartsThread:     (*Writer).calls,
	trace.InterruptThread:  (*Writer).calls,
	trace.Notify:           (*Writer).notifies,
	trace.NotifyAll:        (*Writer).notifies,
}

func (w *Writer) runs(e *trace.ModelEvent, t *thread) {
	if !t.running && !t.known {
		t.before = 0
	}
	t.running, t.known, t.since = true, true, e.Time
	delete(w.lastRuns, t.run)
	t.run = e.ID
	w.lastRuns[e.ID] = t
	w.bind(e.Cause, t)
}

func (w *Writer) blocked(e *trace.ModelEvent, t *thread) {
	w.lost[lostLocks] = true
	t.before += t.active(e.Time)
	t.running = false
}

// ends adds the thread to the ended ones, and drops the oldest one if there are too many.
func (w *Writer) ends(_ *trace.ModelEvent, t *thread) {
	w.lost[lostEnds], t.running = true, false
	if gone, left := w.ended.Put(t); left {
		delete(w.threads, gone.key)
		delete(w.lastRuns, gone.run)
	}
}

// active returns how long the thread has run until a time, in nanoseconds.
func (t *thread) active(until trace.Time) int64 {
	if !t.running {
		return 0
	}
	return max(0, int64(until-t.since))
}

const millisecond = 1_000_000

func (w *Writer) stops(e *trace.ModelEvent, t *thread) {
	active := t.before + t.active(e.Time)
	known := t.known
	t.running, t.known, t.before = false, false, 0
	if w.element.unlogged {
		return
	}
	action, affected := "wait", t.name
	switch {
	case e.Type == trace.Sleeping:
		action = "sleep"
	case e.Type == trace.WaitingForJoin || w.element.join:
		action, affected = "join", w.objectName(e.Object)
	case !w.element.given: // else the object is invented
		w.lost[lostObjects] = true
	}
	text := t.name + ", " + action + ", " + affected
	switch {
	case w.element.given:
		text += w.element.text()
	case known:
		w.lost[lostMoments] = true
		text += fmt.Sprintf(", active %d ms", active/millisecond)
	}
	w.add(&line{text: text})
}

// text returns the active time of the element's thread, as in a line.
func (a *annotations) text() string {
	if n, err := strconv.ParseUint(a.active, 10, 64); err == nil && a.given {
		return fmt.Sprintf(", active %d ms", n)
	}
	return ""
}

func (w *Writer) calls(e *trace.ModelEvent, t *thread) {
	action := "start"
	if e.Type == trace.InterruptThread {
		action = "interrupt"
	}
	if !e.Object.IsObject() {
		w.unbound++
		return
	}
	w.add(&line{text: t.name + ", " + action + ", " + w.objectName(e.Object) + w.element.text()})
}

func (w *Writer) notifies(e *trace.ModelEvent, t *thread) {
	action := "notify"
	if e.Type == trace.NotifyAll {
		action = "notifyAll"
	}
	l := &line{text: t.name + ", " + action + ", \x00" + w.element.text(), notify: true, all: e.Type == trace.NotifyAll,
		event: e.ID}
	w.open[e.ID] = l
	w.add(l)
}

// rebind binds a notification to the thread that it woke, if the thread becomes known late or has changed.
func (w *Writer) rebind(b *trace.Binding) {
	t := w.lastRuns[b.Running]
	if t == nil {
		return
	}
	if l := w.open[b.Replaces.ID]; l != nil {
		l.woken = slices.DeleteFunc(l.woken, func(name string) bool { return name == t.name })
	}
	w.bind(b.Cause, t)
}

// bind binds a notification to the thread.
func (w *Writer) bind(c trace.Cause, t *thread) {
	if l := w.open[c.ID]; l != nil {
		l.woken = append(l.woken, t.name)
		w.advance(false)
	}
}

func (w *Writer) add(l *line) {
	w.queue = append(w.queue, l)
	w.advance(len(w.queue) > maxQueued)
}

// advance writes the lines before the first notification that may still be bound; with must, before the second one.
func (w *Writer) advance(must bool) {
	for len(w.queue) > 0 {
		l := w.queue[0]
		if !l.isFinal() {
			if !must {
				return
			}
			must = false
		}
		w.write(l)
		w.queue = w.queue[1:]
	}
}

func (w *Writer) write(l *line) {
	if !l.notify {
		w.buffer = append(append(w.buffer, l.text...), '\n')
	} else {
		delete(w.open, l.event)
		for _, name := range l.woken {
			w.buffer = append(append(w.buffer, strings.Replace(l.text, "\x00", name, 1)...), '\n')
		}
		if len(l.woken) == 0 {
			w.unbound++
		}
	}
	if len(w.buffer) >= flushAt {
		w.flush()
	}
}

func (w *Writer) flush() {
	if w.err == nil && len(w.buffer) > 0 {
		_, w.err = w.out.Write(w.buffer)
	}
	w.buffer = w.buffer[:0]
}

// Notes returns sentences about what the log lacks.
func (w *Writer) Notes() (notes []string) {
	if len(w.lost) > 0 {
		lost := slices.Sorted(maps.Keys(w.lost))
		notes = append(notes, "a log of switches cannot carry "+strings.Join(lost, "; "))
	}
	switch {
	case w.unbound == 1:
		notes = append(notes,
			"1 start, interrupt or notification is left out that is not known to have reached a thread")
	case w.unbound > 1:
		notes = append(notes, fmt.Sprintf(
			"%d starts, interrupts and notifications are left out that are not known to have reached a thread",
			w.unbound))
	}
	if w.renamed {
		notes = append(notes, "ids of threads that a log cannot have were replaced by Thread-X and letters and digits")
	}
	return notes
}
