package switchlog_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/builder/buildertest"
	"github.com/trcx/trcx/convert/switchlog"
	emitswitchlog "github.com/trcx/trcx/emit/switchlog"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

var update = flag.Bool("update", false, "write the golden files anew")

// reader reads the log.
func reader(log io.Reader) buildertest.Log {
	return func(options builder.Options, put func(*trace.Event) error) (trace.Ending, error) {
		return switchlog.Read(context.Background(), log, options, put)
	}
}

func read(t testing.TB, log string) buildertest.Reading {
	t.Helper()
	return buildertest.Read(t, reader(strings.NewReader(log)))
}

// again reads the trace and writes it as a log.
func again(t testing.TB, xml string) string {
	t.Helper()
	var out bytes.Buffer
	buildertest.Trace(t, xml, buildertest.Model(emitswitchlog.NewWriter(&out)))
	return out.String()
}

// sample is the log in the documentation.
const sample = "../../docs/testdata/pool.switchlog"

func TestGolden(t *testing.T) {
	log := string(sinktest.File(t, sample))
	got := read(t, log)
	sinktest.Golden(t, "testdata/pool.trcxml", []byte(got.XML), *update)
	if len(got.Findings) > 0 || len(buildertest.Invalid(t, got.XML)) > 0 || got.Ending.Truncated {
		t.Errorf("%q %q %+v", got.Findings, buildertest.Invalid(t, got.XML), got.Ending)
	}
	if bytewise := buildertest.Read(t,
		reader(iotest.OneByteReader(strings.NewReader(log)))); bytewise.XML != got.XML {
		t.Error(cmp.Diff(got.XML, bytewise.XML))
	}
}

// TestForms: records may be on one line, with any blanks, in upper or lower case.
func TestForms(t *testing.T) {
	log := string(sinktest.File(t, sample))
	want := read(t, log).XML
	for name, form := range map[string]string{
		"on one line": strings.ReplaceAll(log, "\n", " "), "without an end": strings.TrimSuffix(log, "\n"),
		"blanks":    strings.ReplaceAll(log, ",", " ,\t "),
		"no blanks": strings.ReplaceAll(log, ", ", ","), "upper case": strings.ReplaceAll(log, " ms", " Ms"),
		"no blank before ms": strings.ReplaceAll(log, " ms", "MS"),
		"shouting":           strings.ReplaceAll(strings.ReplaceAll(log, "active", "ACTIVE"), "notifyAll", "NotifyALL"),
		"Windows":            strings.ReplaceAll(log, "\n", "\r\n"),
		"a browser's blanks": strings.ReplaceAll(log, "\n", "\u00A0"), "a mark": "\uFEFF" + log,
		"blank lines": strings.ReplaceAll(log, "\n", "\n\n  \n"),
	} {
		got := read(t, form)
		if got.XML != want || len(got.Findings) > 0 {
			t.Errorf("%s: %q %s", name, got.Findings, cmp.Diff(want, got.XML))
		}
	}
}

// TestFindings: damage is reported at its place, and reading resumes after it.
func TestFindings(t *testing.T) {
	const good = "Thread-1, start, Thread-2\n"
	for _, c := range []struct {
		log, findings string
		elements      int // of actions
	}{
		{"hello\n" + good,
			`1:1: error: want the acting thread, such as Thread-32452561; the switch is skipped [switchlog-fields]`, 1},
		{"Thread-1 Thread-1, start, Thread-2\n",
			`1:10: error: want a comma and an action after the acting thread; the switch is skipped [switchlog-fields]`, 1},
		{"ü Thread-1, dance, Thread-1 Thread-1, start, Thread-2\n",
			`1:1: error: want the acting thread, such as Thread-32452561; the switch is skipped [switchlog-fields]
1:13: error: unknown action "dance": want start, interrupt, join, sleep, wait, notify, notifyAll, yield, suspend, resume, stop; the switch is skipped [switchlog-action]`, 1},
		{"Thread-1, start\n" + good,
			`1:16: error: want a comma and the affected thread after start; the switch is skipped [switchlog-fields]`, 1},
		{"Thread-1, start, main\n" + good,
			`1:18: error: want the affected thread after start, such as Thread-60934352; the switch is skipped [switchlog-fields]`, 1},
		{
			"Thread-1, wait, Thread-1, active x ms\nThread-1, wait, Thread-1, active 1 s\nThread-1, wait, " +
				"Thread-1, active -1 ms\n" + good,
			`1:34: error: invalid time: want a whole number of milliseconds, such as 8 ms; the switch is skipped [switchlog-active]
2:34: error: invalid time: want a whole number of milliseconds, such as 8 ms; the switch is skipped [switchlog-active]
3:34: error: invalid time: want a whole number of milliseconds, such as 8 ms; the switch is skipped [switchlog-active]`, 1},
		{"Thread-1, start, Thread-2, passive 1 ms\n" + good,
			`1:28: error: want "active" and a time after the affected thread, such as active 8 ms; the switch is skipped [switchlog-fields]`, 1},
		{good + good,
			`2:1: warning: Thread-2 is started again; two threads may have the same hash code [switchlog-order]`, 2},
		{good + "Thread-2, notify, Thread-1\n",
			`2:1: warning: Thread-1 is woken without a wait: the record is missing, or two threads have the same hash code [switchlog-order]`, 2},
		{good + "Thread-2, notify, Thread-2\n",
			`2:1: warning: a thread cannot wake itself; no thread is woken [switchlog-order]`, 2},
		{good + "Thread-2, sleep, Thread-1, active 1 ms\n",
			`2:1: warning: a thread can only sleep itself; the affected thread is ignored [switchlog-fields]`, 2},
		{"Thread-2, wait, Thread-2, active 12 msThread-1, sleep, Thread-1\n",
			`1:39: warning: another switch begins here without a blank before it [switchlog-fields]`, 1},
		{"Thread-1, sleep, Thread-1, active 12MSThread-1, start, Thread-3Thread-1, notify, Thread-4, active 1 ms\n",
			`1:39: warning: another switch begins here without a blank before it [switchlog-fields]
1:64: warning: another switch begins here without a blank before it [switchlog-fields]`, 4},
		{"Thread-2, start, Thread-1, active 12 ms, Thread-1, start, Thread-3\n",
			`1:40: error: want the acting thread, such as Thread-32452561; the switch is skipped [switchlog-fields]`, 2},
		{"Thread-2, wait, Thread-2, active 12Thread-1, start, Thread-3\n",
			`1:34: error: invalid time: want a whole number of milliseconds, such as 8 ms; the switch is skipped [switchlog-active]`, 1},
		{"Thread-2, waiThread-1, start, Thread-3 Thread-1, startThread-1, start, Thread-4\n",
			`1:11: error: unknown action "wai": want start, interrupt, join, sleep, wait, notify, notifyAll, yield, suspend, resume, stop; the switch is skipped [switchlog-action]
1:55: error: want a comma and the affected thread after start; the switch is skipped [switchlog-fields]`, 2},
		{"Thread-2, wait, Thread-1, start, Thread-3\n",
			`1:27: error: want "active" and a time after the affected thread, such as active 8 ms; the switch is skipped [switchlog-fields]`, 1},
		{good + "Thread-1, sta", `2:14: error: the log ends inside a switch, which is skipped [switchlog-truncated]`,
			1},
		{good + "Thread-21, start, Thread-30\nThread-2, start, Thread-3",
			`3:26: error: the log ends inside a switch, which is skipped [switchlog-truncated]`, 2},
		{good + "Thread-21, start, Thread-30\nThread-30, start, Thread-3",
			`3:27: error: the log ends inside a switch, which is skipped [switchlog-truncated]`, 2},
		{good + "Thread-30, start, Thread-21\nThread-21, notify, Thread-2", ``, 3},
		{good + "Thread-2, start, Thread-3", ``, 2},
	} {
		got := read(t, c.log)
		if diff := cmp.Diff(c.findings, strings.Join(got.Findings, "\n")); diff != "" {
			t.Errorf("%q: findings: %s", c.log, diff)
		}
		elements := strings.Count(got.XML, "<callStart ") + strings.Count(got.XML, "<callNotify ") +
			strings.Count(got.XML, `objIdRef="-1"`)
		if elements != c.elements {
			t.Errorf("%q: %d elements\n%s", c.log, elements, got.XML)
		}
		if errs := buildertest.Invalid(t, got.XML); len(errs) > 0 {
			t.Errorf("%q: %q", c.log, errs)
		}
		if got.Ending.Truncated == strings.Contains(got.XML, "<traceEnd ") {
			t.Errorf("%q: a traceEnd, or none: %s", c.log, got.XML)
		}
		if got.Ending.Truncated != strings.Contains(c.findings, "truncated") {
			t.Errorf("%q: %+v", c.log, got.Ending)
		}
	}
}

// TestEmbeddedNames: text that can be the name of a thread is taken for one.
func TestEmbeddedNames(t *testing.T) {
	log := "Thread-aThread-b, start, Thread-cThread-d\nThread-a, yield, Thread-cThread-d, active 1 ms\n"
	got := read(t, log)
	if again(t, got.XML) != log || len(got.Findings) > 0 {
		t.Errorf("%q\n%s", got.Findings, again(t, got.XML))
	}
}

// TestWithoutElements: switches without an element become annotations, and become switches again.
func TestWithoutElements(t *testing.T) {
	log := "Thread-1, start, Thread-2\nThread-1, suspend, Thread-2\nThread-1, resume, Thread-2, active 3 " +
		"ms\nThread-1, sleep, Thread-1, active 4 ms\nThread-2, yield, Thread-2\nThread-2, stop, Thread-1\n"
	got := read(t, log)
	for _, want := range []string{
		`<annotation name="switch" value="Thread-1, suspend, Thread-2"/>` + "\n" +
			`<annotation name="switch" value="Thread-1, resume, Thread-2, active 3 ms"/>` + "\n<monWait ",
		`<annotation name="switch" value="Thread-2, stop, Thread-1"/>` + "\n",
	} {
		if !strings.Contains(got.XML, want) {
			t.Errorf("%s is missing in\n%s", want, got.XML)
		}
	}
	if back := again(t, got.XML); back != log {
		t.Error(cmp.Diff(log, back))
	}
	many := strings.Repeat("Thread-1, yield, Thread-1\n", 1000)
	if got := read(t, many); again(t, got.XML) != many {
		t.Errorf("%d yields came back", strings.Count(again(t, got.XML), "\n"))
	}
}

// randomLog returns a canonical log of random actions and active times.
func randomLog(seed uint64, lines int) string {
	random := rand.New(rand.NewPCG(seed, 9))
	var b strings.Builder
	type thread struct {
		name  int
		waits bool
	}
	threads := []*thread{{name: 1000}}
	for range lines {
		t, other := threads[random.IntN(len(threads))], threads[random.IntN(len(threads))]
		if t.waits { // unless another thread wakes it, its wait times out
			if random.IntN(3) > 0 {
				continue
			}
			t.waits = false
		}
		switch action := random.IntN(10); {
		case action == 0 && len(threads) < 12:
			threads = append(threads, &thread{name: 1000 + len(threads)})
			fmt.Fprintf(&b, "Thread-%d, start, Thread-%d\n", t.name, threads[len(threads)-1].name)
		case action <= 2:
			fmt.Fprintf(&b, "Thread-%d, wait, Thread-%d, active %d ms\n", t.name, t.name, random.IntN(5000))
			t.waits = true
		case action == 3:
			fmt.Fprintf(&b, "Thread-%d, sleep, Thread-%d, active %d ms\n", t.name, t.name, random.IntN(50))
		case action == 4:
			fmt.Fprintf(&b, "Thread-%d, join, Thread-%d, active %d ms\n", t.name, other.name, random.IntN(50))
		case action == 5:
			fmt.Fprintf(&b, "Thread-%d, interrupt, Thread-%d\n", t.name, other.name)
		case action >= 8: // actions without an element in a trace
			fmt.Fprintf(&b, "Thread-%d, %s, Thread-%d%s\n", t.name, []string{"yield", "suspend", "resume",
				"stop"}[random.IntN(4)], other.name,
				[]string{"", fmt.Sprintf(", active %d ms", random.IntN(5000))}[random.IntN(2)])
		case other.waits && other != t:
			fmt.Fprintf(&b, "Thread-%d, notify%s, Thread-%d\n", t.name, []string{"", "All"}[random.IntN(2)], other.name)
			other.waits = false
		}
	}
	return b.String()
}

// TestRoundTrip: a log, written from its trace, is the same again, and the trace is valid.
func TestRoundTrip(t *testing.T) {
	for seed := range testtool.Times(uint64(100)) {
		log := randomLog(seed, 300)
		got := read(t, log)
		if errs := buildertest.Invalid(t, got.XML); len(errs) > 0 {
			t.Fatalf("seed %d: %q", seed, errs)
		}
		if back := again(t, got.XML); back != log {
			t.Fatalf("seed %d: %s", seed, cmp.Diff(log, back))
		}
		if times := read(t, again(t, got.XML)).XML; times != got.XML {
			t.Fatalf("seed %d: %s", seed, cmp.Diff(got.XML, times))
		}
	}
}

// TestNotifiedJoin: a join waits on the thread's object; its cause is the notification at the end of the thread.
func TestNotifiedJoin(t *testing.T) {
	log := "Thread-1, start, Thread-2\nThread-1, join, Thread-2\nThread-2, notifyAll, Thread-1\nThread-1, sleep, " +
		"Thread-1, active 3 ms\n"
	got := read(t, log)
	want := `<callNotify threadId="2" time="0.000000000" objIdRef="Thread-2" isNotifyAll="1"/>` + "\n" +
		`<monWaited threadIdRef="1" time="0.000000000" objIdRef="Thread-2"><annotation name="causedBy" value="2"/></monWaited>`
	if len(got.Findings) > 0 || !strings.Contains(got.XML, want) || strings.Count(got.XML, "<monWait ") != 2 {
		t.Errorf("%q\n%s", got.Findings, got.XML)
	}
	if back := again(t, got.XML); back != log {
		t.Error(cmp.Diff(log, back))
	}
}

// TestTimes: computed times go back neither between switches nor within a thread, and a thread runs for its active
// time, or longer if the order of the log requires it.
func TestTimes(t *testing.T) {
	for seed := range uint64(50) {
		var now trace.Time
		last, since := map[string]trace.Time{}, map[string]trace.Time{}
		exact, longer := 0, 0
		_, err := switchlog.Read(context.Background(), strings.NewReader(randomLog(seed, 300)), builder.Options{},
			func(e *trace.Event) error {
				if e.Kind == trace.Annotation {
					return nil
				}
				thread := e.Thread().String()
				if e.Time < last[thread] {
					t.Errorf("seed %d: thread %s goes back to %v", seed, thread, e.Time)
				}
				last[thread] = e.Time
				_, unlogged := e.Extra.Annotation(trace.NoteUnlogged)
				switch e.Kind {
				case trace.ThreadStart, trace.MonWaited:
					since[thread] = e.Time
					return nil
				case trace.MonWait:
					text, _ := e.Extra.Annotation(trace.NoteActive)
					var active int64
					if fmt.Sscan(text, &active); unlogged {
						break
					}
					switch ran := int64(e.Time-since[thread]) / 1e6; {
					case ran < active:
						t.Errorf("seed %d: thread %s ran for %d ms and says %d", seed, thread, ran, active)
					case ran == active:
						exact++
					default:
						longer++
					}
				}
				if e.Time < now {
					t.Errorf("seed %d: the log goes back from %v to %v", seed, now, e.Time)
				}
				now = e.Time
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		if exact < longer {
			t.Errorf("seed %d: %d threads ran as long as the log says, and %d longer", seed, exact, longer)
		}
	}
}

// TestCauses: the cause of a wake-up is the thread in the log.
func TestCauses(t *testing.T) {
	got := read(t,
		"Thread-1, wait, Thread-1, active 1 ms\nThread-2, interrupt, Thread-1\nThread-1, wait, Thread-1, active 2 "+
			"ms\nThread-3, notify, Thread-1\nThread-1, sleep, Thread-1, active 3 ms\nThread-1, yield, Thread-1\n")
	for _, want := range []string{
		`<monWaited threadIdRef="1" time="0.001000000" objIdRef="wait 1"><annotation name="causedBy" value="2"/></monWaited>`,
		`<monWaited threadIdRef="1" time="0.003000000" objIdRef="wait 1"><annotation name="causedBy" value="3"/></monWaited>`,
		`<monWaited threadIdRef="1" time="0.006000000" objIdRef="-1"><annotation name="inferred" value="1"/></monWaited>`,
	} {
		if !strings.Contains(got.XML, want) {
			t.Errorf("%s is missing in\n%s", want, got.XML)
		}
	}
}

// TestRecognised: logs and metadata are distinguished from each other and from other text.
func TestRecognised(t *testing.T) {
	for text, want := range map[string]bool{
		"Thread-1, start, Thread-2": true, "  Thread-1 ,wait,Thread-1 , active 8 Ms": true,
		"noise\n\nThread-1, notify, Thread-2\n": true,
		"":                                      false, "Thread-1": false, "Thread-1, dance, Thread-2": false,
		"1.5,ThreadEnded,0A": false, "<TRACE>": false, "Thread-1, start, ": false,
	} {
		if got := switchlog.Recognises([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestNone: a log without a valid record is an error.
func TestNone(t *testing.T) {
	const none = "1:1: error: the log has no valid switch; want one such as Thread-32452561, start, Thread-60934352 " +
		"[switchlog-none]"
	for log, findings := range map[string]int{"": 1, " \n\n": 1, "hello\n": 2, "Thread-1, start, main\n": 2} {
		got := read(t, log)
		if len(got.Findings) != findings || got.Findings[findings-1] != none || len(got.Unsupported) > 0 {
			t.Errorf("%q: %q", log, got.Findings)
		}
	}
}

// manyThreads returns the log of a thread that waits while n others come and go, 100 of them active at a time.
func manyThreads(n int) io.Reader {
	const living = 100
	in, out := io.Pipe()
	go func() {
		w := bufio.NewWriter(out)
		fmt.Fprint(w, "Thread-main, start, Thread-idle\nThread-idle, wait, Thread-idle, active 1 ms\n")
		for i := range n + living {
			fmt.Fprintf(w, "Thread-main, start, Thread-%[1]d\nThread-%[1]d, wait, Thread-%[1]d, active 1 ms\n", i)
			if i -= living; i >= 0 {
				fmt.Fprintf(w, "Thread-main, notify, Thread-%[1]d\nThread-%[1]d, yield, Thread-%[1]d, active 1 ms\n", i)
			}
		}
		fmt.Fprint(w, "Thread-main, notify, Thread-idle\n")
		w.Flush()
		out.Close()
	}()
	return in
}

// TestMemory: memory does not grow with the number of threads or the length of the log.
func TestMemory(t *testing.T) {
	testtool.Long(t)
	buildertest.CheckMemory(t, 360_000, 6<<20, func(threads int) (event any) {
		_, err := switchlog.Read(context.Background(), manyThreads(threads), builder.Options{},
			func(e *trace.Event) error {
				event = e // keeps the reader reachable
				return nil
			})
		sinktest.Check(t, err)
		return event
	})
}

// TestThreadLimit: a thread that does not occur while many others do is assumed to have ended. This is reported once,
// and the trace is valid.
func TestThreadLimit(t *testing.T) {
	testtool.Long(t)
	got := buildertest.Read(t, reader(manyThreads(135_000)))
	const want = "warning: Thread-idle did not occur among 65536 other threads and is assumed to have ended, as are " +
		"further ones [switchlog-threads]"
	if len(got.Findings) != 1 || !strings.HasSuffix(got.Findings[0], want) {
		t.Errorf("%q", got.Findings)
	}
	if errs := buildertest.Invalid(t, got.XML); len(errs) > 0 {
		t.Errorf("%q", errs)
	}
	if starts := strings.Count(got.XML, "<threadStart "); starts != 135_000+100+3 { // the idle thread is seen again
		t.Errorf("%d threads", starts)
	}
}

// TestPending: the memory for switches that wait for an element of their thread is limited.
func TestPending(t *testing.T) {
	testtool.Long(t)
	var log strings.Builder
	name := strings.Repeat("n", 240)
	for i := range 36_000 {
		fmt.Fprintf(&log, "Thread-%[1]s%[2]d, yield, Thread-%[1]s%[2]d\n", name, i)
	}
	early := 0
	_, err := switchlog.Read(context.Background(), strings.NewReader(log.String()), builder.Options{},
		func(e *trace.Event) error {
			if e.Kind == trace.Annotation && e.Offset < int64(log.Len()-1000) {
				early++
			}
			return nil
		})
	if err != nil || early == 0 {
		t.Errorf("all %d bytes wait (%v)", log.Len(), err)
	}
}

func TestErrorsOfTheInputAndTheTaker(t *testing.T) {
	broken := errors.New("broken")
	if _, err := switchlog.Read(context.Background(), io.MultiReader(strings.NewReader("Thread-1, "),
		iotest.ErrReader(broken)), builder.Options{}, func(*trace.Event) error { return nil }); !errors.Is(err,
		broken) {
		t.Error(err)
	}
	buildertest.CheckPutError(t, 6, func() buildertest.Log {
		return func(options builder.Options, put func(*trace.Event) error) (trace.Ending, error) {
			return switchlog.Read(context.Background(),
				strings.NewReader(
					"Thread-1, start, Thread-3\nThread-1, yield, Thread-1\nThread-2, notify, Thread-1\nThread-1, "+
						"sleep, Thread-1\n"), options, put)
		}
	})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, log := range []string{strings.Repeat("\n", 5000), strings.Repeat("Thread-1, yield, Thread-1 ", 5000)} {
		if _, err := switchlog.Read(ctx, strings.NewReader(log), builder.Options{}, func(*trace.Event) error {
			return nil
		}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// FuzzRead: the trace of any log is valid, and becomes the same log again.
func FuzzRead(f *testing.F) {
	f.Add(randomLog(1, 12))
	f.Add(
		"Thread-1, wait, Thread-1, active 8 Ms Thread-2, notify, Thread-1 Thread-1, yield, Thread-1 Thread-1, " +
			"join, Thread-3, active 9 ms")
	f.Fuzz(func(t *testing.T, log string) {
		got := read(t, log)
		if errs := buildertest.Invalid(t, got.XML); len(errs) > 0 {
			t.Fatalf("%q\n%s", errs, got.XML)
		}
		if strings.Contains(again(t, got.XML), "\x00") {
			t.Error("a notification without a thread is written")
		}
	})
}

func BenchmarkRead(b *testing.B) {
	log := randomLog(1, 20000)
	b.SetBytes(int64(len(log)))
	for b.Loop() {
		if _, err := switchlog.Read(context.Background(), strings.NewReader(log), builder.Options{},
			func(*trace.Event) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
