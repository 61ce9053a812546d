package enrich

import (
	"encoding/binary"

	"github.com/trcx/trcx/trace"
)

// packing packs the state of a thread, or unpacks it: numbers as their differences to others that are mostly equal or
// near, of which zeros take one bit. Both go through the same values in the same order.
type packing struct {
	unpacks bool
	quiet   *quiet
	fails   bool // it cannot be packed
	flags   uint64
	flagged uint // the flags so far
	present uint64
	numbers uint   // the numbers so far
	values  []byte // those that are not zero, as varints
}

// The first flags are needed before a thread is unpacked.
const (
	isBlocked = iota // on the object
	isWaiting        // for the object
)

// flag returns one of the first seven flags.
func (q *quiet) flag(at int) bool { return q.packed[0]>>at&1 != 0 }

// packed is the state of a thread: what packing goes through.
type packed struct {
	*activity
	first, later       running
	hasFirst, hasLater bool
	open               trace.Interval
	hasOpen            bool
}

// pack returns what is kept of a quiet thread, unless it cannot be packed.
func (n *names) pack(t *thread, p *packing) (q *quiet, ok bool) {
	state := packed{activity: t.activity, hasFirst: t.first != nil, hasLater: t.later != nil, hasOpen: t.open != nil}
	if state.hasFirst {
		state.first = *t.first
	}
	if state.hasLater {
		state.later = *t.later
	}
	if state.hasOpen {
		state.open = *t.open
	}
	if state.first.unbound != nil || state.later.unbound != nil {
		return nil, false
	}
	*p = packing{quiet: &quiet{stack: state.open.Stack}, values: p.values[:0]}
	p.state(t, n, &state)
	if p.fails {
		return nil, false
	}
	head := len(p.values)
	p.values = binary.AppendUvarint(p.values, p.flags)
	p.values = binary.AppendUvarint(p.values, p.present)
	p.quiet.packed = string(p.values[head:]) + string(p.values[:head])
	return p.quiet, true
}

// unpack restores the activity of a quiet thread and its open interval. It reports whether the thread has one.
func (n *names) unpack(t *thread, p *packing, a *activity, open *trace.Interval, runnings *pool[running]) (hasOpen bool) {
	text := append(p.values[:0], t.quiet.packed...)
	*p = packing{unpacks: true, quiet: t.quiet}
	var size, more int
	p.flags, size = binary.Uvarint(text)
	p.present, more = binary.Uvarint(text[size:])
	p.values = text[size+more:]
	state := packed{activity: a}
	p.state(t, n, &state)
	p.values = text
	*open = state.open
	open.Thread, open.Stack = t.ref, t.quiet.stack
	for _, run := range []struct {
		has  bool
		from *running
		to   **running
	}{{state.hasFirst, &state.first, &a.first}, {state.hasLater, &state.later, &a.later}} {
		if run.has {
			*run.to = runnings.get()
			**run.to = *run.from
		}
	}
	return state.hasOpen
}

// state goes through the whole state of a thread.
func (p *packing) state(t *thread, n *names, s *packed) {
	p.object(&s.blocked)
	p.object(&s.wait.object)
	p.flag(&s.wait.open)
	p.flag(&s.hasOpen)
	p.flag(&s.hasState)
	p.flag(&s.hasRun)
	p.flag(&s.hasFirst)
	p.flag(&s.hasLater)
	p.interval(t, n, &s.open)
	p.object(&s.contends)
	p.flag(&s.blockedInferred)
	number(p, &s.state, s.open.Type)
	last := trace.EventID(0)
	if s.state == trace.Running {
		last = s.open.ID
	}
	number(p, &s.last, last)
	if s.blocked != nil { // otherwise they are out of date
		number(p, &s.blockedAt, s.open.Time)
		number(p, &s.blockedOrder, 0)
	}
	if s.wait.open {
		p.wait(&s.wait, &s.open)
	}
	if s.hasFirst {
		p.running(&s.first, &s.open)
	}
	if s.hasLater {
		p.running(&s.later, &s.open)
	}
}

func (p *packing) wait(w *wait, open *trace.Interval) {
	p.flag(&w.sleep)
	p.flag(&w.outside)
	p.flag(&w.io)
	number(p, &w.at, open.Time)
	number(p, &w.timeout, open.Timeout)
	number(p, &w.order, 0)
}

func (p *packing) running(r *running, open *trace.Interval) {
	number(p, &r.id, open.ID)
	number(p, &r.segment, open.Segment)
	number(p, &r.at, open.Time)
	p.flag(&r.waited)
	p.flag(&r.parked)
	p.cause(&r.cause.Cause, &open.Cause)
	p.object(&r.cause.object)
}

func (p *packing) interval(t *thread, n *names, open *trace.Interval) {
	p.event(t, n, &open.ModelEvent)
	number(p, &open.Session, 0)
	p.flag(&open.Deadlocked)
	p.flag(&open.TimedOut)
}

func (p *packing) event(t *thread, n *names, event *trace.ModelEvent) {
	number(p, &event.ID, 0)
	number(p, &event.Time, n.start)
	number(p, &event.Segment, t.segment)
	number(p, &event.Type, trace.Running)
	number(p, &event.Timeout, trace.NoTimeout)
	p.id(&event.Object.ID)
	number(p, &event.ObjectKey, 0)
	recurring(p, &event.Class, &n.classes)
	p.caller(&event.Caller, n)
	p.cause(&event.Cause, &trace.Cause{ID: event.ID, Segment: event.Segment, Time: event.Time})
	number(p, &event.Other.Key, 0)
	p.id(&event.Other.ID.ID)
	recurring(p, &event.OtherCaller, &n.frames)
	number(p, &event.Monitor, 0)
	number(p, &event.HeldBy, event.Other.Key)
	number(p, &event.ReacquiredFrom, 0)
	number(p, &event.IO, 0)
	number(p, &event.Running, 0)
	p.flag(&event.Inferred)
	p.flag(&event.Park)
	p.flag(&event.GaveUp)
}

// caller goes through the Caller of an event, which is mostly that of its stack.
func (p *packing) caller(caller *trace.Frame, n *names) {
	var usual trace.Frame
	if p.quiet.stack != nil {
		usual = p.quiet.stack.Caller()
	}
	isUsual := *caller == usual
	if p.flag(&isUsual); !isUsual {
		recurring(p, caller, &n.frames)
	} else {
		*caller = usual
	}
}

// cause goes through a cause; near is one that is like it, if there is any.
func (p *packing) cause(c, near *trace.Cause) {
	known := *c != trace.Cause{}
	if p.flag(&known); !known {
		return
	}
	number(p, &c.ID, near.ID)
	number(p, &c.Thread, near.Thread)
	number(p, &c.Type, near.Type)
	number(p, &c.Segment, near.Segment)
	number(p, &c.Time, near.Time)
}

// object goes through a reference to an object; all of them must be to the same one.
func (p *packing) object(o **object) {
	known := *o != nil
	switch p.flag(&known); {
	case !known:
	case p.quiet.object == nil:
		p.quiet.object = *o
	case p.unpacks:
		*o = p.quiet.object
	case *o != p.quiet.object:
		p.fails = true
	}
}

// flag goes through a flag.
func (p *packing) flag(value *bool) {
	if p.unpacks {
		*value = p.flags>>p.flagged&1 != 0
	} else if *value {
		p.flags |= 1 << p.flagged
	}
	p.flagged++
}

// number goes through a number, as its difference to one that is near.
func number[T ~uint8 | ~uint32 | ~uint64 | ~int32 | ~int64 | ~int](p *packing, value *T, near T) {
	bit := uint64(1) << p.numbers
	p.numbers++
	switch difference := int64(*value) - int64(near); {
	case !p.unpacks && difference != 0:
		p.present |= bit
		p.values = binary.AppendVarint(p.values, difference)
	case p.unpacks && p.present&bit != 0:
		difference, size := binary.Varint(p.values)
		p.values = p.values[size:]
		*value = T(int64(near) + difference)
	case p.unpacks:
		*value = near
	}
}

// recurring goes through a value by its number.
func recurring[T comparable](p *packing, value *T, numbers *numbering[T]) {
	of := uint32(0)
	if !p.unpacks {
		of = numbers.of(*value)
	}
	if number(p, &of, 0); p.unpacks {
		*value = numbers.value(of)
	}
}

// id goes through an id: its number, or its text.
func (p *packing) id(id *trace.ID) {
	value, isNumber := id.Number()
	isText := !isNumber && id.Known()
	if p.flag(&isText); isText {
		p.textID(id)
		return
	}
	if value++; !isNumber {
		value = 0
	}
	if number(p, &value, 0); p.unpacks && value != 0 {
		*id = trace.NumberID(value - 1)
	}
}

func (p *packing) textID(id *trace.ID) {
	text := id.String()
	size := len(text)
	if number(p, &size, 0); p.unpacks {
		*id = trace.IDFrom(p.values[:size])
		p.values = p.values[size:]
	} else {
		p.values = append(p.values, text...)
	}
}
