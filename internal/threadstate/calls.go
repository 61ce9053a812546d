package threadstate

import "iter"

// Calls is a thread's stack of open calls: methods that it has entered and not left. The zero Calls is empty.
type Calls struct {
	open []call // outermost first
	// unordered reports that tickets do not ascend from the outermost call to the innermost, as they do in nearly all
	// traces.
	unordered bool
	// beyond counts the inner calls that were not kept. While it is above 0, a Pop belongs to one of them.
	beyond int
}

// call is a method that was entered, and the number of the call, TPTP's ticket; each is None if unknown.
type call struct{ ticket, method Key }

const (
	// maxCalls limits the calls of a thread that are kept.
	maxCalls = 1 << 16
	// maxSearched limits the calls, from the innermost on, that Pop searches if tickets do not help.
	maxSearched = 1 << 10
)

// matches reports whether an exit can end the call.
func (c call) matches(exit call) bool {
	return (c.ticket == exit.ticket || c.ticket == None || exit.ticket == None) &&
		(c.method == exit.method || c.method == None || exit.method == None)
}

// Len returns how many open calls are kept.
func (s *Calls) Len() int { return len(s.open) }

// Cap returns the number of calls that there is memory for.
func (s *Calls) Cap() int { return cap(s.open) }

// Complete reports whether the innermost open call is among those that are kept.
func (s *Calls) Complete() bool { return s.beyond == 0 }

// Innermost iterates over the methods of at most n open calls, innermost first.
func (s *Calls) Innermost(n int) iter.Seq[Key] {
	return func(yield func(Key) bool) {
		for i := len(s.open) - 1; i >= max(0, len(s.open)-n); i-- {
			if !yield(s.open[i].method) {
				return
			}
		}
	}
}

// Reset empties the stack and keeps its memory.
func (s *Calls) Reset() { *s = Calls{open: s.open[:0]} }

// Push enters a method; an unknown ticket or method is None. It reports whether the call was kept: not if keep is
// false, if the stack is full, or if an outer call was not kept.
func (s *Calls) Push(ticket, method Key, keep bool) bool {
	depth := len(s.open)
	if !keep || depth >= maxCalls || s.beyond > 0 {
		s.beyond++
		return false
	}
	switch {
	case depth == 0:
		s.unordered = false
	case !ticket.After(s.open[depth-1].ticket):
		s.unordered = true
	}
	s.open = append(s.open, call{ticket, method})
	return true
}

// Pop leaves a method: the innermost open call that has the ticket and the method, where None matches any. The calls
// inside it end with it, because an exception ends several calls and posts no event for some. Pop returns how many kept
// calls have ended, or -1 if no open call matches.
func (s *Calls) Pop(ticket, method Key) int {
	if s.beyond > 0 {
		s.beyond--
		return 0
	}
	exit, depth := call{ticket, method}, len(s.open)
	if depth > 0 && s.open[depth-1] == exit {
		s.open = s.open[:depth-1]
		return 1
	}
	i := s.find(exit)
	if i < 0 {
		return -1
	}
	s.open = s.open[:i]
	return depth - i
}

// find returns the index of the innermost call that matches the exit, or -1.
func (s *Calls) find(exit call) int {
	if !s.unordered && exit.ticket != None {
		return s.findTicket(exit)
	}
	for i := len(s.open) - 1; i >= max(0, len(s.open)-maxSearched); i-- {
		if s.open[i].matches(exit) {
			return i
		}
	}
	return -1
}

// findTicket is find for tickets that ascend.
func (s *Calls) findTicket(exit call) int {
	low, high := 0, len(s.open)
	for low < high {
		if middle := int(uint(low+high) >> 1); exit.ticket.After(s.open[middle].ticket) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low < len(s.open) && s.open[low].ticket == exit.ticket && s.open[low].matches(exit) {
		return low
	}
	// Of ascending tickets only the first can be None.
	if len(s.open) > 0 && s.open[0].ticket == None && s.open[0].matches(exit) {
		return 0
	}
	return -1
}
