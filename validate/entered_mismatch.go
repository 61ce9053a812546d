package validate

import "github.com/trcx/trcx/trace"

var enteredMismatch = &Rule{
	ID: "entered-mismatch", Severity: trace.Error, Layer: Meaning,
	Summary: "monContendedEntered names another object than the open monContendedEnter",
	Explanation: `A thread can only enter the monitor that it is blocked on. An object that the JVM has moved
since (objMove) is known by its new id. After the finding the state of the thread is unknown until its next
monitor event.

Usually a monContendedEntered and the next monContendedEnter were lost, or an objMove was.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<monContendedEnter threadIdRef="7" time="1700000000.200000000" objIdRef="50"/>
<monContendedEntered threadIdRef="7" time="1700000000.300000000" objIdRef="51"/>
</TRACE>
`,
}

// reportEnteredMismatch reports the current monContendedEntered, of a thread that is blocked on another object.
var reportEnteredMismatch = reportMisfit(enteredMismatch,
	"thread %[1]s is blocked on another object than %[2]s, and can get no other")
