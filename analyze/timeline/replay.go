package timeline

import (
	"context"

	"github.com/trcx/trcx/trace"
)

// Replay puts the intervals in which the selected threads did not run into the sink, cut off at from and to, so that
// statistics can be made as from the trace itself. The threads come first, then the intervals thread by thread, and
// last the Summary. Threads that are not selected are described with Aside. If none is selected, all are. A
// DeadlockLoop without threads reports that a deadlock is only a possible one.
func (x *Index) Replay(ctx context.Context, selected []trace.ThreadKey, from, to int64, sink trace.Sink) error {
	p := &replay{index: x, sink: sink, from: from + x.earliest, to: to + x.earliest,
		objects: map[objectName]trace.ObjectKey{}, inner: map[string]*trace.ModelMethod{},
		outers: map[uint32]*trace.Outer{}}
	if x.started {
		p.put(&trace.Origin{Time: x.start})
	}
	p.describe(selected)
	for i, chosen := range p.chosen {
		if p.err == nil {
			p.err = ctx.Err()
		}
		if chosen && p.err == nil {
			p.err = p.lane(trace.ThreadKey(i + 1))
		}
	}
	if x.possible {
		p.put(&trace.DeadlockLoop{CutOff: true})
	}
	p.put(&trace.Summary{Start: x.start, HasStart: x.started, Last: x.start + trace.Time(x.last), Events: x.Events,
		Truncated: x.Truncated, CutOff: x.CutOff})
	return p.err
}

// replay is the state of a Replay.
type replay struct {
	index    *Index
	sink     trace.Sink
	from, to int64
	chosen   []bool // by thread keys minus one
	objects  map[objectName]trace.ObjectKey
	methods  []*trace.ModelMethod // by frame numbers minus one
	inner    map[string]*trace.ModelMethod
	outers   map[uint32]*trace.Outer // by the numbers of their stacks
	err      error                   // the first one
}

// put puts a record into the sink, unless there was an error.
func (p *replay) put(r trace.Record) {
	if p.err == nil {
		p.err = p.sink.Put(r)
	}
}

// objectName identifies an object in a replay: an id with another class is another object.
type objectName struct {
	objectOf
	class uint32
}

func (p *replay) describe(selected []trace.ThreadKey) {
	p.chosen = make([]bool, p.index.Size())
	for _, key := range selected {
		if key > 0 && int(key) <= len(p.chosen) {
			p.chosen[key-1] = true
		}
	}
	for t := range p.index.All() {
		i := t.Key - 1
		p.chosen[i] = p.chosen[i] || len(selected) == 0
		p.put(&trace.ModelThread{Key: t.Key, ID: trace.ThreadFrom([]byte(t.ID)), Name: t.Name, Group: t.Group,
			Session: t.Session, Aside: !p.chosen[i]})
	}
}

// lane puts the intervals of a thread.
func (p *replay) lane(key trace.ThreadKey) error {
	to := p.to - p.index.earliest // blocks are found by shown times, at which spans may begin later than in the trace
	v := view{index: p.index, request: Request{From: p.from - p.index.earliest, To: to + min(p.index.furthest,
		never-max(to, 0))}}
	l, err := p.index.laneOf(key)
	if err != nil {
		return err
	}
	session := p.index.entryOf(key).session
	add := func(r *record) { p.addRecord(key, session, r) }
	runs := func(b *block) bool { return p.err != nil || b.counts == [StateCount]uint32{Running: b.counts[Running]} }
	if err := v.track(&l.tracks[spanTrack], runs, add); err != nil {
		return err
	}
	if going := p.index.going(l); going != nil {
		add(going)
	}
	return p.err
}

func (p *replay) addRecord(key trace.ThreadKey, session int, r *record) {
	begin, end := r.exact[0], r.exact[1]
	if !r.isSpan() || r.kind == recordKind(Running) || begin >= p.to || end <= p.from && begin < p.from ||
		p.err != nil {
		return
	}
	x := p.index
	s := trace.Interval{
		ModelEvent: trace.ModelEvent{
			ID: r.event, Type: modelTypes[r.kind], Thread: trace.ThreadRef{Key: key},
			Time: x.start + trace.Time(max(begin, p.from)), Timeout: r.timeout, Inferred: r.inferred,
			Other: trace.ThreadRef{Key: r.other}, Caller: p.frame(r.caller), OtherCaller: p.frame(r.otherCaller),
		},
		Session: session, End: x.start + trace.Time(min(end, p.to)), Open: r.open,
		Deadlocked: State(r.kind) == Deadlocked, TimedOut: r.timedOut && end <= p.to,
	}
	s.Park, s.Init = r.park || State(r.kind) == Parked, r.init
	if State(r.kind) == InIO {
		s.IO = r.io
	}
	if r.object != 0 {
		o := x.object(r, session)
		s.Object, s.Class = trace.ObjectFrom([]byte(o.ID)), o.Class
		s.ObjectKey = p.object(objectName{objectOf{session, r.object}, x.class(r, session)})
	}
	p.put(&s)
}

func (p *replay) object(name objectName) trace.ObjectKey {
	key, known := p.objects[name]
	if !known {
		key = trace.ObjectKey(len(p.objects) + 1)
		p.objects[name] = key
	}
	return key
}

// frame returns the numbered frame, as a trace has it, with the calls below it.
func (p *replay) frame(number uint32) trace.Frame {
	f := p.call(number)
	if f.Method != nil {
		f.Outer = p.below(p.index.numbers.Frames[number-1].outer)
	}
	return f
}

// call returns the numbered frame without the calls below it.
func (p *replay) call(number uint32) trace.Frame {
	frames := p.index.numbers.Frames
	if number == 0 || int(number) > len(frames) {
		return trace.Frame{}
	}
	for len(p.methods) < len(frames) {
		f := &frames[len(p.methods)]
		p.methods = append(p.methods, &trace.ModelMethod{Class: f.Class, Name: f.Method, File: f.File,
			Number: uint32(len(p.methods) + 1)})
	}
	f := &frames[number-1]
	return trace.Frame{Method: p.methods[number-1], Line: f.Line, Inner: p.library(f.Inner)}
}

// below returns the calls of the numbered stack, as the calls below a place; nil for 0 and unknown numbers.
func (p *replay) below(number uint32) *trace.Outer {
	if number == 0 || int(number) > len(p.index.numbers.Stacks) {
		return nil
	}
	outer := p.outers[number]
	if outer == nil {
		outer = &trace.Outer{Number: number}
		p.outers[number] = outer
		for _, call := range p.index.numbers.Stacks[number-1].Frames {
			outer.Frames = append(outer.Frames, p.call(call))
		}
	}
	return outer
}

// library returns the library's method of the title; nil for "".
func (p *replay) library(title string) *trace.ModelMethod {
	if title == "" {
		return nil
	}
	if p.inner[title] == nil {
		p.inner[title] = &trace.ModelMethod{Name: title, Number: uint32(len(p.inner) + 1)}
	}
	return p.inner[title]
}
