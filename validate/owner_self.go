package validate

import (
	"fmt"

	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

var ownerSelf = &Rule{
	ID: "owner-self", Severity: trace.Error, Layer: Meaning,
	Summary: "threadOwner is the blocked thread itself",
	Explanation: `Java's monitors are reentrant: a thread that owns one enters it again without being blocked.

Usually the agent asked for the owner too late, when the thread had got the monitor. An agent that does not know
the owner leaves the attribute out.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<monContendedEnter threadIdRef="7" time="1700000000.200000000" objIdRef="50" threadOwner="7"/>
</TRACE>
`,
}

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
