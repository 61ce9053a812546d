package validate

import "github.com/trcx/trcx/trace"

var waitedMismatch = &Rule{
	ID: "waited-mismatch", Severity: trace.Error, Layer: Meaning,
	Summary: "monWaited names another object than the open monWait",
	Explanation: `Only the wait that has begun can end. A sleep, whose object is -1, ends with -1; an object
that the JVM has moved since (objMove) is known by its new id. After the finding the state of the thread is
unknown until its next monitor event.

Usually a monWaited and the next monWait were lost, or an objMove was.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<monWait threadIdRef="7" time="1700000000.200000000" objIdRef="50" timeout="0"/>
<monWaited threadIdRef="7" time="1700000000.300000000" objIdRef="51" isTimedOut="0"/>
</TRACE>
`,
}

// reportWaitedMismatch reports the current monWaited, of a thread that waits on another object.
var reportWaitedMismatch = reportMisfit(waitedMismatch,
	"thread %[1]s waits on another object than %[2]s, and can come back from no other")
