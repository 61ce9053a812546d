package switchlog

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// The rules by which the reader finds something.
const (
	RuleFields    = "switchlog-fields"  // a record that lacks something, or has something more
	RuleAction    = "switchlog-action"  // an action that is none
	RuleActive    = "switchlog-active"  // a time that is none, or cannot be
	RuleOrder     = "switchlog-order"   // a record that contradicts one before it
	RuleNone      = "switchlog-none"    // a log without any switch
	RuleThreads   = "switchlog-threads" // more threads than are remembered
	RuleLong      = "switchlog-line-too-long"
	RuleTruncated = "switchlog-truncated" // the log ends inside a record
)

// Read reads a log and gives its elements to take. Its records are in the order of the log; what lets a thread run
// again comes before the thread's next record, and may have a time before those of other threads' elements. What is
// wrong in the log is reported, and reading goes on with the next record; errors are those of in, of ctx and of take.
func Read(ctx context.Context, in io.Reader, options builder.Options, put func(*trace.Event) error) (trace.Ending,
	error) {
	r := &reader{options: options, scanner: scanner{lines: builder.NewLines(in)},
		threads: threads{known: map[string]*thread{}}}
	r.out = builder.New(options.Session, r, put)
	truncated, err := r.read(ctx)
	if err == nil {
		if r.records == 0 && !truncated {
			r.find(trace.Finding{Rule: RuleNone, Place: trace.Place{Line: 1, Column: 1},
				Message: "there is no thread switch in it that can be used; one is such as Thread-32452561, start, " +
					"Thread-60934352"})
		}
		for _, t := range r.threads.all() {
			r.settle(t) // an error is kept
		}
		if err = r.out.Err(); err == nil {
			r.lack()
		}
	}
	if err == nil && r.records > 0 && !truncated {
		err = r.out.Element(trace.TraceEnd, r.offset).At(r.now).Put()
	}
	return trace.Ending{Closed: err == nil && !truncated, Truncated: truncated, Place: r.lines.End()}, err
}

type reader struct {
	scanner
	options   builder.Options
	out       *builder.Builder
	offset    int64 // of the record at hand
	records   int
	now       trace.Time // of the record before
	threads   threads
	elsewhere bool // there were switches that have no element
	waits     bool
	crowded   bool // there were more threads than are remembered
}

// state is what a thread does, as far as the log says.
type state uint8

const (
	unseen  state = iota // nothing is known of it, or that it was started
	running              // since the time at which it was woken last
	stopped              // it waits, joins or sleeps, or has been woken since
)

const sleepObject = "-1"

// recordsPerLook is how many lines are read before the context is asked again.
const linesPerLook = 1024

func (r *reader) read(ctx context.Context) (truncated bool, _ error) {
	for {
		more, err := r.lines.Next()
		if err != nil || !more {
			return truncated, err
		}
		if r.lines.Number%linesPerLook == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		r.line, r.at = r.lines.Line, 0
		if r.lines.Number == 1 {
			r.at = len(r.line) - len(bytes.TrimPrefix(r.line, []byte("\uFEFF")))
		}
		if r.lines.TooLong {
			r.report(RuleLong, trace.Error, 0, fmt.Sprintf("the line has more than %d bytes; it is left out",
				builder.MaxLine))
			continue
		}
		if truncated, err = r.readLine(ctx); err != nil {
			return false, err
		}
	}
}

// readLine takes the records of the line at hand.
func (r *reader) readLine(ctx context.Context) (truncated bool, _ error) {
	var rec record
	for n := 1; ; n++ {
		if n%linesPerLook == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		more, wrong := r.next(&rec)
		switch {
		case !more:
			return false, nil
		case wrong != nil && !r.lines.Terminated && r.at >= len(r.line):
			r.cut()
			return true, nil
		case wrong != nil:
			r.report(wrong.rule, trace.Error, wrong.at, wrong.message+"; the switch is left out")
			continue
		case !r.lines.Terminated && r.at >= len(r.line) && r.isCut(&rec):
			r.cut()
			return true, nil
		}
		if rec.joined {
			r.report(RuleFields, trace.Warning, r.at, "another switch begins here, without a blank before it")
		}
		r.records++
		r.offset = r.lines.Offset + int64(rec.at)
		if err := r.take(&rec); err != nil {
			return false, err
		}
	}
}

func (r *reader) cut() {
	r.report(RuleTruncated, trace.Error, len(r.line), "the log ends inside a switch, which is left out")
}

// isCut says whether the last record of the log, which no line's end follows, ends inside the name of a thread: it is
// not known, and others are that begin so.
func (r *reader) isCut(rec *record) bool {
	name := string(rec.affected)
	if rec.active != unknown || r.threads.known[name] != nil || bytes.Equal(rec.affected, rec.acting) {
		return false
	}
	if bytes.HasPrefix(rec.acting, rec.affected) {
		return true
	}
	for known := range r.threads.known {
		if strings.HasPrefix(known, name) {
			return true
		}
	}
	return false
}

func (r *reader) report(rule string, severity trace.Severity, at int, message string) {
	r.find(trace.Finding{Rule: rule, Severity: severity, Place: r.lines.Place(at), Message: message,
		Quote: r.lines.Quote(at)})
}

func (r *reader) find(finding trace.Finding) {
	if r.options.Report != nil {
		r.options.Report(finding)
	}
}

// Locate says where the event stands that was taken last.
func (r *reader) Locate(*trace.Event) (trace.Place, []byte) {
	return r.lines.Place(int(r.offset - r.lines.Offset)), r.lines.Line
}

const millisecond = 1_000_000

// latest is a time that no time of a log exceeds by much.
const latest = math.MaxInt64 / 2

// take makes elements of a switch.
func (r *reader) take(rec *record) error {
	r.age()
	t := r.threadOf(rec.acting)
	if rec.active != unknown && t.begin() > latest {
		r.report(RuleActive, trace.Error, rec.at,
			"the log lasts more than 140 years up to here; how long the thread was active is not used")
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
		return r.withoutElement(t, rec)
	case a.stops:
		return r.stop(t, rec)
	case a.kind == trace.CallStart:
		return r.start(t, rec)
	case a.kind == trace.CallInterrupt:
		return r.interrupt(t, rec)
	}
	return r.notify(t, rec)
}

// begin is from when on the thread can have been active.
func (t *thread) begin() trace.Time {
	if t.state == running {
		return t.since
	}
	return t.earliest
}

// wakeTime is when a thread ran again that does something at a time: as long before as it was active; or, where that is
// unknown, as soon as it could, for a thread that was woken or started, and not before it did something, for one that
// was not.
func (t *thread) wakeTime(at trace.Time, active int64) trace.Time {
	switch {
	case active != unknown:
		return at - trace.Time(active)*millisecond
	case t.woken || t.started:
		return t.earliest
	}
	return at
}

// wake puts what lets the thread run from a time on.
func (r *reader) wake(t *thread, at trace.Time) {
	if t.state == unseen {
		e := r.out.Element(trace.ThreadStart, r.offset).Raw(trace.AttrThreadID, t.id()).At(at).
			Text(trace.AttrThreadName, prefix+t.name).
			Text(trace.AttrObjIDRef, t.threadObject())
		if !t.started {
			e.Inferred().Annotate(trace.UnloggedAnnotation, "1")
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

// begun begins the element of a switch.
func (r *reader) begun(t *thread, rec *record, object string) builder.Element {
	kind := rec.action.kind
	e := r.out.Element(kind, r.offset).Raw(kind.Element().Thread(), t.id()).At(r.now).Text(trace.AttrObjIDRef, object)
	switch {
	case rec.active != unknown:
		e.Annotate(trace.ActiveAnnotation, fmt.Sprint(rec.active))
	case rec.action.stops:
		e.Annotate(trace.ActiveAnnotation, trace.ActiveUnknown)
	}
	return e
}

// stop is for a thread that waits, joins or sleeps.
func (r *reader) stop(t *thread, rec *record) error {
	other := r.threads.known[string(rec.affected)]
	object := t.waitObject()
	switch {
	case rec.action.name == "join":
		object = prefix + string(rec.affected)
	case rec.action.name == "sleep":
		object = sleepObject
	}
	if rec.action.name != "join" && other != t {
		r.report(RuleFields, trace.Warning, rec.at,
			fmt.Sprintf("a thread can only %s itself; the affected thread is not used", rec.action.name))
	}
	r.waits = true
	e := r.begun(t, rec, object)
	if rec.action.name == "join" {
		e.Annotate(trace.CallAnnotation, trace.CallJoin)
	}
	t.state, t.object, t.earliest = stopped, object, r.now
	return e.Put()
}

// start is for the thread that another one starts.
func (r *reader) start(t *thread, rec *record) error {
	other := r.threadOf(rec.affected)
	if other.state != unseen || other.started {
		r.report(RuleOrder, trace.Warning, rec.at,
			fmt.Sprintf(
				"Thread-%s is started, and was there before; it may be that two threads have the same hash code",
				other.name))
	} else {
		other.started, other.earliest = true, r.now
	}
	return r.begun(t, rec, other.threadObject()).Put()
}

// interrupt ends the wait, join or sleep of the other thread.
func (r *reader) interrupt(t *thread, rec *record) error {
	other := r.threadOf(rec.affected)
	err := r.begun(t, rec, other.threadObject()).Put()
	if other != t && other.state == stopped && !other.woken {
		other.wokenBy(t, r.now)
	}
	return err
}

// notify ends the wait of the other thread, or its join: within, that is a wait on the thread that it joins, which
// notifies all when it ends.
func (r *reader) notify(t *thread, rec *record) error {
	other := r.threadOf(rec.affected)
	if other == t {
		r.report(RuleOrder, trace.Warning, rec.at, "a thread cannot wake itself; nobody is taken for woken")
		return r.begun(t, rec, t.waitObject()).Flag(trace.AttrIsNotifyAll, rec.action.all).Put()
	}
	if other.state != stopped || other.object == sleepObject || other.woken {
		r.putWait(other, rec)
	}
	err := r.begun(t, rec, other.object).Flag(trace.AttrIsNotifyAll, rec.action.all).Put()
	other.wokenBy(t, r.now)
	return err
}

// wokenBy notes that the thread can run from now on.
func (t *thread) wokenBy(other *thread, now trace.Time) {
	t.woken, t.by, t.earliest = true, trace.ThreadFrom(other.id()), now
}

// putWait puts the wait that the log does not have of a thread that is woken.
func (r *reader) putWait(t *thread, rec *record) {
	if t.state != unseen {
		r.report(RuleOrder, trace.Warning, rec.at,
			fmt.Sprintf(
				"Thread-%s is woken, and no wait of it comes before that: the record is missing, or two threads "+
					"have the same hash code", t.name))
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
	e.Inferred().Annotate(trace.UnloggedAnnotation, "1").Put() // an error is kept
}

// withoutElement puts a switch for which there is no element among the elements, as an annotation.
func (r *reader) withoutElement(t *thread, rec *record) error {
	r.elsewhere = true
	text := prefix + t.name + ", " + rec.action.name + ", " + prefix + string(rec.affected)
	if rec.active != unknown {
		text += fmt.Sprintf(", active %d ms", rec.active)
	}
	return r.out.Element(trace.Annotation, r.offset).Raw(trace.AttrName, []byte(trace.SwitchAnnotation)).
		Text(trace.AttrValue, text).Put()
}

// settle puts what is known of a thread that does nothing any more: that it was started, or woken.
func (r *reader) settle(t *thread) {
	if t.state == unseen && t.started || t.state == stopped && t.woken {
		r.wake(t, t.earliest)
	}
}

// lack says what the log cannot tell.
func (r *reader) lack() {
	if r.records == 0 {
		return
	}
	o := &r.options
	o.Unsupported(true, "times",
		"they are made up of how long threads were active, from 0 on; what is between that, and how long threads "+
			"waited, is only known as far as the order of the log tells it")
	o.Unsupported(r.waits, "objects",
		"each thread waits on an object of its own; who waited on the same one is unknown")
	o.Unsupported(r.waits, "timeouts",
		"a wait, join or sleep that nobody is said to have ended ended for an unknown reason, when the thread is "+
			"next seen")
	o.Unsupported(true, "ends of threads, contended monitors and call stacks",
		"a thread that is seen no more may have ended, and who was kept waiting by a lock is unknown")
	o.Unsupported(r.elsewhere, "elements for suspend, resume, stop and yield in a trace",
		"they are kept as annotations named switch among the elements, and change no state")
}
