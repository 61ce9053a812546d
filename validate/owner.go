package validate

import (
	"fmt"

	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

var (
	ownerSelf      = ruleOf("owner-self")
	ownerUndefined = ruleOf("owner-undefined")
)

// checkOwner checks the owner that the current monContendedEnter names.
func (c *Checker) checkOwner(e *trace.Event, t *thread) {
	owner := threadstate.KeyOf(valueAt(e, ownerPosition))
	switch {
	case !owner.Names():
	case t != nil && t.id == owner:
		c.report(ownerSelf, trace.AttrThreadOwner, func() string {
			return fmt.Sprintf(
				"thread %s is said to own the monitor that it is blocked on; threadOwner is another thread, or "+
					"is left out", c.threadText())
		})
	default:
		c.checkOwnerKnown(owner)
	}
}

// checkOwnerKnown reports an owner that the trace has not named as a thread, once.
func (c *Checker) checkOwnerKnown(owner threadstate.Key) {
	if !c.isNewStranger(owner) {
		return
	}
	c.report(ownerUndefined, trace.AttrThreadOwner, func() string {
		return fmt.Sprintf("threadOwner %s is not a thread of the trace", c.text(trace.AttrThreadOwner))
	})
}

// isNewStranger reports whether the id names no known thread and has not been reported yet.
func (c *Checker) isNewStranger(id threadstate.Key) bool {
	return c.threads.live.Get(id) == nil && !c.threads.dead.has(id) && !c.threads.full && c.threads.owners.add(id)
}
