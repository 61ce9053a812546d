package blame_test

import (
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/emit/answers"
)

// textOf returns the text of the view for a document.
func textOf(t *testing.T, document string, view blame.View) string {
	t.Helper()
	var text strings.Builder
	if err := answers.WriteText(&text, of(t, recorded(t, []byte(document)), blame.Options{}).Answer(view, false),
		answers.Options{}); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// unexplainedWaits is a trace in which client waits for input for 8 s, and main for worker for 1 s.
const unexplainedWaits = `<TRACE><threadStart threadId="1" time="1" threadName="main" groupName="main"/>` +
	`<threadStart threadId="2" time="1" threadName="worker" groupName="main"/>` +
	`<threadStart threadId="3" time="1" threadName="client" groupName="main"/>` +
	`<monWait threadIdRef="3" time="1" objIdRef="8"><annotation name="io" value="read"/></monWait>` +
	`<monWait threadIdRef="1" time="2" objIdRef="9" timeout="0"/><callNotify threadId="2" time="3" objIdRef="9"/>` +
	`<monWaited threadIdRef="1" time="3" objIdRef="9"/>` +
	`<monWaited threadIdRef="3" time="9" objIdRef="8"><annotation name="io" value="read"/></monWaited></TRACE>`

// TestUnexplainedWaitsAreApart: a thread whose wait for input the trace does not explain has kept nobody waiting, so
// the table of culprits lacks it.
func TestUnexplainedWaitsAreApart(t *testing.T) {
	const known = "\nWho kept threads waiting\n" +
		"  share    time  waits  thread             state\n" +
		"   11 %  1.00 s      1  worker (thread 2)  RUNNABLE\n"
	const unexplained = "\nIn waits that kept only their own thread\n" +
		"  share    time  waits  thread             state\n" +
		"   89 %  8.00 s      1  client (thread 3)  IN I/O\n"
	text := textOf(t, unexplainedWaits, blame.View{By: blame.Threads})
	if !strings.Contains(text, known+unexplained) {
		t.Errorf("the blame is\n%s\nwant%s%s", text, known, unexplained)
	}
	brief := textOf(t, unexplainedWaits, blame.View{By: blame.Pools, Brief: true})
	if !strings.Contains(brief, "worker  RUNNABLE") || strings.Contains(brief, "client  ") {
		t.Errorf("the brief blame by pool is\n%s\nwant only the row of worker", brief)
	}
}

// TestHoldersThatWaitAreInTheFirstTable: a thread that waited for input while it held a lock kept others waiting, and
// nothing else did, so the headline names it. Its own wait kept only its own thread.
func TestHoldersThatWaitAreInTheFirstTable(t *testing.T) {
	const document = `<TRACE><threadStart threadId="1" time="1" threadName="checkout" groupName="main"/>` +
		`<threadStart threadId="2" time="1" threadName="web-1" groupName="main"/>` +
		`<threadStart threadId="3" time="1" threadName="web-2" groupName="main"/>` +
		`<monWait threadIdRef="1" time="2" objIdRef="8"><annotation name="io" value="read"/></monWait>` +
		`<monContendedEnter threadIdRef="2" time="2" objIdRef="9" threadOwner="1"/>` +
		`<monContendedEnter threadIdRef="3" time="2" objIdRef="9" threadOwner="1"/>` +
		`<gcStart time="9.5"/><gcFinish time="9.75"/>` +
		`<monWaited threadIdRef="1" time="9" objIdRef="8"><annotation name="io" value="read"/></monWaited>` +
		`<monContendedEntered threadIdRef="2" time="10" objIdRef="9"/>` +
		`<monContendedEntered threadIdRef="3" time="10" objIdRef="9"/></TRACE>`
	const want = "Threads waited 23.0 s in 3 finished waits. " +
		"1 wait ended by a timeout, or by something that the trace does not show.\n\n" +
		"Who kept threads waiting\n" +
		"  share    time  waits  thread                state\n" +
		"   61 %  14.0 s      2  checkout (thread 1)   IN I/O\n" +
		"    7 %  1.50 s      2  checkout (thread 1)   RUNNABLE\n" +
		"    2 %  500 ms      2  (garbage collection)  the program was stopped\n\n" +
		"In waits that kept only their own thread\n" +
		"  share    time  waits  thread               state\n" +
		"   30 %  7.00 s      1  checkout (thread 1)  IN I/O\n"
	if text := textOf(t, document, blame.View{By: blame.Threads}); !strings.HasPrefix(text, want) {
		t.Errorf("the blame is\n%s\nwant\n%s", text, want)
	}
	var out strings.Builder
	b := of(t, recorded(t, []byte(document)), blame.Options{})
	if err := answers.WriteJSON(&out, b.Answer(blame.View{}, true)); err != nil {
		t.Fatal(err)
	}
	if want := `{"kind":"pause","total":500000000,"count":2}`; !strings.Contains(out.String(), want) {
		t.Errorf("the JSON is %s\nwant %s", out.String(), want)
	}
}

// TestNothingIsSelected: if no class matches, the report says so.
func TestNothingIsSelected(t *testing.T) {
	r := recorded(t, []byte(`<TRACE><monContendedEnter threadIdRef="99" time="2" objIdRef="9" threadOwner="1"/>`+
		`<monContendedEntered threadIdRef="99" time="3" objIdRef="9"/></TRACE>`))
	other, err := critical.ParseMonitors("shop.Cache")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := of(t, r, blame.Options{Monitors: []critical.Monitors{other}}).Nothing(),
		"No wait is selected: no class or object that threads waited for matches shop.Cache."; got != want {
		t.Errorf("the sentence is %q, want %q", got, want)
	}
}

// TestUnexplainedWaitsOfThePage: the page's rows also say that a wait is unexplained.
func TestUnexplainedWaitsOfThePage(t *testing.T) {
	var out strings.Builder
	if err := answers.WriteValue(&out, of(t, recorded(t, []byte(unexplainedWaits)), blame.Options{}).Extract(10)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"state":"IN I/O, ended by no known thread"`, `"state":"RUNNABLE"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the extract is %s\nwant %s", out.String(), want)
		}
	}
}

// TestNoteOnWaitsThatAreMissing: the note names the kinds of waits that the trace lacks.
func TestNoteOnWaitsThatAreMissing(t *testing.T) {
	const park = `<monWait threadIdRef="2" time="9" objIdRef="7"><annotation name="park" value="1"/></monWait></TRACE>`
	for document, want := range map[string]string{
		unexplainedWaits: "\nThe trace has no waits in java.util.concurrent: if there were any, they count as RUNNABLE.\n",
		`<TRACE><threadStart threadId="1" time="1"/></TRACE>`: "\nThe trace has no waits in java.util.concurrent and no " +
			"waits for input or output: if there were any, they count as RUNNABLE.\n",
	} {
		if text := textOf(t, document, blame.View{}); !strings.HasSuffix(text, want) {
			t.Errorf("the blame is\n%s\nwant the note%s", text, want)
		}
	}
	all := strings.Replace(unexplainedWaits, "</TRACE>", park, 1)
	if text := textOf(t, all, blame.View{}); strings.Contains(text, "count as RUNNABLE.") {
		t.Errorf("the blame is\n%s\nwant no note: the trace has all kinds of waits", text)
	}
}
