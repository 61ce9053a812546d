package validate

import (
	"fmt"

	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

var stackUnbalanced = ruleOf("stack-unbalanced")

// maxFrames limits the open calls of all threads together that are kept.
const maxFrames = 1 << 20

func (c *Checker) methodEntry(e *trace.Event, t *thread) {
	c.enterCall(t, c.ticket(e), c.ids[methodSpace])
}

func (c *Checker) methodExit(e *trace.Event, t *thread) {
	c.exitCall(t, c.ticket(e), c.ids[methodSpace])
}

// agMethodEntry and agMethodExit check pairs that are nested as calls are. Their thread need not run.
func (c *Checker) agMethodEntry(e *trace.Event, _ *thread) {
	c.enterCall(c.aggregated(e), threadstate.None, c.ids[methodSpace])
}

func (c *Checker) agMethodExit(e *trace.Event, _ *thread) {
	c.exitCall(c.aggregated(e), threadstate.None, c.ids[methodSpace])
}

// aggregated returns the thread of the event, or nil if it is not live.
func (c *Checker) aggregated(e *trace.Event) *thread {
	return c.threads.live.Get(threadstate.KeyOf(e.Value(trace.AttrThreadIDRef)))
}

// ticket returns the event's ticket, or None if it is not a number.
func (c *Checker) ticket(e *trace.Event) threadstate.Key {
	if text := e.Value(trace.AttrTicket); isDecimal(text) {
		return threadstate.KeyOf(text)
	}
	return threadstate.None
}

func (c *Checker) enterCall(t *thread, ticket, method threadstate.Key) {
	if t != nil && t.calls.Push(ticket, method, c.frames < maxFrames) {
		c.frames++
	}
}

func (c *Checker) exitCall(t *thread, ticket, method threadstate.Key) {
	if t == nil {
		return
	}
	if ended := t.calls.Pop(ticket, method); ended >= 0 {
		c.frames -= ended
	} else {
		c.reportUnbalanced(t)
	}
}

// reportUnbalanced reports the current methodExit.
func (c *Checker) reportUnbalanced(t *thread) {
	attribute := trace.AttrTicket
	if c.event.Kind == trace.AgMethodExit {
		attribute = trace.AttrMethodIDRef
	}
	c.report(stackUnbalanced, attribute, func() string {
		if t.calls.Len() == 0 {
			return fmt.Sprintf("thread %s has entered no method that it could leave", c.threadText())
		}
		if c.event.Kind == trace.AgMethodExit {
			return fmt.Sprintf("thread %s has no agMethodEntry of method %s that it could end", c.threadText(),
				c.text(trace.AttrMethodIDRef))
		}
		return fmt.Sprintf("thread %s has entered no method %s with ticket %s that it could leave", c.threadText(),
			c.text(trace.AttrMethodIDRef), c.text(trace.AttrTicket))
	})
}
