package validate

import (
	"fmt"

	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

var ownerUndefined = &Rule{
	ID: "owner-undefined", Severity: trace.Warning, Layer: Meaning,
	Summary: "threadOwner names no known thread; reported once for an id",
	Explanation: `A thread is known if it has had a threadStart, also if it has ended since, or if the trace
has an event by it. An agent that does not know the owner leaves the attribute out, or writes 0 or -1.

Usually the owner was started before recording began, and the trace has no event by it since. 'threadOwner' is
the id of a thread, not of a java.lang.Thread object.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<monContendedEnter threadIdRef="7" time="1700000000.200000000" objIdRef="50" threadOwner="99"/>
</TRACE>
`,
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
