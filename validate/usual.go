package validate

import "github.com/trcx/trcx/trace"

// Six of ten elements are calls, by a thread that runs, of methods that were called before. What there is to say of such an element is known after a few
// comparisons, and usualCall does no others. It is a short cut and changes nothing: where anything is not usual, it does nothing,
// and the element goes the way of all elements.

// callPlan is where a methodEntry or methodExit has its attributes.
type callPlan struct {
	enters                               bool
	usual                                uint32 // the positions of those that usual ones have, and no others
	optional                             uint32 // of these it does not matter whether they are there
	thread, method, class, ticket, depth int    // depth is that of the ticket where there is no stackDepth
}

func planCall(kind trace.Kind) *callPlan {
	if kind != trace.MethodEntry && kind != trace.MethodExit {
		return nil
	}
	at := func(attribute trace.Attr) int { return kind.Element().Position(attribute) }
	p := &callPlan{
		enters: kind == trace.MethodEntry, thread: at(trace.AttrThreadIDRef), method: at(trace.AttrMethodIDRef),
		class: at(trace.AttrClassIDRef), ticket: at(trace.AttrTicket), depth: at(trace.AttrTicket),
	}
	if p.enters {
		p.depth = at(trace.AttrStackDepth)
	} else {
		p.optional = 1 << at(trace.AttrOverhead)
	}
	p.usual = 1<<p.thread | 1<<p.method | 1<<p.class | 1<<p.ticket | 1<<p.depth | 1<<at(trace.AttrTime)
	return p
}

// usualCall does all that there is to do for a usual call, and says whether it is one.
func (c *Checker) usualCall(e *trace.Event, p *callPlan) bool {
	if e.Positions()&^p.optional != p.usual || e.Reading != trace.Exact || c.lacking != 0 {
		return false
	}
	thread, method, class := shortID(e.At(p.thread)), shortID(e.At(p.method)), shortID(e.At(p.class))
	ticket, depth := shortID(e.At(p.ticket)), shortID(e.At(p.depth))
	if min(thread, method, class, ticket, depth) == 0 || thread|method|class >= longID || ticket.strange()|depth.strange() != 0 {
		return false
	}
	t := c.threads.get(thread)
	if t == nil || t.stands != runs || t.last-e.Time > backwards {
		return false
	}
	if !c.known[methodSpace].defined.has(method) || !c.known[classSpace].defined.has(class) {
		return false
	}
	t.last, c.event = e.Time, e
	if made := (call{ticket, method}); p.enters {
		c.enter(t, made)
	} else {
		c.exit(t, made)
	}
	return true
}
