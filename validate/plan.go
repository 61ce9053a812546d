package validate

import "github.com/trcx/trcx/trace"

// plan is what there is to check in elements of one kind.
type plan struct {
	happens  bool // it is an event, before which the preamble has to come
	thread   int8 // the position of the attribute that names the thread, or -1
	part     part
	integers uint32 // bit i: the attribute at position i is a number
	links    []link
	step     func(*Checker, *trace.Event, *thread) // the kind's own; the thread is nil where it is not known
	call     *callPlan                             // nil if it is no call
}

// part is what a thread has to do with an element that names it.
type part uint8

const (
	named  part = iota // it need not run: its class was loaded, its calls are counted
	acts               // it runs
	leaves             // it begins or ends to wait or to be blocked, or is interrupted
)

// parts has the kinds in which the thread is more than named.
var parts = [trace.KindCount]part{
	trace.MonContendedEnter: leaves, trace.MonContendedEntered: leaves, trace.MonWait: leaves, trace.MonWaited: leaves,
	trace.ThreadInterrupted: leaves,
	trace.CallStart:         acts, trace.CallInterrupt: acts, trace.CallNotify: acts,
	trace.MethodEntry: acts, trace.MethodExit: acts, trace.MethodCall: acts, trace.MethodReturn: acts,
	trace.Line: acts, trace.Throw: acts, trace.Catch: acts,
}

// steps has what some kinds do besides.
var steps = [trace.KindCount]func(*Checker, *trace.Event, *thread){
	trace.Root:                (*Checker).root,
	trace.TraceEnd:            (*Checker).finish,
	trace.AgentDestroy:        (*Checker).finish,
	trace.RuntimeShutdown:     (*Checker).finish,
	trace.ThreadStart:         (*Checker).threadStart,
	trace.ThreadEnd:           (*Checker).threadEnd,
	trace.MonContendedEnter:   (*Checker).monContendedEnter,
	trace.MonContendedEntered: (*Checker).monContendedEntered,
	trace.MonWait:             (*Checker).monWait,
	trace.MonWaited:           (*Checker).monWaited,
	trace.ThreadInterrupted:   (*Checker).threadInterrupted,
	trace.ClassUnload:         (*Checker).classUnload,
	trace.MethodDef:           (*Checker).methodDef,
	trace.MethodEntry:         (*Checker).methodEntry,
	trace.MethodExit:          (*Checker).methodExit,
	trace.ObjAlloc:            (*Checker).objAlloc,
	trace.ObjMove:             (*Checker).objMove,
}

// unhappening are the kinds that may stand in or before the preamble.
var unhappening = [trace.KindCount]bool{
	trace.Foreign: true, trace.Root: true, trace.Node: true, trace.ProcessCreate: true, trace.AgentCreate: true,
	trace.TraceStart: true,
	trace.Filter:     true, trace.Option: true, trace.Annotation: true,
}

var plans = planAll()

func planAll() (plans [trace.KindCount]plan) {
	for kind := range plans {
		p, element := &plans[kind], trace.Kind(kind).Element()
		p.happens, p.part, p.step, p.thread = !unhappening[kind], parts[kind], steps[kind], -1
		for position, attribute := range element.Attributes {
			switch {
			case attribute.Type == trace.Integer:
				p.integers |= 1 << position
			case attribute.Attr == element.Thread() && attribute.Link == trace.Refers:
				p.thread = int8(position)
			}
		}
		p.links, p.call = linksOf(element), planCall(trace.Kind(kind))
	}
	return plans
}
