package validate

import (
	"fmt"
	"math"
	"time"

	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/trace"
)

var timedOutEarly = &Rule{
	ID: "timed-out-early", Severity: trace.Error, Layer: Meaning,
	Summary: "isTimedOut=\"1\" on a wait whose time was not over",
	Explanation: `A wait times out when its timeout has passed, not before. The exact timeout of a park is its
annotation timeoutNanos. Up to 3 ms are tolerated: timeouts are rounded up, and times of records can go back.

The opposite is no error: a thread that was notified or unparked in time may return much later, when it
runs again or has its monitor back.

Usually the agent takes an interrupt or a spurious return for a timeout.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<monWait threadIdRef="7" time="1700000000.200000000" objIdRef="50" timeout="1000"/>
<monWaited threadIdRef="7" time="1700000000.300000000" objIdRef="50" timeout="100" isTimedOut="1"/>
</TRACE>
`,
}

// early is how much earlier than its timeout a wait may end as timed out.
const early = 3 * time.Millisecond

// dueTime returns the earliest time at which the wait that begins with the event times out; 0 if unknown.
func dueTime(e *trace.Event) trace.Time {
	timeout := min(e.Timeout(), math.MaxInt64/int64(time.Millisecond)) * int64(time.Millisecond)
	if e.Extra != nil {
		for _, value := range e.Extra.Annotations(trace.NoteTimeoutNanos) {
			timeout, _ = digits.Number([]byte(value))
		}
	}
	if !e.Timed() || timeout <= int64(early) || int64(e.Time) > math.MaxInt64-timeout {
		return 0
	}
	return e.Time + trace.Time(timeout-int64(early))
}

// checkEarly reports the end of a wait that has timed out before its due time. Times that go back are another rule's.
func (c *Checker) checkEarly(e *trace.Event, t *thread) {
	if t.due == 0 || !e.Timed() || e.Time >= t.due || e.Time < t.begun {
		return
	}
	before := time.Duration(t.due-e.Time) + early
	c.report(timedOutEarly, trace.AttrIsTimedOut, func() string {
		return fmt.Sprintf("the wait of thread %s ends as timed out %v before its time was over", c.threadText(), before)
	})
}
