package enrich

import (
	"github.com/trcx/trcx/internal/numbering"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// Enricher is a convert.Sink that computes one model of the events of one or more recordings. The first fields are
// about the whole model, the others about the current recording and element.
type Enricher struct {
	dst     trace.Sink
	err     error // the first error of dst; after it no record is put
	follows Calls
	skips   func(*trace.ModelMethod) bool
	outers  outers
	silent  bool // Options.NoActivities
	// objects and allocations are the Options of the same names.
	objects, allocations bool
	summary              trace.Summary
	counts               counts
	numbers              numbers
	methods              uint32 // number of the methods that frames have named
	text                 []byte // of a stack, while it is made

	session    trace.Session
	sessionPut bool       // dst has it in its current state
	last       trace.Time // the latest time of the session
	// endsBefore and shutdownsBefore count elements of earlier sessions that end a trace or its JVM, or a JVM.
	endsBefore, shutdownsBefore uint64
	scope                       scope
	pending                     []*pendingEvent // appended by the current element, not yet put; reused
	endedWaits                  []*object       // of the waits that the current element has ended
	contended                   *object         // on which nobody was blocked before the current element
	open                        []openThreads   // of the recordings that have ended
	reused                      reused
}

// numbers are the highest ones given so far.
type numbers struct {
	segments     trace.SegmentID
	objects      trace.ObjectKey
	monitors     trace.MonitorKey
	freeMonitors []trace.MonitorKey // of monitors on which no thread is blocked any more
}

// reused are records that are put again and again.
type reused struct {
	thread     trace.ModelThread
	activity   trace.Activity
	binding    trace.Binding
	owner      trace.MonitorOwner
	allocation trace.Allocation
	sample     trace.Sample
}

// scope is what is known inside one recording; ids mean nothing beyond it.
type scope struct {
	incarnations threads.List[incarnation]
	live         map[*thread]struct{}             // the states of the incarnations that have one
	spare        []*thread                        // states of dead incarnations, for reuse
	threads      index[trace.ThreadKey]           // the newest incarnations, by the ids of threads
	threadsOf    index[trace.ThreadKey]           // the threads, by the ids of their java.lang.Thread objects
	frames       numbering.Numbering[trace.Frame] // in which dead threads were last seen
	objects      index[*object]                   // on which threads have acted
	starts       map[*object][]cause              // the callStarts of java.lang.Thread objects without a threadStart
	unclaimed    map[*object][]cause              // notifies that woke no thread
	returns      map[*object][]unboundReturn      // from waits, that may be bound late
	classOf      index[*class]                    // of the objects that the trace has defined
	classes      index[*class]
	methods      map[threadstate.Key]*method
	stacks       stacks
	calls        openCalls
	collections  openCollections
	monitorTime  *trace.MonitorTime // nil if the recording has none
	sites        *trace.AllocationSites
	order        uint64       // counts waits and enters, in the order of the file
	element      uint64       // counts elements
	destroyer    *incarnation // HotSpot's thread that ends the JVM; nil while it has none
	// A threadInterrupted has come: the recorder proves every interrupt that ends a wait.
	provesInterrupts bool
}

// Options say what an Enricher computes.
type Options struct {
	// Calls selects what events report of the calls that their threads were in. The zero value is NoCalls.
	Calls Calls
	// Skips, if not nil, reports whether a method is not the program's own. Methods of the JDK and of the libraries of
	// Kotlin and Scala never are.
	Skips func(*trace.ModelMethod) bool
	// Frames is how many of the program's calls name a place: the innermost one and the calls below it; 0 means 1.
	Frames int
	// NoActivities leaves out Activity records. There are nearly as many as elements with a thread; only the critical
	// path and timelines need them.
	NoActivities bool
	// Objects adds an ObjectEnd or a Move for each object that can be a monitor and ends or gets another id.
	Objects bool
	// Allocations adds a record for each allocation, free and move of an object, and for tables of allocation sites.
	Allocations bool
}

// New returns an Enricher that puts its records into dst.
func New(dst trace.Sink, o Options) *Enricher {
	return &Enricher{dst: dst, follows: o.Calls, skips: o.Skips, outers: outers{most: max(o.Frames-1, 0)},
		silent: o.NoActivities, objects: o.Objects, allocations: o.Allocations, scope: newScope(0),
		counts: counts{others: map[string]uint64{}}}
}

// newScope returns the scope of a recording. Its threads have keys above the last key of the recordings before.
func newScope(before trace.ThreadKey) scope {
	return scope{incarnations: threads.NewList[incarnation](before), live: map[*thread]struct{}{},
		starts: map[*object][]cause{}, unclaimed: map[*object][]cause{}, returns: map[*object][]unboundReturn{},
		methods: map[threadstate.Key]*method{}}
}

// Begin begins a recording; the elements that follow are its elements.
func (e *Enricher) Begin(session int) error {
	e.session = trace.Session{Index: session}
	e.sessionPut = false
	e.leaveScope()
	e.scope = newScope(e.scope.incarnations.Last())
	e.endsBefore, e.shutdownsBefore = e.counts.ends(), e.counts.known[trace.RuntimeShutdown]
	return e.err
}

// Put handles the next element. Its errors come from the sink.
func (e *Enricher) Put(event *trace.Event) error {
	if event.Kind <= trace.TraceStart && (event.Kind == trace.Root || event.IsPlaceholder()) {
		return e.err
	}
	if e.counts.known[event.Kind]++; event.Kind == trace.Foreign || event.Extra != nil {
		e.counts.addRare(event)
	}
	e.scope.element++
	if event.Timed() {
		if e.session.HasStart {
			e.last = max(e.last, event.Time)
		} else {
			e.beginTimes(event)
		}
	}
	if handle := handlers[event.Kind]; handle != nil {
		handle(e, event)
		if len(e.pending) > 0 || len(e.endedWaits) > 0 {
			if event.Extra != nil || e.follows != NoCalls {
				e.setStack(event)
			}
			if event.Inferred() {
				e.setInferred()
			}
			e.flush()
			e.putFirstPlace(event.Time)
			if event.Extra != nil && event.Extra.CPU > 0 {
				e.putCPU(event.Thread(), trace.CPUTime{Time: event.Time, Used: event.Extra.CPU})
			}
		}
	}
	return e.err
}

// End ends the recording: a cycle of blocked threads that exists now is a deadlock.
func (e *Enricher) End(ending trace.Ending) error {
	e.summary.Truncated = e.summary.Truncated || ending.Truncated
	e.putSession()
	e.putMonitorTime()
	e.putSites()
	e.deadlocks(ending)
	e.putOpenStarts()
	end := trace.SessionEnd{Index: e.session.Index}
	if e.session.HasStart {
		end.Last = e.last
	}
	e.put(&end)
	return e.err
}

// Finish ends the model: it puts the intervals that are open, and the Summary.
func (e *Enricher) Finish() error {
	e.summary.Counts, e.summary.CutOff = e.counts.sorted(), e.summary.Truncated || e.counts.ends() == 0
	e.leaveScope()
	e.scope = scope{} // freed before outputs get the open intervals and the Summary, and do much of their work
	e.putOpenIntervals()
	e.put(&e.summary)
	return e.err
}

// Count counts elements of a heap dump: objects, roots and references, which do not matter for threads.
func (e *Enricher) Count(kind trace.Kind, n uint64) error {
	e.counts.known[kind] += n
	return e.err
}

// beginTimes keeps the first time of the session, and of the model.
func (e *Enricher) beginTimes(event *trace.Event) {
	if !e.summary.HasStart {
		e.summary.Start, e.summary.HasStart, e.summary.Last = event.Time, true, event.Time
		e.put(&trace.Origin{Time: event.Time})
	}
	e.session.Start, e.session.HasStart = event.Time, true
	e.last = event.Time
}

// handlers are the methods that handle the kinds of elements. The others are only counted.
var handlers = [trace.KindCount]func(*Enricher, *trace.Event){
	trace.Node:                (*Enricher).preamble,
	trace.ProcessCreate:       (*Enricher).preamble,
	trace.AgentCreate:         (*Enricher).preamble,
	trace.TraceStart:          (*Enricher).preamble,
	trace.Option:              (*Enricher).option,
	trace.GCStart:             (*Enricher).gcStart,
	trace.GCFinish:            (*Enricher).gcFinish,
	trace.Annotation:          (*Enricher).annotation,
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

// acting makes a handler of a method that needs the acting thread. An event without a thread id or a readable time is
// ignored.
func acting(handle func(*Enricher, *trace.Event, *thread)) func(*Enricher, *trace.Event) {
	return func(e *Enricher, event *trace.Event) {
		id := event.Thread()
		if !id.Known() || !event.Timed() {
			return
		}
		t := e.thread(id)
		handle(e, event, t)
		if !event.IsAgain() { // the agent has read the owner; the thread did nothing
			e.putActivity(t, event.Time)
		}
	}
}

// putActivity puts the thread's Activity, unless it is left out.
func (e *Enricher) putActivity(t *thread, at trace.Time) {
	if e.silent {
		return
	}
	a := &e.reused.activity
	a.Thread, a.Time = t.ref(), at
	e.put(a)
}

// put puts a record into the sink, unless that has failed.
func (e *Enricher) put(r trace.Record) {
	if e.err == nil {
		e.err = e.dst.Put(r)
	}
}

// preamble keeps what describes the recording: the first element of each kind.
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
			e.session.TraceID, e.sessionPut = event.Text(trace.AttrTraceID), false
		}
		return
	}
	if *field == nil {
		*field, e.sessionPut = event.Named(), false
	}
}

// putSession puts the description of the session if it has changed.
func (e *Enricher) putSession() {
	if !e.sessionPut {
		e.sessionPut = true
		e.put(&e.session)
	}
}
