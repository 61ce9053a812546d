package jvmtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// epoch is the second from which times written as @milliseconds are counted.
const epoch = 1_700_000_000

var moment = regexp.MustCompile(`@[0-9.]+`)

func nanos(text string) int64 {
	millis, _ := strconv.ParseFloat(text[1:], 64)
	return int64(millis * 1e6)
}

// truthOf reads a truth with short times.
func truthOf(t testing.TB, lines string) *Truth {
	t.Helper()
	text := moment.ReplaceAllStringFunc(lines, func(m string) string {
		return strconv.FormatInt(epoch*1e9+nanos(m),
			10)
	})
	truth, err := ReadTruth(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

// traceOf writes a trace with short times.
func traceOf(t testing.TB, elements string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "trace.trcxml")
	text := moment.ReplaceAllStringFunc(elements, func(m string) string {
		return fmt.Sprintf("%d.%09d", epoch,
			nanos(m))
	})
	if err := os.WriteFile(file, []byte("<TRACE>"+text+"</TRACE>"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// truthThreads are three threads and a monitor in a truth.
const truthThreads = `thread 1 platform main
thread 2 platform anna
thread 3 platform ben
thread 4 virtual vera
`

// traceThreads are the same in a trace.
const traceThreads = `<classDef name="Monitor$Red" classId="90"/><classDef name="other.Lock" classId="91"/>
<objAlloc objId="50" classIdRef="90"/><objAlloc objId="51" classIdRef="91"/>
<threadStart threadId="1" time="@0" threadName="main" objIdRef="11"/><threadStart threadId="2" time="@0" threadName="anna" objIdRef="12"/>
<threadStart threadId="3" time="@0" threadName="ben" objIdRef="13"/><threadStart threadId="4" time="@0" threadName="vera" objIdRef="14"/>
<threadStart threadId="9" time="@0" threadName="Finalizer" objIdRef="19"/>
`

const wait2 = `<monWait threadIdRef="2" time="@10" objIdRef="50" timeout="0"/>`
const waited2 = `<monWaited threadIdRef="2" time="@20" objIdRef="50" isTimedOut="0"/>`

var comparisons = []struct {
	name         string
	truth, trace string
	want         string // claims that are true, and facts that are found
}{
	{"a notification",
		"reports notify\nnotify 1 @15 @15.1 Monitor$Red 0 notified 0\nwait 2 @9.9 @20.1 Monitor$Red 1 notified @15",
		wait2 + `<callNotify threadId="1" time="@15.05" objIdRef="50" isNotifyAll="0"/>` + waited2,
		"platform notify 1/1 1/1"},
	{"a notification that somebody else has made",
		"reports notify\nnotify 3 @15 @15.1 Monitor$Red 0 notified 0\nwait 2 @9.9 @20.1 Monitor$Red 3 notified @15",
		wait2 + `<callNotify threadId="1" time="@15.05" objIdRef="50" isNotifyAll="0"/>` + waited2,
		"platform notify 0/1 0/1"},
	{"the first of two notifications, where it was the second",
		"reports notify\nnotify 1 @15 @15.01 Monitor$Red 0 notified 0\nnotify 1 @15.02 @15.03 Monitor$Red 0 notified 0\n" +
			"wait 2 @9.9 @20.1 Monitor$Red 1 notified @15.02",
		wait2 +
			`<callNotify threadId="1" time="@15.005" objIdRef="50" isNotifyAll="0"/><callNotify threadId="1" time="@15.025" objIdRef="50" isNotifyAll="0"/>` + waited2,
		"platform notify 0/1 0/1"},
	{"a notification that was none",
		"reports notify\nreports callNotify\nwait 2 @9.9 @20.1 Monitor$Red 0 timeout 0",
		wait2 + `<callNotify threadId="1" time="@15.05" objIdRef="50" isNotifyAll="0"/>` + waited2,
		"platform callNotify 0/1 0/0, platform notify 0/1 0/0"},
	{"a notification that is missing",
		"reports notify\nreports callNotify\nnotify 1 @15 @15.1 Monitor$Red 0 notified 0\nwait 2 @9.9 @20.1 " +
			"Monitor$Red 1 notified @15",
		wait2 + waited2,
		"platform callNotify 0/0 0/1, platform notify 0/0 0/1"},
	{"several waits, one of which ended for an unknown reason, with one claim too many",
		"reports notify\nnotify 1 @15 @15.1 Monitor$Red 0 notified 0\nnotify 1 @20.5 @20.6 Monitor$Red 0 notified 0\n" +
			"wait 2 @9.9 @20.1 Monitor$Red 1 unsure @15\nwait 2 @20.2 @20.9 Monitor$Red 1 notified @20.5",
		wait2 + `<callNotify threadId="1" time="@15.05" objIdRef="50" isNotifyAll="0"/>` + waited2 +
			`<monWait threadIdRef="2" time="@20.3" objIdRef="50" timeout="0"/><callNotify threadId="1" time="@20.55" objIdRef="50" isNotifyAll="0"/>
			<monWaited threadIdRef="2" time="@20.8" objIdRef="50" isTimedOut="0"/>`,
		"platform notify 1/1 1/1"},
	{"a wait that ended for an unknown reason",
		"reports notify\nnotify 1 @15 @15.1 Monitor$Red 0 notified 0\nwait 2 @9.9 @20.1 Monitor$Red 1 unsure @15",
		wait2 + `<callNotify threadId="1" time="@15.05" objIdRef="50" isNotifyAll="0"/>` + waited2,
		""},
	{"monitors and threads that the program does not know, and kinds of which it does not tell",
		"reports notify\nreports interrupt\nenter 1 @1 @2 Monitor$Red 0 ended 0",
		`<monWait threadIdRef="2" time="@10" objIdRef="51" timeout="0"/><callNotify threadId="1" time="@15" objIdRef="51" isNotifyAll="0"/>
		<monWaited threadIdRef="2" time="@20" objIdRef="51" isTimedOut="0"/><callInterrupt threadId="1" time="@30" objIdRef="19"/>
		<monWait threadIdRef="9" time="@31" objIdRef="-1" timeout="5"/><monWaited threadIdRef="9" time="@32" objIdRef="-1" isTimedOut="0"/>
		<monWait threadIdRef="2" time="@40" objIdRef="-1" timeout="5"/><monWaited threadIdRef="2" time="@45" objIdRef="-1" isTimedOut="1"/>`,
		""},
	{"all were notified, a virtual one among them",
		"reports notifyAll\nnotify 1 @15 @15.1 Monitor$Red 0 notifiedAll 0\nwait 2 @9.9 @20.1 Monitor$Red 1 " +
			"notifiedAll @15\nwait 4 @9.9 @20.1 Monitor$Red 1 notifiedAll @15",
		wait2 +
			`<monWait threadIdRef="4" time="@10" objIdRef="50" timeout="0"/><callNotify threadId="1" time="@15.05" objIdRef="50" isNotifyAll="1"/>` +
			waited2 + `<monWaited threadIdRef="4" time="@20" objIdRef="50" isTimedOut="0"/>`,
		"platform notifyAll 1/1 1/1, virtual notifyAll 1/1 1/1"},
	{"an interrupt, of which the first of two counts",
		"reports interrupt\nreports callInterrupt\ninterrupt 1 @15 @15.1 - 2 ended 0\ninterrupt 3 @16 @16.1 - 2 ended " +
			"0\nwait 2 @9.9 @20.1 Monitor$Red 0 interrupted 0",
		wait2 +
			`<callInterrupt threadId="1" time="@15.05" objIdRef="12"/><callInterrupt threadId="3" time="@16.05" objIdRef="12"/>` + waited2,
		"platform callInterrupt 2/2 2/2, platform interrupt 1/1 1/1"},
	{"the second of two interrupts",
		"reports interrupt\ninterrupt 3 @14 @14.1 - 2 ended 0\ninterrupt 1 @15 @15.1 - 2 ended 0\nwait 2 @9.9 @20.1 " +
			"Monitor$Red 0 interrupted 0",
		wait2 + `<callInterrupt threadId="1" time="@15.05" objIdRef="12"/>` + waited2,
		"platform interrupt 0/1 0/1"},
	{"two interrupts before the wait: either can have ended it",
		"reports interrupt\ninterrupt 1 @5 @5.1 - 2 ended 0\ninterrupt 3 @6 @6.1 - 2 ended 0\nwait 2 @9.9 @20.1 " +
			"Monitor$Red 0 interrupted 0",
		`<callInterrupt threadId="1" time="@5.05" objIdRef="12"/><callInterrupt threadId="3" time="@6.05" objIdRef="12"/>` + wait2 + waited2,
		"platform interrupt 1/1 1/1"},
	{"an interrupt that the thread has noticed before",
		"reports interrupt\ninterrupt 1 @5 @5.1 - 2 ended 0\nclear 2 @6 @6.1 - 0 ended 1\nwait 2 @9.9 @20.1 " +
			"Monitor$Red 0 timeout 0",
		`<callInterrupt threadId="1" time="@5.05" objIdRef="12"/>` + wait2 + waited2,
		"platform interrupt 0/1 0/0"},
	{"an interrupt that has ended a park, and lets the next wait end at once",
		"reports interrupt\ninterrupt 1 @5 @5.1 - 2 ended 0\npark 2 @4 @5.2 - 0 interrupted 0\nwait 2 @9.9 @10.1 " +
			"Monitor$Red 0 interrupted 0",
		`<monWait threadIdRef="2" time="@4" objIdRef="51" timeout="0"><annotation name="park" value="wait"/></monWait>` +
			`<callInterrupt threadId="1" time="@5.05" objIdRef="12"/>` +
			`<monWaited threadIdRef="2" time="@5.15" objIdRef="51" isTimedOut="0"/>` + wait2 + waited2,
		"platform interrupt 1/1 1/1"},
	{"an interrupt when a park's time was over",
		"reports interrupt\ninterrupt 1 @5 @5.1 - 2 ended 0\npark 2 @4 @5.2 - 0 unsure 1000000\nwait 2 @9.9 @20.1 " +
			"Monitor$Red 0 interrupted 0",
		`<callInterrupt threadId="1" time="@5.05" objIdRef="12"/>` + wait2 + waited2,
		"platform interrupt 1/1 0/0"},
	{"a join, and one that found a dead thread",
		"reports join\njoin 1 @10 @20.1 - 2 ended 1\njoin 3 @30 @30.1 - 2 deadBefore 0",
		`<monWait threadIdRef="1" time="@10" objIdRef="12" timeout="0"/><threadEnd threadIdRef="2" time="@19"/><monWaited threadIdRef="1" time="@20" objIdRef="12" isTimedOut="0"/>`,
		"platform join 1/1 1/1"},
	{"a join that was not seen need not be found",
		"reports join\njoin 1 @10 @20.1 - 2 ended 0", "", ""},
	{"times that were over, of a wait and of a join",
		"reports timeout\nwait 2 @9.9 @20.1 Monitor$Red 0 timeout 0\njoin 1 @10 @15.1 - 2 timeout 0",
		wait2 +
			`<monWait threadIdRef="1" time="@10" objIdRef="12" timeout="5"/><monWaited threadIdRef="1" time="@15" objIdRef="12" isTimedOut="1"/>
		<monWaited threadIdRef="2" time="@20" objIdRef="50" isTimedOut="1"/>`,
		"platform timeout 2/2 2/2"},
	{"sleeps, one for another time than asked for",
		"reports sleep\nsleep 2 @10 @15.1 - 0 ended 5\nsleep 3 @10 @15.1 - 0 ended 5\nsleep 4 @10 @10.1 - 0 ended 0",
		`<monWait threadIdRef="2" time="@10" objIdRef="-1" timeout="5"/><monWait threadIdRef="3" time="@10" objIdRef="-1" timeout="7"/>
		<monWaited threadIdRef="2" time="@15" objIdRef="-1" isTimedOut="1"/><monWaited threadIdRef="3" time="@15" objIdRef="-1" isTimedOut="1"/>`,
		"platform sleep 1/2 1/2"},
	{"a start by somebody else",
		"reports start\nstart 1 @0 @0.1 - 2 ended 0\nstart 3 @50 @50.1 - 5 ended 0\nrun 5 @51 @51 - 0 ended " +
			"0\nthread 5 platform cleo",
		`<callStart threadId="1" time="@50" objIdRef="15"/><threadStart threadId="5" time="@50.5" threadName="cleo" objIdRef="15"/>`,
		"platform start 0/1 0/2"},
	{"a hand-off, and one from a thread that was not the last owner",
		"reports handoff\nenter 2 @10 @20.1 Monitor$Red 1 ended 1\nenter 3 @11 @30.1 Monitor$Red 2 ended 1",
		`<monContendedEnter threadIdRef="2" time="@10.1" objIdRef="50" threadOwner="1"/><monContendedEntered threadIdRef="2" time="@20" objIdRef="50"/>
		<monContendedEnter threadIdRef="3" time="@20.5" objIdRef="50" threadOwner="1"/><monContendedEntered threadIdRef="3" time="@30" objIdRef="50"/>`,
		"platform handoff 1/2 1/2"},
	{"a hand-off in a program where others can come by",
		"reports barging\nenter 2 @10 @20.1 Monitor$Red 1 ended 0",
		`<monContendedEnter threadIdRef="2" time="@10.1" objIdRef="50" threadOwner="1"/><monContendedEntered threadIdRef="2" time="@20" objIdRef="50"/>`,
		"platform barging 1/1 0/0"},
	{"a trace whose clock is ahead: without the calls the hand-offs would be in the wrong place",
		"reports handoff\nnotify 1 @1 @1.1 Monitor$Red 0 notified 0\nenter 2 @10 @20.1 Monitor$Red 1 ended 1\nenter " +
			"2 @20.2 @30.1 Monitor$Red 3 ended 0",
		`<callNotify threadId="1" time="@1.35" objIdRef="50" isNotifyAll="0"/>
		<monContendedEnter threadIdRef="2" time="@10.4" objIdRef="50" threadOwner="1"/><monContendedEntered threadIdRef="2" time="@20.3" objIdRef="50"/>`,
		"platform handoff 1/1 1/1"},
	{"a trace whose clock is ahead, and threads, which are at no time",
		"reports thread\nnotify 1 @1 @1.1 Monitor$Red 0 notified 0",
		`<callNotify threadId="1" time="@1.35" objIdRef="50" isNotifyAll="0"/>`,
		"platform thread 3/3 3/3, virtual thread 1/1 1/1"},
	{"a deadlock that begins with another thread",
		"reports deadlock\ndeadlock 3 2",
		`<monContendedEnter threadIdRef="2" time="@10" objIdRef="50" threadOwner="3"/><monContendedEnter threadIdRef="3" time="@11" objIdRef="51" threadOwner="2"/>`,
		"platform deadlock 1/1 1/1"},
	{"a deadlock that is none, and threads with other names",
		"reports deadlock\nreports thread\nthread 2 platform otto",
		`<monContendedEnter threadIdRef="2" time="@10" objIdRef="50" threadOwner="3"/><monContendedEnter threadIdRef="3" time="@11" objIdRef="51" threadOwner="2"/>`,
		"platform deadlock 0/1 0/0, platform thread 2/3 2/3, virtual thread 1/1 1/1"},
}

// TestJudge compares truths with traces, both written by hand.
func TestJudge(t *testing.T) {
	for _, c := range comparisons {
		doc, err := ReadTrace(traceOf(t, traceThreads+c.trace))
		if err != nil {
			t.Fatal(err)
		}
		scores, err := Judge(truthOf(t, truthThreads+c.truth), doc)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, key := range scores.keys() {
			s := scores[key]
			got = append(got, fmt.Sprintf("%s %s %d/%d %d/%d", key.threads(), key.Kind, s.True, s.Claims, s.Found,
				s.Facts))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s:\n got %s\nwant %s\n%s", c.name, strings.Join(got, ", "), c.want, scores.Mistakes())
		}
	}
}

// TestMistakes compares the messages about mistakes.
func TestMistakes(t *testing.T) {
	c := comparisons[1]
	doc, err := ReadTrace(traceOf(t, traceThreads+c.trace))
	if err != nil {
		t.Fatal(err)
	}
	scores, err := Judge(truthOf(t, truthThreads+c.truth), doc)
	if err != nil {
		t.Fatal(err)
	}
	want := `platform notify: the model has: notify of anna (2), Monitor$Red by main (1) at 1700000000.020000000 (event 7); ` +
		`but notify of anna (2), Monitor$Red by ben (3) since 1700000000.015000000 from 1700000000.009900000 to 1700000000.020100000
platform notify: not found: notify of anna (2), Monitor$Red by ben (3) since 1700000000.015000000 from 1700000000.009900000 to 1700000000.020100000
`
	if got := scores.Mistakes(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	wantBelow := "platform notify: 0.00 % of 1 claims are true, at least 99 % must be\nplatform notify: 0.00 % of " +
		"1 facts are found, at least 99 % must be"
	if got := strings.Join(scores.Below(0), "\n"); got != wantBelow {
		t.Errorf("got %s\nwant %s", got, wantBelow)
	}
}

// TestScores adds scores, and compares them with the thresholds.
func TestScores(t *testing.T) {
	for name, c := range map[string]struct {
		score Score
		below int
	}{
		"nothing":                     {Score{}, 0},
		"all":                         {Score{Claims: 3, True: 3, Facts: 3, Found: 3}, 0},
		"one of hundred claims false": {Score{Claims: 100, True: 99}, 0},
		"two of hundred claims false": {Score{Claims: 100, True: 98}, 1},
		"nine of ten facts found":     {Score{Facts: 10, Found: 9}, 0},
		"eight of ten facts found":    {Score{Facts: 10, Found: 8}, 1},
		"both":                        {Score{Claims: 2, True: 1, Facts: 2, Found: 1}, 2},
	} {
		total := Scores{}
		for range 2 {
			total.Add(Scores{Key{Handoff, false}: &c.score})
		}
		if got := len(total.Below(0)); got != c.below {
			t.Errorf("%s: %d thresholds are missed, want %d: %v", name, got, c.below, total.Below(0))
		}
	}
}

// FuzzReadTruth proves that any truth file is read or rejected.
func FuzzReadTruth(f *testing.F) {
	for _, c := range comparisons {
		f.Add(truthThreads + c.truth)
	}
	f.Add("deadlock 1\ndeadlock 1 1\nthread 1 x")
	f.Add("wait 1 5 4 - 1 interrupted 0\ninterrupt 1 9 1 - 1 ended 0")
	doc, err := ReadTrace(traceOf(f, traceThreads+wait2+waited2))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		truth, err := ReadTruth(strings.NewReader(text))
		if err != nil {
			return
		}
		if _, err := Judge(truth, doc); err != nil {
			t.Error(err)
		}
	})
}

// TestBadTruths compares the errors of invalid truth files.
func TestBadTruths(t *testing.T) {
	for text, want := range map[string]string{
		"sing 1 2 3 - 0 ended 0":   `line 1 of the truth: "sing 1 2 3 - 0 ended 0" is not a record: want WHAT ID BEGIN END CLASS PEER HOW VALUE`,
		"reports start\nrun 1 2":   `line 2 of the truth: "run 1 2" is not a record: want WHAT ID BEGIN END CLASS PEER HOW VALUE`,
		"run 1 soon 3 - 0 ended 0": `line 1 of the truth: "soon" is not a number`,
	} {
		if _, err := ReadTruth(strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%q: got %v\nwant %s", text, err, want)
		}
	}
}
