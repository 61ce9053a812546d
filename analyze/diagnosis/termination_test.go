package diagnosis_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/diagnosis"
	"github.com/trcx/trcx/trace"
)

// TestTermination: who keeps an executor from terminating is named. It is a fault if it waits for long, without a timeout.
// Without the executor's state it is a guess, which needs a thread that runs a task of such an executor.
func TestTermination(t *testing.T) {
	const executor = `<classDef name="java/util/concurrent/ThreadPoolExecutor" classId="30" time="1"/>` +
		`<methodDef name="awaitTermination" methodId="90" classIdRef="30"/>` +
		`<classDef name="java/util/concurrent/LinkedBlockingQueue" classId="31" time="1"/><methodDef name="take" methodId="92" classIdRef="31"/>` +
		`<classDef name="java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject" classId="32" time="1"/>` +
		`<objAlloc objId="970" classIdRef="32" time="1"/>`
	const states = `<annotation name="state" value="970 9 waiters=1 terminates=990"/>` +
		`<annotation name="state" value="990 9 workers=1 maximum=2 worker=%d active=1 queued=0"/>`
	takes := func(thread int) string { return at(thread, "park", "900", "92:1 71:5") }
	main := at(1, "park", "970", "90:1 70:5")
	for name, c := range map[string]struct {
		document, states, works, want string
		healthy                       bool
	}{
		"known": {main + takes(2), fmt.Sprintf(states, 2), "", "its only worker was busy: worker-1 (thread 2) still waited for an element of queue " +
			"LinkedBlockingQueue at shop.App.pay(line 5)", false},
		"one idle": {main + takes(2), strings.Replace(fmt.Sprintf(states, 2), "workers=1", "workers=2", 1), "", "1 of its 2 workers was busy: worker-1 (thread 2)", false},
		"runs":     {main, fmt.Sprintf(states, 2), "", "its only worker was busy.", true},
		"guess": {main + takes(2), "", "java/util/concurrent/ThreadPoolExecutor", "Perhaps it waits for worker-1 (thread 2), which waits for an element of queue LinkedBlockingQueue " +
			"at shop.App.pay(line 5)", false},
		"another's": {main + takes(2), "", "java/util/concurrent/ForkJoinPool", "for 7.00 s by then. []", true},
		"nobody":    {main, "", "", "for 7.00 s by then. []", true},
	} {
		facts := factsOf(t, threadsOf+ofProgram+executor+c.document+c.states+`<gcStart time="9"/></TRACE>`)
		facts.Working = map[trace.ThreadKey]string{2: c.works}
		found := diagnosis.Of(facts)
		if len(found.Findings) == 0 || found.Healthy() != c.healthy ||
			!strings.Contains(fmt.Sprint(found.Findings[0].Summary, " ", found.Findings[0].Evidence), c.want) {
			t.Errorf("%s: healthy is %v: %+v, want %s", name, found.Healthy(), found.Findings, c.want)
		}
	}
}

// TestSubtasks: the threads that may run the subtasks for which a thread waits are named.
func TestSubtasks(t *testing.T) {
	const scope = `<classDef name="jdk/internal/misc/ThreadFlock" classId="30" time="1"/><methodDef name="awaitAll" methodId="90" classIdRef="30"/>`
	facts := factsOf(t, threadsOf+ofProgram+scope+at(1, "park", "900", "90:1 70:5")+at(2, "park", "901", "71:5")+`<gcStart time="9"/></TRACE>`)
	facts.Working = map[trace.ThreadKey]string{2: "java/util/concurrent/StructuredTaskScope"}
	found := diagnosis.Of(facts).Findings
	if len(found) == 0 || !strings.Contains(found[0].Summary, "waited for the subtasks of a StructuredTaskScope") ||
		!strings.Contains(fmt.Sprint(found[0].Evidence), "Perhaps it waits for worker-1 (thread 2), which waits for shop.Cache 901") {
		t.Errorf("%+v", found)
	}
}

// TestVictims: threads that wait for those of a deadlock are told with it, once.
func TestVictims(t *testing.T) {
	const tasks = `<classDef name="java/util/concurrent/FutureTask" classId="11" time="1"/><objAlloc objId="980" classIdRef="11" time="1"/>` +
		`<objAlloc objId="981" classIdRef="11" time="1"/>`
	document := threadsOf + permits + tasks + parks(t, "2@2 waits 980;3@2 waits 981;4@2 joins 103")
	for _, state := range []string{"980 9 done=0 runner=0 inQueue=990", "981 9 done=0 runner=0 inQueue=990",
		"990 9 workers=1 maximum=1 worker=2 active=1 queued=2"} {
		document += `<annotation name="state" value="` + state + `"/>`
	}
	found := diagnosis.Of(factsOf(t, document+`<gcStart time="9"/></TRACE>`)).Findings
	if len(found) != 1 || found[0].Waiting != 3 || !strings.Contains(fmt.Sprint(found[0].Evidence),
		"2 other threads wait for that, such as worker-2 (thread 3), which waits for future FutureTask 981.") {
		t.Errorf("%+v", found)
	}
}
