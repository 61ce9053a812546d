package validate

import (
	"math/bits"

	"github.com/trcx/trcx/trace"
)

// call is a method that was entered and not left yet.
type call struct {
	ticket, method id // noID if the element does not say it
}

// fits says whether a methodExit can be that of the call.
func (a call) fits(exit call) bool {
	return (a.ticket == exit.ticket || a.ticket == noID || exit.ticket == noID) &&
		(a.method == exit.method || a.method == noID || exit.method == noID)
}

// calls is a thread's stack of open calls.
type calls struct {
	open []call
	// unordered says that tickets do not ascend from the bottom to the top, as they do in nearly all traces.
	unordered bool
	// beyond counts the calls on top of these that were not kept. While there are any, each methodExit is taken for
	// that of one of them.
	beyond int
}

const (
	mostCalls     = 1 << 16 // of a thread that are kept
	mostCallsEver = 1 << 20 // of all threads
	mostSearched  = 1 << 10 // calls that are searched where tickets do not help
)

// follows says whether the ticket is more than another. Of two numbers of up to eight digits, with the last digit on
// top, the greater one is more.
func (i id) follows(other id) bool {
	return bits.ReverseBytes64(uint64(i)) > bits.ReverseBytes64(uint64(other))
}

// enter notes a call, and says whether it was kept.
func (s *calls) enter(entered call, room bool) bool {
	depth := len(s.open)
	if !room || depth >= mostCalls || s.beyond > 0 {
		s.beyond++
		return false
	}
	switch {
	case depth == 0:
		s.unordered = false
	case !entered.ticket.follows(s.open[depth-1].ticket):
		s.unordered = true
	}
	s.open = append(s.open, entered)
	return true
}

// exit leaves a call and all above it, which an exception may have ended without a word. It says how many calls that
// were, or -1 if there is no such call.
func (s *calls) exit(left call) int {
	if s.beyond > 0 {
		s.beyond--
		return 0
	}
	depth := len(s.open)
	if depth > 0 && s.open[depth-1] == left {
		s.open = s.open[:depth-1]
		return 1
	}
	place := s.find(left)
	if place < 0 {
		return -1
	}
	s.open = s.open[:place]
	return depth - place
}

// find is the place of the topmost call that the exit fits, or -1.
func (s *calls) find(left call) int {
	if !s.unordered && left.ticket != noID {
		return s.findTicket(left)
	}
	for place := len(s.open) - 1; place >= max(0, len(s.open)-mostSearched); place-- {
		if s.open[place].fits(left) {
			return place
		}
	}
	return -1
}

// findTicket is the place of the call of this ticket, where tickets ascend, or -1.
func (s *calls) findTicket(left call) int {
	low, high := 0, len(s.open)
	for low < high {
		if middle := int(uint(low+high) >> 1); left.ticket.follows(s.open[middle].ticket) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low < len(s.open) && s.open[low].fits(left) && s.open[low].ticket == left.ticket {
		return low
	}
	if len(s.open) > 0 && s.open[0].ticket == noID && s.open[0].fits(left) { // only the lowest can be without a ticket
		return 0
	}
	return -1
}

func (c *Checker) methodEntry(e *trace.Event, t *thread) {
	c.enter(t, call{c.ticket(e), c.ids[methodSpace]})
}

func (c *Checker) methodExit(e *trace.Event, t *thread) {
	c.exit(t, call{c.ticket(e), c.ids[methodSpace]})
}

// ticket is that of the element, or noID if it is no number.
func (c *Checker) ticket(e *trace.Event) id {
	if text := e.Value(trace.AttrTicket); isDecimal(text) {
		return idOf(text)
	}
	return noID
}

func (c *Checker) enter(t *thread, entered call) {
	if t != nil && t.calls.enter(entered, c.frames < mostCallsEver) {
		c.frames++
	}
}

func (c *Checker) exit(t *thread, left call) {
	if t == nil {
		return
	}
	if count := t.calls.exit(left); count >= 0 {
		c.frames -= count
	} else {
		c.reportUnbalanced(t)
	}
}
