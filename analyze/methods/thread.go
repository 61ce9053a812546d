package methods

import (
	"strconv"

	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// State is what a thread did during a part of a method's base time.
type State uint8

// The states of a thread. Waiting includes joins, and waits for input and output.
const (
	Running State = iota
	Blocked
	Waiting
	Sleeping
	Parked
	states
)

// stateNames are the names of the states in JSON and CSV.
var stateNames = [states]string{"running", "blocked", "waiting", "sleeping", "parked"}

// String names the state.
func (s State) String() string { return stateNames[s] }

// thread is a thread of a recording, with its open calls.
type thread struct {
	id, name, group string
	root            int32            // its node
	sampled         [samplings]int32 // its nodes in the trees of samples
	number          int32            // among those that have calls or samples; -1 if it has none
	state           State
	clock           trace.Time
	timed           bool // the clock has a time
	frames          []frame
	aggregates      []aggregate // open ones
	// tickets and methods count the open calls by these; nil before a search in a deep stack has failed.
	tickets, methods map[threadstate.Key]int
}

// frame is an open call.
type frame struct {
	level          int32 // how many shown calls are around it
	node           int32 // the call's node; of a hidden call, the node of the nearest shown call around it
	excluded       bool
	depth          int64 // stackDepth; if unknown, the depth of the call around it
	ticket, method threadstate.Key
	begin          trace.Time
	base           int64 // inside the window, in nanoseconds
	order          uint64
}

// deep is the number of open calls from which on failed searches are remembered.
const deep = 1 << 8

// thread returns the thread of the id, nil without one.
func (c *Collector) thread(e *trace.Event) *thread {
	value := e.Value(trace.AttrThreadIDRef)
	k := threadstate.KeyOf(value)
	if t := c.open.threads.Get(k); t != nil {
		return t
	}
	if k == threadstate.None {
		return nil
	}
	return c.newThread(k, e.Thread().String())
}

func (c *Collector) newThread(k threadstate.Key, id string) *thread {
	t := c.open.threads.Add(k)
	*t = *newThread(id)
	return t
}

func newThread(id string) *thread {
	return &thread{id: id, number: -1, root: noNode, sampled: [samplings]int32{noNode, noNode}}
}

// startThread names a thread.
func (c *Collector) startThread(e *trace.Event) {
	k := threadstate.KeyOf(e.Value(trace.AttrThreadID))
	if k == threadstate.None {
		return
	}
	t := c.open.threads.Get(k)
	if t == nil {
		t = c.newThread(k, e.Thread().String())
	}
	if name := e.Text(trace.AttrThreadName); name != "" {
		t.name = name
	}
	if group := e.Text(trace.AttrGroupName); group != "" {
		t.group = group
	}
	c.tick(t, e)
}

// endThread closes the calls of a thread. The thread is kept, unless Options.Forget is set: its id may come again.
func (c *Collector) endThread(e *trace.Event) error {
	t := c.thread(e)
	if t == nil {
		return nil
	}
	c.tick(t, e)
	t.state = Running
	if c.options.Forget && !c.current.sampler.wanted && t.number < 0 && len(t.frames) == 0 && len(t.aggregates) == 0 {
		c.open.threads.Remove(threadstate.KeyOf(e.Value(trace.AttrThreadIDRef)), true)
		return nil
	}
	return c.closeDown(t, 0, isLost)
}

// wait notes that a thread begins or ends a wait or a block.
func (c *Collector) wait(e *trace.Event) {
	c.current.HasWaits = true
	if c.options.Forget && c.current.entries == 0 {
		return // no call is open that the time could belong to
	}
	t := c.thread(e)
	if t == nil || e.IsAgain() {
		return
	}
	if e.Timed() {
		c.advance(t, e.Time, false)
	}
	switch {
	case e.Kind == trace.MonContendedEntered || e.Kind == trace.MonWaited:
		t.state = Running
		return
	case e.Park():
		t.state = Parked
	case e.Kind == trace.MonContendedEnter:
		t.state = Blocked
	case e.Object(trace.AttrObjIDRef).IsSleep():
		t.state = Sleeping
	default:
		t.state = Waiting
	}
}

// tick moves the clock of a thread to the time of its event, unless that goes back.
func (c *Collector) tick(t *thread, e *trace.Event) {
	if e.Timed() {
		c.open.last = max(c.open.last, e.Time)
		c.advance(t, e.Time, false)
	}
}

// advance moves the clock of a thread. The time belongs to the innermost call.
func (c *Collector) advance(t *thread, to trace.Time, end bool) {
	if !t.timed {
		t.timed, t.clock = true, to
		for i := range t.frames { // entered without a time
			t.frames[i].begin = to
		}
		return
	}
	if to <= t.clock {
		if to < t.clock && !end {
			c.current.Findings.Backwards++
		}
		return
	}
	if len(t.frames) > 0 {
		f := &t.frames[len(t.frames)-1]
		length := int64(c.inside(to) - c.inside(t.clock))
		f.base += length
		if f.node != noNode {
			c.current.tree.spend(f.node, t.state, length)
			if s := c.current.spans; s != nil && length > 0 {
				s.lists[hotInCalls].Put(span{c.inside(t.clock), length, t.number, c.current.tree.at(f.node).method, 0})
			}
		}
	}
	t.clock = to
}

// inside returns the time, or the nearest bound of the window if it is outside.
func (c *Collector) inside(at trace.Time) trace.Time { return max(min(at, c.until), c.since) }

// entry opens a call.
func (c *Collector) entry(e *trace.Event) error {
	t := c.thread(e)
	if t == nil {
		c.current.Findings.Threadless++
		return nil
	}
	c.tick(t, e)
	depth, deeper := digits.Number(e.Value(trace.AttrStackDepth))
	if deeper {
		for n := len(t.frames); n > 0 && t.frames[n-1].depth >= depth; n = len(t.frames) {
			if err := c.closeDown(t, n-1, isLost); err != nil {
				return err
			}
		}
	}
	s := c.current
	if e.Timed() {
		s.measure(e.Time)
	}
	k := threadstate.KeyOf(e.Value(trace.AttrMethodIDRef))
	m := c.methodOf(e, k)
	m.entered++
	f := frame{node: noNode, excluded: m.excluded, depth: depth, ticket: threadstate.KeyOf(e.Value(trace.AttrTicket)),
		method: k, begin: t.clock, order: uint64(s.entries)}
	s.entries++
	if n := len(t.frames); n > 0 {
		f.node, f.level = t.frames[n-1].node, t.frames[n-1].level
		if !t.frames[n-1].excluded {
			f.level++
		}
		if !deeper {
			f.depth = t.frames[n-1].depth
		}
	} else if !deeper {
		f.depth = -1
	}
	if !m.excluded {
		if f.node == noNode {
			f.node = s.rootOf(t)
		}
		f.node = s.tree.child(f.node, m.index)
	}
	t.push(f)
	t.state = Running
	return nil
}

// rootOf returns the node of a thread, whose children are its outermost calls.
func (s *Session) rootOf(t *thread) int32 {
	if t.root == noNode {
		t.root = s.tree.add(noNode, noMethod)
		s.list(t)
	}
	return t.root
}

// list makes the thread one of those that have calls or samples.
func (s *Session) list(t *thread) {
	if t.number < 0 {
		t.number = int32(len(s.threads))
		s.threads = append(s.threads, t)
	}
}

// measure computes the resolution of times.
func (s *Session) measure(at trace.Time) {
	if s.Resolution == 1 {
		return
	}
	a, b := s.Resolution, int64(at)
	for b != 0 {
		a, b = b, a%b
	}
	s.Resolution = a
}

// exit closes a call.
func (c *Collector) exit(e *trace.Event) error {
	t := c.thread(e)
	if t == nil {
		c.current.Findings.Threadless++
		return nil
	}
	c.tick(t, e)
	if text, skipped := e.Extra.Annotation(trace.NoteSkipped); skipped {
		calls, _ := strconv.ParseUint(text, 10, 32)
		c.current.Findings.Skipped += int(calls)
	}
	method := threadstate.KeyOf(e.Value(trace.AttrMethodIDRef))
	i := t.find(threadstate.KeyOf(e.Value(trace.AttrTicket)), method)
	if i < 0 {
		c.current.Findings.Stray++
		return nil
	}
	if err := c.closeDown(t, i+1, isLost); err != nil {
		return err
	}
	if t.frames[i].method != method {
		c.current.Findings.Mismatched++
	}
	t.state = Running
	return c.close(t, hasExit, seconds(e, trace.AttrOverhead))
}

// find returns the index of the open call with the ticket, or without a ticket of the innermost one of the method; -1
// if there is none. The calls above one that is found are closed, so only searches in vain can take long in sum.
func (t *thread) find(ticket, method threadstate.Key) int {
	if t.tickets != nil && (ticket != threadstate.None && t.tickets[ticket] == 0 ||
		ticket == threadstate.None && t.methods[method] == 0) {
		return -1
	}
	for i := len(t.frames) - 1; i >= 0; i-- {
		if f := &t.frames[i]; ticket != threadstate.None && f.ticket == ticket ||
			ticket == threadstate.None && f.method == method {
			return i
		}
	}
	if len(t.frames) > deep && t.tickets == nil {
		t.tickets, t.methods = map[threadstate.Key]int{}, map[threadstate.Key]int{}
		for i := range t.frames {
			t.tickets[t.frames[i].ticket]++
			t.methods[t.frames[i].method]++
		}
	}
	return -1
}

func (t *thread) push(f frame) {
	t.frames = append(t.frames, f)
	if t.tickets != nil {
		t.tickets[f.ticket]++
		t.methods[f.method]++
	}
}

// ending is how a call ends.
type ending uint8

const (
	hasExit ending = iota // by an exit of its own
	isLost
	isOpen
)

// String is the ending in CSV and text.
func (e ending) String() string {
	return [...]string{hasExit: "exit", isLost: "lost", isOpen: "open"}[e]
}

// closeDown closes the open calls from the innermost one to the one at the index.
func (c *Collector) closeDown(t *thread, to int, how ending) error {
	for len(t.frames) > to {
		if err := c.close(t, how, 0); err != nil {
			return err
		}
	}
	return nil
}

// close closes the innermost call at the time of the thread's clock. It counts in each window that it reaches into, or,
// if it has no length, that has its begin; its ending in the window that has its last nanosecond.
func (c *Collector) close(t *thread, how ending, overhead int64) error {
	last := len(t.frames) - 1
	f := t.frames[last]
	t.frames = t.frames[:last]
	if t.tickets != nil {
		if t.tickets[f.ticket]--; t.tickets[f.ticket] == 0 {
			delete(t.tickets, f.ticket)
		}
		if t.methods[f.method]--; t.methods[f.method] == 0 {
			delete(t.methods, f.method)
		}
		if last == 0 {
			t.tickets, t.methods = nil, nil
		}
	}
	if f.excluded && last > 0 {
		t.frames[last-1].base += f.base
	}
	begin, end := f.begin, t.clock
	if f.excluded || begin >= c.until || end < c.since || end == c.since && begin < end {
		return nil
	}
	s := c.current
	n := s.tree.at(f.node)
	cumulative := int64(c.inside(end) - c.inside(begin))
	n.calls++
	add(&n.cumulative, cumulative)
	compensated := f.base
	ends := end <= c.until || how == isOpen // begin < c.until
	switch {
	case !ends:
	case how == hasExit:
		add(&n.overhead, overhead)
		n.minimum, n.maximum = min(n.minimum, cumulative), max(n.maximum, cumulative)
		compensated = max(f.base-overhead, 0)
		if overhead > 0 {
			add(&s.overhead.sum, overhead)
			s.overhead.calls++
		}
	case how == isLost:
		n.lost++
		s.Findings.Lost++
	default:
		n.open++
		s.Findings.Open++
	}
	add(&n.compensated, compensated)
	if s.flow == nil && s.longest.Limit == 0 {
		return nil
	}
	if !ends {
		how = hasExit
	}
	e := ended{f.order, t.number, f.level, f.node, int64(c.inside(begin)), f.base, cumulative, how}
	if s.longest.Limit > 0 {
		s.longest.Add(e)
	}
	if s.flow == nil {
		return nil
	}
	return s.flow.add(&e)
}
