package diagnosis_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/answer"
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
	states := &diagnosis.States{}
	if err := trace.Copy(trace.Tee(collector, recorder, finder, states), convert.Model(context.Background(),
		strings.NewReader(document), convert.Options{OnFinding: func(string, trace.Finding) {}})); err != nil {
		t.Fatal(err)
	}
	blamed, err := blame.Of(recorder, blame.Options{WithoutIdle: true})
	if err != nil {
		t.Fatal(err)
	}
	return &diagnosis.Facts{Target: "t", Statistics: collector.Statistics(), Blame: blamed,
		Path: recorder.Path(recorder.Last()), Deadlocks: finder.Report(), States: states,
		Command: func(m diagnosis.More) string { return m.Analysis + " " + m.Monitor }}
}

// threadsOf defines main, worker-1 and worker-2, and two objects of class shop.Cache, 900 and 901.
const threadsOf = `<TRACE><classDef name="shop/Cache" classId="5" time="1"/>` +
	`<objAlloc objId="900" classIdRef="5" time="1"/><objAlloc objId="901" classIdRef="5" time="1"/>` +
	`<threadStart threadId="1" time="1" threadName="main" groupName="main" objIdRef="101"/>` +
	`<threadStart threadId="2" time="1" threadName="worker-1" groupName="main" objIdRef="102"/>` +
	`<threadStart threadId="3" time="1" threadName="worker-2" groupName="main" objIdRef="103"/>`

// permits defines worker-3 and worker-4, a semaphore 950 and a lock 960 for readers and a writer.
const permits = `<threadStart threadId="4" time="1" threadName="worker-3" groupName="main" objIdRef="104"/>` +
	`<threadStart threadId="5" time="1" threadName="worker-4" groupName="main" objIdRef="105"/>` +
	`<classDef name="java/util/concurrent/Semaphore$NonfairSync" classId="6" time="1"/><objAlloc objId="950" classIdRef="6" time="1"/>` +
	`<classDef name="java/util/concurrent/locks/ReentrantReadWriteLock$NonfairSync" classId="7" time="1"/>` +
	`<objAlloc objId="960" classIdRef="7" time="1"/>`

// busy is a part of a document in which two threads can run for 8 s and have a processor for some nanoseconds.
func busy(used int) (document string) {
	for id := 6; id <= 7; id++ {
		document += fmt.Sprintf(`<threadStart threadId="%d" time="1" threadName="busy-%[1]d" groupName="main"><annotation name="cpu" value="1"/>`+
			`</threadStart><annotation name="cpu" value="%[1]d 9 %d"/><threadEnd threadIdRef="%[1]d" time="9"/>`, id, used)
	}
	return document
}

// startsLate is a part of a document in which the main thread starts threads from the given id on, at 2 s. They run at
// the given time.
func startsLate(first, threads int, at string) (document string) {
	for id := first; id < first+threads; id++ {
		document += fmt.Sprintf(`<callStart threadId="1" time="2" objIdRef="%d"/>`, 1000+id)
	}
	for id := first; id < first+threads; id++ {
		document += fmt.Sprintf(`<threadStart threadId="%d" time="%s" threadName="late-%[1]d" groupName="main" objIdRef="%[3]d"/>`, id, at, 1000+id)
	}
	return document
}

// consumes is a part of a document in which worker-1 takes elements from a queue, waiting 8 ms for each.
func consumes(elements int) (document string) {
	for i := range elements {
		document += fmt.Sprintf(`<monWait threadIdRef="2" time="2.%[1]d1" objIdRef="900" timeout="0"><annotation name="park" value="wait"/>`+
			`<annotation name="stack" value="60:1 61:7"/></monWait><monWait threadIdRef="3" time="2.%[1]d1" objIdRef="-1" timeout="20"/>`+
			`<monWaited threadIdRef="3" time="2.%[1]d9" objIdRef="-1" timeout="20" isTimedOut="1"/>`+
			`<callNotify threadId="3" time="2.%[1]d9" objIdRef="900" isNotifyAll="0"><annotation name="park" value="wait"/>`+
			`<annotation name="wakes" value="2"/></callNotify><monWaited threadIdRef="2" time="2.%[1]d9" objIdRef="900" isTimedOut="0"/>`, 10+i)
	}
	return document + `<threadEnd threadIdRef="1" time="9"/>`
}

// parks is a part of a document, with times in seconds: 2@3 waits 950 means that thread 2 parks at 3 for the object,
// 2@4 from 5 that thread 5 has ended that, and 1@2 sleeps 3 that thread 1 sleeps until 3.
func parks(t *testing.T, script string) (document string) {
	t.Helper()
	for line := range strings.SplitSeq(script, ";") {
		var thread, at, verb, what string
		if _, err := fmt.Sscanf(strings.Replace(line, "@", " ", 1), "%s %s %s %s", &thread, &at, &verb, &what); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		head := fmt.Sprintf(` threadIdRef="%s" time="%s" objIdRef="`, thread, at)
		switch verb {
		case "waits":
			document += `<monWait` + head + what + `" timeout="0"><annotation name="park" value="wait"/></monWait>`
		case "from":
			document += fmt.Sprintf(`<callNotify threadId="%s" time="%s" objIdRef="950" isNotifyAll="0"><annotation name="park" value="wait"/>`+
				`<annotation name="wakes" value="%s"/></callNotify><monWaited%s950" isTimedOut="0"/>`, what, at, thread, head)
		case "ends": // its time is over
			document += `<monWaited` + head + what + `" isTimedOut="1"/>`
		case "joins":
			document += `<monWait` + head + what + `" timeout="0"/>`
		case "polls", "meets": // a park and a join with a timeout, that began before the recording
			document += `<monWait` + head + what + `"><annotation name="timeoutNanos" value="unknown"/>` +
				map[string]string{"polls": `<annotation name="park" value="wait"/>`}[verb] + `</monWait>`
		case "calls": // Thread.join, on its own Thread object
			document += `<monWait` + head + what + `" timeout="0"><annotation name="call" value="join"/></monWait>`
		case "blocks":
			document += `<monContendedEnter` + head + what + `" threadOwner="0"><annotation name="park" value="lock"/></monContendedEnter>`
		case "tries":
			document += `<monContendedEnter` + head + what + `" threadOwner="0"><annotation name="park" value="lock"/>` +
				`<annotation name="timeoutNanos" value="60000000000"/></monContendedEnter>`
		case "by":
			document += `<monContendedEntered` + head + `960"><annotation name="causedBy" value="` + what + `"/></monContendedEntered>`
		case "sleeps":
			document += fmt.Sprintf(`<monWait%s-1" timeout="1"/><monWaited threadIdRef="%s" time="%s" objIdRef="-1" isTimedOut="1"/>`,
				head, thread, what)
		default:
			t.Fatal(verb)
		}
	}
	return document
}

// ticks is a part of a document in which worker-1 waits for what worker-2 makes after each of its sleeps, in
// milliseconds. Between these worker-2 waits for another thread as long as stalls says.
func ticks(stalls int, sleeps ...int) (document string) {
	at := 2000
	time := func() string { return fmt.Sprintf("%d.%03d", at/1000, at%1000) }
	for _, sleep := range sleeps {
		document += fmt.Sprintf(`<monWait threadIdRef="2" time="%[1]s" objIdRef="900" timeout="0"/>`+
			`<monWait threadIdRef="3" time="%[1]s" objIdRef="901" timeout="0"/>`, time())
		at += stalls
		document += fmt.Sprintf(`<callNotify threadId="1" time="%[1]s" objIdRef="901"/><monWaited threadIdRef="3" time="%[1]s" objIdRef="901"/>`+
			`<monWait threadIdRef="3" time="%[1]s" objIdRef="-1" timeout="%[2]d"/>`, time(), sleep)
		at += sleep
		document += fmt.Sprintf(`<monWaited threadIdRef="3" time="%[1]s" objIdRef="-1" timeout="%[2]d" isTimedOut="1"/>`+
			`<callNotify threadId="3" time="%[1]s" objIdRef="900"/><monWaited threadIdRef="2" time="%[1]s" objIdRef="900"/>`, time(), sleep)
	}
	return document + `<gcStart time="9"/>`
}

// TestTicks: who makes work in its own time keeps nobody waiting, but one that is late does, or that waits itself.
func TestTicks(t *testing.T) {
	const timer = `<classDef name="java/util/TimerThread" classId="20" time="1"/><methodDef name="mainLoop" methodId="70" classIdRef="20"/>`
	for name, c := range map[string]struct {
		document string
		healthy  bool
	}{
		"a timer": {timer + strings.NewReplacer(`objIdRef="-1" timeout="250"/>`, `objIdRef="900" timeout="250"><annotation name="stack" value="70:1"/></monWait>`,
			`objIdRef="-1"`, `objIdRef="900"`).Replace(ticks(0, 250, 250, 250, 250, 250, 250, 250, 250, 250, 250)), true},
		"even":          {ticks(0, 250, 250, 300, 250, 250, 250, 250, 290, 250, 250), true},
		"one late":      {ticks(0, 250, 250, 250, 250, 250, 2000, 250, 250, 250, 250), false},
		"few":           {ticks(0, 250, 250, 300, 250, 250, 250, 250, 290, 250), true},
		"two":           {ticks(0, 700, 650), false},
		"few, and long": {ticks(0, 1700, 1650, 1700), false},
		"one that asks": {ticks(30, 250, 250, 300, 250, 250, 250, 250, 290, 250, 250), false},
	} {
		found := diagnosis.Of(factsOf(t, threadsOf+c.document+"</TRACE>"))
		if len(found.Findings) == 0 || !strings.Contains(found.Findings[0].Summary, "% of that worker-2 (thread 3) was ") ||
			found.Healthy() != c.healthy {
			t.Errorf("%s: healthy is %v: %+v", name, found.Healthy(), found.Findings)
		}
	}
}

// TestFindings: each case is a program with one fault, and the first finding about it.
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
		"a holder whose id another thread has later": {parks(t, "1@3 sleeps 5") + `<monContendedEnter threadIdRef="2" time="3" objIdRef="900" threadOwner="1"/>` +
			`<monContendedEntered threadIdRef="2" time="5" objIdRef="900"/><threadEnd threadIdRef="1" time="5"/><threadStart threadId="1" time="6" threadName="next"/>` +
			`<monContendedEnter threadIdRef="3" time="6" objIdRef="900" threadOwner="1"/><monContendedEntered threadIdRef="3" time="7" objIdRef="900"/>`, diagnosis.Lock,
			"which main (thread 1) held for 67 % of that, SLEEPING for 100 % of it.", false},
		"a lock without an owner": {`<monContendedEnter threadIdRef="2" time="2" objIdRef="900" threadOwner="0"/>` +
			`<monContendedEntered threadIdRef="2" time="5" objIdRef="900"/>`,
			diagnosis.Lock, "1 thread was BLOCKED for 3.00 s on shop.Cache 900; who held it is not known.", false},
		"a block that ends at once": {`<monContendedEnter threadIdRef="2" time="2" objIdRef="900" threadOwner="1"/>` +
			`<monContendedEntered threadIdRef="2" time="2" objIdRef="900"/><threadEnd threadIdRef="1" time="9"/>`, "", "", true},
		"an inferred owner": {`<monContendedEntered threadIdRef="1" time="2" objIdRef="900"/><monContendedEnter threadIdRef="2" time="3" objIdRef="900"/>` +
			`<monContendedEntered threadIdRef="2" time="5" objIdRef="900"/>`, diagnosis.Lock,
			"1 thread was BLOCKED for 2.00 s on shop.Cache 900, which main (thread 1) probably held for 100 % of that.", false},
		"a thread that only waits": {`<monWait threadIdRef="3" time="2" objIdRef="900" timeout="0"/><monContendedEnter threadIdRef="2" time="2" objIdRef="900" threadOwner="1"/>` +
			`<monContendedEntered threadIdRef="2" time="5" objIdRef="900"/><monContendedEnter threadIdRef="2" time="6" objIdRef="900" threadOwner="1"/>` +
			`<monContendedEntered threadIdRef="2" time="8" objIdRef="900"/>`, diagnosis.Lock, "1 thread was BLOCKED for 5.00 s on shop.Cache 900, which", false},
		"holders of half of the time each": {strings.NewReplacer("main", "pool-3-thread-7", "worker-1", "pool-3-thread-8").Replace(threadsOf[len("<TRACE>"):]) +
			`<monContendedEnter threadIdRef="3" time="2" objIdRef="900" threadOwner="1"/><monContendedEntered threadIdRef="3" time="3" objIdRef="900"/>` +
			`<monContendedEnter threadIdRef="3" time="4" objIdRef="900" threadOwner="2"/><monContendedEntered threadIdRef="3" time="5" objIdRef="900"/>`, diagnosis.Lock,
			"which 2 threads of pool-3-thread-* held in turn for 100 % of that, longest pool-3-thread-7 (thread 1) (50 %)", false},
		"a holder that was probably there": {`<methodDef name="load" methodId="60" classIdRef="5"/><methodDef name="save" methodId="61" classIdRef="5"/>` +
			`<monWait threadIdRef="1" time="1" objIdRef="-1" timeout="9"><annotation name="stack" value="60:1"/></monWait><monWaited threadIdRef="1" time="1.009" objIdRef="-1"/>` +
			`<monContendedEnter threadIdRef="2" time="2" objIdRef="900" threadOwner="1"/><monWait threadIdRef="1" time="5" objIdRef="-1" timeout="9000">` +
			`<annotation name="stack" value="61:2"/></monWait><monContendedEntered threadIdRef="2" time="6" objIdRef="900"/>`, diagnosis.Lock,
			"held for 100 % of that, 75 % of it probably in shop.Cache.load(line 1)", false},
		"a lock that those who accept connections share": {`<classDef name="java/net/ServerSocket" classId="30" time="1"/><classDef name="shop/Server" classId="31" time="1"/>` +
			`<methodDef name="accept" methodId="60" classIdRef="30"/><methodDef name="listen" methodId="61" classIdRef="31"/>` +
			`<monContendedEnter threadIdRef="2" time="2" objIdRef="900" threadOwner="0"><annotation name="stack" value="60:1 61:2"/></monContendedEnter>` +
			`<monContendedEntered threadIdRef="2" time="5" objIdRef="900"/>`, "", "", true},
		"short collections": {`<gcStart time="2"/><gcFinish time="2.2"/><threadEnd threadIdRef="1" time="9"/>`, diagnosis.Pause,
			"The garbage collector stopped the program for 200 ms, 2 % of the run (1 collection).", true},
		"a long collection": {`<gcStart time="2"/><gcFinish time="2.6"/><threadEnd threadIdRef="1" time="9"/>`, diagnosis.Pause,
			"The garbage collector stopped the program for 600 ms, 8 % of the run (1 collection).", false},
		"a dump": {`<agentCreate agentId="1" agentName="thread dump" agentParameters="sampled" time="1"/><methodDef name="load" methodId="60" classIdRef="5"/>` +
			permits + `<monWait threadIdRef="1" time="1" objIdRef="-1" timeout="9"><annotation name="stack" value="60:3"/></monWait>` +
			`<monContendedEnter threadIdRef="2" time="1" objIdRef="900" threadOwner="1"><annotation name="stack" value="60:1"/></monContendedEnter>` +
			`<monContendedEnter threadIdRef="3" time="1" objIdRef="900" threadOwner="1"><annotation name="stack" value="60:1"/></monContendedEnter>` +
			`<monContendedEnter threadIdRef="4" time="1" objIdRef="900" threadOwner="1"><annotation name="stack" value="60:2"/></monContendedEnter>`, diagnosis.Lock,
			"3 threads are BLOCKED on shop.Cache 900, 2 of them at shop.Cache.load(line 1), which main (thread 1) holds, in shop.Cache.load(line 3), SLEEPING.", false},
		"dumps with different holders": {`<agentCreate agentId="1" agentName="thread dump" agentParameters="sampled" time="1"/>` +
			`<monContendedEnter threadIdRef="2" time="1" objIdRef="900" threadOwner="1"/><monContendedEnter threadIdRef="3" time="4" objIdRef="900" threadOwner="1"/>` +
			`<monContendedEntered threadIdRef="3" time="4" objIdRef="900"/><gcStart time="5"/>`, diagnosis.Lock,
			"2 threads were BLOCKED for up to 4.00 s in all on shop.Cache 900, which 2 threads or more held in turn, such as main (thread 1).", false},
		"dumps with one holder": {`<agentCreate agentId="1" agentName="thread dump" agentParameters="sampled" time="1"/>` +
			`<monContendedEnter threadIdRef="2" time="1" objIdRef="900" threadOwner="1"/><gcStart time="5"/>`, diagnosis.Lock,
			"1 thread was BLOCKED for up to 4.00 s on shop.Cache 900, which main (thread 1) held in each of these dumps.", false},
		"dumps, the first without a block": {`<agentCreate agentId="1" agentName="thread dump" agentParameters="sampled" time="1"/>` +
			`<monContendedEnter threadIdRef="2" time="3" objIdRef="900" threadOwner="1"/><gcStart time="5"/>`, diagnosis.Lock,
			"1 thread was BLOCKED for up to 2.00 s on shop.Cache 900, which main (thread 1) held in each dump that shows this.", false},
		"dumps after which a wait is over": {`<agentCreate agentId="1" agentName="thread dump" agentParameters="sampled" time="1"/>` +
			`<monWait threadIdRef="2" time="1" objIdRef="900" timeout="0"/><monWaited threadIdRef="2" time="5" objIdRef="900"/>` +
			`<monWait threadIdRef="2" time="5" objIdRef="900" timeout="0"/><monWait threadIdRef="3" time="5" objIdRef="900" timeout="0"/>`,
			diagnosis.WaitKind, "2 threads of worker-* wait for shop.Cache 900 in the last dump.", true},
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
		"collections at the same time": {`<gcStart time="2"/><gcStart time="3"><annotation name="paused" value="9000000000"/></gcStart><gcFinish time="4"/>` +
			`<gcFinish time="5"/><threadEnd threadIdRef="1" time="6"/>`,
			diagnosis.Pause, "The garbage collector stopped the program for 3.00 s, 60 % of the run (2 collections).", false},
		"pinned threads": {`<option key="trouble.pinned" value="2 3000000000 2000000000 by v-1 at app.Db.get(line 4)"/><threadEnd threadIdRef="1" time="6"/>`, diagnosis.Pinned,
			"Virtual threads kept their carriers while they waited, for 3.00 s in all (2 times, longest 2.00 s by v-1 at app.Db.get(line 4)).", false},
		"threads that are slow to stop": {`<option key="trouble.safepoint" value="1 2000000000 2000000000"/>` +
			`<threadEnd threadIdRef="1" time="6"/>`, diagnosis.Pause,
			"Threads that the JVM had stopped waited until all others had stopped, too, for 2.00 s.", false},
		"a heap dump": {`<option key="trouble.operation" value="1 2000000000 2000000000 for HeapDumper"/>` +
			`<threadEnd threadIdRef="1" time="6"/>`, diagnosis.Pause, "The JVM stopped the program, not for a garbage collection, for " +
			"2.00 s for HeapDumper.", false},
		"a thread that nobody lets go on": {`<monWait threadIdRef="2" time="2" objIdRef="900" timeout="0"/>` +
			`<monWaited threadIdRef="2" time="8" objIdRef="900"/><threadEnd threadIdRef="1" time="9"/>`,
			diagnosis.WaitKind, "worker-1 (thread 2) waited for shop.Cache 900 for 6.00 s; nothing in the trace shows who could have ended that sooner.",
			true},
		"a permit that a thread keeps, while others pass one on": {permits + parks(t, "2@2 waits 950;3@2 waits 950;5@2 waits 950;"+
			"1@2 sleeps 8;2@3 from 4;3@4 from 2;2@4.1 waits 950;2@5 from 3;5@8 from 1"), diagnosis.Semaphore,
			"3 threads waited for semaphore 950 for 9.90 s in all (4 waits, longest 6.00 s); " +
				"for 100 % of that main (thread 1) likely had a permit, SLEEPING.", false},
		"permits that are passed on": {permits + parks(t, "2@2 waits 950;3@2 waits 950;5@2 waits 950;2@2.5 from 4;"+
			"3@3 from 2;2@3 waits 950;5@3.5 from 3;3@3.5 waits 950;2@4 from 5;3@4.5 from 2"),
			diagnosis.Semaphore, "3 threads waited for semaphore 950 for 5.00 s in all (5 waits, longest 1.50 s); " +
				"4 threads of worker-* had a permit in turn, for 500 ms at most, RUNNABLE; the trace does not show who else had one.", false},
		"permits that a thread makes": {permits + parks(t, "2@2 waits 950;1@2 sleeps 3;2@3 from 1;2@3 waits 950;1@3 sleeps 4;2@4 from 1"),
			diagnosis.Semaphore, "worker-1 (thread 2) waited for semaphore 950 for 2.00 s (2 waits, longest 1.00 s); " +
				"for 100 % of that main (thread 1) was SLEEPING.", false},
		"permits that come one by one to a thread that wants two": {permits + parks(t, "2@2 waits 950;3@2 waits 950;2@3 from 4;2@3.001 waits 950;"+
			"2@5 from 4;3@5 from 5"), diagnosis.Semaphore, "2 threads waited for semaphore 950 for 6.00 s in all (2 waits, longest 3.00 s)", false},
		"permits that do not come in time": {permits + parks(t, "2@2 waits 950;3@2 waits 950;2@3 ends 950;3@3 ends 950;2@3.001 waits 950;"+
			"3@3.001 waits 950;2@4 ends 950;3@4 ends 950"), diagnosis.Semaphore, "2 threads waited for semaphore 950 for 4.00 s in all (4 waits, longest 1.00 s)", false},
		"a holder that waits for another lock": {`<monContendedEnter threadIdRef="2" time="3" objIdRef="900" threadOwner="1"/>` +
			`<monContendedEnter threadIdRef="3" time="3" objIdRef="901" threadOwner="2"/><monContendedEnter threadIdRef="5" time="3" objIdRef="901"/>` + parks(t, "1@3 sleeps 6") +
			`<monContendedEntered threadIdRef="5" time="6" objIdRef="901"/><monContendedEntered threadIdRef="2" time="6" objIdRef="900"/><monContendedEntered threadIdRef="3" time="6" objIdRef="901"/>`,
			diagnosis.Lock, " The holder waited, too: for 100 % of that main (thread 1) was SLEEPING.", false},
		"a thread that starts late": {`<callStart threadId="1" time="2" objIdRef="109"/>` +
			`<threadStart threadId="9" time="5" threadName="late" groupName="main" objIdRef="109"/><threadEnd threadIdRef="1" time="6"/>`,
			diagnosis.Start, "late waited 3.00 s for a processor, or for a carrier, before it ran.", false},
		"many threads that start a little late": {startsLate(100, 200, "2.009") + startsLate(300, 1, "2.011") + `<threadEnd threadIdRef="1" time="6"/>`,
			diagnosis.Start, "201 threads of late-* waited 1.81 s in all for a processor, or for a carrier, before they ran; the longest 11.0 ms.", true},
		"threads without a processor": {busy(1e9), diagnosis.CPUStarved, "2 threads of busy-* could run for 16.0 s, but only for " +
			"12 % of that on a processor: they were ready for one, or in waits that the trace does not have, for 14.0 s.", false},
		"threads without a processor, and one of their pool that waits": {busy(1e9) + `<threadStart threadId="8" time="1" threadName="busy-8" groupName="main">` +
			`<annotation name="cpu" value="1"/></threadStart><monWait threadIdRef="8" time="1.1" objIdRef="900" timeout="0"/>` +
			`<monWaited threadIdRef="8" time="9" objIdRef="900"/><annotation name="cpu" value="8 9 1"/>`,
			diagnosis.CPUStarved, "2 threads of busy-* could run for 16.1 s, but only for", false},
		"threads without a processor, which others have": {busy(1e9) + `<threadStart threadId="8" time="1" threadName="hog" groupName="main">` +
			`<annotation name="cpu" value="1"/></threadStart><annotation name="cpu" value="8 9 8000000000"/><threadEnd threadIdRef="8" time="9"/>`,
			diagnosis.CPUStarved, "they were ready for one, or in waits that the trace does not have, for 14.0 s.", false},
		"threads without a processor, and the JVM's in native code": {busy(1e9) + strings.ReplaceAll(
			`<threadStart threadId="0" time="1" threadName="Signal Dispatcher" groupName="system"><annotation name="cpu" value="1"/></threadStart>`+
				`<annotation name="cpu" value="0 9 2"/><threadEnd threadIdRef="0" time="9"/>`, `"0`, `"20`) + strings.ReplaceAll(
			`<threadStart threadId="0" time="1" threadName="Finalizer" groupName="system"><annotation name="cpu" value="1"/></threadStart>`+
				`<annotation name="cpu" value="0 9 2"/><threadEnd threadIdRef="0" time="9"/>`, `"0`, `"21`),
			diagnosis.CPUStarved, "2 threads of busy-* could run for 16.0 s, but only for 12 % of that on a processor", false},
		"a lock that readers have": {permits + parks(t, "2@2 blocks 960;1@2 sleeps 5;2@5 by 1"), diagnosis.Lock,
			"1 thread was BLOCKED for 3.00 s on lock ReentrantReadWriteLock 960; who held it is not recorded, likely the one that " +
				"let them in: for 100 % of that main (thread 1) was SLEEPING.", false},
		"a thread that was notified while others wanted its lock": {permits + parks(t, "2@2 blocks 960;3@2 waits 950;1@2 sleeps 5;3@5 from 1;2@5 by 3"),
			diagnosis.Lock, "1 thread was BLOCKED for 3.00 s on lock ReentrantReadWriteLock 960; who held it is not recorded, likely the one that " +
				"let them in: for 100 % of that worker-2 (thread 3) was PARKED.", false},
		"a block that is older than the trace": {`<monContendedEnter threadIdRef="2" time="2" objIdRef="900" threadOwner="1">` +
			`<annotation name="began" value="unknown"/></monContendedEnter><gcStart time="9"/>`, diagnosis.Lock,
			"1 thread was BLOCKED for at least 7.00 s on shop.Cache 900, which main (thread 1) held for 100 % of that.", false},
		"several that wait for one object, one of them in borrow": {`<classDef name="shop/Pool" classId="12" time="1"/>` +
			`<methodDef name="close" methodId="60" classIdRef="12"/><methodDef name="borrow" methodId="61" classIdRef="12"/>` +
			`<monWait threadIdRef="2" time="2" objIdRef="900"><annotation name="stack" value="60"/></monWait>` +
			`<monWait threadIdRef="3" time="3" objIdRef="900"><annotation name="stack" value="61"/></monWait><gcStart time="9"/>`,
			diagnosis.WaitKind, "2 threads of worker-* still waited for shop.Cache 900 at shop.Pool.close and elsewhere when the trace ended", false},
		"a lock of the flight recorder": {`<classDef name="jdk/jfr/internal/PlatformRecorder" classId="12" time="1"/><objAlloc objId="990" classIdRef="12" time="1"/>` +
			`<monContendedEnter threadIdRef="2" time="2" objIdRef="990" threadOwner="1"/><monContendedEntered threadIdRef="2" time="5" objIdRef="990"/>`, "", "", true},
		"threads in native code": {busy(1e7), "", "", true},
		"a thread that waits for a taker": {`<classDef name="java/util/concurrent/SynchronousQueue$TransferStack" classId="13" time="1"/>` +
			`<methodDef name="transfer" methodId="60" classIdRef="13"/><classDef name="shop/Sender" sourceName="Sender.java" classId="14" time="1"/>` +
			`<methodDef name="send" methodId="61" classIdRef="14"/><monWait threadIdRef="2" time="2" objIdRef="-1"><annotation name="park" value="wait"/>` +
			`<annotation name="stack" value="60:1 61:7"/></monWait><gcStart time="9"/>`, diagnosis.WaitKind,
			"worker-1 (thread 2) still waited for another thread at queue SynchronousQueue at shop.Sender.send(Sender.java:7)", true},
		"a wait that began before": {`<classDef name="shop/Consumer" classId="14" time="1"/><methodDef name="run" methodId="61" classIdRef="14"/>` +
			`<monWait threadIdRef="2" time="8.99" objIdRef="900" timeout="0"><annotation name="stack" value="61:7"/><annotation name="began" value="unknown"/></monWait>` +
			`<gcStart time="9"/>`, diagnosis.WaitKind, "worker-1 (thread 2) still waited for shop.Cache 900 at shop.Consumer.run(line 7) when the trace ended, " +
			"for at least 10.0 ms by then.", true},
		"permits that several threads want": {permits + parks(t, "2@2 waits 950;3@2 waits 950") + `<annotation name="state" value="950 9 permits=0 queued=2"/>` +
			`<gcStart time="9"/>`, diagnosis.Semaphore, "2 threads of worker-* still waited for semaphore 950, which had 0 permits, when", false},
		"permits that are too few": {permits + parks(t, "2@2 waits 950;3@2 waits 950") + `<annotation name="state" value="950 9 permits=2 queued=2"/>` +
			`<gcStart time="9"/>`, diagnosis.Semaphore, "; likely the first of them wants more permits than that.", false},
		"one thread for which permits are too few": {`<classDef name="shop/Batch" classId="14" time="1"/><methodDef name="run" methodId="61" classIdRef="14"/>` + permits +
			`<monWait threadIdRef="2" time="2" objIdRef="950" timeout="0"><annotation name="park" value="wait"/><annotation name="stack" value="61:7"/></monWait>` +
			`<annotation name="state" value="950 9 permits=2 queued=1"/><gcStart time="9"/>`, diagnosis.Semaphore, "; likely it wants more permits than that.", true},
		"a consumer that waits for work": {`<classDef name="java/util/concurrent/ArrayBlockingQueue" classId="13" time="1"/><methodDef name="take" methodId="60" classIdRef="13"/>` +
			`<classDef name="shop/Consumer" classId="14" time="1"/><methodDef name="run" methodId="61" classIdRef="14"/>` + consumes(12), diagnosis.QueueEmpty,
			"worker-1 (thread 2) waited for an element of queue ArrayBlockingQueue for 96.0 ms at shop.Consumer.run(line 7) (in java.util.concurrent.ArrayBlockingQueue.take) (12 waits, longest 8.00 ms); for 100 % of that", true},
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

// TestStates: what is said about objects for which threads still wait, by their states.
func TestStates(t *testing.T) {
	const objects = `<classDef name="java/util/concurrent/CountDownLatch$Sync" classId="8" time="1"/><objAlloc objId="970" classIdRef="8" time="1"/>` +
		`<classDef name="java/util/concurrent/Phaser$QNode" classId="9" time="1"/><objAlloc objId="971" classIdRef="9" time="1"/>` +
		`<classDef name="java/util/concurrent/locks/StampedLock" classId="10" time="1"/><objAlloc objId="972" classIdRef="10" time="1"/>`
	for _, c := range []struct{ script, object, state, want string }{
		{"2@2 waits 950;4@2 waits 950", "950", "permits=0 queued=2", "2 threads of worker-* still waited for semaphore 950, which had 0 permits, " +
			"when the trace ended, for 7.00 s by then; who took them is not known."},
		{"1@2 waits 950;2@2 waits 950;3@2 waits 950;4@2 waits 950;5@2 waits 950", "950", "permits=0 queued=5",
			"; who took them is not known, and no thread of the program was left that could give one back: all waited."},
		{"2@2 waits 950;4@2 waits 950", "950", "permits=1 queued=2", "semaphore 950, which had 1 permit, when the trace ended, for 7.00 s by then; " +
			"likely the first of them wants more permits than that."},
		{"1@2 polls 900;2@2 waits 950;3@2 waits 950;4@2 waits 950;5@2 waits 950", "950", "permits=0 queued=4", "; who took them is not known."},
		{"1@2 meets 102;2@2 waits 950;3@2 waits 950;4@2 waits 950;5@2 waits 950", "950", "permits=0 queued=4", "; who took them is not known."},
		{"3@2 waits 950;3@4 from 5;2@3 waits 950;4@4 waits 950", "950", "permits=0 queued=2", "for 6.00 s by then; worker-2 (thread 3) " +
			"got one and has not given it back."},
		{"3@2 waits 950;5@2 waits 950;2@3 waits 950;3@4 from 1;5@5 from 4;4@5 waits 950", "950", "permits=0 queued=2",
			"; 2 threads got one and have not given it back, such as worker-2 (thread 3)."},
		{"3@2 waits 950;5@2 waits 950;2@3 waits 950;3@4 from 1;5@5 from 1;4@5 waits 950", "950", "permits=0 queued=2", // a signal
			"; who took them is not known."},
		{"3@2 waits 950;3@3 from 5;2@4 waits 950;4@4 waits 950", "950", "permits=0 queued=2", // it can have been given back before
			"; who took them is not known."},
		{"2@2 waits 970;3@2 waits 970", "970", "count=3 queued=2", "latch CountDownLatch 970, whose count was 3, when the trace ended"},
		{"1@2 waits 970;2@2 waits 970;3@2 waits 900;4@2 waits 900;5@2 waits 900", "970", "count=3 queued=2",
			"; who was to count it down is not known, and no thread of the program was left that could: all waited."},
		{"2@2 waits 970;3@2 waits 970", "970", "count=0 queued=2", "latch CountDownLatch 970 when the trace ended, for 7.00 s by then."},
		{"2@2 waits 970;3@2 waits 970", "970", `count=3 queued=2"/><annotation name="state" value="990 9 workers=2 maximum=2 worker=2 worker=3 active=2 queued=4`,
			"; who was to count it down is not known; all 2 workers of ThreadPoolExecutor 990, in whose queue 4 tasks are, wait for it."},
		{"2@2 waits 950;3@2 waits 950", "950", `permits=0 queued=2"/><annotation name="state" value="990 9 workers=2 maximum=2 worker=2 worker=3 active=2 queued=4`,
			", which had 0 permits, when the trace ended, for 7.00 s by then; who took them is not known; all 2 workers of ThreadPoolExecutor 990, in whose " +
				"queue 4 tasks are, wait for it."},
		{"2@2 waits 970;3@2 waits 970", "970", `count=3 queued=2"/><annotation name="state" value="990 9 workers=2 maximum=2 worker=2 worker=4 active=2 queued=4`,
			"; who was to count it down is not known."},
		{"2@2 waits 970;3@2 waits 970", "970", `count=3 queued=2"/><annotation name="state" value="990 9 workers=2 maximum=2 worker=2 worker=3 active=2 queued=0`,
			"; who was to count it down is not known."},
		{"2@2 waits 970;3@2 waits 970", "970", `count=3 queued=2"/><annotation name="state" value="990 9 parallelism=2 worker=2 worker=3 workers=2 active=2 queued=1`,
			"; who was to count it down is not known; all 2 workers of ForkJoinPool 990, in whose queue 1 task is, wait for it."},
		{"2@2 waits 970;3@2 waits 970", "970", `count=3 queued=2"/><annotation name="state" value="990 9 parallelism=3 worker=2 worker=3 workers=2 active=2 queued=1`,
			"; who was to count it down is not known."}, // it will start another worker
		{"2@2 waits 971;3@2 waits 971", "971", "parties=3 arrived=1 phase=0", "2 threads of worker-* still waited for a Phaser, at which 1 of 3 parties had arrived, when the trace ended"},
		{"2@2 waits 972;3@2 waits 972", "972", "readers=2 writers=0", "StampedLock 972, which was held for reading 2 times, when the trace ended, " +
			"for 7.00 s by then; who holds it is not known."},
		{"2@2 waits 972;3@2 waits 972", "972", "readers=0 writers=1", "StampedLock 972, which was held for writing, when the trace ended, " +
			"for 7.00 s by then; who holds it is not known."},
		{"2@2 blocks 960", "960", "owner=0 holds=0 readers=1 reader=1 reader=1", "1 thread was BLOCKED for 7.00 s on lock ReentrantReadWriteLock 960, " +
			"which was held for reading when the trace ended, by main (thread 1)."},
		{"2@2 blocks 960", "960", `owner=0 holds=0 readers=2 reader=1 reader=3"/><threadEnd threadIdRef="3" time="9"/><annotation name="x" value="`,
			"960, which was held for reading 2 times when the trace ended, by main (thread 1)."},
		{"2@2 blocks 960", "960", `owner=0 holds=0 readers=1 reader=1"/><gcStart time="11"/><gcFinish time="11"/><annotation name="x" value="`,
			"960, which was held for reading 2.00 s before the end, by main (thread 1)."},
		{"2@2 waits 950;4@2 waits 950", "950", `permits=0 queued=2"/><gcStart time="11"/><gcFinish time="11"/><annotation name="x" value="`,
			"2 threads of worker-* still waited for semaphore 950, which had 0 permits 2.00 s before the end, when the trace ended, for 9.00 s by then"},
		{"2@2 waits 900;3@2 waits 900", "900", "owner=1 waiters=2", "2 threads of worker-* still waited for shop.Cache 900, whose monitor main (thread 1) held, when"},
		{"2@2 blocks 960;3@2 waits 900;4@2 waits 900", "960", "owner=77 holds=1", "960, which thread 77 held when the trace ended; no thread of the " +
			"trace has that number: it had ended before, or is a virtual one that only waited."},
		{"2@2 blocks 960", "960", "owner=3 holds=1 readers=0", "960, which worker-2 (thread 3) held when the trace ended."},
		{"2@2 blocks 960", "960", "owner=0 holds=0 readers=0", "960; who held it is not known."},
	} {
		document := threadsOf + permits + objects + parks(t, c.script) + `<annotation name="state" value="` + c.object + ` 9 ` + c.state +
			`"/><gcStart time="9"/></TRACE>`
		facts := factsOf(t, document)
		facts.Recorded = 1
		found := diagnosis.Of(facts)
		if !slices.ContainsFunc(found.Findings, func(f diagnosis.Finding) bool {
			return strings.Contains(f.Summary, c.want) && strings.HasPrefix(c.state, f.Object.State)
		}) {
			t.Errorf("%s: no %q in %+v", c.script, c.want, found.Findings)
		}
	}
}

// poolOf defines FutureTasks 980, 981 and 982, and a class of the program with three methods. A stack is 70:5, 71:6 or
// 72:7.
const poolOf = `<classDef name="java/util/concurrent/FutureTask" classId="11" time="1"/><objAlloc objId="980" classIdRef="11" time="1"/>` +
	`<objAlloc objId="981" classIdRef="11" time="1"/><objAlloc objId="982" classIdRef="11" time="1"/>` +
	`<classDef name="shop/App" classId="20" time="1"/><methodDef name="ask" methodId="70" classIdRef="20"/>` +
	`<methodDef name="pay" methodId="71" classIdRef="20"/><methodDef name="ship" methodId="72" classIdRef="20"/>`

// periodic defines a task of a ScheduledThreadPoolExecutor, 985.
const periodic = `<classDef name="java/util/concurrent/ScheduledThreadPoolExecutor$ScheduledFutureTask" classId="12" time="1"/>` +
	`<objAlloc objId="985" classIdRef="12" time="1"/>`

// at is a part of a document in which the thread waits from second 2 on, for an object or, if kind is io, for input.
func at(thread int, kind, object, stack string) string {
	name, value := "park", "wait"
	if kind == "io" {
		name, value = "io", "read"
	}
	return fmt.Sprintf(`<monWait threadIdRef="%d" time="2" objIdRef="%s" timeout="0"><annotation name="%s" value="%s"/>`+
		`<annotation name="stack" value="%s"/></monWait>`, thread, object, name, value, stack)
}

// statesOf is a part of a document with states of objects at second 9, the end.
func statesOf(states string) (document string) {
	for state := range strings.SplitSeq(states, ";") {
		object, text, _ := strings.Cut(state, " ")
		document += `<annotation name="state" value="` + object + ` 9 ` + text + `"/>`
	}
	return document + `<gcStart time="9"/></TRACE>`
}

// TestWorkers: what is said about a pool all of whose workers wait.
func TestWorkers(t *testing.T) {
	const one = "990 workers=1 maximum=1 worker=2 active=1 queued=2"
	const two = "990 workers=2 maximum=2 worker=5 worker=4 active=2 queued=1"
	asked := at(1, "park", "980", "70:5") + at(2, "park", "981", "70:5") + at(3, "park", "982", "70:5")
	const tasks = "980 done=0 runner=4;981 done=0 runner=5;982 done=0 runner=0 inQueue=990;"
	others := func(example string) string {
		return "3 threads still waited for 3 objects, such as future FutureTask 980" + example + " at shop.App.ask(line 5) when the trace ended, for 7.00 s by then."
	}
	for name, c := range map[string]struct {
		document, states, want string
		healthy                bool
	}{
		"the only one reads": {at(2, "io", "910", "70:5"), one,
			"worker-1 (thread 2) still waited for input or output at shop.App.ask(line 5) when the trace ended, for 7.00 s by then; it is the only worker of ThreadPoolExecutor 990, in whose queue 2 tasks are.", false},
		"it has no task to do": {at(2, "io", "910", "70:5"), "990 workers=1 maximum=1 worker=2 active=1 queued=0",
			"worker-1 (thread 2) still waited for input or output at shop.App.ask(line 5) when the trace ended, for 7.00 s by then.", true},
		"it has just begun": {strings.Replace(at(2, "io", "910", "70:5"), `time="2"`, `time="8.1"`, 1), one,
			"worker-1 (thread 2) still waited for input or output at shop.App.ask(line 5) when the trace ended, for 900 ms by then.", true},
		"both read": {at(4, "io", "910", "71:6") + at(5, "io", "911", "71:6"), two, "2 threads of worker-* still waited for input or output at " +
			"shop.App.pay(line 6) when the trace ended, for 7.00 s by then; they are all 2 workers of ThreadPoolExecutor 990, in whose queue 1 task is.", false},
		"one of two that read": {at(2, "io", "910", "71:6") + at(3, "io", "911", "71:6"), one, "2 threads of worker-* still waited for input or output at " +
			"shop.App.pay(line 6) when the trace ended, for 7.00 s by then; among them is worker-1 (thread 2), the only worker of ThreadPoolExecutor 990, " +
			"in whose queue 2 tasks are.", false},
		"two of three that read": {at(3, "io", "909", "71:6") + at(4, "io", "910", "71:6") + at(5, "io", "911", "71:6"), two, "3 threads of worker-* still waited " +
			"for input or output at shop.App.pay(line 6) when the trace ended, for 7.00 s by then; among them are all 2 workers of ThreadPoolExecutor 990, in " +
			"whose queue 1 task is.", false},
		"tasks that are due later": {at(2, "io", "910", "70:5"), "990 workers=1 maximum=2147483647 worker=2 active=1 queued=2",
			"worker-1 (thread 2) still waited for input or output at shop.App.ask(line 5) when the trace ended, for 7.00 s by then; it is the only " +
				"worker of ThreadPoolExecutor 990, in whose queue 2 tasks are.", true},
		"a task of a timer": {periodic + at(2, "io", "910", "70:5") + at(3, "park", "985", "71:6"), "985 done=0 runner=0 inQueue=990;990 workers=1 maximum=2147483647 worker=2 active=1 queued=2",
			"worker-2 (thread 3) still waited for future ScheduledFuture 985, which is in the queue of ThreadPoolExecutor 990 and not run by " +
				"any thread, at shop.App.pay(line 6) when the trace ended, for 7.00 s by then; its only worker was busy: worker-1 (thread 2) " +
				"still waited for input or output at shop.App.ask(line 5).", false},
		"tasks of one pool": {asked + at(4, "io", "910", "71:6") + at(5, "io", "911", "71:6"), tasks + two,
			"3 threads still waited for tasks of ThreadPoolExecutor 990 at shop.App.ask(line 5) when the trace ended, for 7.00 s by then; its 2 workers " +
				"were all busy: worker-3 (thread 4) and worker-4 (thread 5) still waited for input or output at shop.App.pay(line 6).", false},
		"workers at two places": {asked + at(4, "io", "910", "71:6") + at(5, "io", "911", "72:7"), tasks + two,
			"3 threads still waited for tasks of ThreadPoolExecutor 990 at shop.App.ask(line 5) when the trace ended, for 7.00 s by then; its 2 workers " +
				"were all busy, such as worker-3 (thread 4), which still waited for input or output at shop.App.pay(line 6).", false},
		"tasks that all run": {asked, "980 done=0 runner=4;981 done=0 runner=5;982 done=0 runner=4;" + two, others(", which worker-3 (thread 4) runs,"), true},
		"tasks of two pools": {asked, "980 done=0 runner=0 inQueue=991;" + tasks[len("980 done=0 runner=4;"):] + two,
			others(", which is in the queue of an executor and not run by any thread,"), true},
		"a task that nobody runs":         {asked, "980 done=0 runner=0;" + tasks[len("980 done=0 runner=4;"):] + two, others(", which no thread runs,"), false},
		"a task that is done":             {asked, "980 done=1 runner=4;" + tasks[len("980 done=0 runner=4;"):] + two, others(","), true},
		"a task that another thread runs": {asked, "980 done=0 runner=77;" + tasks[len("980 done=0 runner=4;"):] + two, others(","), true},
	} {
		found := diagnosis.Of(factsOf(t, threadsOf+permits+poolOf+c.document+statesOf(c.states)))
		if len(found.Findings) == 0 || found.Findings[0].Summary != c.want || found.Healthy() != c.healthy {
			t.Errorf("%s: %+v, healthy %v;\nwant %s, %v", name, found.Findings, found.Healthy(), c.want, c.healthy)
		}
	}
}

// given is a part of a document in which the thread waits for the object, until another thread ends that.
func given(thread int, object, from, to string, by int) string {
	return fmt.Sprintf(`<monWait threadIdRef="%d" time="%s" objIdRef="%s" timeout="0"><annotation name="park" value="wait"/>`+
		`<annotation name="stack" value="70:5"/></monWait><callNotify threadId="%d" time="%s" objIdRef="%[3]s" isNotifyAll="0">`+
		`<annotation name="park" value="wait"/><annotation name="wakes" value="%[1]d"/></callNotify>`+
		`<monWaited threadIdRef="%[1]d" time="%[5]s" objIdRef="%[3]s" isTimedOut="0"/>`, thread, from, object, by, to)
}

// TestBriefWaits: waits for results that come soon are no fault, unless one does not come. What is next to nothing for
// each of many threads is left out.
func TestBriefWaits(t *testing.T) {
	results := given(2, "980", "2", "2.06", 3) + given(2, "981", "3", "3.06", 3)
	permit := ""
	for i := range 12 {
		permit += given(2+i%4, "950", fmt.Sprint(2+float64(i)/10), fmt.Sprint(2.008+float64(i)/10), 1)
	}
	for name, c := range map[string]struct {
		document string
		waits    int
		healthy  bool
	}{
		"results that come soon":  {results, 1, true},
		"one that comes late":     {results + given(2, "982", "4", "5", 3), 1, false},
		"one that does not come":  {results + strings.Replace(at(2, "park", "982", "70:5"), `time="2"`, `time="4"`, 1), 2, false},
		"8 ms for each of many":   {permit, 0, true},
		"the same for one thread": {strings.NewReplacer(`"3"`, `"2"`, `"4"`, `"2"`, `"5"`, `"2"`).Replace(permit), 1, false},
	} {
		found := diagnosis.Of(factsOf(t, threadsOf+permits+poolOf+c.document+`<gcStart time="9"/></TRACE>`))
		waits := 0
		for _, f := range found.Findings {
			if f.Kind == diagnosis.Future || f.Kind == diagnosis.Semaphore {
				waits++
			}
		}
		if waits != c.waits || found.Healthy() != c.healthy {
			t.Errorf("%s: %d, healthy %v; want %d, %v: %+v", name, waits, found.Healthy(), c.waits, c.healthy, found.Findings)
		}
	}
}

// TestPeers: the peers of sockets are said of open waits, those of most threads first, and of the longest finished
// wait.
func TestPeers(t *testing.T) {
	four := at(2, "io", "910", "70:5") + at(3, "io", "911", "70:5") + at(4, "io", "912", "70:5") + at(5, "io", "913", "70:5")
	ended := func(end string) string {
		return strings.ReplaceAll(at(2, "io", "910", "70:5"), `name="io" value="read"/>`, `name="io" value="read"/><annotation name="peer" value="db:5432"/>`) +
			`<monWaited threadIdRef="2" time="` + end + `" objIdRef="910" isTimedOut="0"/>`
	}
	for _, c := range []struct{ document, want string }{
		{at(2, "io", "910", "70:5") + statesOf("910 peer=db:5432"), "[The peer is db:5432.]"},
		{at(2, "io", "910", "70:5") + statesOf("910 peer=db:5432 self=1"), "[The peer is db:5432, this JVM itself.]"},
		{four + statesOf("910 peer=db:5432"), "[The peer is db:5432, as far as it is known.]"},
		{four + statesOf("910 peer=db:1;911 peer=db:2;912 peer=db:2"), "[The peers are db:2 and db:1, as far as they are known.]"},
		{four + statesOf("910 peer=db:1;911 peer=db:2;912 peer=db:2;913 peer=db:2"), "[The peers are db:2 and db:1.]"},
		{four + statesOf("910 peer=db:4;911 peer=db:3;912 peer=db:2;913 peer=db:1"), "[The peers are db:1, db:2, db:3 and 1 other.]"},
		{four + statesOf("910 owner=0"), "[]"},
		{ended("8") + statesOf("990 owner=0"), "[The peer was db:5432.]"},
	} {
		found := diagnosis.Of(factsOf(t, threadsOf+permits+poolOf+c.document)).Findings
		if len(found) == 0 || found[0].Kind != diagnosis.IO || fmt.Sprint(found[0].Evidence) != c.want {
			t.Errorf("got %+v, want %s", found, c.want)
		}
	}
}

// TestStateThen: the state of an object, read while a thread waited, is said in words, or not at all.
func TestStateThen(t *testing.T) {
	const latch = `<classDef name="java/util/concurrent/CountDownLatch$Sync" classId="8" time="1"/><objAlloc objId="970" classIdRef="8" time="1"/>`
	for _, c := range []struct{ object, state, want string }{
		{"950", "permits=0 queued=2", "3.00 s after the longest wait began, it had 0 permits."},
		{"970", "count=3", "3.00 s after the longest wait began, its count was 3."},
		{"980", "done=0 runner=3", "3.00 s after the longest wait began, worker-2 (thread 3) ran it."},
		{"980", "done=1 runner=0", ""},
		{"901", "owner=0 waiters=1", ""},
	} {
		document := at(2, "park", c.object, "70:5") + `<annotation name="state" value="` + c.object + " 5 " + c.state + `"/>` +
			`<monWaited threadIdRef="2" time="8" objIdRef="` + c.object + `" isTimedOut="0"/></TRACE>`
		found := diagnosis.Of(factsOf(t, threadsOf+permits+poolOf+latch+document)).Findings
		if len(found) == 0 || strings.Join(found[0].Evidence, " ") != c.want {
			t.Errorf("%s: got %+v, want %q", c.state, found, c.want)
		}
	}
}

// TestAwaited: a thread that the JDK lets wait through a latch waits for no latch of the program.
func TestAwaited(t *testing.T) {
	const classes = `<classDef name="java/util/concurrent/CountDownLatch$Sync" classId="8" time="1"/><objAlloc objId="970" classIdRef="8" time="1"/>` +
		`<classDef name="java/util/concurrent/CountDownLatch" classId="30" time="1"/><methodDef name="await" methodId="80" classIdRef="30"/>` +
		`<classDef name="java/lang/VirtualThread" classId="31" time="1"/><methodDef name="joinNanos" methodId="81" classIdRef="31"/>` +
		`<classDef name="java/util/concurrent/ThreadPerTaskExecutor" classId="32" time="1"/><methodDef name="awaitTermination" methodId="82" classIdRef="32"/>` +
		`<classDef name="jdk/internal/misc/ThreadFlock" classId="33" time="1"/><methodDef name="awaitAll" methodId="83" classIdRef="33"/>`
	for stack, want := range map[string]struct {
		kind       diagnosis.Kind
		said, rest string
	}{
		"80:1 81:2 70:5": {diagnosis.Join, "the end of a virtual thread", ""},
		"80:1 82:2 70:5": {diagnosis.WaitKind, "the ends of an executor's threads", ""},
		"83:2 70:5":      {diagnosis.WaitKind, "the subtasks of a StructuredTaskScope", ""},
		"80:1 70:5":      {diagnosis.Latch, "latch CountDownLatch 970, whose count was 1,", "; who was to count it down is not known"},
	} {
		found := diagnosis.Of(factsOf(t, threadsOf+poolOf+classes+at(2, "park", "970", stack)+statesOf("970 count=1 queued=1"))).Findings
		if len(found) != 1 || found[0].Kind != want.kind || !strings.HasPrefix(found[0].Summary, "worker-1 (thread 2) still waited for "+want.said+" at shop.App.ask(") ||
			!strings.HasSuffix(found[0].Summary, " for 7.00 s by then"+want.rest+".") {
			t.Errorf("%s: got %+v, want %s", stack, found, want.said)
		}
		dump := strings.ReplaceAll(threadsOf+poolOf+classes+at(2, "park", "970", stack), `time="2"`, `time="1"`)
		dump = strings.Replace(dump, "<TRACE>", `<TRACE><agentCreate agentId="1" agentName="thread dump" agentParameters="sampled" time="1"/>`, 1)
		report := diagnosis.Of(factsOf(t, dump+"</TRACE>")).Answer().Report()
		if said, _, _ := strings.Cut(want.said, ","); report.Headline != "As far as the thread dump shows, no thread holds what another one wants." ||
			!strings.HasPrefix(report.Remarks[0], "worker-1 (thread 2) waits for "+said+" at shop.App.ask(") {
			t.Errorf("a dump: got %s\n%s", report.Headline, report.Remarks)
		}
	}
}

// TestSeveral: what is said of several threads at one place, each with an object of its own.
func TestSeveral(t *testing.T) {
	const classes = `<classDef name="java/util/concurrent/Phaser$QNode" classId="9" time="1"/><objAlloc objId="971" classIdRef="9" time="1"/>` +
		`<objAlloc objId="972" classIdRef="9" time="1"/><classDef name="java/util/concurrent/ArrayBlockingQueue" classId="30" time="1"/>` +
		`<methodDef name="take" methodId="80" classIdRef="30"/>`
	for _, c := range []struct{ kind, one, other, stack, states, want string }{
		{"park", "971", "972", "70:5", "971 parties=3 arrived=2 phase=0;972 parties=3 arrived=2 phase=0", "a Phaser, at which 2 of 3 parties had arrived,"},
		{"park", "971", "972", "70:5", "971 parties=3 arrived=2 phase=0;972 parties=9 arrived=2 phase=0", "a Phaser"},
		{"park", "971", "972", "70:5", "971 parties=3 arrived=2 phase=0", "a Phaser"},
		{"io", "910", "911", "70:5", "900 owner=0", "input or output"},
		{"park", "910", "911", "80:1 70:5", "900 owner=0", "an element of queue ArrayBlockingQueue"},
		{"park", "980", "981", "70:5", "980 done=0 runner=4", "2 objects, such as future FutureTask 980, which worker-3 (thread 4) runs,"},
	} {
		found := diagnosis.Of(factsOf(t, threadsOf+permits+poolOf+classes+at(2, c.kind, c.one, c.stack)+at(3, c.kind, c.other, c.stack)+statesOf(c.states)))
		if len(found.Findings) != 1 || !strings.HasPrefix(found.Findings[0].Summary, "2 threads of worker-* still waited for "+c.want+" at shop.App.ask(") {
			t.Errorf("%s: got %+v\nwant %s", c.states, found.Findings, c.want)
		}
	}
}

// TestNative: what is said of threads that dumps show in native code at one place.
func TestNative(t *testing.T) {
	const agent = `<agentCreate agentId="1" agentName="thread dump" agentType="Profiler" time="1"/>` + poolOf +
		`<classDef name="java/io/FileInputStream" classId="8"/><methodDef name="read0" methodId="60" classIdRef="8"/>` +
		`<classDef name="sun/nio/ch/UnixFileDispatcherImpl" classId="9"/><methodDef name="lock0" methodId="61" classIdRef="9"/>`
	shown := func(second int, stack string, threads ...int) (text string) {
		for _, thread := range threads {
			text += fmt.Sprintf(`<annotation name="cpu" value="%d %d 1000000 %[2]d000000000"/>`+
				`<annotation name="sample" value="%[1]d %[2]d RUNNABLE 1 0 %s"/>`, thread, second, stack)
		}
		return text
	}
	const later = `<threadEnd threadIdRef="1" time="3"/>`
	const in = " in native code, for input or output, at shop.App.ask(line 5)"
	for name, c := range map[string]struct {
		samples, want string
		callers       bool // the second thread has another caller
	}{
		"one":           {shown(2, "60 70:5", 2), "worker-1 (thread 2) is" + in + ".", false},
		"a file's lock": {shown(2, "61 70:5", 2), "worker-1 (thread 2) is in native code, for the lock of a file, at shop.App.ask(line 5).", false},
		"two of a pool": {shown(2, "60 70:5", 2, 3), "2 threads of worker-* are" + in + ".", false},
		"of two pools":  {shown(2, "60 70:5", 1, 2), "2 threads are" + in + ".", false},
		"two callers":   {shown(2, "60 70:5", 2, 3), "2 threads of worker-* are" + in + " and elsewhere.", true},
		"in all dumps":  {shown(2, "60 70:5", 2, 3) + shown(3, "60 70:5", 2, 3) + later, "2 threads of worker-* are" + in + ", in all dumps.", false},
		"one of them was elsewhere": {shown(2, "60 70:5", 2) + shown(2, "60 71:6", 3) + shown(3, "60 70:5", 2, 3) + later,
			"2 threads of worker-* are" + in + ".", false},
	} {
		facts := factsOf(t, strings.Replace(threadsOf, "<TRACE>", "<TRACE>"+agent, 1)+c.samples+"</TRACE>")
		if runnable := facts.Statistics.Samples.Runnable; c.callers {
			runnable[1].Place.Outer = &trace.Outer{Frames: []trace.Frame{runnable[0].Place}}
		}
		if found := diagnosis.Of(facts).Findings; len(found) != 1 || found[0].Summary != c.want {
			t.Errorf("%s: got %+v, want %s", name, found, c.want)
		}
	}
}

// TestNativeBeside: threads in native code are named beside waits if nobody is to blame for these.
func TestNativeBeside(t *testing.T) {
	const agent = `<agentCreate agentId="1" agentName="thread dump" agentType="Profiler" time="1"/>` + poolOf + permits +
		`<classDef name="java/io/FileInputStream" classId="8"/><methodDef name="read0" methodId="60" classIdRef="8"/>`
	shown := ""
	for second := 2; second < 4; second++ {
		shown += fmt.Sprintf(`<annotation name="cpu" value="2 %d 1000000 %[1]d000000000"/><annotation name="sample" value="2 %[1]d RUNNABLE 1 0 60 70:5"/>`, second)
	}
	const native = "worker-1 (thread 2) is in native code, for input or output, at shop.App.ask(line 5), in all dumps."
	for waits, want := range map[string]bool{
		parks(t, "4@2 waits 950;5@2 waits 950"):                                        true,
		`<monContendedEnter threadIdRef="4" time="2" objIdRef="900" threadOwner="1"/>`: false,
	} {
		found := diagnosis.Of(factsOf(t, threadsOf+agent+waits+shown+`<gcStart time="3.5"/></TRACE>`))
		told := slices.ContainsFunc(found.Findings, func(f diagnosis.Finding) bool { return f.Summary == native })
		if found.Healthy() || told != want {
			t.Errorf("%s: told %v, healthy %v: %+v", waits, told, found.Healthy(), found.Findings)
		}
	}
}

// TestWanting: of a lock whose holder is a reader or unknown, threads at different places are named first.
func TestWanting(t *testing.T) {
	block := func(thread int, stack string) string {
		return fmt.Sprintf(`<monContendedEnter threadIdRef="%d" time="2" objIdRef="960" threadOwner="0"><annotation name="park" value="lock"/>`+
			`<annotation name="stack" value="%s"/></monContendedEnter>`, thread, stack)
	}
	const among = "Among them worker-1 (thread 2) at shop.App.ask(line 5), worker-4 (thread 5) at shop.App.pay(line 6) " +
		"and worker-2 (thread 3) at shop.App.ask(line 5)."
	const last = "The longest block, 7.00 s, was at shop.App.ask(line 5)."
	four := block(2, "70:5") + block(3, "70:5") + block(4, "70:5") + block(5, "71:6")
	for name, c := range map[string]struct {
		document, state string
		want            []string
	}{
		"readers":             {four, "960 owner=0 holds=0 readers=1 reader=1", []string{"Readers alone do not keep a reader waiting: likely at least one of these threads wants to write. " + among, last}},
		"nobody knows":        {four, "900 owner=0", []string{among, last}},
		"a writer":            {four, "960 owner=1 holds=1 readers=0", []string{last}},
		"a writer that reads": {four, "960 owner=1 holds=1 readers=1 reader=1", []string{last}},
		"one thread waits":    {block(2, "70:5"), "960 owner=0 holds=0 readers=1 reader=1", []string{"The longest block was that of worker-1 (thread 2) at shop.App.ask(line 5)."}},
	} {
		found := diagnosis.Of(factsOf(t, threadsOf+permits+poolOf+c.document+statesOf(c.state))).Findings
		if len(found) != 1 || !slices.Equal(found[0].Evidence, c.want) {
			t.Errorf("%s: got %+v\nwant %q", name, found, c.want)
		}
	}
}

// TestStuck: threads that can never go on, by the states of what they wait for, and threads that can.
func TestStuck(t *testing.T) {
	const tasks = `<classDef name="java/util/concurrent/FutureTask" classId="11" time="1"/><objAlloc objId="980" classIdRef="11" time="1"/>` +
		`<objAlloc objId="981" classIdRef="11" time="1"/>`
	const one = "980 done=0 runner=0 inQueue=990;990 workers=1 maximum=1 worker=2 active=1 queued=1"
	for _, c := range []struct{ script, states, want string }{
		{"2@2 waits 980;3@2 waits 981", "980 done=0 runner=0 inQueue=990;981 done=0 runner=0 inQueue=990;" +
			"990 workers=2 maximum=2 worker=2 worker=3 active=2 queued=2", "deadlock: both threads of worker-*, the workers of " +
			"ThreadPoolExecutor 990, wait for tasks in their own queue."},
		{"2@2 waits 980", one, "deadlock: worker-1 (thread 2), the only worker of ThreadPoolExecutor 990, waits for a task in its own queue."},
		{"2@2 waits 980", "980 done=1 runner=0 inQueue=990;990 workers=1 maximum=1 worker=2 active=1 queued=1", ""},
		{"2@2 waits 980", "980 done=0 runner=0 inQueue=990;990 workers=1 maximum=2 worker=2 active=1 queued=1 capacity=9", ""}, // it can grow
		{"2@2 waits 980", "980 done=0 runner=0 inQueue=990;990 workers=2 maximum=2 worker=2 active=1 queued=1", ""},
		{"2@2 waits 980", "980 done=0 runner=0 inQueue=990;990 workers=2 maximum=2 worker=2 active=2 queued=1", ""}, // one is not named
		{"2@2 waits 980", "980 done=0 runner=0 inQueue=990", ""},
		{"2@2 waits 980", "980 done=0 runner=0 inQueue=990;990 parallelism=1 worker=2 workers=1 active=1 queued=1", ""}, // others can help
		{"2@2 waits 980;3@2 waits 981", "980 done=0 runner=0 inQueue=991;981 done=0 runner=0 inQueue=990;" +
			"990 workers=1 maximum=1 worker=2 active=1 queued=1;991 workers=1 maximum=1 worker=3 active=1 queued=1",
			"deadlock: worker-1 (thread 2) waits for a task in the queue of ThreadPoolExecutor 991, all of whose threads wait, such as " +
				"worker-2 (thread 3); worker-2 (thread 3) waits for a task in the queue of ThreadPoolExecutor 990, all of whose threads wait, " +
				"such as worker-1 (thread 2)."},
		{"2@2 waits 980;3@2 waits 981", "980 done=0 runner=3;981 done=0 runner=2",
			"deadlock: worker-1 (thread 2) waits for future FutureTask 980, which worker-2 (thread 3) runs; " +
				"worker-2 (thread 3) waits for future FutureTask 981, which worker-1 (thread 2) runs."},
		{"2@2 waits 980", "980 done=0 runner=3", ""},
		{"2@2 blocks 960", "960 owner=0 holds=0 readers=1 reader=2 queued=1", "deadlock: worker-1 (thread 2) waits to write under the lock " +
			"ReentrantReadWriteLock 960, which it holds for reading itself."},
		{"2@2 tries 960", "960 owner=0 holds=0 readers=1 reader=2 queued=1", "possible deadlock: worker-1 (thread 2) waits to write under " +
			"the lock ReentrantReadWriteLock 960, which it holds for reading itself. This wait has a timeout."},
		{"2@2 polls 980", one, "possible deadlock: worker-1 (thread 2), the only worker of ThreadPoolExecutor 990, waits for a task in its own " +
			"queue. This wait has a timeout."},
		{"2@2 joins 103;3@2 meets 102", "900 owner=0 waiters=1", "possible deadlock: worker-1 (thread 2) waits for the end of worker-2 (thread 3); " +
			"worker-2 (thread 3) waits for the end of worker-1 (thread 2). One of these waits has a timeout."},
		{"2@2 joins 103;3@2 joins 102;4@2 meets 102", "900 owner=0 waiters=1", "deadlock: worker-1 (thread 2) waits for the end of worker-2 " +
			"(thread 3); worker-2 (thread 3) waits for the end of worker-1 (thread 2)."}, // without the third one
		{"2@2 blocks 960", "960 owner=0 holds=0 readers=2 reader=2 queued=1", ""},          // a reader is not known
		{"2@2 blocks 960", "960 owner=0 holds=0 readers=2 reader=2 reader=3 queued=1", ""}, // which runs
		{"2@2 blocks 960;3@2 blocks 960", "960 owner=0 holds=0 readers=2 reader=2 reader=3 queued=2", "deadlock: worker-1 (thread 2) waits for " +
			"the lock ReentrantReadWriteLock 960, which worker-1 (thread 2) and worker-2 (thread 3) hold for reading; "},
		{"2@2 joins 103;3@2 joins 102", "900 owner=0 waiters=1", "deadlock: worker-1 (thread 2) waits for the end of worker-2 (thread 3); " +
			"worker-2 (thread 3) waits for the end of worker-1 (thread 2)."},
		{"2@2 calls 102;3@2 joins 102", "900 owner=0 waiters=1", "deadlock: worker-1 (thread 2) waits for its own end."},
		{"1@2 calls 101", "900 owner=0 waiters=1", ""},               // so that the program goes on
		{"2@2 joins 102;3@2 joins 102", "900 owner=0 waiters=1", ""}, // somebody can notify it
		{"2@2 joins 103;3@2 blocks 960", "960 owner=2 holds=1 readers=0", "deadlock: worker-1 (thread 2) waits for the end of worker-2 " +
			"(thread 3); worker-2 (thread 3) waits for the lock ReentrantReadWriteLock 960, which worker-1 (thread 2) holds."},
		{"2@2 joins 103;3@2 blocks 960", "960 owner=4 holds=1 readers=0", ""}, // which runs
		{"2@2 blocks 960", `960 owner=0 holds=0 readers=1 reader=2"/><gcStart time="11"/><gcFinish time="11"/><annotation name="x" value="`,
			"deadlock: worker-1 (thread 2) waits to write under the lock ReentrantReadWriteLock 960, which it holds for reading itself."},
		{"2@2 blocks 960;3@9.5 joins 102", `960 owner=0 holds=0 readers=1 reader=3"/><gcStart time="11"/><gcFinish time="11"/><annotation name="x" value="`,
			""}, // it may have given it back before it joined
		{"2@8.5 blocks 960", "960 owner=0 holds=0 readers=1 reader=2 queued=1", ""}, // the state can be an earlier one
	} {
		document := threadsOf + permits + tasks + parks(t, c.script)
		for state := range strings.SplitSeq(c.states, ";") {
			object, text, _ := strings.Cut(state, " ")
			document += `<annotation name="state" value="` + object + ` 9 ` + text + `"/>`
		}
		found := diagnosis.Of(factsOf(t, document+`<gcStart time="9"/></TRACE>`)).Findings
		stuck, certainty := len(found) > 0 && found[0].Certainty != "" && strings.Contains(found[0].Summary, "deadlock"), diagnosis.Proven
		if strings.HasPrefix(c.want, "possible") {
			certainty = diagnosis.Possible
		}
		if stuck != (c.want != "") || stuck && (!strings.HasPrefix(found[0].Summary, c.want) || found[0].Certainty != certainty ||
			certainty == diagnosis.Possible && slices.ContainsFunc(found[0].Evidence, func(s string) bool { return strings.Contains(s, "Only") })) {
			t.Errorf("%s, %s: %+v, want %q", c.script, c.states, found, c.want)
		}
	}
}

// TestMeanwhile: the answer says what a thread did whose end others wait for, and who slept if it is unknown who let
// others wait. Neither is wrong.
func TestMeanwhile(t *testing.T) {
	document := threadsOf + `<classDef name="shop/App" sourceName="App.java" classId="20" time="1"/><methodDef name="take" methodId="70" classIdRef="20"/>` +
		`<methodDef name="nap" methodId="71" classIdRef="20"/><monWait threadIdRef="3" time="2" objIdRef="-1" timeout="90000"><annotation name="stack" value="71:9"/></monWait>` +
		`<monWait threadIdRef="1" time="2" objIdRef="103" timeout="0"><annotation name="stack" value="70:8"/></monWait>` +
		`<monWait threadIdRef="2" time="2" objIdRef="900" timeout="0"><annotation name="stack" value="70:5"/></monWait><gcStart time="9"/></TRACE>`
	found := diagnosis.Of(factsOf(t, document))
	var text strings.Builder
	for _, f := range found.Findings {
		fmt.Fprintln(&text, f.Summary, f.Evidence)
	}
	const want = "main (thread 1) still waited for the end of worker-2 (thread 3) at shop.App.take(App.java:8) when the trace ended, for 7.00 s by then; " +
		"that one was SLEEPING at shop.App.nap(App.java:9). []\n" +
		"worker-1 (thread 2) still waited for shop.Cache 900 at shop.App.take(App.java:5) when the trace ended, for 7.00 s by then. " +
		"[Meanwhile these slept: worker-2 (thread 3) at shop.App.nap(App.java:9).]\n"
	if text.String() != want || !found.Healthy() {
		t.Errorf("got %s, healthy %v, want %s", text.String(), found.Healthy(), want)
	}
}

// TestAsleepThroughMost: who slept through the longest wait for a permit is named where only a small part of the
// waits is known to be another thread's.
func TestAsleepThroughMost(t *testing.T) {
	for known, want := range map[string]bool{"8.5": true, "8.9": false} {
		document := threadsOf + permits + `<classDef name="shop/App" sourceName="App.java" classId="20" time="1"/>` +
			`<methodDef name="nap" methodId="71" classIdRef="20"/>` +
			`<monWait threadIdRef="3" time="2" objIdRef="-1" timeout="90000"><annotation name="stack" value="71:9"/></monWait>` +
			parks(t, "2@7.5 waits 950") + `<monWaited threadIdRef="2" time="8.2" objIdRef="950" isTimedOut="0"/>` +
			parks(t, "2@8.2 waits 950;2@"+known+" from 4") + `<threadEnd threadIdRef="1" time="9"/>`
		found := diagnosis.Of(factsOf(t, document))
		if len(found.Findings) == 0 || found.Findings[0].Kind != diagnosis.Semaphore {
			t.Fatalf("%+v", found.Findings)
		}
		const slept = "During the longest these slept: worker-2 (thread 3) at shop.App.nap(App.java:9)."
		if said := slices.Contains(found.Findings[0].Evidence, slept); said != want {
			t.Errorf("%s: %s %q", known, found.Findings[0].Summary, found.Findings[0].Evidence)
		}
	}
}

// TestUnownedLock: what a dump tells of a lock that none of its threads has. Idle workers that want the lock of their
// queue are at a hand-off.
func TestUnownedLock(t *testing.T) {
	const dump = `<agentCreate agentId="1" agentName="thread dump" agentParameters="sampled" time="1"/>` +
		`<classDef name="java/util/concurrent/locks/ReentrantLock$NonfairSync" classId="20" time="1"/><objAlloc objId="970" classIdRef="20" time="1"/>` +
		`<classDef name="java/util/concurrent/ThreadPoolExecutor" classId="21" time="1"/><methodDef name="getTask" methodId="60" classIdRef="21"/>` +
		`<classDef name="shop/App" classId="22" time="1"/><methodDef name="nap" methodId="61" classIdRef="22"/>` +
		`<monWait threadIdRef="3" time="1" objIdRef="-1"><annotation name="stack" value="61:9"/></monWait>`
	want := func(thread, lock, method string) string {
		return fmt.Sprintf(`<monContendedEnter threadIdRef="%s" time="1" objIdRef="%s" threadOwner="0"><annotation name="park" value="lock"/>`+
			`<annotation name="stack" value="%s:5"/></monContendedEnter><annotation name="state" value="%[2]s 1 owner=0"/>`, thread, lock, method)
	}
	for name, c := range map[string]struct{ document, summary, evidence string }{
		"workers":   {want("4", "970", "60"), "", ""},
		"others":    {want("4", "970", "60") + want("5", "970", "61"), "2 threads are BLOCKED on lock ReentrantLock 970, ", "They are"},
		"one other": {want("4", "970", "61"), "worker-3 (thread 4) is BLOCKED on lock ReentrantLock 970 at shop.App.nap(line 5); no thread", ""},
		"readers": {want("4", "960", "61"), "worker-3 (thread 4) is BLOCKED on lock ReentrantReadWriteLock 960 at shop.App.nap(line 5); no thread",
			"Asleep, and perhaps who is to end that: worker-2 (thread 3) at shop.App.nap(line 9)."},
		"readers, and a pool sleeps": {want("4", "960", "61") +
			`<monWait threadIdRef="5" time="1" objIdRef="-1"><annotation name="stack" value="61:9"/></monWait>`,
			"worker-3 (thread 4) is BLOCKED on lock ReentrantReadWriteLock 960 at shop.App.nap(line 5); no thread",
			"Asleep, and perhaps who is to end that: 2 threads of worker-*, such as worker-2 (thread 3) at shop.App.nap(line 9)."},
	} {
		found := diagnosis.Of(factsOf(t, threadsOf+permits+dump+c.document+"</TRACE>"))
		summary, evidence := "", ""
		if len(found.Findings) > 0 {
			summary, evidence = found.Findings[0].Summary, strings.Join(found.Findings[0].Evidence, " ")
		}
		if !strings.HasPrefix(summary, c.summary) || found.Healthy() != (c.summary == "") || !strings.HasPrefix(evidence, c.evidence) ||
			(c.evidence == "They are" || c.evidence == "") && strings.Contains(evidence, "Asleep") {
			t.Errorf("%s: %q %q", name, summary, evidence)
		}
	}
}

// TestHolderIsToldOnce: what the holder of a lock still waits for is told with the lock, and not again.
func TestHolderIsToldOnce(t *testing.T) {
	waiting := func(at int) string {
		return fmt.Sprintf(threadsOf+poolOf+`<monWait threadIdRef="3" time="%d" objIdRef="901" timeout="0"><annotation name="stack" value="70:5"/></monWait>`+
			`<monContendedEnter threadIdRef="2" time="%[1]d" objIdRef="900" threadOwner="3"/>`, at)
	}
	for document, want := range map[string]string{
		waiting(2) + `<gcStart time="9"/>`: "worker-2 (thread 3) held for 100 % of that, in shop.App.ask(line 5); that one still waited for shop.Cache 901.",
		waiting(9):                         "worker-2 (thread 3) holds, in shop.App.ask(line 5), WAITING for shop.Cache 901.",
	} {
		found := diagnosis.Of(factsOf(t, document+"</TRACE>")).Findings
		if len(found) != 1 || !strings.HasSuffix(found[0].Summary, want) {
			t.Errorf("got %+v\nwant only %s", found, want)
		}
	}
}

// TestProfiledIO: threads that a profiler saw only in input or output are named, if nothing is wrong or nobody knows
// who holds a lock, and if their waits are not known.
func TestProfiledIO(t *testing.T) {
	document := threadsOf + `<classDef name="java/net/SocketInputStream" classId="30" time="1"/><methodDef name="socketRead0" methodId="60" classIdRef="30"/>` +
		`<classDef name="shop/Shop" classId="31" time="1"/><methodDef name="ask" methodId="61" classIdRef="31"/>`
	read := func(thread string) (document string) {
		for i := range 30 {
			document += fmt.Sprintf(`<annotation name="sample" value="%s 2.%02d RUNNABLE 1 0 60 61:7"/>`, thread, 10+i)
		}
		return document
	}
	const lock = `<monContendedEnter threadIdRef="2" time="2" objIdRef="900" threadOwner="0"/><monContendedEnter threadIdRef="3" time="2" objIdRef="901" threadOwner="0"/>`
	const one = "main (thread 1) was in native code, for input or output, at shop.Shop.ask(line 7) in 30 of its 30 samples."
	for _, c := range []struct {
		document, want string
		healthy        bool
	}{
		{read("1"), one, true},
		{read("1") + read("2"), "2 threads were in native code, for input or output, at shop.Shop.ask(line 7) in 60 of their 60 samples.", true},
		{lock + read("1"), one, false},
		{`<monContendedEnter threadIdRef="2" time="2" objIdRef="900" threadOwner="3"/>` + read("1"), "", false},
		{strings.ReplaceAll(at(1, "io", "910", "61:7"), `time="2"`, `time="2.05"`) + `<monWaited threadIdRef="1" time="2.45" objIdRef="910" isTimedOut="0"/>` +
			read("1"), "", true},
	} {
		found := diagnosis.Of(factsOf(t, document+c.document+`<gcStart time="2.5"/></TRACE>`))
		text := ""
		for _, f := range found.Findings {
			text += f.Summary + strings.Join(f.Evidence, " ")
		}
		if found.Healthy() != c.healthy || c.want != "" && strings.Count(text, c.want) != 1 || c.want == "" && strings.Contains(text, "native") {
			t.Errorf("healthy %v, %s, want %s", found.Healthy(), text, c.want)
		}
	}
}

// TestGrowing: threads that never end are wrong if they are started all the time, but not if they are a pool.
func TestGrowing(t *testing.T) {
	for last, healthy := range map[int64]bool{7e9: false, 1e9: true} {
		facts := factsOf(t, threadsOf+`<gcStart time="9"/></TRACE>`)
		facts.Statistics.Workers = &contention.Workers{NeverEnded: []*contention.NeverEnded{{Pool: "poller-*", Threads: 24, First: 5e8, Last: last}}}
		if found := diagnosis.Of(facts); len(found.Findings) != 1 || found.Findings[0].Kind != diagnosis.Leak || found.Healthy() != healthy {
			t.Errorf("up to %d ns: %+v, healthy %v", last, found.Findings, found.Healthy())
		}
	}
}

// TestSaturated: a pool whose threads mostly waited for others is not exhausted, unless somebody waited for it.
func TestSaturated(t *testing.T) {
	for _, c := range []struct {
		waited, did string
		waiters     uint64
		named       bool
	}{
		{"PARKED", "RUNNABLE", 0, false}, {"INITIALISING", "SLEEPING", 0, false}, {"BLOCKED", "IN I/O", 1, true},
		{"SLEEPING", "PARKED", 0, true}, {"IN I/O", "WAITING", 0, true},
	} {
		facts := factsOf(t, threadsOf+`<gcStart time="9"/></TRACE>`)
		facts.Statistics.Workers = &contention.Workers{Saturated: []*contention.Saturated{{Pool: "web-*", Threads: 2,
			Tally: contention.Tally{Count: 1, Total: 4e9, Max: 4e9}, Waiters: c.waiters, Waited: c.waiters * 4e9,
			Did: []*contention.Did{{State: c.waited, Total: 5e9}, {State: c.did, Total: 3e9}}}}}
		found := diagnosis.Of(facts)
		if named := len(found.Findings) == 1 && found.Findings[0].Kind == diagnosis.PoolExhausted; named != c.named {
			t.Errorf("%+v: %+v", c, found.Findings)
		}
	}
}

// TestSaturatedBriefly: a pool for which a single thread waited for a small part of its time is no fault.
func TestSaturatedBriefly(t *testing.T) {
	for waited, healthy := range map[int64]bool{4e9: false, 1e8: true} {
		facts := factsOf(t, threadsOf+`<gcStart time="9"/></TRACE>`)
		facts.Statistics.Workers = &contention.Workers{Saturated: []*contention.Saturated{{Pool: "web-*", Threads: 2,
			Tally: contention.Tally{Count: 1, Total: uint64(waited), Max: waited}, Waiters: 1, Waited: uint64(waited),
			Did: []*contention.Did{{State: "IN I/O", Total: uint64(waited)}}}}}
		if found := diagnosis.Of(facts); len(found.Findings) != 1 || found.Healthy() != healthy {
			t.Errorf("%d ns: healthy %v, %+v", waited, found.Healthy(), found.Findings)
		}
	}
}

// TestSaturatedBehind: a pool that was busy up to the end is not named twice if what all of its workers wait for is a
// finding.
func TestSaturatedBehind(t *testing.T) {
	for open, want := range map[bool]int{true: 1, false: 2} {
		facts := factsOf(t, threadsOf+permits+poolOf+at(4, "io", "910", "71:6")+at(5, "io", "911", "71:6")+
			statesOf("990 workers=2 maximum=2 worker=5 worker=4 active=2 queued=1"))
		facts.Statistics.Workers = &contention.Workers{Saturated: []*contention.Saturated{{Pool: "worker-*", Threads: 2, Open: open,
			Tally: contention.Tally{Count: 1, Total: 8e9, Max: 8e9}, Did: []*contention.Did{{State: "IN I/O", Total: 16e9}}}}}
		if found := diagnosis.Of(facts); len(found.Findings) != want {
			t.Errorf("open %v: %+v", open, found.Findings)
		}
	}
}

// TestManyPools: very many live pools with default names are worth a finding, ended ones are not.
func TestManyPools(t *testing.T) {
	for _, c := range []struct {
		before, after string
		count, ended  int
		want          string
	}{
		{"pool-", "-thread-1", 30, 0, "30 threads of 30 executors live, such as pool-0-thread-1 (thread 10): possibly these are created " +
			"again and again, and never shut down."},
		{"pool-", "-thread-1", 30, 1, ""},
		{"Timer-", "", 120, 0, "120 threads of 120 java.util.Timers live, such as Timer-0 (thread 10): possibly these are created again " +
			"and again, and never cancelled."},
		{"Timer-", "-own", 120, 0, ""},
		{"pool-7-thread-", "", 120, 0, ""},
	} {
		document := threadsOf
		for i := range c.count {
			document += fmt.Sprintf(`<threadStart threadId="%d" time="1" threadName="%s%d%s" groupName="main"/>`, 10+i, c.before, i, c.after)
		}
		for i := range c.ended {
			document += fmt.Sprintf(`<threadEnd threadIdRef="%d" time="3"/>`, 10+i)
		}
		found := diagnosis.Of(factsOf(t, document+`<annotation name="cpu" value="1 9 1"/></TRACE>`)).Findings
		found = slices.DeleteFunc(found, func(f diagnosis.Finding) bool { return f.Kind != diagnosis.Leak })
		got := ""
		if len(found) > 0 {
			got = found[0].Summary
		}
		if got != c.want {
			t.Errorf("%d of %s: got %q\nwant %q", c.count, c.before, got, c.want)
		}
	}
}

// TestBeside: a dump that was made beside a trace adds the waits of some threads that the trace does not have.
func TestBeside(t *testing.T) {
	trace := threadsOf + permits + parks(t, "3@2 waits 950") + `<gcStart time="9"/></TRACE>`
	facts := factsOf(t, trace)
	dump := factsOf(t, threadsOf+permits+parks(t, "2@2 blocks 960;3@2 waits 950;4@2 blocks 960;5@2 waits 900")+`</TRACE>`)
	facts.Beside = []*diagnosis.Facts{{Blame: dump.Blame, Deadlocks: dump.Deadlocks, Command: dump.Command}}
	for only, want := range map[string]string{
		"2": "2 threads are BLOCKED on lock ReentrantReadWriteLock 960; who holds it is not known.", "3": "", "9": ""} {
		facts.Only = map[string]string{only: ""}
		found := diagnosis.Of(facts)
		told := slices.ContainsFunc(found.Findings, func(f diagnosis.Finding) bool { return strings.Contains(f.Summary, "960") })
		if told != (want != "") || found.Healthy() == told || told && found.Findings[0].Summary != want {
			t.Errorf("of thread %s: %+v, want %q", only, found.Findings, want)
		}
	}
}

// TestQuietBeside: threads of a dump that the trace does not have have waited for as long as it was recorded. Those that
// acted meanwhile have not.
func TestQuietBeside(t *testing.T) {
	const borrow = `<classDef name="shop/Pool" classId="12" time="1"/><methodDef name="borrow" methodId="60" classIdRef="12"/>`
	wait := func(thread int) string {
		return fmt.Sprintf(`<monWait threadIdRef="%d" time="9" objIdRef="900"><annotation name="stack" value="60"/></monWait>`, thread)
	}
	dump := factsOf(t, threadsOf+borrow+wait(2)+wait(3)+`</TRACE>`)
	for recorded, healthy := range map[int64]bool{3e9: false, 5e8: true} {
		facts := factsOf(t, threadsOf+`<gcStart time="9"/></TRACE>`)
		facts.Beside, facts.Only = []*diagnosis.Facts{{Blame: dump.Blame, Command: dump.Command}}, map[string]string{"2": "", "3": ""}
		facts.Recorded = recorded
		found := diagnosis.Of(facts)
		if len(found.Findings) != 1 || found.Healthy() != healthy || !strings.HasPrefix(found.Findings[0].Summary, "2 threads of worker-* still waited for shop.Cache 900") {
			t.Errorf("recorded for %d ns: healthy %v, %+v", recorded, found.Healthy(), found.Findings)
		}
	}
	acted := factsOf(t, threadsOf+parks(t, "2@4 sleeps 5;3@4 sleeps 5")+`<gcStart time="9"/></TRACE>`)
	acted.Beside, acted.Only = []*diagnosis.Facts{{Blame: dump.Blame, Command: dump.Command}}, map[string]string{"2": "", "3": ""}
	acted.Recorded = 3e9
	if found := diagnosis.Of(acted); !found.Healthy() || slices.ContainsFunc(found.Findings, func(f diagnosis.Finding) bool { return f.Kind == diagnosis.WaitKind }) {
		t.Errorf("waits of the dump, of threads that acted in the trace: %+v", found.Findings)
	}
}

// TestLastDump: several dumps do not show whose block is the longest, but where threads are BLOCKED in the last one.
func TestLastDump(t *testing.T) {
	const sampled = `<agentCreate agentId="1" agentName="thread dump" agentParameters="sampled" time="1"/>` +
		`<classDef name="shop/App" classId="12" time="1"/><methodDef name="a" methodId="60" classIdRef="12"/><methodDef name="b" methodId="61" classIdRef="12"/>`
	block := func(thread, method int) string {
		return fmt.Sprintf(`<monContendedEnter threadIdRef="%d" time="1" objIdRef="900" threadOwner="1"><annotation name="stack" value="%d"/></monContendedEnter>`,
			thread, method)
	}
	const over = `<monContendedEntered threadIdRef="5" time="3" objIdRef="900"/>`
	for document, want := range map[string]string{
		block(2, 60) + block(3, 60):                                      "In the last dump they are BLOCKED at shop.App.a.",
		block(2, 60) + block(3, 60) + block(4, 61):                       "In the last dump they are BLOCKED, 2 of them at shop.App.a.",
		block(2, 60) + block(3, 61):                                      "In the last dump they are BLOCKED (worker-1 (thread 2) at shop.App.a and worker-2 (thread 3) at shop.App.b).",
		block(2, 60) + block(3, 60) + block(5, 61) + over:                "In the last dump 2 are BLOCKED at shop.App.a.",
		block(2, 60) + block(3, 60) + block(4, 61) + block(5, 61) + over: "In the last dump 3 are BLOCKED, 2 of them at shop.App.a.",
	} {
		found := diagnosis.Of(factsOf(t, threadsOf+permits+sampled+document+`<gcStart time="5"/></TRACE>`)).Findings
		if len(found) == 0 || !slices.Contains(found[0].Evidence, want) || strings.Contains(strings.Join(found[0].Evidence, ""), "longest") {
			t.Errorf("got %+v\nwant %s", found, want)
		}
	}
}

// TestSameLockBeside: what a dump shows of a lock that the trace has is evidence of that finding. The ids of objects
// differ, so most of the threads that wait in both tell that it is the same.
func TestSameLockBeside(t *testing.T) {
	const soon = "[Soon after, of what is likely the same object: 3 threads are BLOCKED on lock ReentrantReadWriteLock 960; who holds it is not known.]"
	for _, c := range []struct {
		trace, dump string
		same        bool
	}{
		{"2@2 blocks 960", "2@2 blocks 960;3@2 blocks 960;4@2 blocks 960", true},
		{"2@2 blocks 960;5@2 blocks 970", "2@2 blocks 960;3@2 blocks 960;4@2 blocks 960;5@2 blocks 960", false}, // half waited for another
		{"2@2 blocks 960;5@2 waits 950", "2@2 blocks 960;3@2 blocks 960;4@2 blocks 960;5@2 waits 950", true},
		{"2@2 waits 950", "2@2 blocks 960;3@2 blocks 960;4@2 blocks 960", false},
		{"2@2 blocks 960", "2@2 waits 950;3@2 blocks 960;4@2 blocks 960;5@2 blocks 960", false},
	} {
		facts := factsOf(t, strings.ReplaceAll(threadsOf+permits+parks(t, c.trace), "960", "963")+`<gcStart time="9"/></TRACE>`)
		dump := factsOf(t, threadsOf+permits+parks(t, c.dump)+`</TRACE>`)
		facts.Beside, facts.Only = []*diagnosis.Facts{{Blame: dump.Blame, Command: dump.Command}}, map[string]string{"3": "", "4": ""}
		of, alone := 0, false
		for _, found := range diagnosis.Of(facts).Findings {
			alone = alone || strings.Contains(found.Summary, "960")
			if fmt.Sprint(found.Evidence) == soon && found.Object.ID == "963" {
				of = found.Waiting
			}
		}
		if alone == c.same || c.same != (of == 3) {
			t.Errorf("%s, then %s: told alone: %v, %d threads wait for the trace's object; want the same object: %v", c.trace, c.dump,
				alone, of, c.same)
		}
	}
}

// TestSeveralBeside: of threads that wait each for an object of its own, a dump shows no more of the same object.
func TestSeveralBeside(t *testing.T) {
	two := at(2, "park", "980", "70:5") + at(3, "park", "981", "70:5")
	facts := factsOf(t, threadsOf+permits+poolOf+two+`<gcStart time="9"/></TRACE>`)
	dump := factsOf(t, threadsOf+permits+poolOf+two+at(4, "park", "982", "70:5")+`</TRACE>`)
	facts.Beside, facts.Only = []*diagnosis.Facts{{Blame: dump.Blame, Command: dump.Command}}, map[string]string{"4": ""}
	for _, found := range diagnosis.Of(facts).Findings {
		if strings.Contains(fmt.Sprint(found.Evidence), "same object") {
			t.Errorf("%+v", found)
		}
	}
	dump = factsOf(t, threadsOf+permits+poolOf+two+at(4, "park", "981", "70:5")+`</TRACE>`)
	facts.Beside = []*diagnosis.Facts{{Blame: dump.Blame, Command: dump.Command}}
	findings := diagnosis.Of(facts).Findings
	if len(findings) != 2 || len(findings[0].Evidence)+len(findings[1].Evidence) > 0 {
		t.Errorf("%+v, want a finding of the trace and one of the dump", findings)
	}
}

// TestAsleepBeside: a virtual thread that slept since before the recording is only in the dump that was made after
// it. It may have what others wait for; one that the trace has, or one of many, is not named.
func TestAsleepBeside(t *testing.T) {
	const app = `<classDef name="shop/App" sourceName="App.java" classId="20" time="1"/><methodDef name="query" methodId="71" classIdRef="20"/>`
	sleeper := func(id int) string {
		return fmt.Sprintf(`<threadStart threadId="%d" time="1" threadName="v"/><monWait threadIdRef="%[1]d" time="1" objIdRef="-1">`+
			`<annotation name="stack" value="71:6"/></monWait>`, id)
	}
	const two = "[Asleep soon after, and perhaps who is to end that: v (thread 77) at shop.App.query(App.java:6) and v (thread 78) at shop.App.query(App.java:6).]"
	for name, c := range map[string]struct {
		first, last int
		want        string
	}{"two": {77, 78, two}, "known": {3, 3, "[]"}, "many": {70, 80, "[]"}} {
		facts := factsOf(t, threadsOf+permits+parks(t, "4@2 waits 950;5@2 waits 950")+`<annotation name="state" value="950 9 permits=0 queued=2"/><gcStart time="9"/></TRACE>`)
		document, only := "<TRACE>"+app, map[string]string{}
		for id := c.first; id <= c.last; id++ {
			document += sleeper(id)
			only[fmt.Sprint(id)] = ""
		}
		dump := factsOf(t, document+"</TRACE>")
		facts.Beside, facts.Only = []*diagnosis.Facts{{Blame: dump.Blame, Command: dump.Command}}, only
		found := diagnosis.Of(facts)
		if len(found.Findings) == 0 || fmt.Sprint(found.Findings[0].Evidence) != c.want {
			t.Errorf("%s: %+v, want %s", name, found.Findings, c.want)
		}
	}
}

// TestPartsAgree: statistics alone and blame alone give the same total and holder of a lock.
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

// TestBusy: what is said about threads that compute, and whether that is wrong.
func TestBusy(t *testing.T) {
	const code = `<classDef name="app/Main" sourceName="Main.java" classId="7"/><methodDef name="spin" methodId="50" classIdRef="7"/>` +
		`<classDef name="java/io/FileInputStream" classId="8"/><methodDef name="read0" methodId="60" classIdRef="8"/>`
	dump := func(at int, threads ...int) (text string) {
		for _, thread := range threads {
			text += fmt.Sprintf(`<annotation name="cpu" value="%d %d %d000000000 %d000000000"/>`, thread, at, at, at) +
				fmt.Sprintf(`<annotation name="sample" value="%d %d RUNNABLE 1 0 50:9"/>`, thread, at)
		}
		return text
	}
	agent := strings.Replace(threadsOf, "<TRACE>", `<TRACE><agentCreate agentId="1" agentName="thread dump" agentType="Profiler" time="1"/>`, 1) + code
	sampled := func(thread, period int) (text string) {
		for i := range 20 {
			text += fmt.Sprintf(`<annotation name="sample" value="%d %d.%d RUNNABLE 1 %d0000000 50:9"/>`, thread, 2+i/5, 2*(i%5), period)
		}
		return text
	}
	profile := strings.Repeat(`<annotation name="sample" value="2 2 RUNNABLE 1 0 50:9"/>`, 20)
	for name, c := range map[string]struct {
		document, said string
		healthy        bool
	}{
		"one thread":  {agent + dump(2, 2) + dump(4, 2), "worker-1 (thread 2) computed at app.Main.spin(Main.java:9): 100 % of a core for 2.00 s.", true},
		"two threads": {agent + dump(2, 2, 3) + dump(4, 2, 3), "2 threads of worker-* computed at app.Main.spin(Main.java:9): 2.0 cores for 2.00 s.", true},
		"a single dump": {agent + dump(3, 2),
			"worker-1 (thread 2) used 100 % of a core in the 3.00 s since it began; in the dump it is at app.Main.spin(Main.java:9).", true},
		"a pool in a single dump": {agent + dump(3, 2) + `<annotation name="cpu" value="3 3 2500000000 3000000000"/>` +
			`<annotation name="sample" value="3 3 RUNNABLE 1 0 60 50:12"/>`, "2 threads of worker-* used 1.8 cores in the 3.00 s " +
			"since they began; in the dump they are at app.Main.spin(Main.java:9) and app.Main.spin(Main.java:12).", true},
		"workers of two ages": {agent + dump(3, 2) + `<annotation name="cpu" value="3 3 2950000000 5920000000"/>` +
			`<annotation name="sample" value="3 3 RUNNABLE 1 0 50:9"/>`, "2 threads of worker-* used 100 % of a core in the 5.92 s " +
			"since the first of them began; in the dump they are at app.Main.spin(Main.java:9).", true},
		"one that waits in a single dump": {agent + dump(3, 2) + `<annotation name="cpu" value="3 3 2900000000 3000000000"/>`,
			"worker-1 (thread 2) used 100 % of a core in the 3.00 s since it began; in the dump it is at app.Main.spin(Main.java:9).", true},
		"a sampled pool": {threadsOf + code + sampled(2, 12) + sampled(3, 12) + `<threadEnd threadIdRef="1" time="9"/>`, "2 threads of " +
			"worker-* computed at app.Main.spin(Main.java:9): by their samples about 1.3 cores or more for 3.80 s.", true},
		"in some dumps": {agent + dump(2, 2, 3) + dump(3, 2, 3) + dump(4, 2),
			"   They were RUNNABLE there in 2 or more of 3 dumps. Whether that is their work or a loop without end is not known. See stats .",
			true},
		"all its samples": {threadsOf + code + sampled(2, 12) + sampled(3, 12) + `<threadEnd threadIdRef="1" time="9"/>`,
			"   They were RUNNABLE there in 40 of their 40 samples. Whether that is their work or a loop without end is not known. See stats .",
			true},
		"a busy machine": {strings.Replace(threadsOf, "<TRACE>", `<TRACE><option key="cpu.jvm" value="0.985"/>`+
			`<option key="cpu.machine" value="0.997"/>`, 1) + code + sampled(2, 20) + `<threadEnd threadIdRef="1" time="9"/>`,
			"   It was RUNNABLE there in 20 of its 20 samples. The processors of the machine were busy for >99 % of the time, for 98 % with " +
				"the JVM. Whether that is its work or a loop without end is not known. See stats .", true},
		"of unknown CPU time": {agent + strings.Repeat(`<annotation name="sample" value="2 2 RUNNABLE 1 0 50:9"/>`, 1) +
			`<annotation name="sample" value="2 3 RUNNABLE 1 0 50:9"/>`, "worker-1 (thread 2) likely computed at app.Main.spin(Main.java:9).", true},
		"one that another one waits for": {agent + `<monContendedEnter threadIdRef="3" time="1" objIdRef="900" threadOwner="2"/>` +
			dump(2, 2) + dump(4, 2), "worker-1 (thread 2) computed at app.Main.spin(Main.java:9): 100 % of a core for 2.00 s.", false},
		"a profile": {threadsOf + code + profile + `<threadEnd threadIdRef="3" time="9"/>`,
			"20 samples: 100 % RUNNABLE, most at app.Main.spin(Main.java:9) (100 % of these).", true},
	} {
		t.Run(name, func(t *testing.T) {
			found := diagnosis.Of(factsOf(t, c.document+"</TRACE>"))
			report := found.Answer().Report()
			got := append([]string{report.Headline}, report.Remarks...)
			if !slices.Contains(got, c.said) || found.Healthy() != c.healthy {
				t.Errorf("got %q, healthy %v; want %q, %v", got, found.Healthy(), c.said, c.healthy)
			}
		})
	}
}

// TestWork: a main thread that waits for threads that compute is no finding, but one that waits for others is, and so
// are several threads that wait.
func TestWork(t *testing.T) {
	const end = `<annotation name="cpu" value="2 10 8000000000"/><threadEnd threadIdRef="2" time="10"/></TRACE>`
	wait := func(thread int) string {
		return fmt.Sprintf(`<monWait threadIdRef="%d" time="2" objIdRef="901" timeout="0"/>`, thread)
	}
	waited := func(thread int) string {
		return fmt.Sprintf(`<monWaited threadIdRef="%d" time="9" objIdRef="901"/>`, thread)
	}
	const notified = `<callNotify threadIdRef="2" time="9" objIdRef="901" isNotifyAll="1"/>`
	for name, c := range map[string]struct{ document, first string }{
		"main": {wait(1) + notified + waited(1),
			"Nothing is wrong, as far as the trace shows: main (thread 1) waited for worker-1 (thread 2), which computed."},
		"others":  {wait(1) + wait(3) + notified + waited(1) + waited(3), ""},
		"another": {wait(3) + notified + waited(3), ""},
		"for a sleeping one": {wait(1) + `<monWait threadIdRef="2" time="2" objIdRef="-1" timeout="6500"/>` +
			`<monWaited threadIdRef="2" time="8.5" objIdRef="-1" isTimedOut="1"/>` + notified + waited(1), ""},
	} {
		t.Run(name, func(t *testing.T) {
			document := strings.Replace(threadsOf, `objIdRef="102"/>`,
				`objIdRef="102"><annotation name="cpu" value="1"/></threadStart>`, 1)
			found := diagnosis.Of(factsOf(t, document+c.document+end))
			got := found.Answer().Report().Headline
			if found.Healthy() != (c.first != "") || c.first != "" && got != c.first {
				t.Errorf("got %q, healthy %v; want %q", got, found.Healthy(), c.first)
			}
		})
	}
}

// TestOthersComeFirst: a finding that kept others waiting comes before a longer one that delayed only its own thread.
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

// TestPossibleDeadlocksComeFirst: a deadlock that is only possible comes before locks, also before larger ones.
func TestPossibleDeadlocksComeFirst(t *testing.T) {
	const entered = `<monContendedEntered threadIdRef="2" time="2" objIdRef="900"/><monContendedEntered threadIdRef="3" time="2" objIdRef="901"/>`
	var more strings.Builder
	for i := range 8 {
		fmt.Fprintf(&more, `<monContendedEnter threadIdRef="1" time="%d" objIdRef="%d" threadOwner="2"/>`, 3+i, 910+i)
		fmt.Fprintf(&more, `<monContendedEntered threadIdRef="1" time="%d" objIdRef="%d"/>`, 4+i, 910+i)
	}
	found := diagnosis.Of(factsOf(t, threadsOf+entered+`<monContendedEnter threadIdRef="2" time="3" objIdRef="901"/>`+
		`<monContendedEnter threadIdRef="3" time="3" objIdRef="900"/>`+more.String()+`<gcStart time="12"/></TRACE>`)).Findings
	if len(found) == 0 || !strings.HasPrefix(found[0].Summary, "Possible deadlock: ") {
		t.Errorf("the findings are %+v", found)
	}
}

// TestCenturies: sums of more than 292 years saturate, in statistics and in blame, whether the waits end or not.
func TestCenturies(t *testing.T) {
	const threads, begin, end = 1000, 2, 3_153_600_000
	of := func(element string, time int) (text string) {
		for id := 2; id < threads+2; id++ {
			text += fmt.Sprintf(element, id, time)
		}
		return text
	}
	defined := `<TRACE><threadStart threadId="1" time="1" threadName="main" groupName="main"/>` +
		of(`<threadStart threadId="%d" time="%d" threadName="worker" groupName="main"/>`, 1)
	enter := defined + of(`<monContendedEnter threadIdRef="%d" time="%d" objIdRef="900" threadOwner="1"/>`, begin)
	wait := defined + of(`<monWait threadIdRef="%d" time="%d" objIdRef="900" timeout="0"/>`, begin)
	last := fmt.Sprintf(`<threadEnd threadIdRef="1" time="%d"/></TRACE>`, end)
	for name, c := range map[string]struct{ document, want string }{
		"blocks": {enter + of(`<monContendedEntered threadIdRef="%d" time="%d" objIdRef="900"/>`, end),
			"1000 threads were BLOCKED for 9223372037 s in all on object 900, which main (thread 1) held for 100 % of that."},
		"open blocks": {enter,
			"1000 threads were BLOCKED for 9223372037 s in all on object 900, which main (thread 1) held for 100 % of that."},
		"waits": {wait + of(`<monWaited threadIdRef="%d" time="%d" objIdRef="900"/>`, end),
			"1000 threads waited for object 900 for 9223372037 s in all"},
		"open waits": {wait, "1000 threads still waited for object 900 when the trace ended"},
	} {
		all := factsOf(t, c.document+last)
		for _, facts := range []*diagnosis.Facts{all, {Blame: all.Blame}} {
			found := diagnosis.Of(facts).Findings
			if len(found) == 0 || !strings.HasPrefix(found[0].Summary, c.want) || found[0].Total != math.MaxInt64 {
				t.Errorf("%s: got %+v; want %q first", name, found, c.want)
			}
		}
	}
}

// TestStateInJSON: the state of an object has its numbers by their names, and threads as lists.
func TestStateInJSON(t *testing.T) {
	for state, want := range map[string]string{
		"":                   `{"objectId":"9","class":"app.Gate"}`,
		"permits=0 queued=2": `{"objectId":"9","class":"app.Gate","state":{"permits":0,"queued":2}}`,
		"readers=2 reader=3 reader=4": `{"objectId":"9","class":"app.Gate",` +
			`"state":{"reader":[3,4],"readers":2}}`,
		"workers=1 worker=7": `{"objectId":"9","class":"app.Gate","state":{"worker":[7],"workers":1}}`,
	} {
		found := diagnosis.Finding{Object: diagnosis.Object{ID: "9", Class: "app.Gate", State: state}}
		d := diagnosis.Diagnosis{Findings: []diagnosis.Finding{found}}
		findings := d.Answer().JSON().(answer.Object)[3]
		if text, err := json.Marshal(findings.Value); err != nil || !strings.Contains(string(text), `"object":`+want+`,`) {
			t.Errorf("%q: %v: %s\nwant %s", state, err, text, want)
		}
	}
}

// TestClaims: in each case, a sentence could say more than the trace shows.
func TestClaims(t *testing.T) {
	const code = `<classDef name="shop/App" classId="20" time="1"/><methodDef name="a" methodId="70" classIdRef="20"/>` +
		`<methodDef name="b" methodId="71" classIdRef="20"/>` +
		`<classDef name="java/util/concurrent/SynchronousQueue" classId="22" time="1"/><methodDef name="put" methodId="73" classIdRef="22"/>`
	element := func(name string, thread int, at float64, object string, more ...string) string {
		return fmt.Sprintf(`<%s threadIdRef="%d" time="%.3f" objIdRef="%s" %s/>`, name, thread, at, object, strings.Join(more, " "))
	}
	waits := func(thread int, at float64, object, stack string) string {
		return fmt.Sprintf(`<monWait threadIdRef="%d" time="%.3f" objIdRef="%s" timeout="0"><annotation name="stack" value="%s"/></monWait>`,
			thread, at, object, stack)
	}
	naps := func(thread int, from, to float64) string {
		return element("monWait", thread, from, "-1", `timeout="1"`) + element("monWaited", thread, to, "-1", `isTimedOut="1"`)
	}
	var shorts strings.Builder
	for i := range 20 {
		lock, at := fmt.Sprint(1000+i), 2+float64(i)/10
		shorts.WriteString(element("monContendedEnter", 2, at, lock, `threadOwner="3"`) + element("monContendedEntered", 2, at+0.07, lock))
	}
	var brief strings.Builder
	for i := range 28 {
		at := 2 + float64(i)/10
		brief.WriteString(element("monContendedEnter", 2+i%2, at, "900", `threadOwner="1"`) +
			element("monContendedEntered", 2+i%2, at+0.0055, "900"))
	}
	for name, c := range map[string]struct{ document, want string }{
		"brief blocks of two threads": {brief.String() + `<gcStart time="9"/>`,
			"Nothing is wrong, as far as the trace shows: no thread kept others waiting for long."},
		"many short blocks": {shorts.String() + `<gcStart time="9"/>`,
			"worker-1 (thread 2) waited 1.40 s in all for others, in 20 short waits; for 100 % of that worker-2 (thread 3) was RUNNABLE."},
		"blocks of unknown lengths": {`<option key="TIMESTAMPS" value="false"/>` + shorts.String() + `<gcStart time="9"/>`,
			"Nothing is wrong, as far as the trace shows: no thread kept others waiting for long."},
		"a long block in a day": {element("monContendedEnter", 2, 2, "900", `threadOwner="3"`) + element("monContendedEntered", 2, 4, "900") +
			`<gcStart time="86400"/>`, "1 thread was BLOCKED for 2.00 s on shop.Cache 900, which worker-2 (thread 3) held for 100 % of that."},
		"several joins": {naps(2, 2, 4) + naps(3, 2, 7) + element("monWait", 1, 2, "102", `timeout="0"`) + `<threadEnd threadIdRef="2" time="4"/>` +
			element("monWaited", 1, 4, "102") + element("monWait", 1, 4, "103", `timeout="0"`) + `<threadEnd threadIdRef="3" time="7"/>` +
			element("monWaited", 1, 7, "103") + `<threadEnd threadIdRef="1" time="7.5"/>`,
			"main (thread 1) waited for the ends of 2 threads, such as worker-2 (thread 3), for 5.00 s (2 waits, longest 3.00 s)"},
		"a join with a timeout": {element("monWait", 1, 2, "102", `timeout="3000"`) + element("monWaited", 1, 5, "102", `isTimedOut="1"`) +
			`<gcStart time="6"/>`, "main (thread 1) waited for the end of worker-1 (thread 2) for 3.00 s; worker-1 (thread 2) had not ended by then."},
		"hardly on a processor": {element("monWait", 1, 2, "901", `timeout="0"`) +
			`<callNotify threadIdRef="2" time="9" objIdRef="901" isNotifyAll="1"/>` + element("monWaited", 1, 9, "901") +
			`<annotation name="cpu" value="2 10 180000000"/><threadEnd threadIdRef="2" time="10"/>`,
			"for 100 % of that worker-1 (thread 2) was RUNNABLE, but only for 2 % of that on a processor."},
		"a hand-over": {strings.Replace(waits(2, 2, "900", "73:1 70:5"), "/></monWait>", `/><annotation name="park" value="wait"/></monWait>`, 1) +
			`<callNotify threadIdRef="1" time="9" objIdRef="900" isNotifyAll="0"><annotation name="park" value="wait"/><annotation name="wakes" value="2"/></callNotify>` +
			element("monWaited", 2, 9, "900") + `<gcStart time="10"/>`, "waited for a consumer of queue SynchronousQueue for 7.00 s"},
		"locks without names": {`<monContendedEnter threadIdRef="2" time="2"/><monContendedEnter threadIdRef="3" time="3"/><gcStart time="9"/>`,
			"2 threads are BLOCKED, the longest for 7.00 s; the trace names neither the lock nor who holds it."},
		"several places": {waits(2, 2, "900", "70:5") + waits(3, 3, "900", "71:6") + `<gcStart time="9"/>`,
			"2 threads of worker-* still waited for shop.Cache 900 at shop.App.a(line 5) and elsewhere when the trace ended, the longest for 7.00 s by then."},
	} {
		t.Run(name, func(t *testing.T) {
			document := strings.Replace(threadsOf, `objIdRef="102"/>`, `objIdRef="102"><annotation name="cpu" value="1"/></threadStart>`, 1)
			found := diagnosis.Of(factsOf(t, document+code+c.document+`</TRACE>`))
			report := found.Answer().Report()
			if text := strings.Join(append([]string{report.Headline}, report.Remarks...), "\n"); !strings.Contains(text, c.want) {
				t.Errorf("got\n%s\nwant %s", text, c.want)
			}
		})
	}
}

// TestWhatRecordingsLack: a recording that lacks virtual threads' parks or blocks is not called healthy without saying so.
func TestWhatRecordingsLack(t *testing.T) {
	for want, lacks := range map[string]func(*diagnosis.Facts){
		"long.": func(*diagnosis.Facts) {},
		"long. It does not show virtual threads that are parked; trcx record does.": func(f *diagnosis.Facts) {
			f.NoVirtualParks = true
		},
		"long. It does not show virtual threads that are parked or BLOCKED; trcx record does.": func(f *diagnosis.Facts) {
			f.NoVirtualParks, f.NoVirtualBlocks = true, true
		},
	} {
		facts := factsOf(t, `<TRACE><threadStart threadId="1" time="1" threadName="a" groupName="main"/>`+
			`<monWait threadIdRef="1" time="1.2" objIdRef="-1" timeout="1"/><monWaited threadIdRef="1" time="1.201" objIdRef="-1"/>`+
			`<threadEnd threadIdRef="1" time="2"/></TRACE>`)
		lacks(facts)
		if said := strings.Join(diagnosis.Of(facts).Head(), "\n"); !strings.HasSuffix(said, want) {
			t.Errorf("%q, want …%q", said, want)
		}
	}
}

// TestAllWaitInADump: if no thread of a dump acts, or will, permits for which two threads wait do not come.
func TestAllWaitInADump(t *testing.T) {
	const dump = `<agentCreate agentId="1" agentName="thread dump" agentParameters="sampled" time="1"/>`
	waits := func(thread, object, timeout string) string {
		return fmt.Sprintf(`<monWait threadIdRef="%s" time="1" objIdRef="%s" timeout="%s"><annotation name="park" value="wait"/></monWait>`, thread, object, timeout)
	}
	for name, c := range map[string]struct {
		document string
		hangs    bool
	}{
		"all wait":         {waits("1", "950", "0") + waits("2", "950", "0") + waits("3", "950", "0") + waits("4", "950", "0") + waits("5", "950", "0"), true},
		"one is left":      {waits("1", "950", "0") + waits("2", "950", "0") + waits("3", "950", "0") + waits("4", "950", "0"), false},
		"one sleeps":       {waits("1", "950", "0") + waits("2", "950", "0") + waits("3", "950", "0") + waits("4", "950", "0") + waits("5", "-1", "9000"), false},
		"each for its own": {waits("1", "951", "0") + waits("2", "952", "0") + waits("3", "953", "0") + waits("4", "954", "0") + waits("5", "955", "0"), false},
	} {
		found := diagnosis.Of(factsOf(t, threadsOf+permits+dump+c.document+"</TRACE>"))
		said := fmt.Sprint(found.Findings)
		if found.Healthy() == c.hangs || strings.Contains(said, "No thread of the program is left") != c.hangs {
			t.Errorf("%s: healthy %v, %s", name, found.Healthy(), said)
		}
	}
}

// TestPermitsLacked: permits for which one or another thread waited all the time are a fault, whoever had them.
func TestPermitsLacked(t *testing.T) {
	got := func(thread, at string) string {
		return fmt.Sprintf(`<monWaited threadIdRef="%s" time="%s" objIdRef="950" isTimedOut="0"/>`, thread, at)
	}
	for name, c := range map[string]struct {
		document string
		healthy  bool
	}{
		"by two, all the time":     {parks(t, "2@1 waits 950;3@1.1 waits 950") + got("2", "8") + got("3", "8.9"), false},
		"by two, for a short time": {parks(t, "2@7 waits 950;3@7.1 waits 950") + got("2", "8") + got("3", "8.9"), true},
		"by one":                   {parks(t, "2@1 waits 950") + got("2", "8.9"), true},
	} {
		found := diagnosis.Of(factsOf(t, threadsOf+permits+c.document+`<threadEnd threadIdRef="1" time="9"/></TRACE>`))
		if len(found.Findings) != 1 || found.Findings[0].Kind != diagnosis.Semaphore || found.Healthy() != c.healthy {
			t.Errorf("%s: healthy %v, %+v", name, found.Healthy(), found.Findings)
		}
	}
}
