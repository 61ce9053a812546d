package enrich

import (
	"slices"
	"strings"

	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// Enricher turns the elements of one or more recordings into one model.
type Enricher struct {
	dst      trace.Sink
	err      error // the sink's first; after it nothing is done any more
	summary  trace.Summary
	counts   [trace.KindCount]uint64
	others   map[string]uint64 // elements that the table does not know
	threads  trace.ThreadKey   // incarnations so far
	segments trace.SegmentID   // so far
	objects  trace.ObjectKey   // that the sink was told of so far
	methods  uint32            // that frames have named so far
	follows  Calls
	text     []byte // of a stack, while it is made

	session   trace.Session
	told      bool // the sink knows the session as it is
	scope     scope
	spare     []*activity    // of dead threads
	pending   []pendingEvent // appended by the current element, and not yet put into the sink
	events    pool[trace.ModelEvent]
	intervals pool[trace.Interval]
	open      []*trace.Interval // of the recordings that have ended
	emptied   []*object         // whose waits the current element has ended

	// Records that are put again and again.
	description trace.ModelThread
	active      trace.Activity
	binding     trace.Binding
}

// pendingEvent is an event that can still be completed.
type pendingEvent struct {
	*trace.ModelEvent
	thread *thread
	opens  *trace.Interval // nil if the event opens none
}

// scope is what is known inside one recording; ids mean nothing beyond it.
type scope struct {
	threads index[*thread]
	objects index[*object]
	classOf index[*class] // of the objects that the trace has defined
	classes index[*class]
	methods map[threadstate.Key]*method
	stacks  stacks
	calls   openCalls
	active  []*thread // all incarnations but the dead ones that stay still
	order   uint64    // counts waits and enters, in the order of the file
}

// Options say what an Enricher computes.
type Options struct {
	// Calls selects what events report of the calls that their threads were in. The zero value is NoCalls.
	Calls Calls
}

// New returns an Enricher that puts its records into dst.
func New(dst trace.Sink, o Options) *Enricher {
	return &Enricher{dst: dst, follows: o.Calls, others: map[string]uint64{}}
}

// Begin begins a recording; the elements that follow are its elements.
func (e *Enricher) Begin(session int) error {
	e.session = trace.Session{Index: session}
	e.told = false
	e.leaveScope()
	e.scope = scope{}
	return e.err
}

// Put handles the next element. Errors are those of the sink.
func (e *Enricher) Put(event *trace.Event) error {
	if event.Kind == trace.Root || event.IsPlaceholder() {
		return e.err
	}
	e.count(event)
	e.clock(event)
	if handle := handlers[event.Kind]; handle != nil {
		handle(e, event)
		if len(e.pending) > 0 || len(e.emptied) > 0 {
			if event.Extra != nil || e.follows != NoCalls {
				e.locate(event)
			}
			if event.Inferred() {
				e.infer()
			}
			e.settle()
		}
	}
	return e.err
}

// End ends the recording: what still stands in a loop is a deadlock.
func (e *Enricher) End(ending trace.Ending) error {
	e.summary.Truncated = e.summary.Truncated || ending.Truncated
	e.tellSession()
	e.deadlocks()
	return e.err
}

// Finish ends the model.
func (e *Enricher) Finish() error {
	for kind, count := range e.counts {
		if count > 0 {
			e.summary.Counts = append(e.summary.Counts, trace.ElementCount{Name: trace.Kind(kind).String(),
				Count: count})
		}
	}
	for name, count := range e.others {
		e.summary.Counts = append(e.summary.Counts, trace.ElementCount{Name: name, Count: count})
	}
	slices.SortFunc(e.summary.Counts, func(a, b trace.ElementCount) int { return strings.Compare(a.Name, b.Name) })
	e.leaveScope()
	e.putOpenIntervals()
	e.put(&e.summary)
	return e.err
}

// count counts the element and those inside it.
func (e *Enricher) count(event *trace.Event) {
	if event.Kind != trace.Foreign {
		e.counts[event.Kind]++
	} else {
		e.others[event.Name()]++
	}
	if event.Extra == nil {
		return
	}
	for _, inner := range event.Extra.Elements {
		if kind := trace.Lookup([]byte(inner.Name)); kind != trace.Foreign {
			e.counts[kind] += inner.Count
		} else {
			e.others[inner.Name] += inner.Count
		}
	}
}

// Count counts elements of a heap dump: objects, roots and references, of which nothing follows for threads. Objects
// that only Count has are not known.
func (e *Enricher) Count(kind trace.Kind, n uint64) error {
	e.counts[kind] += n
	return e.err
}

// clock keeps the first and the latest time.
func (e *Enricher) clock(event *trace.Event) {
	if !event.Timed() {
		return
	}
	if !e.summary.HasStart {
		e.summary.Start, e.summary.HasStart, e.summary.Last = event.Time, true, event.Time
		e.put(&trace.Origin{Time: event.Time})
	}
	if !e.session.HasStart {
		e.session.Start, e.session.HasStart = event.Time, true
	}
	e.summary.Last = max(e.summary.Last, event.Time)
}

// handlers says what each kind of element does. The others are only counted.
var handlers = [trace.KindCount]func(*Enricher, *trace.Event){
	trace.Node:                (*Enricher).preamble,
	trace.ProcessCreate:       (*Enricher).preamble,
	trace.AgentCreate:         (*Enricher).preamble,
	trace.TraceStart:          (*Enricher).preamble,
	trace.ThreadStart:         (*Enricher).threadStart,
	trace.ThreadEnd:           acting((*Enricher).threadEnd),
	trace.MonContendedEnter:   acting((*Enricher).monContendedEnter),
	trace.MonContendedEntered: acting((*Enricher).monContendedEntered),
	trace.MonWait:             acting((*Enricher).monWait),
	trace.MonWaited:           acting((*Enricher).monWaited),
	trace.CallStart:           acting((*Enricher).callStart),
	trace.CallInterrupt:       acting((*Enricher).callInterrupt),
	trace.CallNotify:          acting((*Enricher).callNotify),
	trace.ThreadInterrupted:   acting((*Enricher).threadInterrupted),
	trace.ClassDef:            (*Enricher).classDef,
	trace.ClassUnload:         (*Enricher).classUnload,
	trace.MethodDef:           (*Enricher).methodDef,
	trace.MethodEntry:         (*Enricher).methodEntry,
	trace.MethodExit:          (*Enricher).methodExit,
	trace.ObjAlloc:            (*Enricher).objectDefined,
	trace.ObjDef:              (*Enricher).objectDefined,
	trace.ObjFree:             (*Enricher).objFree,
	trace.ObjMove:             (*Enricher).objMove,
}

// acting makes a handler of a method that needs the thread that acts. Without a thread id or a readable time an event
// means nothing.
func acting(handle func(*Enricher, *trace.Event, *thread)) func(*Enricher, *trace.Event) {
	return func(e *Enricher, event *trace.Event) {
		id := event.Thread()
		if !id.Known() || !event.Timed() {
			return
		}
		t := e.thread(id)
		handle(e, event, t)
		e.acted(t, event.Time)
	}
}

// acted puts the thread's Activity.
func (e *Enricher) acted(t *thread, at trace.Time) {
	e.active.Thread, e.active.Time = t.ref, at
	e.put(&e.active)
}

// put puts a record into the sink, unless that has failed.
func (e *Enricher) put(r trace.Record) {
	if e.err == nil {
		e.err = e.dst.Put(r)
	}
}

// preamble keeps what describes the recording. Where an element comes again, the first one counts.
func (e *Enricher) preamble(event *trace.Event) {
	var field *[]trace.NamedValue
	switch event.Kind {
	case trace.Node:
		field = &e.session.Node
	case trace.ProcessCreate:
		field = &e.session.Process
	case trace.AgentCreate:
		field = &e.session.Agent
	case trace.TraceStart:
		if e.session.TraceID == "" {
			e.session.TraceID, e.told = event.Text(trace.AttrTraceID), false
		}
		return
	}
	if *field == nil {
		*field, e.told = event.Named(), false
	}
}

// tellSession tells the sink of the session what it does not know yet.
func (e *Enricher) tellSession() {
	if !e.told {
		e.told = true
		e.put(&e.session)
	}
}

// append appends an event to the thread's sequence, with the element's time, and returns it to be completed. It stays
// where it is until the next one is appended.
func (e *Enricher) append(t *thread, typ trace.ModelType, at trace.Time) *trace.ModelEvent {
	e.tellSession()
	e.summary.Events++
	p := pendingEvent{thread: t}
	if typ.IsState() && typ != trace.DeadLock && typ != trace.Dead {
		p.opens = e.intervals.get()
		*p.opens = trace.Interval{}
		p.opens.Session = e.session.Index
		p.ModelEvent = &p.opens.ModelEvent
	} else {
		p.ModelEvent = e.events.get()
		*p.ModelEvent = trace.ModelEvent{}
	}
	e.pending = append(e.pending, p)
	event := p.ModelEvent
	event.ID, event.Type, event.Thread, event.Time, event.Timeout = e.summary.Events, typ, t.ref, at, trace.NoTimeout
	if typ.IsState() {
		if typ != trace.DeadLock {
			e.segments++
			t.segment = e.segments
		}
		t.entered(typ, e.summary.Events, at)
	}
	event.Segment = t.segment
	return event
}

// run appends a Running event.
func (e *Enricher) run(t *thread, at trace.Time) appended {
	event := e.append(t, trace.Running, at)
	return appended{event.ID, event.Segment}
}

// infer marks what the element at hand has brought about.
func (e *Enricher) infer() {
	for i := range e.pending {
		e.pending[i].Inferred = true
	}
}

// settle gives the sink what the element at hand has appended, and drops what nobody can be bound to any more.
func (e *Enricher) settle() {
	for i := range e.pending {
		e.putEvent(&e.pending[i])
	}
	e.pending = e.pending[:0]
	for _, o := range e.emptied {
		if o.traffic != nil && o.waiting.size == 0 {
			o.loose = o.loose[:0]
		}
		o.rest()
	}
	e.emptied = e.emptied[:0]
}

// bind says that the cause made the thread run again with the given Running event.
func (e *Enricher) bind(c cause, t *thread, run appended) {
	replaced := t.bound(run.id, c)
	for i := range e.pending {
		if e.pending[i].ID == run.id {
			e.pending[i].Cause = c.Cause
			return
		}
	}
	e.binding = trace.Binding{Running: run.id, Segment: run.segment, Cause: c.Cause, Replaces: replaced.Cause}
	e.put(&e.binding)
}
