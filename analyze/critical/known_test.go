package critical_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/enrich/enrichtest"
)

// traceOf returns a trace from lines: the time in milliseconds, an element, the thread's id, and attributes.
func traceOf(lines string) []byte {
	var b strings.Builder
	b.WriteString("<TRACE>\n")
	for line := range strings.Lines(lines) {
		fields := strings.Fields(line)
		if len(fields) < 3 {
			continue
		}
		id := "threadIdRef"
		if fields[1] == "threadStart" || fields[1] == "threadInterrupted" || strings.HasPrefix(fields[1], "call") {
			id = "threadId"
		}
		var millis int
		fmt.Sscan(fields[0], &millis)
		fmt.Fprintf(&b, `<%s %s="%s" time="%d.%03d000000"`, fields[1], id, fields[2], 1000+millis/1000, millis%1000)
		for _, attribute := range fields[3:] {
			name, value, _ := strings.Cut(attribute, "=")
			fmt.Fprintf(&b, ` %s="%s"`, name, value)
		}
		b.WriteString("/>\n")
	}
	b.WriteString("</TRACE>\n")
	return []byte(b.String())
}

// retold lists a path with times in milliseconds.
func retold(p *critical.Path) string {
	var b strings.Builder
	for piece := range p.Pieces() {
		what := critical.TypeName(piece.State)
		switch piece.Kind {
		case critical.Latency:
			what = "->" + piece.Next.Name
		case critical.Unknown, critical.Paused:
			what = strings.TrimSuffix(piece.Kind.String()+" ->"+piece.Next.Name, " ->")
		}
		fmt.Fprintf(&b, "%s %d-%d\n", strings.TrimSpace(piece.Thread.Name+" "+what), int64(piece.From)/1e6-1e6, int64(piece.To)/1e6-1e6)
	}
	return b.String()
}

func trimmed(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

const chainOfJoins = `
	0   threadStart main threadName=main objIdRef=101
	10  callStart main objIdRef=102
	12  threadStart a threadName=a objIdRef=102
	13  monWait main objIdRef=102 timeout=0
	20  callStart a objIdRef=103
	21  threadStart b threadName=b objIdRef=103
	22  monWait a objIdRef=103 timeout=0
	100 threadEnd b
	101 monWaited a objIdRef=103 isTimedOut=0
	110 threadEnd a
	115 monWaited main objIdRef=102 isTimedOut=0
	120 threadEnd main`

// Three workers need one lock for 100 ms each. main waits for the last one.
const oneLock = `
	0   threadStart main threadName=main objIdRef=101
	1   callStart main objIdRef=102
	1   threadStart a threadName=a objIdRef=102
	1   callStart main objIdRef=103
	1   threadStart b threadName=b objIdRef=103
	1   callStart main objIdRef=104
	1   threadStart c threadName=c objIdRef=104
	2   monWait main objIdRef=104 timeout=0
	3   monContendedEnter b objIdRef=900 threadOwner=a
	4   monContendedEnter c objIdRef=900 threadOwner=a
	101 monContendedEntered b objIdRef=900
	201 monContendedEntered c objIdRef=900
	290 threadEnd a
	295 threadEnd b
	300 threadEnd c
	301 monWaited main objIdRef=104 isTimedOut=0
	310 threadEnd main`

// startOf returns the last activity of the named thread, or of the run if the name is "".
func startOf(t *testing.T, r *critical.Recorder, name string) critical.Start {
	t.Helper()
	if name == "" {
		return r.Last()
	}
	key, err := r.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return r.LastOf(key)
}

func TestKnownPaths(t *testing.T) {
	for _, c := range []struct{ name, events, thread, want string }{
		{name: "a chain of joins", events: chainOfJoins, want: `
			main Running 0-10
			main ->a 10-12
			a Running 12-20
			a ->b 20-21
			b Running 21-100
			b ->a 100-101
			a Running 101-110
			a ->main 110-115
			main Running 115-120`},
		{name: "one lock", events: oneLock, want: `
			main Running 0-1
			a Running 1-101
			b Running 101-201
			c Running 201-300
			c ->main 300-301
			main Running 301-310`},
		{name: "a thread by its name", events: oneLock, thread: "b", want: `
			main Running 0-1
			a Running 1-101
			b Running 101-295`},
		{name: "notified, and then another one took the monitor", events: `
			0  threadStart w threadName=waiter
			0  threadStart n threadName=notifier
			0  threadStart o threadName=other
			5  monWait w objIdRef=900 timeout=0
			10 callNotify n objIdRef=900 isNotifyAll=0
			12 monContendedEnter o objIdRef=900 threadOwner=n
			20 monContendedEntered o objIdRef=900
			50 monWaited w objIdRef=900 isTimedOut=0
			60 threadEnd w`, want: `
			notifier Running 0-20
			other Running 20-50
			waiter Running 50-60`},
		{name: "notified by one who then waits", events: `
			0  threadStart w threadName=waiter
			0  threadStart n threadName=notifier
			5  monWait w objIdRef=900 timeout=0
			10 callNotify n objIdRef=900 isNotifyAll=1
			15 monWait n objIdRef=900 timeout=0
			17 monWaited w objIdRef=900 isTimedOut=0
			30 threadEnd w`, want: `
			notifier Running 0-10
			notifier ->waiter 10-17
			waiter Running 17-30`},
		{name: "let in by one who had gone to sleep", events: `
			0  threadStart w threadName=waiter
			0  threadStart o threadName=owner
			5  monContendedEnter w objIdRef=900 threadOwner=o
			7  monWait o objIdRef=-1 timeout=100
			20 monContendedEntered w objIdRef=900
			30 threadEnd w`, want: `
			owner Running 0-7
			 unknown ->waiter 7-20
			waiter Running 20-30`},
		{name: "let in by one who had gone to sleep 10 ms before", events: `
			0  threadStart w threadName=waiter
			0  threadStart o threadName=owner
			5  monContendedEnter w objIdRef=900 threadOwner=o
			7  monWait o objIdRef=-1 timeout=100
			17 monContendedEntered w objIdRef=900
			30 threadEnd w`, want: `
			owner Running 0-7
			owner ->waiter 7-17
			waiter Running 17-30`},
		{name: "stopped by collections, but not while it waits", events: `
			0  threadStart w threadName=waiter
			0  threadStart o threadName=owner
			2  gcStart -
			4  gcFinish -
			5  monContendedEnter w objIdRef=900 threadOwner=o
			17 monContendedEntered w objIdRef=900
			18 monWait w objIdRef=-1 timeout=100
			20 gcStart -
			22 gcFinish -
			26 monWaited w objIdRef=-1
			27 gcStart -
			30 threadEnd w
			31 gcFinish -`, want: `
			owner Running 0-2
			 pause 2-4
			owner Running 4-17
			waiter Running 17-18
			waiter Sleeping 18-26
			waiter Running 26-27
			 pause 27-30`},
		{name: "interrupted, and not notified", events: `
			0  threadStart w threadName=waiter objIdRef=101
			0  threadStart n threadName=notifier
			0  threadStart i threadName=interrupter
			5  monWait w objIdRef=900 timeout=0
			10 callNotify n objIdRef=900 isNotifyAll=0
			11 callInterrupt i objIdRef=101
			15 monWaited w objIdRef=900 isTimedOut=0
			16 threadInterrupted w
			30 threadEnd w`, want: `
			interrupter Running 0-11
			interrupter ->waiter 11-15
			waiter Running 15-30`},
		{name: "a notification that was recorded too late", events: `
			0  threadStart w threadName=waiter
			0  threadStart n threadName=notifier
			5  monWait w objIdRef=900 timeout=0
			11 monWaited w objIdRef=900 isTimedOut=0
			10 callNotify n objIdRef=900 isNotifyAll=0
			30 threadEnd w`, want: `
			notifier Running 0-10
			notifier ->waiter 10-11
			waiter Running 11-30`},
		{name: "timed out", events: `
			0  threadStart w threadName=waiter
			0  threadStart n threadName=notifier
			5  monWait w objIdRef=900 timeout=10
			10 callNotify n objIdRef=900 isNotifyAll=0
			15 monWaited w objIdRef=900 isTimedOut=1
			30 threadEnd w`, want: `
			waiter Running 0-5
			waiter WaitingForObject 5-15
			waiter Running 15-30`},
		{name: "DestroyJavaVM ends the run, after main", events: `
			0  threadStart 1 threadName=main
			40 threadEnd 1
			41 threadStart 2 threadName=DestroyJavaVM
			90 threadEnd 2`, want: `
			main Running 0-40
			main ->DestroyJavaVM 40-41
			DestroyJavaVM Running 41-90`},
		{name: "DestroyJavaVM has not ended", events: `
			0  threadStart 1 threadName=main
			40 threadEnd 1
			41 threadStart 2 threadName=DestroyJavaVM`, want: "main Running 0-40"},
		{name: "a hook acts last", events: `
			0  threadStart 1 threadName=main
			40 threadEnd 1
			41 threadStart 2 threadName=DestroyJavaVM
			45 callStart 2 objIdRef=103
			46 threadStart 3 threadName=hook objIdRef=103
			47 monWait 2 objIdRef=103 timeout=0
			80 threadEnd 3
			81 monWaited 2 objIdRef=103
			82 threadEnd 2
			83 threadStart 4 threadName=late`, want: `
			main Running 0-40
			main ->DestroyJavaVM 40-41
			DestroyJavaVM Running 41-45
			DestroyJavaVM ->hook 45-46
			hook Running 46-80
			hook ->DestroyJavaVM 80-81
			DestroyJavaVM Running 81-82`},
		{name: "DestroyJavaVM waits for a thread of a pool", events: `
			0  threadStart 1 threadName=main
			10 callStart 1 objIdRef=105
			11 threadStart 5 threadName=pool-1-thread-1 objIdRef=105
			40 threadEnd 1
			41 threadStart 2 threadName=DestroyJavaVM
			80 threadEnd 5
			90 threadEnd 2`, want: `
			main Running 0-10
			main ->pool-1-thread-1 10-11
			pool-1-thread-1 Running 11-80
			DestroyJavaVM Running 80-90`},
		{name: "DestroyJavaVM was meant", thread: "DestroyJavaVM", events: `
			0  threadStart 1 threadName=main
			41 threadStart 2 threadName=DestroyJavaVM
			90 threadEnd 2`, want: "DestroyJavaVM Running 41-90"},
		{name: "threads of the JVM and of JFR do not count", events: `
			0  threadStart 1 threadName=main groupName=main
			40 threadEnd 1
			41 threadStart 2 threadName=DestroyJavaVM groupName=main
			42 threadStart 3 threadName=JFR&#32;Shutdown&#32;Hook groupName=main
			43 threadStart 4 threadName=Finalizer groupName=system
			50 threadEnd 3
			90 threadEnd 4`, want: "main Running 0-40"},
		{name: "a thread of the JVM ends the run if there is no other", events: `
			0  threadStart 1 threadName=Finalizer groupName=system
			40 threadStart 2 threadName=DestroyJavaVM groupName=main
			45 threadEnd 1`, want: "Finalizer Running 0-45"},
		{name: "of two last events the later in the file", events: `
			0  threadStart 1 threadName=one
			5  threadStart 2 threadName=two
			50 threadEnd 1
			50 threadEnd 2`, want: "two Running 5-50"},
		{name: "times that go back", events: `
			0  threadStart 1 threadName=one
			20 monWait 1 objIdRef=-1 timeout=1
			18 monWaited 1 objIdRef=-1
			30 threadEnd 1`, want: `
			one Running 0-18
			one Running 18-30`},
		{name: "an event without a state", events: `5 callNotify 1 objIdRef=900`, want: ""},
		{name: "nothing", events: "", want: ""},
	} {
		document := traceOf(c.events)
		r := recorded(t, document)
		start := startOf(t, r, c.thread)
		path := r.Path(start)
		if got, want := retold(path), trimmed(c.want); got != want {
			t.Errorf("%s: the path is\n%swant\n%s", c.name, got, want)
		}
		if c.events != "" {
			agree(t, c.name, document)
		}
	}
}

// TestEndings checks which thread's end is the end of the run, and why it was chosen.
func TestEndings(t *testing.T) {
	const program = `
		0  threadStart 1 threadName=main groupName=main
		0  threadStart 2 threadName=Signal&#32;Dispatcher groupName=system
		5  callNotify 1 objIdRef=900`
	const signal = `
		40 callStart 2 objIdRef=103
		41 threadStart 3 threadName=SIGTERM&#32;handler groupName=main objIdRef=103
		42 callStart 3 objIdRef=104
		43 threadStart 4 threadName=hook groupName=main objIdRef=104
		60 threadEnd 4
		61 threadEnd 3`
	const returned = `
		40 threadEnd 1
		41 threadStart 9 threadName=DestroyJavaVM groupName=main
		42 threadEnd 9`
	const shutdown = "\n 99 runtimeShutdown 1"
	const flight = `
		98 threadStart 8 threadName=JFR&#32;Shutdown&#32;Hook groupName=main
		99 traceEnd 1`
	for _, c := range []struct {
		name, events, thread string
		ending               critical.Ending
	}{
		{"main returns", program + returned, "DestroyJavaVM", critical.EndByItself},
		{"main returns, a daemon goes on", program + returned + "\n 50 callNotify 2 objIdRef=900" + shutdown,
			"DestroyJavaVM", critical.EndByItself},
		{"System.exit", program + "\n 50 callNotify 1 objIdRef=900" + shutdown, "main", critical.EndByItself},
		{"SIGTERM", program + signal + shutdown, "main", critical.EndFromOutside},
		{"SIGTERM, and the program acts during the shutdown", program +
			"\n 41 threadStart 3 threadName=SIGTERM&#32;handler groupName=system\n 60 callNotify 1 objIdRef=900" + shutdown,
			"main", critical.EndFromOutside},
		{"SIGHUP, which the program handles", program +
			"\n 41 threadStart 3 threadName=SIGHUP&#32;handler groupName=system\n 42 threadEnd 3" +
			"\n 60 callNotify 1 objIdRef=900" + shutdown, "main", critical.EndByItself},
		{"SIGTERM, and the trace is cut off", program + signal, "main", critical.EndCutOff},
		{"cut off", program, "main", critical.EndCutOff},
		{"the recording ends, not the run", program + "\n 99 traceEnd 1", "main", critical.EndCutOff},
		{"the recording ends, not the run, after a thread of the JVM", program + "\n 50 callNotify 2 objIdRef=900" +
			"\n 99 traceEnd 1", "main", critical.EndCutOff},
		{"all threads have ended", program + "\n 50 threadEnd 1\n 99 traceEnd 1", "main", critical.EndUnknown},
		{"a thread of the JVM acts last", strings.ReplaceAll(program, "Signal&#32;Dispatcher", "Finalizer") +
			"\n 50 callNotify 2 objIdRef=900" + shutdown, "main", critical.EndByItself},
		{"a flight recording of a run that ended by itself", program + flight, "main", critical.EndByItself},
		{"a flight recording of a run that a signal ended", program + signal + flight, "main", critical.EndFromOutside},
	} {
		document := traceOf(c.events)
		r := recorded(t, document)
		if end := r.Last(); r.Path(end).Thread.Name != c.thread || end.Ending != c.ending {
			t.Errorf("%s: the run ends with %s, ending %d, want %s, %d", c.name, r.Path(end).Thread.Name, end.Ending,
				c.thread, c.ending)
		}
		agree(t, c.name, document)
	}
}

func TestKnownWhatIfs(t *testing.T) {
	for _, c := range []struct{ name, events, thread, monitors, want string }{
		{name: "one lock", events: oneLock, monitors: "900", want: `
			saved 20
			main Running 0-1
			a Running 1-290`},
		{name: "one lock, for main", events: oneLock, thread: "main", monitors: "900", want: `
			saved 197
			main Running 0-1
			c Running 1-4
			c Running 4-103
			c ->main 103-104
			main Running 104-113`},
		{name: "a lock inside of another", monitors: "901", events: `
			0   threadStart 1 threadName=one
			0   threadStart 2 threadName=two
			0   threadStart 3 threadName=three
			10  monContendedEnter 1 objIdRef=900 threadOwner=2
			20  monContendedEnter 2 objIdRef=901 threadOwner=3
			70  monContendedEntered 2 objIdRef=901
			80  monContendedEntered 1 objIdRef=900
			100 threadEnd 1`, want: `
			saved 50
			two Running 0-20
			two Running 20-30
			one Running 30-50`},
		{name: "a lock that is free by then", monitors: "901", events: `
			0   threadStart 1 threadName=one
			0   threadStart 2 threadName=two
			0   threadStart 3 threadName=three
			20  monContendedEnter 2 objIdRef=901 threadOwner=3
			60  monContendedEnter 1 objIdRef=900 threadOwner=2
			70  monContendedEntered 2 objIdRef=901
			80  monContendedEntered 1 objIdRef=900
			100 threadEnd 1`, want: `
			saved 20
			one Running 0-60
			one Running 60-80`},
		{name: "sleeps and timeouts last as long as before", monitors: "900", events: `
			0   threadStart 1 threadName=one
			0   threadStart 2 threadName=two
			10  monContendedEnter 1 objIdRef=900 threadOwner=2
			30  monContendedEntered 1 objIdRef=900
			40  monWait 1 objIdRef=-1 timeout=50
			90  monWaited 1 objIdRef=-1
			90  monWait 1 objIdRef=901 timeout=10
			100 monWaited 1 objIdRef=901 isTimedOut=1
			110 threadEnd 1`, want: `
			saved 20
			one Running 0-10
			one Running 10-20
			one Sleeping 20-70
			one WaitingForObject 70-80
			one Running 80-90`},
		{name: "another thread is the last one then", monitors: "900", events: `
			0   threadStart 1 threadName=one
			0   threadStart 2 threadName=two
			10  monContendedEnter 1 objIdRef=900 threadOwner=2
			60  monContendedEntered 1 objIdRef=900
			90  threadEnd 2
			100 threadEnd 1`, want: `
			saved 10
			two Running 0-90`},
		{name: "a thread that returns from wait still needs the monitor", monitors: "900", events: `
			0   threadStart 1 threadName=one
			0   threadStart 2 threadName=two
			5   monWait 1 objIdRef=900 timeout=0
			10  callNotify 2 objIdRef=900 isNotifyAll=0
			11  threadStart 3 threadName=three
			12  monContendedEnter 3 objIdRef=900 threadOwner=2
			50  monContendedEntered 3 objIdRef=900
			60  monWaited 1 objIdRef=900 isTimedOut=0
			70  threadEnd 1`, want: `
			saved 38
			three Running 11-12
			three Running 12-22
			one Running 22-32`},
		{name: "DestroyJavaVM waits for a thread of a pool", monitors: "900", events: `
			0   threadStart 1 threadName=main
			0   threadStart 3 threadName=pool
			10  threadEnd 1
			12  threadStart 2 threadName=DestroyJavaVM
			20  monContendedEnter 3 objIdRef=900 threadOwner=1
			70  monContendedEntered 3 objIdRef=900
			90  threadEnd 3
			100 threadEnd 2`, want: `
			saved 50
			pool Running 0-20
			pool Running 20-40
			DestroyJavaVM Running 40-50`},
		{name: "a lock nobody got", monitors: "900", events: `
			0   threadStart 1 threadName=one
			0   threadStart 2 threadName=two
			10  monContendedEnter 1 objIdRef=900 threadOwner=2
			20  threadEnd 2`, want: `
			saved 0
			two Running 0-20`},
		{name: "a thread that is blocked to the end but for a notification", monitors: "900", events: `
			0   threadStart 1 threadName=one
			0   threadStart 2 threadName=two
			10  monContendedEnter 1 objIdRef=900 threadOwner=2
			20  callNotify 2 objIdRef=901
			30  callNotify 1 objIdRef=901`, want: `
			saved 10
			two Running 0-20`},
		{name: "a thread without known states is not the last one", monitors: "900", events: `
			0   threadStart 1 threadName=one
			0   threadStart 2 threadName=two
			10  monContendedEnter 1 objIdRef=900 threadOwner=2
			60  monContendedEntered 1 objIdRef=900
			95  callNotify 3 objIdRef=901
			100 threadEnd 1`, want: `
			saved 50
			one Running 0-10
			one Running 10-50`},
	} {
		document := traceOf(c.events)
		r := recorded(t, document)
		start := startOf(t, r, c.thread)
		monitors, err := critical.ParseMonitors(c.monitors)
		if err != nil {
			t.Fatal(err)
		}
		x := r.WhatIf(start, []critical.Monitors{monitors})
		if x == nil {
			t.Fatalf("%s: nobody waited", c.name)
		}
		contiguous(t, c.name, x.Path)
		if got, want := fmt.Sprintf("saved %d\n%s", x.Saved/1e6, retold(x.Path)), trimmed(c.want); got != want {
			t.Errorf("%s: the path is\n%swant\n%s", c.name, got, want)
		}
	}
}

// TestKnownWaits nests waits: one thread waits for the lock of a second one, which waits for the lock of a third one,
// which sleeps meanwhile.
func TestKnownWaits(t *testing.T) {
	r := recorded(t, traceOf(`
		0   threadStart 1 threadName=one
		0   threadStart 2 threadName=two
		0   threadStart 3 threadName=three
		10  monContendedEnter 1 objIdRef=900 threadOwner=2
		20  monContendedEnter 2 objIdRef=901 threadOwner=3
		30  monWait 3 objIdRef=-1 timeout=40
		70  monWaited 3 objIdRef=-1
		75  monContendedEntered 2 objIdRef=901
		80  monContendedEntered 1 objIdRef=900
		82  monWait 1 objIdRef=902 timeout=8
		90  monWaited 1 objIdRef=902 isTimedOut=1
		100 threadEnd 1`))
	var got strings.Builder
	for _, w := range r.Path(r.Last()).Shares().Waits {
		fmt.Fprintf(&got, "%s %s %d by %d, %s for %s\n", critical.TypeName(w.State), w.Object.ID, w.Time/1e6, w.Count,
			w.Longest.Thread.Name, w.Longest.Owner.Name)
	}
	want := trimmed(`
		WaitingForLock 901 55 by 1, two for three
		WaitingForLock 900 15 by 1, one for two
		WaitingForObject 902 8 by 1, one for `)
	if strings.TrimSpace(got.String()) != strings.TrimSpace(want) {
		t.Errorf("waits are\n%swant\n%s", got.String(), want)
	}
}

// TestSharesOfSimulatedTraces checks that shares sum to the whole.
func TestSharesOfSimulatedTraces(t *testing.T) {
	for seed := range uint64(100) {
		r := recorded(t, enrichtest.Simulate(seed, 200).XML)
		p := r.Path(r.Last())
		shares := p.Shares()
		var threads, states, callers, waits int64
		for _, s := range shares.Threads {
			threads += s.Time
		}
		for _, s := range shares.States {
			states += s.Time
		}
		for _, s := range shares.Callers {
			callers += s.Time
		}
		for _, w := range shares.Waits {
			waits += w.Time
			if w.Most > w.Time || w.Most <= 0 || w.Count <= 0 {
				t.Errorf("seed %d: of %d ns in %d waits the longest has %d", seed, w.Time, w.Count, w.Most)
			}
		}
		if threads != p.Length() || states != p.Length() || callers != p.Length() || waits > p.Length() {
			t.Errorf("seed %d: of %d ns, threads have %d, states %d, callers %d, waits %d", seed, p.Length(), threads,
				states, callers, waits)
		}
	}
}

// TestCallerThatIsDefinedAnew: a method whose class was unloaded and defined again is still the same place.
func TestCallerThatIsDefinedAnew(t *testing.T) {
	document := `<TRACE><threadStart threadId="1" time="1000.0" threadName="main" groupName="main" parentName="" objIdRef="101"/>`
	for i := 1; i <= 3; i++ {
		document += strings.NewReplacer("ID", fmt.Sprint(i)).Replace(
			`<classDef name="app/Main" sourceName="Main.java" classId="ID" time="100ID.1"/><methodDef name="run" signature="()V" methodId="ID" classIdRef="ID"/>` +
				`<monWait threadIdRef="1" time="100ID.2" objIdRef="-1" timeout="100"><annotation name="stack" value="ID:5"/></monWait>` +
				`<monWaited threadIdRef="1" time="100ID.3" objIdRef="-1" timeout="100" isTimedOut="1"/><classUnload classIdRef="ID" time="100ID.4"/>`)
	}
	r := recorded(t, []byte(document+"</TRACE>"))
	callers := r.Path(r.Last()).Shares().Callers
	if len(callers) != 2 || callers[0].Of.Method == nil || callers[0].Of.Method.Name != "run" ||
		callers[0].Pieces != 5 || callers[1].Pieces != 1 {
		t.Errorf("the callers are %+v", callers)
	}
}
