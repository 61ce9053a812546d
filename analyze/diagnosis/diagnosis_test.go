package diagnosis_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/deadlock"
	"github.com/trcx/trcx/analyze/diagnosis"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/trace"
)

// factsOf returns all facts of a document.
func factsOf(t *testing.T, document string) *diagnosis.Facts {
	t.Helper()
	collector, recorder, finder := contention.NewCollector("t", contention.DefaultRows), critical.NewRecorder(), deadlock.NewFinder()
	t.Cleanup(func() { recorder.Close() })
	if err := trace.Copy(trace.Tee(collector, recorder, finder), convert.Model(context.Background(),
		strings.NewReader(document), convert.Options{OnFinding: func(string, trace.Finding) {}})); err != nil {
		t.Fatal(err)
	}
	blamed, err := blame.Of(recorder, blame.Options{WithoutIdle: true})
	if err != nil {
		t.Fatal(err)
	}
	return &diagnosis.Facts{Target: "t", Statistics: collector.Statistics(), Blame: blamed,
		Path: recorder.Path(recorder.Last()), Deadlocks: finder.Report(),
		Command: func(m diagnosis.More) string { return m.Analysis + " " + m.Monitor }}
}

// threadsOf defines main, worker-1 and worker-2, and two objects of class shop.Cache, 900 and 901.
const threadsOf = `<TRACE><classDef name="shop/Cache" classId="5" time="1"/>` +
	`<objAlloc objId="900" classIdRef="5" time="1"/><objAlloc objId="901" classIdRef="5" time="1"/>` +
	`<threadStart threadId="1" time="1" threadName="main" groupName="main" objIdRef="101"/>` +
	`<threadStart threadId="2" time="1" threadName="worker-1" groupName="main" objIdRef="102"/>` +
	`<threadStart threadId="3" time="1" threadName="worker-2" groupName="main" objIdRef="103"/>`

// TestFindings: each case is a program with one fault, and what is said of it first.
func TestFindings(t *testing.T) {
	for name, c := range map[string]struct {
		document string
		kind     diagnosis.Kind
		want     string
		healthy  bool
	}{
		"a lock and its holder": {`<monContendedEnter threadIdRef="2" time="2" objIdRef="900" threadOwner="1"/>` +
			`<monContendedEnter threadIdRef="3" time="2" objIdRef="900" threadOwner="1"/>` +
			`<monContendedEntered threadIdRef="2" time="5" objIdRef="900"/><monContendedEntered threadIdRef="3" time="6" objIdRef="900"/>`,
			diagnosis.Lock, "2 threads were BLOCKED for 7.00 s in all on shop.Cache 900, which main (thread 1) held for 86 % of that", false},
		"a lock without an owner": {`<monContendedEnter threadIdRef="2" time="2" objIdRef="900" threadOwner="0"/>` +
			`<monContendedEntered threadIdRef="2" time="5" objIdRef="900"/>`,
			diagnosis.Lock, "1 thread was BLOCKED for 3.00 s on shop.Cache 900; who held it is not known.", false},
		"a notification that comes late": {`<monWait threadIdRef="2" time="2" objIdRef="900" timeout="0"/>` +
			`<monWait threadIdRef="1" time="2" objIdRef="-1" timeout="3000"/><monWaited threadIdRef="1" time="5" objIdRef="-1" isTimedOut="1"/>` +
			`<callNotify threadId="1" time="5" objIdRef="900"/><monWaited threadIdRef="2" time="5" objIdRef="900"/>`,
			diagnosis.WaitKind, "worker-1 (thread 2) waited for shop.Cache 900 for 3.00 s; for 100 % of that main (thread 1) was SLEEPING.", false},
		"a deadlock": {`<monContendedEntered threadIdRef="2" time="2" objIdRef="900"/><monContendedEntered threadIdRef="3" time="2" objIdRef="901"/>` +
			`<monContendedEnter threadIdRef="2" time="3" objIdRef="901" threadOwner="3"/><monContendedEnter threadIdRef="3" time="3" objIdRef="900" threadOwner="2"/>` +
			`<threadEnd threadIdRef="1" time="9"/>`,
			diagnosis.Deadlock, "deadlock: worker-2 (thread 3) holds shop.Cache 901 and wants shop.Cache 900; " +
				"worker-1 (thread 2) holds shop.Cache 900 and wants shop.Cache 901.", false},
		"collections": {`<gcStart time="2"/><gcFinish time="5"/><threadEnd threadIdRef="1" time="6"/>`,
			diagnosis.Pause, "The garbage collector stopped the program for 3.00 s, 60 % of the run (1 collection).", false},
		"a thread that nobody lets go on": {`<monWait threadIdRef="2" time="2" objIdRef="900" timeout="0"/>` +
			`<monWaited threadIdRef="2" time="8" objIdRef="900"/><threadEnd threadIdRef="1" time="9"/>`,
			diagnosis.WaitKind, "worker-1 (thread 2) waited for shop.Cache 900 for 6.00 s; nothing in the trace shows who could have ended that sooner.",
			true},
		"nothing": {`<threadEnd threadIdRef="2" time="2"/><threadEnd threadIdRef="3" time="2"/><threadEnd threadIdRef="1" time="9"/>`,
			"", "", true},
	} {
		found := diagnosis.Of(factsOf(t, threadsOf+c.document+"</TRACE>"))
		kind, first := diagnosis.Kind(""), ""
		if len(found.Findings) > 0 {
			kind, first = found.Findings[0].Kind, found.Findings[0].Summary
		}
		if kind != c.kind || !strings.Contains(first, c.want) || found.Healthy() != c.healthy {
			t.Errorf("%s: the first finding is %s, %q, healthy is %v;\nwant %s, %q, %v", name, kind, first, found.Healthy(), c.kind,
				c.want, c.healthy)
		}
	}
}

// TestPartsAgree: what statistics alone and blame alone say of a lock has the same total and holder.
func TestPartsAgree(t *testing.T) {
	all := factsOf(t, threadsOf+`<monContendedEnter threadIdRef="2" time="2" objIdRef="900" threadOwner="1"/>`+
		`<monContendedEnter threadIdRef="3" time="3" objIdRef="900" threadOwner="1"/>`+
		`<monContendedEntered threadIdRef="2" time="5" objIdRef="900"/><threadEnd threadIdRef="1" time="9"/></TRACE>`)
	statistics := diagnosis.Of(&diagnosis.Facts{Statistics: all.Statistics})
	blamed := diagnosis.Of(&diagnosis.Facts{Blame: all.Blame})
	a, b := statistics.Findings[0], blamed.Findings[0]
	if a.Total != 9e9 || a.Total != b.Total || a.Waiting != 2 || a.Waiting != b.Waiting || a.Object != b.Object {
		t.Errorf("by statistics %d ns of %d threads, by blame %d of %d; want 9 s of 2 threads, both", a.Total, a.Waiting, b.Total,
			b.Waiting)
	}
}

// TestBusy: what is said of threads that compute, and whether that is wrong.
func TestBusy(t *testing.T) {
	const code = `<classDef name="app/Main" sourceName="Main.java" classId="7"/><methodDef name="spin" methodId="50" classIdRef="7"/>`
	dump := func(at int, threads ...int) (text string) {
		for _, thread := range threads {
			text += fmt.Sprintf(`<annotation name="cpu" value="%d %d %d000000000 %d000000000"/>`, thread, at, at, at) +
				fmt.Sprintf(`<annotation name="sample" value="%d %d RUNNABLE 1 0 50:9"/>`, thread, at)
		}
		return text
	}
	agent := strings.Replace(threadsOf, "<TRACE>", `<TRACE><agentCreate agentId="1" agentName="thread dump" agentType="Profiler" time="1"/>`, 1) + code
	profile := strings.Repeat(`<annotation name="sample" value="2 2 RUNNABLE 1 0 50:9"/>`, 20)
	for name, c := range map[string]struct {
		document, first string
		healthy         bool
	}{
		"one thread":  {agent + dump(2, 2) + dump(4, 2), "worker-1 (thread 2) computed at app.Main.spin(Main.java:9): 100 % of a core for 2.00 s.", false},
		"two threads": {agent + dump(2, 2, 3) + dump(4, 2, 3), "2 threads of worker-* computed at app.Main.spin(Main.java:9): 2.0 cores for 2.00 s.", false},
		"a single dump": {agent + dump(3, 2),
			"worker-1 (thread 2) computed at app.Main.spin(Main.java:9): 100 % of a core in the 3.00 s since it began.", false},
		"of unknown CPU time": {agent + strings.Repeat(`<annotation name="sample" value="2 2 RUNNABLE 1 0 50:9"/>`, 1) +
			`<annotation name="sample" value="2 3 RUNNABLE 1 0 50:9"/>`, "worker-1 (thread 2) likely computed at app.Main.spin(Main.java:9).", false},
		"a profile": {threadsOf + code + profile + `<threadEnd threadIdRef="3" time="9"/>`,
			"20 samples: 100 % RUNNABLE, most at app.Main.spin(Main.java:9) (100 % of these).", true},
	} {
		t.Run(name, func(t *testing.T) {
			found := diagnosis.Of(factsOf(t, c.document+"</TRACE>"))
			if got := found.Answer().Report().Headline; got != c.first || found.Healthy() != c.healthy {
				t.Errorf("got %q, healthy %v; want %q, %v", got, found.Healthy(), c.first, c.healthy)
			}
		})
	}
}

// TestOthersComeFirst: what kept others waiting comes before what is longer and kept only its own thread.
func TestOthersComeFirst(t *testing.T) {
	found := diagnosis.Of(factsOf(t, threadsOf+`<monContendedEnter threadIdRef="2" time="2" objIdRef="900" threadOwner="1"/>`+
		`<monContendedEntered threadIdRef="2" time="5" objIdRef="900"/>`+
		`<monWait threadIdRef="3" time="2" objIdRef="901" timeout="0"/><monWaited threadIdRef="3" time="9" objIdRef="901"/></TRACE>`))
	var kinds []diagnosis.Kind
	for _, f := range found.Findings {
		kinds = append(kinds, f.Kind)
	}
	if !slices.Equal(kinds, []diagnosis.Kind{diagnosis.Lock, diagnosis.WaitKind}) || found.Findings[0].Share != 1 {
		t.Errorf("the findings are %v, the first with a share of %v; want the lock first, with all", kinds, found.Findings[0].Share)
	}
}
