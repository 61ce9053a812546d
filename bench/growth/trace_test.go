package growth

import (
	"fmt"
	"io"
)

// input is an input that grows in one dimension.
type input struct {
	dimension string
	file      string // the name of the file, by whose content trcx detects the format
	units     func(w io.Writer, n int)
	part      int      // the input has so many times fewer units than others, since each of them is larger; 0 for 1
	more      []string // commands that other inputs of its kind do not have
}

// traces are inputs in trcxml.
var traces = []input{
	{"threads that have ended", "trace.trcxml", trace(func(w io.Writer, n int) {
		for i := range n {
			fmt.Fprintf(w, `<threadEnd threadIdRef="%d" time="%d.5"/>`, start(w, i+1, i), i)
		}
	}), 0, nil},
	{"threads alive", "trace.trcxml", trace(func(w io.Writer, n int) { starts(w, n) }), 0, nil},
	{"threads blocked on a monitor each", "trace.trcxml", trace(func(w io.Writer, n int) {
		starts(w, n+1)
		for i := range n {
			enter(w, i+1, 2, monitor(i), n+1)
		}
	}), 0, answers},
	{"threads blocked on one monitor", "trace.trcxml", trace(func(w io.Writer, n int) {
		starts(w, n+1)
		for i := range n {
			enter(w, i+1, i+2, monitor(0), n+1)
		}
		for i := range n {
			entered(w, i+1, n+i+2, monitor(0))
		}
	}), 0, nil},
	{"monitors", "trace.trcxml", trace(func(w io.Writer, n int) {
		starts(w, 2)
		for i := range n {
			enter(w, 1, i, monitor(i), 2)
			entered(w, 1, i, monitor(i))
		}
	}), 0, nil},
	{"hand-offs", "trace.trcxml", trace(func(w io.Writer, n int) {
		starts(w, 2)
		for i := range n {
			enter(w, i%2+1, i, monitor(0), (i+1)%2+1)
			entered(w, i%2+1, i, monitor(0))
		}
	}), 0, nil},
	{"waiters on one monitor", "trace.trcxml", trace(func(w io.Writer, n int) {
		starts(w, n+1)
		for i := range n {
			wait(w, i+1, 1, monitor(0), 0)
		}
		fmt.Fprintf(w, `<callNotify threadId="%d" time="2.0" objIdRef="%d" isNotifyAll="1"/>`, n+1, monitor(0))
		for i := range n {
			waited(w, i+1, 3, monitor(0), 0)
		}
	}), 0, nil},
	{"notifications of waiters", "trace.trcxml", trace(func(w io.Writer, n int) {
		starts(w, n+1)
		for i := range n {
			wait(w, i+1, 1, monitor(0), 0)
		}
		for i := range n {
			notify(w, n+1, i+2)
		}
		for i := range n {
			waited(w, i+1, n+3, monitor(0), 0)
		}
	}), 0, nil},
	{"notifications without a waiter", "trace.trcxml", trace(func(w io.Writer, n int) {
		starts(w, 1)
		for i := range n {
			notify(w, 1, i+2)
		}
	}), 0, nil},
	{"joins of one thread", "trace.trcxml", trace(func(w io.Writer, n int) {
		starts(w, n+1)
		for i := range n {
			wait(w, i+1, 1, n+1+1_000_000, 0)
		}
		fmt.Fprintf(w, `<threadEnd threadIdRef="%d" time="2.0"/>`, n+1)
		for i := range n {
			waited(w, i+1, 3, n+1+1_000_000, 0)
		}
	}), 0, nil},
	{"interrupts", "trace.trcxml", trace(func(w io.Writer, n int) {
		starts(w, 2)
		for i := range n {
			wait(w, 1, i+1, -1, 100_000)
			fmt.Fprintf(w, `<callInterrupt threadId="2" time="%d.1" objIdRef="1000001"/>`, i+1)
			fmt.Fprintf(w, `<monWaited threadIdRef="1" time="%d.2" objIdRef="-1" isTimedOut="0"/>`, i+1)
			fmt.Fprintf(w, `<threadInterrupted threadId="1" time="%d.3"/>`, i+1)
		}
	}), 0, nil},
	{"threads in one deadlock", "trace.trcxml", trace(func(w io.Writer, n int) {
		starts(w, n)
		for i := range n {
			enter(w, i+1, 2, monitor(i), (i+1)%n+1)
		}
	}), 0, answers},
	{"deadlocks of two threads", "trace.trcxml", trace(func(w io.Writer, n int) {
		starts(w, n)
		for i := range n {
			enter(w, i+1, 2, monitor(i), i^1+1)
		}
	}), 0, nil},
	{"lock orders", "trace.trcxml", trace(func(w io.Writer, n int) {
		starts(w, 3)
		for i := range n {
			enter(w, 1, i, monitor(i), 2)
			entered(w, 1, i, monitor(i))
			enter(w, 1, i, monitor(n), 2)
			enter(w, 3, i, monitor(i), 1)
			entered(w, 1, i, monitor(n))
			entered(w, 3, i, monitor(i))
		}
	}), 0, answers},
	{"classes and methods", "trace.trcxml", trace(func(w io.Writer, n int) { definitions(w, n) }), 0, answers},
	{"open calls", "trace.trcxml", trace(func(w io.Writer, n int) {
		starts(w, 1)
		definitions(w, 10)
		for i := range n {
			fmt.Fprintf(w, `<methodEntry threadIdRef="1" methodIdRef="%d" classIdRef="%[1]d" time="%d.0"/>`, i%10+1, i)
		}
	}), 0, nil},
	{"calls that have returned", "trace.trcxml", trace(func(w io.Writer, n int) {
		starts(w, 1)
		definitions(w, 10)
		for i := range n {
			fmt.Fprintf(w, `<methodEntry threadIdRef="1" methodIdRef="%d" classIdRef="%[1]d" time="%d.0"/>`, i%10+1, i)
			fmt.Fprintf(w, `<methodExit threadIdRef="1" methodIdRef="%d" classIdRef="%[1]d" time="%d.5"/>`, i%10+1, i)
		}
	}), 0, nil},
	{"objects", "trace.trcxml", trace(func(w io.Writer, n int) {
		for i := range n {
			fmt.Fprintf(w, `<objAlloc objId="%d" classIdRef="1" size="16" time="%d.0"/>`, i+1, i)
		}
	}), 0, allocations},
	{"objects that are moved", "trace.trcxml", trace(func(w io.Writer, n int) {
		starts(w, 2)
		enter(w, 1, 1, monitor(0), 2)
		for i := range n {
			fmt.Fprintf(w, `<objMove objIdRef="%d" newObjId="%d" time="%d.0"/>`, monitor(i), monitor(i+1), i)
		}
	}), 0, nil},
	{"stack traces", "trace.trcxml", trace(func(w io.Writer, n int) {
		starts(w, 1)
		definitions(w, n)
		for i := range n {
			fmt.Fprintf(w, `<monWait threadIdRef="1" time="%d.1" objIdRef="9" timeout="1">`+
				`<annotation name="stack" value="%d:1"/></monWait>`, i, i+1)
			waited(w, 1, i, 9, 1)
		}
	}), 0, answers},
	{"collections", "trace.trcxml", trace(func(w io.Writer, n int) {
		starts(w, 1)
		for i := range n {
			fmt.Fprintf(w, `<gcStart time="%d.0"/><gcFinish time="%[1]d.5"/>`, i+1)
		}
	}), 0, nil},
	{"unknown elements", "trace.trcxml", trace(func(w io.Writer, n int) {
		for i := range n {
			fmt.Fprintf(w, `<unknown value="%d"/>`, i)
		}
	}), 0, nil},
	{"findings", "trace.trcxml", trace(func(w io.Writer, n int) {
		for i := range n {
			fmt.Fprintf(w, `<monWaited threadIdRef="%d" time="-1" time="x" objIdRef="9"/>`, i)
		}
	}), 0, findings},
}

// trace returns the units as a trace, with the preamble of TPTP.
func trace(units func(w io.Writer, n int)) func(w io.Writer, n int) {
	return func(w io.Writer, n int) {
		io.WriteString(w, `<TRACE><node nodeId="n" hostname="h" ipaddress="192.0.2.1" timezone="0" time="0.0"/>`+
			`<processCreate processId="p" pid="1" nodeIdRef="n" time="0.0"/>`+
			`<agentCreate agentId="a" version="1" processIdRef="p" agentName="x" agentType="y" time="0.0"/>`+
			`<traceStart traceId="t" agentIdRef="a" time="0.0"/>`)
		units(w, n)
		io.WriteString(w, `</TRACE>`)
	}
}

// start writes the start of a thread, and returns its id.
func start(w io.Writer, id, time int) int {
	fmt.Fprintf(w, `<threadStart threadId="%d" time="%d.0" threadName="t%[1]d" groupName="g" parentName="p" `+
		`objIdRef="%d"/>`, id, time, id+1_000_000)
	return id
}

// starts writes the starts of n threads.
func starts(w io.Writer, n int) {
	for i := range n {
		start(w, i+1, 0)
	}
}

// monitor returns the id of the object that is a monitor.
func monitor(i int) int { return i + 5_000_000 }

func enter(w io.Writer, thread, time, object, owner int) {
	fmt.Fprintf(w, `<monContendedEnter threadIdRef="%d" time="%d.1" objIdRef="%d" threadOwner="%d"/>`, thread, time,
		object, owner)
}

func entered(w io.Writer, thread, time, object int) {
	fmt.Fprintf(w, `<monContendedEntered threadIdRef="%d" time="%d.2" objIdRef="%d"/>`, thread, time, object)
}

func wait(w io.Writer, thread, time, object, timeout int) {
	fmt.Fprintf(w, `<monWait threadIdRef="%d" time="%d.1" objIdRef="%d" timeout="%d"/>`, thread, time, object, timeout)
}

func waited(w io.Writer, thread, time, object, timedOut int) {
	fmt.Fprintf(w, `<monWaited threadIdRef="%d" time="%d.2" objIdRef="%d" isTimedOut="%d"/>`, thread, time, object,
		timedOut)
}

func notify(w io.Writer, thread, time int) {
	fmt.Fprintf(w, `<callNotify threadId="%d" time="%d.0" objIdRef="%d" isNotifyAll="0"/>`, thread, time, monitor(0))
}

// definitions writes n classes, each with a method.
func definitions(w io.Writer, n int) {
	for i := range n {
		fmt.Fprintf(w, `<classDef classId="%d" name="p/C%[1]d" time="0.0"/>`+
			`<methodDef methodId="%[1]d" name="m" signature="()V" classIdRef="%[1]d" startLineNumber="1" `+
			`endLineNumber="2"/>`, i+1)
	}
}
