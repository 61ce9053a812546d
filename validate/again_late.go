package validate

import (
	"fmt"

	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

var againLate = &Rule{
	ID: "again-late", Severity: trace.Warning, Layer: Meaning,
	Summary: "a monContendedEnter with again of a thread that is not blocked on that object, or dated before it was",
	Explanation: `A monContendedEnter with the annotations park and again is not an enter. It names the owner, as a sampler
has read it, of the lock on which the thread is already blocked. If the thread is not blocked on the object, the
sampler has read too late: the element is ignored, and nothing else in it is reported.

Usually the thread got the monitor while the sampler read. A few such elements do no harm.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<monContendedEnter threadIdRef="7" time="1700000000.200000000" objIdRef="50"/>
<monContendedEntered threadIdRef="7" time="1700000000.300000000" objIdRef="50"/>
<monContendedEnter threadIdRef="7" time="1700000000.290000000" objIdRef="50"><annotation name="park" value="lock"/><annotation name="again" value="1"/></monContendedEnter>
</TRACE>
`,
}

// isLate reports whether an element for which IsAgain is true comes too late: its thread is not blocked on the object.
func (c *Checker) isLate(e *trace.Event) bool {
	id, object := threadstate.KeyOf(e.Value(trace.AttrThreadIDRef)), threadstate.KeyOf(e.Value(trace.AttrObjIDRef))
	t := c.threads.live.Get(id)
	switch {
	case !id.Names() || !object.Names(): // which is another rule's
		return false
	case t == nil:
		return !c.threads.full
	case t.State == threadstate.MaybeBlocked:
		return false
	}
	return t.State != threadstate.Blocked || !same(object, t.monitor()) || e.Timed() && e.Time < t.begun
}

// reportLate reports the current element, for which isLate is true.
func (c *Checker) reportLate() {
	c.report(againLate, trace.AttrObjIDRef, func() string {
		return fmt.Sprintf("thread %s is not blocked on object %s, or not yet: this owner was read too late", c.threadText(),
			c.text(trace.AttrObjIDRef))
	})
}
