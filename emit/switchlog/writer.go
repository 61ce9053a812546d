package switchlog

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/trace"
)

// Writer writes a log. It is a sink of the model of one recording.
type Writer struct {
	out      io.Writer
	buffer   []byte
	threads  map[trace.ThreadKey]*thread
	queue    []line // from head on those not yet written, because a notification before them is open
	head     int
	first    int                       // the number of the first line of queue, counted from 0
	open     map[trace.EventID]int     // the numbers of the lines of notifications
	lastRuns map[trace.EventID]*thread // the threads whose last Running events these are
	ended    *lru.Ring[*thread]        // those of the threads that have ended
	renamed  bool                      // there were threads whose ids are no names
	element  annotations
	lost     map[string]bool
	nobody   int // notifications that are not known to have woken anybody
	err      error
}

// thread is what a thread does, also after its end: it may become known late who has woken it.
type thread struct {
	key     trace.ThreadKey
	name    string
	running bool
	since   trace.Time
	before  int64         // ns that it was active before it was blocked, since it was woken
	known   bool          // when it was woken is
	run     trace.EventID // its last Running event
}

// line is a line of the log, or a notification of which the threads that it woke are to be found.
type line struct {
	text   string // the whole line; of a notification, up to the affected thread
	notify bool
	all    bool // it is one of notifyAll
	event  trace.EventID
	woken  []string
}

// settled says whether nothing more can become known of the line.
func (l *line) settled() bool { return !l.notify || !l.all && len(l.woken) > 0 }

// annotations are what the element at hand says that its events do not.
type annotations struct {
	active   string
	given    bool
	unlogged bool
	join     bool
}

// mostQueued is how many lines wait for a notification to be explained. When there are more, those of the first one
// that wait are written as they are.
const mostQueued = 1 << 16

// mostEnded is how many threads are remembered that have ended.
const mostEnded = 1 << 16

const flushAt = 128 << 10

// New returns a Writer to out.
func New(out io.Writer) *Writer {
	return &Writer{out: out, threads: map[trace.ThreadKey]*thread{}, open: map[trace.EventID]int{},
		lastRuns: map[trace.EventID]*thread{},
		ended:    lru.NewRing[*thread](mostEnded), lost: map[string]bool{}}
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
	lostLate     = "what threads do long after their ends"
	lostNames    = "names of threads"
	lostStacks   = "call stacks"
)

// Look looks at an element before the model events come that are appended for it.
func (w *Writer) Look(e *trace.Event) {
	w.element = annotations{}
	if e.Kind == trace.Annotation && string(e.Value(trace.AttrName)) == trace.SwitchAnnotation {
		w.add(line{text: oneLine(e.Text(trace.AttrValue))})
		return
	}
	if e.Has(trace.AttrTimeout) || e.Has(trace.AttrIsTimedOut) {
		w.lost[lostTimeouts] = true
	}
	if e.Extra == nil {
		return
	}
	w.element.active, w.element.given = e.Extra.Annotation(trace.ActiveAnnotation)
	_, w.element.unlogged = e.Extra.Annotation(trace.UnloggedAnnotation)
	call, _ := e.Extra.Annotation(trace.CallAnnotation)
	w.element.join = call == trace.CallJoin
	if _, parked := e.Extra.Annotation(trace.ParkAnnotation); parked && e.Kind == trace.MonWait {
		w.lost[lostParks] = true
	}
	for _, text := range e.Extra.Annotations(trace.SwitchAnnotation) {
		w.add(line{text: oneLine(text)})
	}
	if len(e.Extra.Stacks) > 0 {
		w.lost[lostStacks] = true
	}
}

func oneLine(text string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(text) }

// Put writes the line of an event when nothing that comes later can change it, and the rest after the Summary.
func (w *Writer) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.ModelThread:
		w.nameThread(r)
	case *trace.ModelEvent:
		w.event(r)
	case *trace.Binding:
		w.rebind(r)
	case *trace.Summary:
		for w.head < len(w.queue) {
			w.advance(true)
		}
		w.flush()
	}
	return w.err
}

// nameThread names a thread: by its object, or by its id where that is unknown.
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
	if m.Name != "" && m.Name != t.name {
		w.lost[lostNames] = true
	}
}

const prefix = "Thread-"

// objectName is the name of the thread of the object.
func (w *Writer) objectName(id trace.ObjectID) string {
	text := id.String()
	if strings.HasPrefix(text, prefix) && len(text) > len(prefix) {
		return w.name(text)
	}
	return w.name(prefix + text)
}

// longestName is how many bytes a name may have.
const longestName = 256

// name is the name, or another one, always the same, where a reader would not find its end.
func (w *Writer) name(name string) string {
	if len(name) <= longestName && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r == ',' ||
			r == '\u00A0' || r == '\uFFFD'
	}) {
		return name
	}
	w.renamed = true
	hash := fnv.New64a()
	io.WriteString(hash, name)
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

// ends remembers the thread for a while, and forgets another one for it.
func (w *Writer) ends(_ *trace.ModelEvent, t *thread) {
	w.lost[lostEnds], t.running = true, false
	if gone, left := w.ended.Put(t); left {
		delete(w.threads, gone.key)
		delete(w.lastRuns, gone.run)
	}
}

// active is how long the thread has run since it began to, up to the time.
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
	case !w.element.given: // else the object is made up
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
	w.add(line{text: text})
}

// text is how long the element says that its thread was active, as a line has it.
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
		w.nobody++
		return
	}
	w.add(line{text: t.name + ", " + action + ", " + w.objectName(e.Object) + w.element.text()})
}

func (w *Writer) notifies(e *trace.ModelEvent, t *thread) {
	action := "notify"
	if e.Type == trace.NotifyAll {
		action = "notifyAll"
	}
	w.open[e.ID] = w.first + len(w.queue)
	w.add(line{text: t.name + ", " + action + ", \x00" + w.element.text(), notify: true, all: e.Type == trace.NotifyAll,
		event: e.ID})
}

// rebind notes which thread a notification has woken, where that becomes known late or was wrong.
func (w *Writer) rebind(b *trace.Binding) {
	t := w.lastRuns[b.Running]
	if t == nil {
		return
	}
	if at, ok := w.open[b.Replaces.ID]; ok {
		l := &w.queue[at-w.first]
		l.woken = slices.DeleteFunc(l.woken, func(name string) bool { return name == t.name })
	}
	w.bind(b.Cause, t)
}

// bind notes that a notification has woken the thread.
func (w *Writer) bind(c trace.Cause, t *thread) {
	if at, ok := w.open[c.ID]; ok {
		l := &w.queue[at-w.first]
		l.woken = append(l.woken, t.name)
		w.advance(false)
	}
}

func (w *Writer) add(l line) {
	w.queue = append(w.queue, l)
	w.advance(len(w.queue)-w.head > mostQueued)
}

// advance writes the lines up to the first notification that may still be found to have woken somebody; or, if that
// must be, up to the next one.
func (w *Writer) advance(must bool) {
	for ; w.head < len(w.queue); w.head++ {
		l := &w.queue[w.head]
		if !l.settled() {
			if !must {
				break
			}
			must = false
		}
		w.write(l)
		*l = line{}
	}
	if w.head > len(w.queue)/2 {
		w.first += w.head
		w.queue = slices.Delete(w.queue, 0, w.head)
		w.head = 0
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
			w.nobody++
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

// Notes say what of the trace the log does not have.
func (w *Writer) Notes() (notes []string) {
	var lost []string
	for what := range w.lost {
		lost = append(lost, what)
	}
	slices.Sort(lost)
	if len(lost) > 0 {
		notes = append(notes, "a log of switches cannot carry "+strings.Join(lost, "; "))
	}
	switch {
	case w.nobody == 1:
		notes = append(notes,
			"1 start, interrupt or notification is left out that is not known to have reached a thread")
	case w.nobody > 1:
		notes = append(notes,
			fmt.Sprintf(
				"%d starts, interrupts and notifications are left out that are not known to have reached a thread",
				w.nobody))
	}
	if w.renamed {
		notes = append(notes, "ids of threads that would not do in the log became Thread-X and letters and digits")
	}
	return notes
}
