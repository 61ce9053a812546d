package validate

import "github.com/trcx/trcx/trace"

var enterTwice = &Rule{
	ID: "enter-twice", Severity: trace.Error, Layer: Meaning,
	Summary: "monContendedEnter of a thread that is already blocked (but for the same object with the annotation again)",
	Explanation: `A thread is blocked on one monitor at a time: a monContendedEntered of the first must come
before. After the finding the thread is considered blocked on the newer one, and the next monContendedEntered
may name either.

A thread that is blocked on a lock of java.util.concurrent is sometimes overtaken by others. With the
annotations park and again, of the value 1, a monContendedEnter of the same object only names the owner anew.

Usually the monContendedEntered was lost, or events of two threads have the same id.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<monContendedEnter threadIdRef="7" time="1700000000.200000000" objIdRef="50"/>
<monContendedEnter threadIdRef="7" time="1700000000.300000000" objIdRef="51"/>
</TRACE>
`,
}

// reportEnterTwice reports the current monContendedEnter, of a thread that is blocked.
var reportEnterTwice = reportMisfit(enterTwice,
	"thread %[1]s is blocked already; it has to get that monitor (monContendedEntered) before it can try another")
