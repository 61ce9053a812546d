package validate

import (
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

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

// part is the role of a thread in an element that names it.
type part uint8

const (
	named  part = iota // in any state: its class was loaded, its calls were counted
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
	trace.AgMethodEntry:       (*Checker).agMethodEntry,
	trace.AgMethodExit:        (*Checker).agMethodExit,
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

// Six of ten elements are calls by a running thread of methods that were called before. commonCall checks such an
// element by a few comparisons. It affects speed, never results: if it returns false, it has done nothing and check
// does the work.

// callChecks has the positions of the attributes of a methodEntry or methodExit.
type callChecks struct {
	enters                               bool
	required                             uint32 // the positions of the attributes that a common call has
	optional                             uint32 // the positions of those that it may also have; it has no others
	ids, numbers                         uint32 // the required ones that are ids, and decimal numbers
	thread, method, class, ticket, depth int    // positions; depth is the ticket's if the kind has no stackDepth
}

func planCall(kind trace.Kind) *callChecks {
	if kind != trace.MethodEntry && kind != trace.MethodExit {
		return nil
	}
	at := func(attribute trace.Attr) int { return kind.Element().Position(attribute) }
	p := &callChecks{
		enters: kind == trace.MethodEntry, thread: at(trace.AttrThreadIDRef), method: at(trace.AttrMethodIDRef),
		class: at(trace.AttrClassIDRef), ticket: at(trace.AttrTicket), depth: at(trace.AttrTicket),
	}
	if p.enters {
		p.depth = at(trace.AttrStackDepth)
	} else {
		p.optional = 1 << at(trace.AttrOverhead)
	}
	p.required = 1<<p.thread | 1<<p.method | 1<<p.class | 1<<p.ticket | 1<<p.depth | 1<<at(trace.AttrTime)
	p.ids = 1<<p.thread | 1<<p.method | 1<<p.class | 1<<p.ticket
	p.numbers = 1<<p.ticket | 1<<p.depth
	return p
}

// commonCall checks a common call. It returns false for any other element.
func (c *Checker) commonCall(e *trace.Event, p *callChecks) bool {
	if e.Reading != trace.Exact || c.document.lacking != 0 || e.Positions()&^p.optional != p.required {
		return false
	}
	if l := e.Layout(); l.Short()&p.ids == p.ids && l.Decimal()&p.numbers == p.numbers {
		return c.callOf(e, p, shortID(e, p.thread), shortID(e, p.method), shortID(e, p.class), shortID(e, p.ticket))
	}
	thread, method := threadstate.ShortKey(e.At(p.thread)), threadstate.ShortKey(e.At(p.method))
	class := threadstate.ShortKey(e.At(p.class))
	ticket, depth := threadstate.ShortKey(e.At(p.ticket)), threadstate.ShortKey(e.At(p.depth))
	if min(thread, method, class, ticket, depth) == 0 || !(thread | method | class).IsShort() ||
		ticket.NonDigits()|depth.NonDigits() != 0 {
		return false
	}
	return c.callOf(e, p, thread, method, class, ticket)
}

// callOf checks a call with these ids, unless its thread is not running or one of the ids is not defined.
func (c *Checker) callOf(e *trace.Event, p *callChecks, thread, method, class, ticket threadstate.Key) bool {
	t := c.threads.live.Get(thread)
	if t == nil || t.State != threadstate.Runnable || t.last-e.Time > backwards {
		return false
	}
	if !c.known[methodSpace].defined.has(method) || !c.known[classSpace].defined.has(class) {
		return false
	}
	t.last, c.event = e.Time, e
	if p.enters {
		c.enterCall(t, ticket, method)
	} else {
		c.exitCall(t, ticket, method)
	}
	return true
}
