package validate

import (
	"fmt"
	"math"
	"time"

	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/trace"
)

var (
	timedOutEarly   = ruleOf("timed-out-early")
	timedOutUntimed = ruleOf("timed-out-untimed")
)

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

// checkUntimed reports a time-out of a wait without a timeout.
func (c *Checker) checkUntimed() {
	c.report(timedOutUntimed, trace.AttrIsTimedOut, func() string {
		return fmt.Sprintf("the wait of thread %s had the timeout 0, which is for ever, and cannot have timed out",
			c.threadText())
	})
}
