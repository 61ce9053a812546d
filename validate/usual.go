package validate

import (
	"encoding/binary"
	"math/bits"

	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// Six of ten elements are calls, by a thread that runs, of methods that were called before. What there is to say of
// such an element is known after a few comparisons, and usualCall does no others. It is a short cut and changes
// nothing: where anything is not usual, it does nothing, and the element goes the way of all elements.

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
func (c *Checker) usualCall(e *trace.Event, whole *plan) bool {
	p := whole.call
	if e.Reading != trace.Exact || c.lacking != 0 {
		return false
	}
	if known := shapeOf(e, whole); known != nil && known.call {
		text := e.Bytes()
		return c.callOf(e, p, known.thread.id(text), known.method.id(text), known.class.id(text), known.ticket.id(text))
	}
	if e.Positions()&^p.optional != p.usual {
		return false
	}
	thread, method, class := threadstate.ShortKey(e.At(p.thread)), threadstate.ShortKey(e.At(p.method)), threadstate.ShortKey(e.At(p.class))
	ticket, depth := threadstate.ShortKey(e.At(p.ticket)), threadstate.ShortKey(e.At(p.depth))
	if min(thread, method, class, ticket, depth) == 0 || !(thread | method | class).IsShort() ||
		ticket.NonDigits()|depth.NonDigits() != 0 {
		return false
	}
	return c.callOf(e, p, thread, method, class, ticket)
}

// callOf does what there is to do for a call with these ids, unless something about them is not usual.
func (c *Checker) callOf(e *trace.Event, p *callPlan, thread, method, class, ticket threadstate.Key) bool {
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

// shape is what elements that differ in their digits only have in common: their numbers are numbers, and their ids are
// short.
type shape struct {
	usual                 bool // else there is nothing to rely on
	call                  bool // it is a usual call
	thread                idPlace
	links                 [mostLinks]idPlace // of those of the plan that are there
	method, class, ticket idPlace            // of a call
}

// mostLinks is how many links the plan of a kind has at the most.
const mostLinks = 4

// shapeOf is the shape of the element, or nil if that is not usual, or not known.
func shapeOf(e *trace.Event, p *plan) *shape {
	like := e.Like()
	if like == nil {
		return nil
	}
	known, ok := like.Memo.(*shape)
	if !ok {
		known = newShape(e, like, p)
		like.Memo = known
	}
	if !known.usual {
		return nil
	}
	return known
}

func newShape(e, like *trace.Event, p *plan) *shape {
	made := &shape{usual: len(p.links) <= mostLinks}
	present := e.Positions()
	for numbers := p.integers & present; numbers != 0; numbers &= numbers - 1 {
		made.usual = made.usual && threadstate.ShortKey(e.At(bits.TrailingZeros32(numbers))).IsNumber()
	}
	if p.thread >= 0 && present>>p.thread&1 != 0 {
		made.usual = made.usual && isShort(e.At(int(p.thread)))
		made.thread = placeOf(like, int(p.thread))
	}
	for i := range p.links {
		if position := p.links[i].position; made.usual && present>>position&1 != 0 {
			made.usual = isShort(e.At(int(position)))
			made.links[i] = placeOf(like, int(position))
		}
	}
	if call := p.call; call != nil && made.usual && present&^call.optional == call.usual &&
		threadstate.ShortKey(e.At(call.ticket)).IsNumber() {
		made.call = true
		made.method, made.class, made.ticket = placeOf(like, call.method), placeOf(like, call.class),
			placeOf(like, call.ticket)
	}
	return made
}

// isShort reports whether ShortKey returns the Key of the text.
func isShort(text []byte) bool { return threadstate.ShortKey(text).IsShort() }

// lookShaped is the rest of look for an element of a usual shape.
func (c *Checker) lookShaped(e *trace.Event, p *plan, known *shape) {
	text, present := e.Bytes(), e.Positions()
	var t *thread
	if p.thread >= 0 && present>>(p.thread&31)&1 != 0 {
		t = c.involve(p.part, known.thread.id(text))
	}
	for i := range p.links {
		if l := &p.links[i]; present>>(l.position&31)&1 != 0 {
			c.follow(l, known.links[i].id(text))
		} else {
			c.ids[l.space] = threadstate.None
		}
	}
	if p.step != nil {
		p.step(c, e, t)
	}
}

// idPlace is the place of a short id in the text of an event.
type idPlace struct {
	begin uint32
	shift uint8 // see trace.QuickWord
}

func placeOf(like *trace.Event, position int) idPlace {
	begin, end := like.Place(position)
	return idPlace{begin, uint8(64 - 8*(end-begin))}
}

func (p idPlace) id(text []byte) threadstate.Key {
	return threadstate.Key(binary.LittleEndian.Uint64(text[p.begin:]) << (p.shift & 63))
}
