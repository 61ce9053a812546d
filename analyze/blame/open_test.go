package blame_test

import (
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/emit/answers"
)

// TestOpenWaits: threads that still wait are counted, the JVM's separately.
func TestOpenWaits(t *testing.T) {
	const head = `<TRACE><threadStart threadId="1" time="1" threadName="holder" groupName="main"/>` +
		`<threadStart threadId="2" time="1" threadName="worker-1" groupName="main"/>` +
		`<threadStart threadId="3" time="1" threadName="worker-2" groupName="main"/>` +
		`<threadStart threadId="4" time="1" threadName="Finalizer" groupName="system"/>`
	const blocked = `<monContendedEnter threadIdRef="2" time="2" objIdRef="9" threadOwner="1"/>`
	const waits = `<monWait threadIdRef="4" time="2" objIdRef="7"/>`
	for events, want := range map[string]string{
		waits:   "1 thread of the JVM still waited when the trace ended.\n",
		blocked: "1 thread still waited when the trace ended.\n",
		blocked + waits + `<monContendedEnter threadIdRef="3" time="3" objIdRef="9"/>`: "2 threads of the program and 1 of " +
			"the JVM still waited when the trace ended.\n",
	} {
		var text strings.Builder
		b := of(t, recorded(t, []byte(head+events+"</TRACE>")), blame.Options{})
		if err := answers.WriteText(&text, b.Answer(blame.View{By: blame.Threads}, false), answers.Options{}); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(text.String(), want) {
			t.Errorf("%s\n%s\nwant %s", events, text.String(), want)
		}
		if got, want := b.Nothing(), "No thread finished a wait."; got != want {
			t.Errorf("%s: %q, want %q", events, got, want)
		}
	}
}

// TestJoinsAreNamed: a join names its thread by the thread's object, even if it was recorded before that thread's
// start; an object of no known thread is named itself.
func TestJoinsAreNamed(t *testing.T) {
	const document = `<TRACE><threadStart threadId="1" time="1" threadName="main" groupName="main"/>` +
		`<classDef name="java/lang/Thread" classId="1" time="1"/><objAlloc objId="101" classIdRef="1"/>` +
		`<objAlloc objId="102" classIdRef="1"/><callStart threadId="1" time="2" objIdRef="101"/>` +
		`<callStart threadId="1" time="2" objIdRef="102"/>` +
		`<monWait threadIdRef="1" time="2" objIdRef="101" timeout="0"/>` +
		`<threadStart threadId="2" time="2" threadName="worker" groupName="main" objIdRef="101"/>` +
		`<threadEnd threadIdRef="2" time="4"/><monWaited threadIdRef="1" time="4" objIdRef="101"/>` +
		`<monWait threadIdRef="1" time="5" objIdRef="102" timeout="0"/><monWaited threadIdRef="1" time="6" objIdRef="102"/>` +
		`<callStart threadId="1" time="6" objIdRef="103"/><monWait threadIdRef="1" time="7" objIdRef="103"/></TRACE>`
	r := recorded(t, []byte(document))
	var text strings.Builder
	if err := answers.WriteText(&text, of(t, r, blame.Options{}).Answer(blame.View{By: blame.Monitors}, false),
		answers.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{" the end of worker (thread 2) ", " the end of java.lang.Thread 102 ",
		" the end of the thread of object 103\n"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the joins are\n%s\nwant %s", text.String(), want)
		}
	}
	path := r.Path(r.LastOf(1))
	text.Reset()
	if err := answers.WriteText(&text, path.Answer(nil, critical.Options{}), answers.Options{}); err != nil {
		t.Fatal(err)
	}
	if want := "the end of worker (thread 2)"; !strings.Contains(text.String(), want) {
		t.Errorf("the path is\n%s\nwant %s", text.String(), want)
	}
}
