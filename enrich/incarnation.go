package enrich

import "github.com/trcx/trcx/trace"

// incarnation is one thread that an id has named. It is kept when the thread is dead: another thread may join it then,
// name it as an owner, or use its id again. There may be a million of them, so each has 40 bytes.
type incarnation struct {
	id      trace.ThreadID
	key     trace.ThreadKey
	lastAt  uint32          // the call in which it was last seen, by its number among the frames; see Enricher.at
	segment trace.SegmentID // the current one
	live    *thread         // nil if it is dead, unless it has acted since
}

// ref names the incarnation in records.
func (i *incarnation) ref() trace.ThreadRef { return trace.ThreadRef{Key: i.key, ID: i.id} }

func (i *incarnation) isDead() bool { return i.live == nil || i.live.dead }

// waitsOn reports whether the thread waits on the object: Object.wait has released the monitor then.
func (i *incarnation) waitsOn(o *object) bool {
	return i.live != nil && i.live.wait.open && i.live.wait.object == o
}

// running returns the thread's Running event of the id; nil unless it is the first one or opened the current state.
func (i *incarnation) running(id trace.EventID) *running {
	switch t := i.live; {
	case t == nil:
	case t.first.id == id:
		return &t.first
	case t.later.id == id:
		return &t.later
	}
	return nil
}

// incarnation returns the newest incarnation of the id; nil if the id is unknown.
func (s *scope) incarnation(id trace.ThreadID) *incarnation { return s.ofKey(s.threads.get(id.ID)) }

// threadOf returns the thread whose java.lang.Thread object is o; nil if o is no known thread's object.
func (s *scope) threadOf(o *object) *incarnation { return s.ofKey(s.threadsOf.get(o.id.ID)) }

// ofKey returns the incarnation of the key; nil if that is 0.
func (s *scope) ofKey(key trace.ThreadKey) *incarnation {
	if key == 0 {
		return nil
	}
	return s.incarnations.At(key)
}

// at returns the program's call in which a call stack last showed the thread.
func (e *Enricher) at(i *incarnation) trace.Frame {
	if i.live == nil {
		return e.scope.frames.Value(i.lastAt)
	}
	if seen := i.live.seen(); seen != nil {
		return seen.Caller()
	}
	return trace.Frame{}
}

// stackAt returns a stack whose Caller is the frame; nil for none.
func stackAt(at trace.Frame) *trace.Stack {
	switch {
	case at.Method == nil:
		return nil
	case at.Inner == nil:
		return &trace.Stack{Frames: []trace.Frame{at}, Outer: at.Outer}
	}
	return &trace.Stack{Frames: []trace.Frame{{Method: at.Inner, Line: trace.NoLine}, at}, Site: 1, Outer: at.Outer}
}
