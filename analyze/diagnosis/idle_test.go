package diagnosis_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/diagnosis"
)

// ofProgram defines methods of a program, and of the JDK in which its threads wait: 70 to 75 and 80 to 84.
const ofProgram = poolOf + `<methodDef name="lock" methodId="73" classIdRef="20"/><methodDef name="export" methodId="74" classIdRef="20"/>` +
	`<classDef name="shop/Archive" classId="21" time="1"/><methodDef name="upload" methodId="75" classIdRef="21"/>` +
	`<classDef name="java/util/concurrent/ArrayBlockingQueue" classId="22" time="1"/><methodDef name="put" methodId="80" classIdRef="22"/>` +
	`<methodDef name="take" methodId="81" classIdRef="22"/><classDef name="java/util/concurrent/ThreadPoolExecutor" classId="23" time="1"/>` +
	`<methodDef name="getTask" methodId="82" classIdRef="23"/><methodDef name="runWorker" methodId="83" classIdRef="23"/>` +
	`<classDef name="java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue" classId="24" time="1"/><methodDef name="take" methodId="84" classIdRef="24"/>` +
	`<classDef name="java/util/concurrent/CountDownLatch$Sync" classId="25" time="1"/><objAlloc objId="970" classIdRef="25" time="1"/>`

// feeds is a part of a document in which worker-1 takes elements, which the threads give it in turn at the times, in
// milliseconds. Before, such a thread waits with the stack.
func feeds(stack string, threads []int, times ...int) (document string) {
	at := 2000
	for i, next := range times {
		document += fmt.Sprintf(`<monWait threadIdRef="2" time="%[1]d.%03[2]d" objIdRef="900" timeout="0"><annotation name="park" value="wait"/>`+
			`<annotation name="stack" value="81:1 70:5"/></monWait><monWait threadIdRef="%[6]d" time="%[1]d.%03[2]d" objIdRef="901" timeout="9000">`+
			`<annotation name="stack" value="%[5]s"/></monWait>`+
			`<monWaited threadIdRef="%[6]d" time="%[3]d.%03[4]d" objIdRef="901" timeout="9000" isTimedOut="1"/>`+
			`<callNotify threadId="%[6]d" time="%[3]d.%03[4]d" objIdRef="900" isNotifyAll="0"><annotation name="park" value="wait"/>`+
			`<annotation name="wakes" value="2"/></callNotify><monWaited threadIdRef="2" time="%[3]d.%03[4]d" objIdRef="900" isTimedOut="0"/>`,
			at/1000, at%1000, next/1000, next%1000, stack, threads[i%len(threads)])
		at = next
	}
	return document
}

// TestIdle: who waits for work is not kept waiting, and is told only if nothing else is. Who waits for what others have
// is.
func TestIdle(t *testing.T) {
	waits := func(thread int, object, stack string) string { return at(thread, "park", object, stack) }
	one := []int{3}
	for name, c := range map[string]struct {
		document string
		healthy  bool
		want     []string // what the findings begin with
	}{
		"a consumer of a slow producer": {feeds("70:9", one, 3500, 4900, 6500), false, []string{"worker-1 (thread 2) waited for an element of queue " +
			"ArrayBlockingQueue for 4.50 s at shop.App.ask(line 5) (in java.util.concurrent.ArrayBlockingQueue.take) (3 waits, longest 1.60 s); for 100 % of that worker-2"}},
		"the only consumer of one producer":            {feeds("70:9", one, 2800, 3700), false, []string{"worker-1 (thread 2) waited for an element", "worker-2 (thread 3) waited for shop.Cache 901"}},
		"the only consumer of several, never for long": {feeds("70:9", []int{3, 4}, 2800, 3700), true, []string{"2 threads waited for shop.Cache 901"}},
		"a timer": {feeds("84:1 82:1 83:1", one, 3500, 4900, 6500), true, []string{"worker-1 (thread 2) waited for an element"}},
		"an even producer": {feeds("70:9", one, 2700, 3400, 4100, 4800) + `<monWait threadIdRef="2" time="4.9" objIdRef="900" timeout="0">` +
			`<annotation name="park" value="wait"/><annotation name="stack" value="81:1 70:5"/></monWait>`, true,
			[]string{"worker-1 (thread 2) waited for an element of queue ArrayBlockingQueue for 2.80 s"}},
		"an even producer, and one that still waits": {feeds("70:9", one, 2700, 3400, 4100, 4800, 5500, 6200, 6900, 7600) +
			`<monWait threadIdRef="2" time="7.6" objIdRef="900" timeout="0"><annotation name="park" value="wait"/>` +
			`<annotation name="stack" value="81:1 70:5"/></monWait>`, true, []string{"worker-1 (thread 2) waited for an element of queue ArrayBlockingQueue " +
			"for 7.00 s at shop.App.ask(line 5) (in java.util.concurrent.ArrayBlockingQueue.take) (9 waits, longest 1.40 s; 1 was not over); for 100 % of " +
			"the finished ones worker-2 (thread 3) was TIMED_WAITING at shop.App.ask(line 9)."}},
		"an even producer beside a hang": {feeds("70:9", one, 2700, 3400, 4100, 4800) + waits(4, "970", "70:5"), true,
			[]string{"worker-3 (thread 4) still waited for latch", "worker-1 (thread 2) waited for an element"}},
		"room in a queue": {waits(2, "900", "80:1 70:5"), false,
			[]string{"worker-1 (thread 2) still waited for room in queue ArrayBlockingQueue at shop.App.ask"}},
		"an element of a queue": {waits(2, "900", "81:1 70:5"), true, []string{"worker-1 (thread 2) still waited for an element of queue"}},
		"a lock of the program": {waits(2, "900", "73:1 70:5") + waits(3, "900", "73:1 70:5"), false, []string{"2 threads of worker-* still waited for shop.Cache 900 at shop.App.lock"}},
		"one thread that locks": {waits(2, "900", "73:1 70:5"), true, []string{"worker-1 (thread 2) still waited for shop.Cache 900 at shop.App.lock"}},
		"a latch":               {waits(2, "970", "70:5"), true, []string{"worker-1 (thread 2) still waited for latch CountDownLatch 970"}},
		"several at a latch":    {waits(2, "970", "70:5") + waits(3, "970", "70:5"), false, []string{"2 threads of worker-* still waited for latch CountDownLatch 970"}},
		"idle ones beside a notification": {waits(2, "900", "81:1 70:5") + waits(3, "901", "71:5"), true,
			[]string{"worker-2 (thread 3) still waited for shop.Cache 901 at shop.App.pay"}},
		"one in input that was called from there": {waits(2, "900", "70:5") + waits(4, "900", "70:5") + strings.Replace(at(3, "io", "910", "74:8"), `time="2"`, `time="1"`, 1), false,
			[]string{"2 threads of worker-* still waited for shop.Cache 900 at shop.App.ask", "worker-2 (thread 3) still waited for input"}},
	} {
		found := diagnosis.Of(factsOf(t, threadsOf+permits+ofProgram+c.document+`<gcStart time="9"/></TRACE>`))
		if found.Healthy() != c.healthy || len(found.Findings) != len(c.want) {
			t.Errorf("%s: healthy is %v: %+v", name, found.Healthy(), found.Findings)
			continue
		}
		for i, want := range c.want {
			if !strings.HasPrefix(found.Findings[i].Summary, want) {
				t.Errorf("%s: finding %d is %q, want %q", name, i, found.Findings[i].Summary, want)
			}
		}
	}
}

// TestPerhaps: what may have what threads wait for is said as a guess.
func TestPerhaps(t *testing.T) {
	const first = `<monContendedEnter threadIdRef="2" time="3" objIdRef="960" threadOwner="3"><annotation name="park" value="lock"/></monContendedEnter>`
	for name, c := range map[string]struct{ document, want string }{
		"one in input": {at(2, "park", "900", "70:5") + at(4, "park", "900", "70:5") + strings.Replace(at(3, "io", "910", "74:8"), `time="2"`, `time="1"`, 1),
			"[Meanwhile worker-2 (thread 3) waited for input or output at shop.App.export(line 8), also called from shop.App: perhaps it keeps them waiting.]"},
		"one in input, called from elsewhere": {at(2, "park", "900", "70:5") + at(4, "park", "900", "70:5") +
			strings.Replace(at(3, "io", "910", "75:8"), `time="2"`, `time="1"`, 1), "[]"},
		"one that began later": {at(2, "park", "900", "70:5") + at(4, "park", "900", "70:5") +
			strings.Replace(at(3, "io", "910", "74:8"), `time="2"`, `time="4"`, 1), "[]"},
		"at different places": {at(2, "park", "970", "70:5") + at(4, "park", "970", "70:5") + at(3, "park", "970", "71:5"),
			"[Among them worker-2 (thread 3) at shop.App.pay(line 5) and worker-1 (thread 2) at shop.App.ask(line 5).]"},
		"an idle holder": {at(3, "park", "901", "81:1 82:1 83:1") + first,
			"[worker-2 (thread 3) waits for its next task with the lock: likely an earlier task has not unlocked it.]"},
		"an idle one that had the lock": {at(3, "park", "901", "81:1 82:1 83:1") + first + `<monContendedEntered threadIdRef="2" time="7" objIdRef="960"/>` +
			strings.Replace(strings.Replace(first, `threadOwner="3"`, `threadOwner="2"`, 1), `threadIdRef="2" time="3"`, `threadIdRef="4" time="8"`, 1), "[]"},
		"a holder that waits": {at(3, "park", "901", "71:1") + first, "[]"},
	} {
		found := diagnosis.Of(factsOf(t, threadsOf+permits+ofProgram+c.document+`<gcStart time="9"/></TRACE>`)).Findings
		if len(found) == 0 || fmt.Sprint(found[0].Evidence) != c.want {
			t.Errorf("%s: %+v\nwant %s", name, found, c.want)
		}
	}
}
