package switchlog

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// The ids of the rules.
const (
	ruleFields    = "switchlog-fields"  // a record lacks a field, or has more
	ruleAction    = "switchlog-action"  // an unknown action
	ruleActive    = "switchlog-active"  // an invalid time
	ruleOrder     = "switchlog-order"   // a record contradicts an earlier one
	ruleNone      = "switchlog-none"    // a log without switches
	ruleThreads   = "switchlog-threads" // more threads than are tracked
	ruleLong      = "switchlog-line-too-long"
	ruleTruncated = "switchlog-truncated" // the log ends inside a record
)

// Read reads a log and passes its elements to put, in the order of the log. One exception: the element by which a
// thread resumes precedes the thread's next record, so earlier elements of other threads may have later times. The
// event is valid until put returns; use Clone to keep it. Damage of the log is reported as findings, and reading
// resumes at the next record. It returns errors of in, ctx and put.
func Read(ctx context.Context, in io.Reader, options builder.Options, put func(*trace.Event) error) (trace.Ending,
	error) {
	r := &reader{options: options, scanner: scanner{lines: builder.NewLines(in)},
		threads: threads{byName: map[string]*thread{}}}
	r.out = builder.New(options.Session, r, put)
	truncated, err := r.read(ctx)
	if err == nil {
		if r.records == 0 && !truncated {
			r.options.Add(trace.Finding{Rule: ruleNone, Place: trace.Place{Line: 1, Column: 1},
				Message: "the log has no valid switch; want one such as Thread-32452561, start, Thread-60934352"})
		}
		for _, t := range r.threads.all() {
			r.putPendingWake(t) // an error is kept
		}
		if err = r.out.Err(); err == nil {
			r.reportUnsupported()
		}
	}
	if err == nil && r.records > 0 && !truncated {
		err = r.out.Element(trace.TraceEnd, r.offset).At(r.now).Put()
	}
	return trace.Ending{Closed: err == nil && !truncated, Truncated: truncated, Place: r.lines.End()}, err
}

type reader struct {
	scanner
	options       builder.Options
	out           *builder.Builder
	offset        int64 // of the current record
	records       int
	now           trace.Time // time of the previous record
	threads       threads
	annotated     bool // there were switches without an element
	waits         bool
	limitReported bool // the limit of threads was reached
}

// state is the state of a thread.
type state uint8

const (
	unseen  state = iota // unknown, or started by another thread but not seen acting
	running              // since it was last woken
	stopped              // it waits, joins or sleeps, or was woken since
)

const sleepObject = "-1"

// linesPerCheck is the number of lines between checks of the context.
const linesPerCheck = 1024

func (r *reader) read(ctx context.Context) (truncated bool, _ error) {
	for {
		more, err := r.lines.Next()
		if err != nil || !more {
			return truncated, err
		}
		if r.lines.Number%linesPerCheck == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		r.line, r.at = r.lines.Line, 0
		if r.lines.Number == 1 {
			r.at = len(r.line) - len(bytes.TrimPrefix(r.line, []byte("\uFEFF")))
		}
		if r.lines.TooLong {
			r.report(ruleLong, trace.Error, 0, fmt.Sprintf("the line has more than %d bytes; it is skipped",
				builder.MaxLine))
			continue
		}
		if truncated, err = r.readLine(ctx); err != nil {
			return false, err
		}
	}
}

// readLine reads the records of the current line.
func (r *reader) readLine(ctx context.Context) (truncated bool, _ error) {
	var rec record
	for n := 1; ; n++ {
		if n%linesPerCheck == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		more, wrong := r.next(&rec)
		switch {
		case !more:
			return false, nil
		case wrong != nil && !r.lines.Terminated && r.at >= len(r.line):
			r.reportTruncated()
			return true, nil
		case wrong != nil:
			r.report(wrong.rule, trace.Error, wrong.at, wrong.message+"; the switch is skipped")
			continue
		case !r.lines.Terminated && r.at >= len(r.line) && r.isTruncated(&rec):
			r.reportTruncated()
			return true, nil
		}
		if rec.joined {
			r.report(ruleFields, trace.Warning, r.at, "another switch begins here without a blank before it")
		}
		r.records++
		r.offset = r.lines.Offset + int64(rec.at)
		if r.process(&rec); r.out.Err() != nil {
			return false, r.out.Err()
		}
	}
}

func (r *reader) reportTruncated() {
	r.report(ruleTruncated, trace.Error, len(r.line), "the log ends inside a switch, which is skipped")
}

// isTruncated reports whether the last record of the log, which has no line end, ends inside a thread's name: the name
// is new, and others begin with it.
func (r *reader) isTruncated(rec *record) bool {
	name := string(rec.affected)
	if rec.active != unknown || r.threads.byName[name] != nil || bytes.Equal(rec.affected, rec.acting) {
		return false
	}
	if bytes.HasPrefix(rec.acting, rec.affected) {
		return true
	}
	for known := range r.threads.byName {
		if strings.HasPrefix(known, name) {
			return true
		}
	}
	return false
}

func (r *reader) report(rule string, severity trace.Severity, at int, message string) {
	r.options.Add(r.lines.Finding(rule, severity, at, message))
}

// Locate returns the place and the line of the current record.
func (r *reader) Locate(*trace.Event) (trace.Place, []byte) {
	return r.lines.Place(int(r.offset - r.lines.Offset)), r.lines.Line
}

const millisecond = 1_000_000

// maxTime limits the times of a log.
const maxTime = math.MaxInt64 / 2

// process emits the elements of a switch. The builder keeps an error.
func (r *reader) process(rec *record) {
	r.nextAge()
	t := r.threadOf(rec.acting)
	if rec.active != unknown && t.begin() > maxTime {
		r.report(ruleActive, trace.Error, rec.at,
			"the log exceeds 140 years; the active time of this switch is ignored")
		rec.active = unknown
	}
	at := r.now
	if rec.active != unknown {
		at = max(at, t.begin()+trace.Time(rec.active)*millisecond)
	}
	if t.state != running {
		r.wake(t, t.wakeTime(at, rec.active))
	}
	r.now = at
	switch a := rec.action; {
	case a.kind == trace.Foreign:
		r.annotate(t, rec)
	case a.suspends:
		r.suspend(t, rec)
	case a.kind == trace.CallStart:
		r.start(t, rec)
	case a.kind == trace.CallInterrupt:
		r.interrupt(t, rec)
	default:
		r.notify(t, rec)
	}
}

// begin returns the time from which the thread can have been active.
func (t *thread) begin() trace.Time {
	if t.state == running {
		return t.since
	}
	return t.earliest
}

// wakeTime returns when a thread that acts at a time resumed: earlier by its active time. If that is unknown, it is as
// early as possible for a thread that was woken or started, else the time itself.
func (t *thread) wakeTime(at trace.Time, active int64) trace.Time {
	switch {
	case active != unknown:
		return at - trace.Time(active)*millisecond
	case t.woken || t.started:
		return t.earliest
	}
	return at
}

// wake emits the element by which the thread resumes at a time.
func (r *reader) wake(t *thread, at trace.Time) {
	if t.state == unseen {
		e := r.out.Element(trace.ThreadStart, r.offset).Raw(trace.AttrThreadID, t.id()).At(at).
			Text(trace.AttrThreadName, prefix+t.name).
			Text(trace.AttrObjIDRef, t.threadObject())
		if !t.started {
			e.Inferred().Annotate(trace.NoteUnlogged, "1")
		}
		e.Put() // an error is kept
	} else {
		e := r.out.Element(trace.MonWaited, r.offset).Raw(trace.AttrThreadIDRef, t.id()).At(at).Text(trace.AttrObjIDRef,
			t.object)
		if e.By(t.by); !t.woken {
			e.Inferred()
		}
		e.Put()
	}
	t.state, t.since, t.woken, t.by = running, at, false, trace.ThreadID{}
}

// beginElement begins the element of a switch.
func (r *reader) beginElement(t *thread, rec *record, object string) builder.Element {
	kind := rec.action.kind
	e := r.out.Element(kind, r.offset).Raw(kind.Element().Thread(), t.id()).At(r.now).Text(trace.AttrObjIDRef, object)
	switch {
	case rec.active != unknown:
		e.Annotate(trace.NoteActive, fmt.Sprint(rec.active))
	case rec.action.suspends:
		e.Annotate(trace.NoteActive, trace.ActiveUnknown)
	}
	return e
}

// suspend handles a wait, join or sleep.
func (r *reader) suspend(t *thread, rec *record) {
	other := r.threads.byName[string(rec.affected)]
	object := t.waitObject()
	switch {
	case rec.action.name == "join":
		object = prefix + string(rec.affected)
	case rec.action.name == "sleep":
		object = sleepObject
	}
	if rec.action.name != "join" && other != t {
		r.report(ruleFields, trace.Warning, rec.at,
			fmt.Sprintf("a thread can only %s itself; the affected thread is ignored", rec.action.name))
	}
	r.waits = true
	e := r.beginElement(t, rec, object)
	if rec.action.name == "join" {
		e.Annotate(trace.NoteCall, trace.CallJoin)
	}
	t.state, t.object, t.earliest = stopped, object, r.now
	e.Put()
}

// start handles the start of another thread.
func (r *reader) start(t *thread, rec *record) {
	other := r.threadOf(rec.affected)
	if other.state != unseen || other.started {
		r.report(ruleOrder, trace.Warning, rec.at,
			fmt.Sprintf("Thread-%s is started again; two threads may have the same hash code",
				other.name))
	} else {
		other.started, other.earliest = true, r.now
	}
	r.beginElement(t, rec, other.threadObject()).Put()
}

// interrupt handles the interruption of another thread.
func (r *reader) interrupt(t *thread, rec *record) {
	other := r.threadOf(rec.affected)
	r.beginElement(t, rec, other.threadObject()).Put()
	if other != t && other.state == stopped && !other.woken {
		other.setWaker(t, r.now)
	}
}

// notify handles the notification of another thread. It also ends a join, because a join waits on the joined thread's
// object, which is notified when that thread ends.
func (r *reader) notify(t *thread, rec *record) {
	other := r.threadOf(rec.affected)
	if other == t {
		r.report(ruleOrder, trace.Warning, rec.at, "a thread cannot wake itself; no thread is woken")
		r.beginElement(t, rec, t.waitObject()).Flag(trace.AttrIsNotifyAll, rec.action.notifyAll).Put()
		return
	}
	if other.state != stopped || other.object == sleepObject || other.woken {
		r.putWait(other, rec)
	}
	r.beginElement(t, rec, other.object).Flag(trace.AttrIsNotifyAll, rec.action.notifyAll).Put()
	other.setWaker(t, r.now)
}

// setWaker notes that the thread can run from now on.
func (t *thread) setWaker(other *thread, now trace.Time) {
	t.woken, t.by, t.earliest = true, trace.ThreadFrom(other.id()), now
}

// putWait emits the missing wait of a thread that is woken.
func (r *reader) putWait(t *thread, rec *record) {
	if t.state != unseen {
		r.report(ruleOrder, trace.Warning, rec.at,
			fmt.Sprintf(
				"Thread-%s is woken without a wait: the record is missing, or two threads have the same hash code",
				t.name))
	}
	if t.state != running {
		at := r.now
		if t.woken || t.started {
			at = t.earliest
		}
		r.wake(t, at)
	}
	t.state, t.object, t.earliest = stopped, t.waitObject(), r.now
	e := r.out.Element(trace.MonWait, r.offset).Raw(trace.AttrThreadIDRef, t.id()).At(r.now).Text(trace.AttrObjIDRef,
		t.object)
	e.Inferred().Annotate(trace.NoteUnlogged, "1").Put() // an error is kept
}

// annotate emits a switch without an element as an annotation.
func (r *reader) annotate(t *thread, rec *record) {
	r.annotated = true
	text := prefix + t.name + ", " + rec.action.name + ", " + prefix + string(rec.affected)
	if rec.active != unknown {
		text += fmt.Sprintf(", active %d ms", rec.active)
	}
	r.out.Element(trace.Annotation, r.offset).Raw(trace.AttrName, []byte(trace.NoteSwitch)).
		Text(trace.AttrValue, text).Put()
}

// putPendingWake emits the pending start or wake-up of a thread that does not act again.
func (r *reader) putPendingWake(t *thread) {
	if t.state == unseen && t.started || t.state == stopped && t.woken {
		r.wake(t, t.earliest)
	}
}

// reportUnsupported reports the information that the log does not have.
func (r *reader) reportUnsupported() {
	if r.records == 0 {
		return
	}
	o := &r.options
	o.Unsupported(true, "times",
		"they are sums of the active times, from 0 on; the times between, and how long threads waited, are known "+
			"only by the order of the log")
	o.Unsupported(r.waits, "objects",
		"each thread waits on an object of its own; which threads waited on the same one is unknown")
	o.Unsupported(r.waits, "timeouts",
		"a wait, join or sleep without a recorded end ends for an unknown reason at the thread's next record")
	o.Unsupported(true, "ends of threads, contended monitors and call stacks",
		"a thread without further records may have ended, and which threads a lock blocked is unknown")
	o.Unsupported(r.annotated, "elements for suspend, resume, stop and yield in a trace",
		"they become annotations named switch and change no state")
}

//go:embed rules.txt
var rules string

// Rules describes the findings of Read.
func Rules() []trace.ReaderRule { return builder.Rules(rules) }
