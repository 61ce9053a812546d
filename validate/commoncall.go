package validate

import (
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// Six of ten elements are calls, by a thread that runs, of methods that were called before. commonCall checks such an
// element by a few comparisons. It affects speed and never results: if it returns false it has done nothing, and check
// checks the element.

// callChecks has the positions of the attributes of a methodEntry or methodExit.
type callChecks struct {
	enters                               bool
	required                             uint32 // the positions of the attributes that a common call has
	optional                             uint32 // … and of those that it may have; it has no others
	ids, numbers                         uint32 // of those required, the ids and the decimal numbers
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
