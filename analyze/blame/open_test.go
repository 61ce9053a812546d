package blame_test

import (
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/blame"
)

// TestOpenWaits: where no wait of the program has finished, the answer is which lock its threads still wait for, who
// had it, and that threads of the JVM are not counted with them.
func TestOpenWaits(t *testing.T) {
	const head = `<TRACE><threadStart threadId="1" time="1" threadName="holder" groupName="main"/>` +
		`<threadStart threadId="2" time="1" threadName="worker-1" groupName="main"/>` +
		`<threadStart threadId="3" time="1" threadName="worker-2" groupName="main"/>` +
		`<threadStart threadId="4" time="1" threadName="Finalizer" groupName="system"/>`
	const blocked = `<monContendedEnter threadIdRef="2" time="2" objIdRef="9" threadOwner="1"/>`
	const waits = `<monWait threadIdRef="4" time="2" objIdRef="7"/>`
	for events, want := range map[string]string{
		`<threadEnd threadIdRef="1" time="5"/>`:         "No thread finished a wait.\n",
		waits + `<threadEnd threadIdRef="1" time="5"/>`: "\n1 thread of the JVM still waited when the trace ended.\n",
		blocked + `<threadEnd threadIdRef="3" time="5"/>`: "\n1 thread still waited when the trace ended. worker-1 " +
			"(thread 2) was BLOCKED on object 9 for 3.00 s; holder (thread 1) had the lock when that wait began.\n",
		blocked + waits + `<monContendedEnter threadIdRef="3" time="3" objIdRef="9"/><threadEnd threadIdRef="1" time="5"/>`: "\n2 " +
			"threads of the program and 1 of the JVM still waited when the trace ended. Those of the program were BLOCKED on " +
			"object 9, worker-1 (thread 2) for 3.00 s; holder (thread 1) had the lock when that wait began.\n",
	} {
		var text strings.Builder
		b := of(t, recorded(t, []byte(head+events+"</TRACE>")), blame.Options{})
		if err := b.WriteText(&text, blame.View{By: blame.Threads}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), want) {
			t.Errorf("%s\n%s\nwant %s", events, text.String(), want)
		}
	}
}
