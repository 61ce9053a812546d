package validate

import "github.com/trcx/trcx/trace"

var waitTwice = &Rule{
	ID: "wait-twice", Severity: trace.Error, Layer: Meaning,
	Summary: "monWait of a thread that already waits",
	Explanation: `A thread waits on one object at a time, or sleeps: the monWaited of the first wait must come
before, or a threadInterrupted, with which some agents report the end of an interrupted sleep. After the
finding the thread is considered in the newer wait, and the next monWaited may name either.

Usually the monWaited was lost, or events of two threads have the same id.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<monWait threadIdRef="7" time="1700000000.200000000" objIdRef="50" timeout="0"/>
<monWait threadIdRef="7" time="1700000000.300000000" objIdRef="51" timeout="0"/>
</TRACE>
`,
}

// reportWaitTwice reports the current monWait, of a thread that waits.
var reportWaitTwice = reportMisfit(waitTwice,
	"thread %[1]s waits already; that wait has to end (monWaited) before the next can begin")
