package switchlog_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/trcx/trcx/convert/enrich"
	"github.com/trcx/trcx/convert/switchlog"
	"github.com/trcx/trcx/convert/transcript"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/dtd"
	emitswitchlog "github.com/trcx/trcx/emit/switchlog"
	emit "github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

var update = flag.Bool("update", false, "write the golden files anew")

// reading is what came of a log.
type reading struct {
	xml      string
	findings []string
	ending   trace.Ending
}

func read(t testing.TB, log io.Reader) (r reading) {
	t.Helper()
	var out bytes.Buffer
	w := emit.NewWriter(&out)
	var err error
	r.ending, err = switchlog.Read(context.Background(), log, transcript.Options{
		Report: func(f trace.Finding) { r.findings = append(r.findings, f.String()) },
	}, w.Element)
	if err = errors.Join(err, w.End(r.ending), w.Finish()); err != nil {
		t.Fatal(err)
	}
	r.xml = out.String()
	return r
}

// again reads the trace and writes it as a log.
func again(t testing.TB, xml string) string {
	t.Helper()
	var out bytes.Buffer
	w := emitswitchlog.New(&out)
	enricher := enrich.New(w)
	err := enricher.Begin(0)
	if err != nil {
		t.Fatal(err)
	}
	ending, err := trcxml.Read(context.Background(), strings.NewReader(xml), trcxml.Options{Report: func(f trace.Finding) { t.Errorf("the trace has %v", f) }}, func(e *trace.Event) error {
		w.Look(e)
		return enricher.Element(e)
	})
	if err = errors.Join(err, enricher.End(ending), enricher.Finish()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// invalid are the errors that validate finds in the trace.
func invalid(t testing.TB, xml string) (errs []string) {
	t.Helper()
	findings := validate.NewFindings(validate.Selection{}, 10)
	checker := validate.NewChecker(func(int) *validate.Findings { return findings })
	if err := checker.Begin(0); err != nil {
		t.Fatal(err)
	}
	ending, err := trcxml.Read(context.Background(), strings.NewReader(xml), trcxml.Options{
		Report: findings.AddByTable, Judgement: trcxml.Judgement{Grammar: dtd.Trace()}}, checker.Element)
	if err = errors.Join(err, checker.End(ending), checker.Finish()); err != nil {
		t.Fatal(err)
	}
	for _, f := range findings.Result().Findings {
		if f.Severity == trace.Error {
			errs = append(errs, f.String())
		}
	}
	return errs
}

func file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// samples are the logs that the documentation shows.
const samples = "../../docs/testdata/"

func TestGolden(t *testing.T) {
	log := file(t, samples+"pool.switchlog")
	got := read(t, strings.NewReader(log))
	if *update {
		if err := os.WriteFile("testdata/pool.trcxml", []byte(got.xml), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(file(t, "testdata/pool.trcxml"), got.xml); diff != "" {
		t.Error(diff)
	}
	if len(got.findings) > 0 || len(invalid(t, got.xml)) > 0 || got.ending.Truncated {
		t.Errorf("%q %q %+v", got.findings, invalid(t, got.xml), got.ending)
	}
	if bytewise := read(t, iotest.OneByteReader(strings.NewReader(log))); bytewise.xml != got.xml {
		t.Error(cmp.Diff(got.xml, bytewise.xml))
	}
}

// TestForms: records may stand on one line, with any blanks, and in upper or lower case.
func TestForms(t *testing.T) {
	log := file(t, samples+"pool.switchlog")
	want := read(t, strings.NewReader(log)).xml
	for name, form := range map[string]string{
		"on one line": strings.ReplaceAll(log, "\n", " "), "without an end": strings.TrimSuffix(log, "\n"), "blanks": strings.ReplaceAll(log, ",", " ,\t "),
		"no blanks": strings.ReplaceAll(log, ", ", ","), "upper case": strings.ReplaceAll(log, " ms", " Ms"), "no blank before ms": strings.ReplaceAll(log, " ms", "MS"),
		"shouting": strings.ReplaceAll(strings.ReplaceAll(log, "active", "ACTIVE"), "notifyAll", "NotifyALL"), "Windows": strings.ReplaceAll(log, "\n", "\r\n"),
		"a browser's blanks": strings.ReplaceAll(log, "\n", "\u00A0"), "a mark": "\uFEFF" + log, "blank lines": strings.ReplaceAll(log, "\n", "\n\n  \n"),
	} {
		got := read(t, strings.NewReader(form))
		if got.xml != want || len(got.findings) > 0 {
			t.Errorf("%s: %q %s", name, got.findings, cmp.Diff(want, got.xml))
		}
	}
}

// TestFindings: what is wrong in a log, where it is said, and that reading goes on.
func TestFindings(t *testing.T) {
	const good = "Thread-1, start, Thread-2\n"
	for _, c := range []struct {
		log, findings string
		elements      int // of actions
	}{
		{"hello\n" + good, `1:1: error: a switch begins with the acting thread, such as Thread-32452561; the switch is left out [switchlog-fields]`, 1},
		{"Thread-1 Thread-1, start, Thread-2\n", `1:10: error: behind the acting thread a comma and what it does are missing; the switch is left out [switchlog-fields]`, 1},
		{"ü Thread-1, dance, Thread-1 Thread-1, start, Thread-2\n",
			`1:1: error: a switch begins with the acting thread, such as Thread-32452561; the switch is left out [switchlog-fields]
1:13: error: a thread cannot "dance"; it can start, interrupt, join, sleep, wait, notify, notifyAll, yield, suspend, resume, stop; the switch is left out [switchlog-action]`, 1},
		{"Thread-1, start\n" + good, `1:16: error: behind start a comma and the affected thread are missing; the switch is left out [switchlog-fields]`, 1},
		{"Thread-1, start, main\n" + good, `1:18: error: behind start the affected thread is missing, such as Thread-60934352; the switch is left out [switchlog-fields]`, 1},
		{"Thread-1, wait, Thread-1, active x ms\nThread-1, wait, Thread-1, active 1 s\nThread-1, wait, Thread-1, active -1 ms\n" + good,
			`1:34: error: how long a thread was active is a whole number of milliseconds, such as 8 ms; the switch is left out [switchlog-active]
2:34: error: how long a thread was active is a whole number of milliseconds, such as 8 ms; the switch is left out [switchlog-active]
3:34: error: how long a thread was active is a whole number of milliseconds, such as 8 ms; the switch is left out [switchlog-active]`, 1},
		{"Thread-1, start, Thread-2, passive 1 ms\n" + good, `1:28: error: behind the affected thread only "active" and a time may stand, such as active 8 ms; the switch is left out [switchlog-fields]`, 1},
		{good + good, `2:1: warning: Thread-2 is started, and was there before; it may be that two threads have the same hash code [switchlog-order]`, 2},
		{good + "Thread-2, notify, Thread-1\n", `2:1: warning: Thread-1 is woken, and no wait of it comes before that: the record is missing, or two threads have the same hash code [switchlog-order]`, 2},
		{good + "Thread-2, notify, Thread-2\n", `2:1: warning: a thread cannot wake itself; nobody is taken for woken [switchlog-order]`, 2},
		{good + "Thread-2, sleep, Thread-1, active 1 ms\n", `2:1: warning: a thread can only sleep itself; the affected thread is not used [switchlog-fields]`, 2},
		{good + "Thread-1, sta", `2:14: error: the log ends inside a switch, which is left out [switchlog-truncated]`, 1},
	} {
		got := read(t, strings.NewReader(c.log))
		if diff := cmp.Diff(c.findings, strings.Join(got.findings, "\n")); diff != "" {
			t.Errorf("%q: findings: %s", c.log, diff)
		}
		elements := strings.Count(got.xml, "<callStart ") + strings.Count(got.xml, "<callNotify ") + strings.Count(got.xml, `objIdRef="-1"`)
		if elements != c.elements {
			t.Errorf("%q: %d elements\n%s", c.log, elements, got.xml)
		}
		if errs := invalid(t, got.xml); len(errs) > 0 {
			t.Errorf("%q: %q", c.log, errs)
		}
		if got.ending.Truncated != strings.Contains(c.findings, "truncated") {
			t.Errorf("%q: %+v", c.log, got.ending)
		}
	}
}

// TestWithoutElements: what has no element is kept on the next one of its thread, or stands among the elements where there is none, and comes back.
func TestWithoutElements(t *testing.T) {
	log := "Thread-1, start, Thread-2\nThread-1, suspend, Thread-2\nThread-1, resume, Thread-2, active 3 ms\nThread-1, sleep, Thread-1, active 4 ms\nThread-2, yield, Thread-2\nThread-2, stop, Thread-1\n"
	got := read(t, strings.NewReader(log))
	for _, want := range []string{
		`<annotation name="switch" value="Thread-1, suspend, Thread-2"/><annotation name="switch" value="Thread-1, resume, Thread-2, active 3 ms"/></monWait>`,
		`<annotation name="switch" value="Thread-2, stop, Thread-1"/>` + "\n",
	} {
		if !strings.Contains(got.xml, want) {
			t.Errorf("%s is missing in\n%s", want, got.xml)
		}
	}
	if back := again(t, got.xml); back != log {
		t.Error(cmp.Diff(log, back))
	}
	many := strings.Repeat("Thread-1, yield, Thread-1\n", 1000)
	if got := read(t, strings.NewReader(many)); again(t, got.xml) != many {
		t.Errorf("%d yields came back", strings.Count(again(t, got.xml), "\n"))
	}
}

// story makes up a canonical log: what threads do, and how long they were active before they stopped.
func story(seed uint64, lines int) string {
	random := rand.New(rand.NewPCG(seed, 9))
	var b strings.Builder
	type thread struct {
		name  int
		waits bool
	}
	threads := []*thread{{name: 1000}}
	for range lines {
		t, other := threads[random.IntN(len(threads))], threads[random.IntN(len(threads))]
		if t.waits { // unless somebody wakes it, its time is over
			if random.IntN(3) > 0 {
				continue
			}
			t.waits = false
		}
		switch action := random.IntN(8); {
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
		case other.waits && other != t:
			fmt.Fprintf(&b, "Thread-%d, notify%s, Thread-%d\n", t.name, []string{"", "All"}[random.IntN(2)], other.name)
			other.waits = false
		}
	}
	return b.String()
}

// TestRoundTrip: a log that became a trace becomes the same log again.
func TestRoundTrip(t *testing.T) {
	for seed := range uint64(100) {
		log := story(seed, 300)
		got := read(t, strings.NewReader(log))
		if errs := invalid(t, got.xml); len(errs) > 0 {
			t.Fatalf("seed %d: %q", seed, errs)
		}
		if back := again(t, got.xml); back != log {
			t.Fatalf("seed %d: %s", seed, cmp.Diff(log, back))
		}
	}
}

// TestTimes: the times that are made up go back neither from one switch to the next nor in what a thread does, and a thread has run for as long as the log says,
// or longer where the order of the log wants it.
func TestTimes(t *testing.T) {
	for seed := range uint64(50) {
		var now trace.Time
		last, since := map[string]trace.Time{}, map[string]trace.Time{}
		exact, longer := 0, 0
		_, err := switchlog.Read(context.Background(), strings.NewReader(story(seed, 300)), transcript.Options{}, func(e *trace.Event) error {
			thread := e.Thread().String()
			if e.Time < last[thread] {
				t.Errorf("seed %d: thread %s goes back to %v", seed, thread, e.Time)
			}
			last[thread] = e.Time
			_, unlogged := e.Extra.Annotation(trace.UnloggedAnnotation)
			switch e.Kind {
			case trace.ThreadStart, trace.MonWaited:
				since[thread] = e.Time
				return nil
			case trace.MonWait:
				text, _ := e.Extra.Annotation(trace.ActiveAnnotation)
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

// TestCauses: who woke a thread is who the log says, whoever else could have.
func TestCauses(t *testing.T) {
	got := read(t, strings.NewReader("Thread-1, wait, Thread-1, active 1 ms\nThread-2, interrupt, Thread-1\nThread-1, wait, Thread-1, active 2 ms\nThread-3, notify, Thread-1\nThread-1, sleep, Thread-1, active 3 ms\nThread-1, yield, Thread-1\n"))
	for _, want := range []string{
		`<monWaited threadIdRef="1" time="0.001000000" objIdRef="wait 1"><annotation name="causedBy" value="2"/></monWaited>`,
		`<monWaited threadIdRef="1" time="0.003000000" objIdRef="wait 1"><annotation name="causedBy" value="3"/></monWaited>`,
		`<monWaited threadIdRef="1" time="0.006000000" objIdRef="-1"><annotation name="inferred" value="1"/></monWaited>`,
	} {
		if !strings.Contains(got.xml, want) {
			t.Errorf("%s is missing in\n%s", want, got.xml)
		}
	}
}

func TestRecognised(t *testing.T) {
	for text, want := range map[string]bool{
		"Thread-1, start, Thread-2": true, "  Thread-1 ,wait,Thread-1 , active 8 Ms": true, "noise\n\nThread-1, notify, Thread-2\n": true,
		"": false, "Thread-1": false, "Thread-1, dance, Thread-2": false, "1.5,ThreadEnded,0A": false, "<TRACE>": false, "Thread-1, start, ": false,
	} {
		if got := switchlog.Recognises([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestErrorsOfTheInputAndTheTaker(t *testing.T) {
	broken := errors.New("broken")
	if _, err := switchlog.Read(context.Background(), io.MultiReader(strings.NewReader("Thread-1, "), iotest.ErrReader(broken)), transcript.Options{}, func(*trace.Event) error { return nil }); !errors.Is(err, broken) {
		t.Error(err)
	}
	for failing := range 6 {
		taken := 0
		_, err := switchlog.Read(context.Background(), strings.NewReader("Thread-1, start, Thread-3\nThread-1, yield, Thread-1\nThread-2, notify, Thread-1\nThread-1, sleep, Thread-1\n"), transcript.Options{}, func(*trace.Event) error {
			if taken++; taken > failing {
				return broken
			}
			return nil
		})
		if !errors.Is(err, broken) || taken != failing+1 {
			t.Errorf("%d elements were given, and the error is %v", taken, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, log := range []string{strings.Repeat("\n", 5000), strings.Repeat("Thread-1, yield, Thread-1 ", 5000)} {
		if _, err := switchlog.Read(ctx, strings.NewReader(log), transcript.Options{}, func(*trace.Event) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// FuzzRead: whatever the log, the trace is one that can have happened, and a thread's times do not go back.
func FuzzRead(f *testing.F) {
	f.Add(story(1, 12))
	f.Add("Thread-1, wait, Thread-1, active 8 Ms Thread-2, notify, Thread-1 Thread-1, yield, Thread-1 Thread-1, join, Thread-3, active 9 ms")
	f.Fuzz(func(t *testing.T, log string) {
		got := read(t, strings.NewReader(log))
		if errs := invalid(t, got.xml); len(errs) > 0 {
			t.Fatalf("%q\n%s", errs, got.xml)
		}
		if strings.Contains(again(t, got.xml), "\x00") {
			t.Error("a notification without a thread is written")
		}
	})
}

func BenchmarkRead(b *testing.B) {
	log := story(1, 20000)
	b.SetBytes(int64(len(log)))
	for b.Loop() {
		if _, err := switchlog.Read(context.Background(), strings.NewReader(log), transcript.Options{}, func(*trace.Event) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
