package enrich

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// Calls says what events tell of the calls that their threads were in, where the trace has methodEntry and methodExit
// but no call stacks.
type Calls uint8

// What there is to choose from; each costs more than the one before.
const (
	NoCalls     Calls = iota // nothing
	CallersOnly              // Caller and OtherCaller
	WholeStacks              // also Stack
)

// callStacks are the open calls of all threads of a recording.
type callStacks struct {
	byThread index[*openCalls]
	kept     int        // calls of all threads
	word     uint64     // the id of the thread that came last; 0 if it is none
	last     *openCalls // its calls

	texts map[string]callee // of the open calls: ids of methods that are no words and no numbers
	named []textOpen        // these ids, by their numbers
	free  []callee          // numbers of those that are closed
}

// textOpen is the id of a method that is a text, and how many calls of it are open.
type textOpen struct {
	id   string
	open int
}

// openCalls are the calls that a thread has entered and not left.
type openCalls struct {
	methods []callee // outermost first
	beyond  int      // calls inside these that are not kept: where the thread is, is not known then
}

const (
	mostOpenCalls = 1 << 16 // of a thread that are kept
	mostCallsEver = 1 << 22 // of all threads
	mostFrames    = 1 << 10 // of a thread, the innermost, that are looked at and make a stack
)

// callee is the id of a method in little space: a trace.Word, which as ASCII has the top bit free; or a number with
// that bit; or, with the next bit too, the number of a text.
type callee uint64

const (
	isNumber callee = 1 << 63
	isText   callee = 1<<63 | 1<<62
)

// of are the calls of the thread, or nil if there are none.
func (s *callStacks) of(id trace.ThreadID) *openCalls { return s.byThread.get(id.ID) }

// acting are the calls of the thread that acts in the event, which are made if it is to enter one. Threads come in
// bursts.
func (s *callStacks) acting(event *trace.Event, enters bool) *openCalls {
	word := trace.Word(event.Value(event.Kind.Element().Thread()))
	if word != 0 && word == s.word {
		return s.last
	}
	id := event.Thread()
	calls := s.of(id)
	if calls == nil && enters && id.Known() {
		calls = &openCalls{}
		s.byThread.set(id.ID, calls)
	}
	if calls != nil {
		s.word, s.last = word, calls
	}
	return calls
}

// forget drops the calls of the thread.
func (s *callStacks) forget(id trace.ThreadID) {
	if calls := s.of(id); calls != nil {
		s.close(calls, 0)
		s.byThread.set(id.ID, nil)
		s.word, s.last = 0, nil
	}
}

// open opens a call of the method of the event.
func (s *callStacks) open(calls *openCalls, event *trace.Event) {
	method, ok := s.callee(event)
	if !ok {
		method = s.newText(string(event.Value(trace.AttrMethodIDRef)))
	}
	if method >= isText {
		s.named[method&^isText].open++
	}
	calls.methods = append(calls.methods, method)
	s.kept++
}

// close closes all calls but the outermost ones, so many of them.
func (s *callStacks) close(calls *openCalls, outermost int) {
	closed := calls.methods[outermost:]
	calls.methods = calls.methods[:outermost]
	s.kept -= len(closed)
	if len(s.texts) == 0 {
		return
	}
	for _, method := range closed {
		if method < isText {
			continue
		}
		if text := &s.named[method&^isText]; text.open > 1 {
			text.open--
		} else {
			delete(s.texts, text.id)
			*text = textOpen{}
			s.free = append(s.free, method)
		}
	}
}

// newText makes a callee of the id, of which no call is open.
func (s *callStacks) newText(id string) (method callee) {
	if last := len(s.free) - 1; last >= 0 {
		method, s.free = s.free[last], s.free[:last]
	} else {
		method = isText | callee(len(s.named))
		s.named = append(s.named, textOpen{})
	}
	s.named[method&^isText].id = id
	if s.texts == nil {
		s.texts = map[string]callee{}
	}
	s.texts[id] = method
	return method
}

// callee is the method of the event; ok is false if its id is a text of which no call is open.
func (s *callStacks) callee(event *trace.Event) (method callee, ok bool) {
	text := event.Value(trace.AttrMethodIDRef)
	if word := callee(trace.Word(text)); word-1 < isNumber-1 {
		return word, true
	}
	if number, ok := trace.IDFrom(text).Number(); ok {
		return isNumber | callee(number), true
	}
	method, ok = s.texts[string(text)]
	return method, ok
}

// id is the id of the method.
func (s *callStacks) id(c callee) trace.ID {
	switch {
	case c >= isText:
		return trace.IDFrom([]byte(s.named[c&^isText].id))
	case c >= isNumber:
		var text [20]byte
		return trace.IDFrom(trace.AppendDecimal(text[:0], uint64(c&^isNumber)))
	}
	return trace.IDFromWord(uint64(c))
}

// innermost are the calls that are looked at, outermost first.
func (c *openCalls) innermost() []callee {
	return c.methods[max(0, len(c.methods)-mostFrames):]
}

// methodEntry opens a call.
func (e *Enricher) methodEntry(event *trace.Event) {
	if e.follows == NoCalls {
		return
	}
	stacks := &e.scope.calls
	calls := stacks.acting(event, true)
	switch {
	case calls == nil:
		return
	case calls.beyond > 0 || len(calls.methods) >= mostOpenCalls || stacks.kept >= mostCallsEver:
		calls.beyond++
		return
	}
	stacks.open(calls, event)
}

// methodExit closes the innermost call of the method, and those inside it, which an exception may have ended without a
// word.
func (e *Enricher) methodExit(event *trace.Event) {
	if e.follows == NoCalls {
		return
	}
	stacks := &e.scope.calls
	calls := stacks.acting(event, false)
	switch {
	case calls == nil:
		return
	case calls.beyond > 0:
		calls.beyond--
		return
	}
	method, ok := stacks.callee(event)
	if !ok {
		return
	}
	innermost := calls.innermost()
	for i, open := range slices.Backward(innermost) {
		if open == method {
			stacks.close(calls, len(calls.methods)-len(innermost)+i)
			return
		}
	}
}

// whereabouts is the call of the program in which the thread was last seen.
func (e *Enricher) whereabouts(t *thread) trace.Frame {
	if frame := e.openCaller(t.ref.ID); frame.Method != nil {
		return frame
	}
	return t.at
}

// openCaller is the innermost open call of the thread that the program itself has made, or none.
func (e *Enricher) openCaller(id trace.ThreadID) trace.Frame {
	if e.follows == NoCalls {
		return trace.Frame{}
	}
	calls := e.scope.calls.of(id)
	if calls == nil || calls.beyond > 0 {
		return trace.Frame{}
	}
	for _, method := range slices.Backward(calls.innermost()) {
		m := e.scope.methods.get(e.scope.calls.id(method))
		if m == nil {
			break
		}
		if described, _ := m.describe(&e.methods); !m.waits {
			return trace.Frame{Method: described, Line: trace.NoLine}
		}
	}
	return trace.Frame{}
}

// openStack makes a call stack of the open calls of the thread, or nil.
func (e *Enricher) openStack(id trace.ThreadID) *trace.Stack {
	calls := e.scope.calls.of(id)
	if calls == nil || len(calls.methods) == 0 || calls.beyond > 0 {
		return nil
	}
	e.text = e.text[:0]
	for _, method := range slices.Backward(calls.innermost()) {
		if len(e.text) > 0 {
			e.text = append(e.text, ' ')
		}
		e.text = e.scope.calls.id(method).AppendTo(e.text)
	}
	return e.stackFrom(e.text)
}
