package validate

import "github.com/trcx/trcx/trace"

// kindChecks has what is to be checked in elements of one kind.
type kindChecks struct {
	event    bool // it must come after the preamble
	thread   int8 // the position of the attribute that names the thread, or -1
	part     part
	integers uint32 // bit i: the attribute at position i is a number
	links    []link
	step     func(*Checker, *trace.Event, *thread) // the kind's own check; the thread is nil if it is not followed
	call     *callChecks                           // nil for other kinds than calls
}

// part is the part of a thread in an element that names it.
type part uint8

const (
	named  part = iota // any state: its class was loaded, its calls were counted
	acts               // it is running
	leaves             // it begins or ends a wait or block, or is interrupted
)

// parts has the kinds of events of a thread.
var parts = [trace.KindCount]part{
	trace.MonContendedEnter: leaves, trace.MonContendedEntered: leaves, trace.MonWait: leaves, trace.MonWaited: leaves,
	trace.ThreadInterrupted: leaves,
	trace.CallStart:         acts, trace.CallInterrupt: acts, trace.CallNotify: acts,
	trace.MethodEntry: acts, trace.MethodExit: acts, trace.MethodCall: acts, trace.MethodReturn: acts,
	trace.Line: acts, trace.Throw: acts, trace.Catch: acts,
}

// steps has the checks of single kinds.
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
	trace.CallNotify:          (*Checker).callNotify,
	trace.ThreadInterrupted:   (*Checker).threadInterrupted,
	trace.ClassDef:            (*Checker).classDef,
	trace.ClassUnload:         (*Checker).classUnload,
	trace.MethodDef:           (*Checker).methodDef,
	trace.MethodEntry:         (*Checker).methodEntry,
	trace.MethodExit:          (*Checker).methodExit,
	trace.ObjAlloc:            (*Checker).objAlloc,
	trace.ObjMove:             (*Checker).objMove,
	trace.Option:              (*Checker).option,
	trace.GCStart:             (*Checker).gcStart,
	trace.GCFinish:            (*Checker).gcFinish,
	trace.HeapDumpDef:         (*Checker).heapDumpDef,
	trace.GCRoot:              (*Checker).gcRoot,
	trace.ObjReference:        (*Checker).objReference,
	trace.ObjectReference:     (*Checker).objReference,
}

// preambleKinds are the kinds that are allowed in or before the preamble.
var preambleKinds = [trace.KindCount]bool{
	trace.Foreign: true, trace.Root: true, trace.Node: true, trace.ProcessCreate: true, trace.AgentCreate: true,
	trace.TraceStart: true,
	trace.Filter:     true, trace.Option: true, trace.Annotation: true,
}

var plans = planAll()

func planAll() (plans [trace.KindCount]kindChecks) {
	for kind := range plans {
		p, element := &plans[kind], trace.Kind(kind).Element()
		p.event, p.part, p.step, p.thread = !preambleKinds[kind], parts[kind], steps[kind], -1
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
