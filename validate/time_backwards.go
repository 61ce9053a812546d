package validate

import (
	"fmt"
	"time"

	"github.com/trcx/trcx/trace"
)

var timeBackwards = &Rule{
	ID: "time-backwards", Severity: trace.Warning, Layer: Meaning,
	Summary: "a time before the same thread's previous one by more than 2 ms",
	Explanation: `The events of a thread are in the order in which they happened. Real agents let times go
back by up to 1.95 ms; that is not reported. The times of classDef do not count: they say when the class was
loaded.

Usually the clock of the machine was set back, or parts of several recordings were joined. Durations across
the place are wrong.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<monWait threadIdRef="7" time="1700000000.300000000" objIdRef="-1" timeout="5"/>
<monWaited threadIdRef="7" time="1700000000.200000000" objIdRef="-1" timeout="5" isTimedOut="1"/>
</TRACE>
`,
}

// backwards is the number of nanoseconds that times of a thread may go back: what real traces show, and a little more.
const backwards = 2_000_000

// checkClock compares the time of the current event with the time of the thread's previous event.
func (c *Checker) checkClock(t *thread) {
	e := c.event
	if !e.Timed() {
		return
	}
	if back := t.last - e.Time; back > backwards {
		c.report(timeBackwards, trace.AttrTime, func() string {
			return fmt.Sprintf(
				"the time is %v before the previous event of thread %s; agents let times go back by up to %v",
				time.Duration(back), c.threadText(), time.Duration(backwards))
		})
	}
	t.last = e.Time
}
