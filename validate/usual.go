package validate

import (
	"encoding/binary"

	"github.com/trcx/trcx/trace"
)

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
	if e.Reading != trace.Exact || c.lacking != 0 {
		return false
	}
	like := e.Like()
	if like != nil {
		if known, ok := like.Memo.(*callShape); ok {
			text := e.Bytes()
			return c.callOf(e, p, known.thread.id(text), known.method.id(text), known.class.id(text), known.ticket.id(text))
		}
	}
	if e.Positions()&^p.optional != p.usual {
		return false
	}
	thread, method, class := shortID(e.At(p.thread)), shortID(e.At(p.method)), shortID(e.At(p.class))
	ticket, depth := shortID(e.At(p.ticket)), shortID(e.At(p.depth))
	if min(thread, method, class, ticket, depth) == 0 || thread|method|class >= longID || ticket.strange()|depth.strange() != 0 {
		return false
	}
	if like != nil {
		like.Memo = &callShape{placeOf(like, p.thread), placeOf(like, p.method), placeOf(like, p.class), placeOf(like, p.ticket)}
	}
	return c.callOf(e, p, thread, method, class, ticket)
}

// callOf does what there is to do for a call with these ids, unless something about them is not usual.
func (c *Checker) callOf(e *trace.Event, p *callPlan, thread, method, class, ticket id) bool {
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

// callShape is where usual calls that differ in their digits only have their ids.
type callShape struct{ thread, method, class, ticket idPlace }

// idPlace is the place of a short id in the text of an event.
type idPlace struct {
	begin uint32
	shift uint8 // see shortID
}

func placeOf(like *trace.Event, position int) idPlace {
	begin, end := like.Place(position)
	return idPlace{begin, uint8(64 - 8*(end-begin))}
}

func (p idPlace) id(text []byte) id {
	return id(binary.LittleEndian.Uint64(text[p.begin:]) << (p.shift & 63))
}
