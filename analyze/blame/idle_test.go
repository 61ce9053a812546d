package blame_test

import (
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/emit/answers"
)

// idlePool has a pool of two threads. Each waits for a task that main submits, and one of them then waits for a lock
// that main holds. At the end one waits for a task again, and the acceptor waits for a connection.
const idlePool = `<TRACE><threadStart threadId="1" time="1" threadName="main" groupName="main"/>` +
	`<threadStart threadId="2" time="1" threadName="pool-1-thread-1" groupName="main"/>` +
	`<threadStart threadId="3" time="1" threadName="pool-1-thread-2" groupName="main"/>` +
	`<threadStart threadId="4" time="1" threadName="acceptor" groupName="main"/>` +
	`<classDef name="java/util/concurrent/ThreadPoolExecutor" classId="1" time="1"/>` +
	`<methodDef name="getTask" methodId="1" classIdRef="1"/>` +
	`<monWait threadIdRef="2" time="2" objIdRef="9" timeout="0"><annotation name="stack" value="1"/></monWait>` +
	`<monWait threadIdRef="3" time="2" objIdRef="9" timeout="0"><annotation name="stack" value="1"/></monWait>` +
	`<monWait threadIdRef="4" time="2" objIdRef="8" timeout="0"><annotation name="io" value="accept"/></monWait>` +
	`<callNotify threadId="1" time="4" objIdRef="9" isNotifyAll="1"/>` +
	`<monWaited threadIdRef="2" time="4" objIdRef="9" timeout="2000" isTimedOut="0"/>` +
	`<monWaited threadIdRef="3" time="4" objIdRef="9" timeout="2000" isTimedOut="0"/>` +
	`<monContendedEnter threadIdRef="2" time="4" objIdRef="7" threadOwner="1"/>` +
	`<monContendedEntered threadIdRef="2" time="5" objIdRef="7"/>` +
	`<monWait threadIdRef="3" time="5" objIdRef="9" timeout="0"><annotation name="stack" value="1"/></monWait>` +
	`<threadEnd threadIdRef="1" time="6"/></TRACE>`

// TestIdleWaitsAreLeftOut: nobody is to blame if threads wait for their next task or for connections.
func TestIdleWaitsAreLeftOut(t *testing.T) {
	r := recorded(t, []byte(idlePool))
	b := of(t, r, blame.Options{WithoutIdle: true})
	var text strings.Builder
	if err := answers.WriteText(&text, b.Answer(blame.View{By: blame.Threads}, false), answers.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Threads waited 1.00 s in 1 finished wait.\n",
		"Idle: pool-*-thread-* waited 4.00 s in 2 waits for work, which is not counted above.\n",
		"2 idle threads still waited when the trace ended.\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text is\n%s\nwant %s", text.String(), want)
		}
	}
	if len(b.Open()) != 0 || strings.Contains(text.String(), "Still waiting") {
		t.Errorf("idle threads are listed as waiting:\n%s", text.String())
	}
	if worst, _ := b.WorstThread(); worst.Name != "pool-1-thread-1" {
		t.Errorf("%s waited longest, want pool-1-thread-1", worst.Name)
	}
	all := of(t, r, blame.Options{})
	if all.Count != 3 || all.Total != 5e9 || len(all.Open()) != 2 || all.Idle() != "" {
		t.Errorf("with idle waits there are %d of %d ns, %d open ones, and %q", all.Count, all.Total, len(all.Open()), all.Idle())
	}
}

// TestIdleWaitsOnly: the sentence does not say that nobody waited.
func TestIdleWaitsOnly(t *testing.T) {
	contended := idlePool[strings.Index(idlePool, "<monContendedEnter "):strings.Index(idlePool, `<monWait threadIdRef="3" time="5"`)]
	document := strings.Replace(idlePool, contended, "", 1)
	b := of(t, recorded(t, []byte(document)), blame.Options{WithoutIdle: true})
	if got, want := b.Nothing(), "Threads finished only waits that count as idle."; got != want {
		t.Errorf("the sentence is %q, want %q", got, want)
	}
}

// TestWaitsOfTheJVM: the waits of a thread of the JVM are neither counted nor named. Its blocks are, and so are the
// waits of a hook that a signal's handler has started.
func TestWaitsOfTheJVM(t *testing.T) {
	const document = `<TRACE><threadStart threadId="1" time="1" threadName="main" groupName="main"/>` +
		`<threadStart threadId="4" time="1" threadName="Service Thread" groupName="system"/>` +
		`<threadStart threadId="5" time="1" threadName="SIGTERM handler" groupName="system"/>` +
		`<callStart threadId="5" time="1" objIdRef="106"/>` +
		`<threadStart threadId="6" time="1" threadName="hook" groupName="main" objIdRef="106"/>` +
		`<monWait threadIdRef="4" time="2" objIdRef="40"/><monWait threadIdRef="6" time="2" objIdRef="60"/>` +
		`<monWaited threadIdRef="6" time="3" objIdRef="60"/><monWaited threadIdRef="4" time="6" objIdRef="40"/>` +
		`<monContendedEnter threadIdRef="4" time="6" objIdRef="50" threadOwner="1"/>` +
		`<monContendedEntered threadIdRef="4" time="8" objIdRef="50"/><threadEnd threadIdRef="1" time="9"/></TRACE>`
	b := of(t, recorded(t, []byte(document)), blame.Options{WithoutIdle: true})
	if b.Count != 2 || b.Total != 3e9 || b.Idle() != "" {
		t.Errorf("%d waits of %d ns are counted, and %q, want 2 of 3 s, and no word of the JVM's thread", b.Count, b.Total,
			b.Idle())
	}
	alone := strings.Replace(document, document[strings.Index(document, `<monWaited threadIdRef="6"`):strings.Index(document,
		`<monWaited threadIdRef="4"`)], "", 1)
	alone = alone[:strings.Index(alone, "<monContendedEnter")] + "</TRACE>"
	b = of(t, recorded(t, []byte(alone)), blame.Options{WithoutIdle: true})
	if got, want := b.Nothing(), "No thread of the program finished a wait."; got != want {
		t.Errorf("the sentence is %q, want %q", got, want)
	}
}
