package enrich

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// Calls says what events tell of the calls that their threads were in, where the trace has methodEntry and methodExit but no call stacks.
type Calls uint8

// What there is to choose from; each costs more than the one before.
const (
	NoCalls     Calls = iota // nothing
	CallersOnly              // Caller and OtherCaller
	WholeStacks              // also Stack
)

// FollowCalls says what is told of open calls, from here on. Without it nothing is.
func (e *Enricher) FollowCalls(calls Calls) { e.follows = calls }

// callStacks are the open calls of all threads of a recording.
type callStacks struct {
	byThread index[*openCalls]
	kept     int        // calls of all threads
	word     uint64     // the id of the thread that came last; 0 if it is none
	last     *openCalls // its calls

	numbers map[string]callee // of the ids of methods that are no words and no numbers
	texts   []string          // these ids, by their numbers
}

// openCalls are the calls that a thread has entered and not left.
type openCalls struct {
	methods []callee // outermost first
	beyond  int      // calls inside these that are not kept
}

const (
	mostOpenCalls = 1 << 16 // of a thread that are kept
	mostCallsEver = 1 << 22 // of all threads
	mostFrames    = 1 << 10 // of a thread, the innermost, that are looked at and make a stack
	mostTexts     = 1 << 16 // ids of methods that are no words and no numbers
)

// callee is the id of a method in little space: a trace.Word, which as ASCII has the top bit free; or a number with that bit; or, with the next bit too,
// the number of a text. The zero callee is one that is not kept.
type callee uint64

const (
	isNumber callee = 1 << 63
	isText   callee = 1<<63 | 1<<62
)

// of are the calls of the thread, or nil if there are none.
func (s *callStacks) of(id trace.ThreadID) *openCalls { return s.byThread.get(id.ID) }

// acting are the calls of the thread that acts in the event, which are made if it is to enter one. Threads come in bursts.
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
		s.kept -= len(calls.methods)
		s.byThread.set(id.ID, nil)
		s.word, s.last = 0, nil
	}
}

// callee is the method of the event.
func (s *callStacks) callee(event *trace.Event) callee {
	text := event.Value(trace.AttrMethodIDRef)
	if word := callee(trace.Word(text)); word-1 < isNumber-1 {
		return word
	}
	if number, ok := trace.IDFrom(text).Number(); ok {
		return isNumber | callee(number)
	}
	known, ok := s.numbers[string(text)]
	if !ok && len(s.texts) < mostTexts {
		if s.numbers == nil {
			s.numbers = map[string]callee{}
		}
		known = isText | callee(len(s.texts))
		s.texts = append(s.texts, string(text))
		s.numbers[string(text)] = known
	}
	return known
}

// id is the id of the method.
func (s *callStacks) id(c callee) trace.ID {
	switch {
	case c >= isText:
		return trace.IDFrom([]byte(s.texts[c&^isText]))
	case c >= isNumber:
		return trace.IDFrom(trace.AppendDecimal(nil, uint64(c&^isNumber)))
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
	calls.methods = append(calls.methods, stacks.callee(event))
	stacks.kept++
}

// methodExit closes the innermost call of the method, and those inside it, which an exception may have ended without a word.
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
	method, innermost := stacks.callee(event), calls.innermost()
	for i, open := range slices.Backward(innermost) {
		if open == method {
			stacks.kept -= len(innermost) - i
			calls.methods = calls.methods[:len(calls.methods)-len(innermost)+i]
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
	if calls == nil {
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
	if calls == nil || len(calls.methods) == 0 {
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
