package critical_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// recordedIn reads a document for paths of the window.
func recordedIn(t testing.TB, document []byte, w selection.Window) *critical.Recorder {
	t.Helper()
	r := critical.NewRecorder()
	r.Within(w)
	sinktest.ReadFollowing(t, enrich.CallersOnly, r, document)
	return r
}

// agreeIn checks that the paths of a window are the whole run's paths, cut, and returns the number of pieces of the
// run's own path.
func agreeIn(t *testing.T, name string, document []byte, doc *enrichtest.Doc, w selection.Window) int {
	t.Helper()
	start, _ := trace.ParseTime([]byte(doc.Trace.StartTime))
	r := recordedIn(t, document, w)
	since, until := int64(math.MinInt64), int64(math.MaxInt64)
	if w.Since != 0 {
		since = int64(w.Since)
	}
	if w.Until != 0 {
		until = int64(w.Until)
	}
	own := oracleRecords(t, document)
	key, at := newOracle(doc).start(own)
	end := r.Last()
	if int(end.Thread) != key || int64(end.At) != at {
		t.Errorf("%s, %v: the path starts with thread %d at %v, want %d at %v", name, w, end.Thread, end.At, key,
			trace.Time(at))
		return 0
	}
	paused := pausesSince(oraclePauses(t, document), int64(start))
	for thread, record := range own {
		path := r.Path(r.LastOf(trace.ThreadKey(thread)))
		contiguous(t, name, path)
		oracle := newOracle(doc)
		oracle.pauses = paused
		want := within(oracle.path(thread, record.at-int64(start)), since, until)
		if g, w := strings.Join(told(path, start), "\n"), strings.Join(toldByOracle(want), "\n"); g != w {
			t.Errorf("%s: the path of thread %d is\n%s\nwant\n%s", name, thread, g, w)
		}
		if path.Verdict() == "" {
			t.Errorf("%s, %v: the path of thread %d has no verdict", name, w, thread)
		}
	}
	return r.Path(end).Size()
}

// windowsOf returns windows with bounds at, before and after events of the document, and outside of it.
func windowsOf(doc *enrichtest.Doc, chance *rand.Rand) []selection.Window {
	var times []int64
	for _, thread := range doc.Threads {
		for _, e := range thread.Events {
			times = append(times, e.Time)
		}
	}
	bound := func() time.Duration {
		at := times[chance.IntN(len(times))]
		return time.Duration(max(at+chance.Int64N(3)-1, 0))
	}
	windows := []selection.Window{
		{Since: bound()}, {Until: bound() + 1}, {Since: time.Duration(doc.Trace.Duration) + 1}, {Until: 1},
		{Until: time.Duration(doc.Trace.Duration) + 1},
	}
	for range 5 {
		a, b := bound(), bound()
		windows = append(windows, selection.Window{Since: min(a, b), Until: max(a, b) + 1})
	}
	return windows
}

// TestWindows compares the paths of windows of simulated traces with the oracle's, in order and with random times.
func TestWindows(t *testing.T) {
	found := 0
	for seed := range testtool.Times(uint64(40)) {
		chance := rand.New(rand.NewPCG(seed, 5))
		for name, document := range map[string][]byte{
			"a JVM":  enrichtest.Simulate(seed, 60+int(seed%5)*60).XML,
			"pauses": withPauses(spread(enrichtest.Simulate(seed, 120).XML, 50), chance),
			"chaos":  enrichtest.Chaos(seed, 120).XML,
			"disorder": timesOf.ReplaceAllFunc(enrichtest.Chaos(seed, 100).XML, func([]byte) []byte {
				return fmt.Appendf(nil, `time="1700000000.%09d"`, chance.Int64N(50))
			}),
		} {
			doc, err := enrichtest.Model(document)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range windowsOf(doc, chance) {
				found += agreeIn(t, fmt.Sprintf("%s, seed %d", name, seed), document, doc, w)
			}
		}
		if t.Failed() {
			t.Fatal("… and so on")
		}
	}
	if found == 0 {
		t.Error("no window has a path")
	}
}

// TestWholeWindow: a window of the whole trace has the path of the run.
func TestWholeWindow(t *testing.T) {
	for seed := range testtool.Times(uint64(50)) {
		document := enrichtest.Simulate(seed, 200).XML
		whole, in := recorded(t, document), recordedIn(t, document, selection.Window{Until: time.Hour})
		if whole.Last() != in.Last() {
			t.Errorf("seed %d: the path ends with %v, the window's path with %v", seed, whole.Last(), in.Last())
		}
		want, got := told(whole.Path(whole.Last()), whole.Start()), told(in.Path(in.Last()), in.Start())
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("seed %d: got\n%s\nwant\n%s", seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// windowed is a run in which one worker waits for another one's lock, and both wait for jobs.
const windowed = `<TRACE>
<threadStart threadId="1" time="1000.0" threadName="worker-1" groupName="main"/>
<threadStart threadId="2" time="1000.0" threadName="worker-2" groupName="main"/>
<monContendedEnter threadIdRef="2" time="1001.0" objIdRef="900" threadOwner="1"/>
<monContendedEntered threadIdRef="2" time="1002.0" objIdRef="900"/>
<monWait threadIdRef="2" time="1003.0" objIdRef="901" timeout="0"/>
<monWait threadIdRef="1" time="1003.5" objIdRef="901" timeout="0"/>
<callNotify threadIdRef="3" time="1008.0" objIdRef="901" isNotifyAll="1"/>
<monWaited threadIdRef="2" time="1008.5" objIdRef="901" isTimedOut="0"/>
<threadEnd threadIdRef="2" time="1009.0"/>
</TRACE>`

// TestVerdictsOfWindows: the sentence about a window says where its path leads, or why it has none.
func TestVerdictsOfWindows(t *testing.T) {
	for _, c := range []struct {
		since, until time.Duration
		thread       trace.ThreadKey
		want         string
	}{
		{1500e6, 2500e6, 0, "The path to the end of worker-2 (thread 2) takes 1.00 s between 1.5s and 2.5s: "},
		{2500e6, 0, 0, "The path to the end of worker-2 (thread 2) takes 6.50 s from 2.5s on: "},
		{0, 2500e6, 0, "The path to the end of worker-2 (thread 2) takes 2.50 s before 2.5s: "},
		{4e9, 5e9, 0, "The path to the end of worker-2 (thread 2) takes 1.00 s between 4s and 5s: "},
		{9001e6, 10e9, 0, "The path is empty: the window begins after the end of the trace, which lasts 9.00 s."},
		{4e9, 5e9, 1, "The path is empty: the path to the last event of worker-1 (thread 1) ends before the window, at " +
			"3.500000 s."},
		{0, 1e9, 3, "The path is empty: the trace does not say what thread 3 was doing."},
	} {
		r := recordedIn(t, []byte(windowed), selection.Window{Since: c.since, Until: c.until})
		start := r.Last()
		if c.thread != 0 {
			start = r.LastOf(c.thread)
		}
		got := r.Path(start).Verdict()
		if !strings.HasPrefix(got, c.want) || start.Ending == critical.EndByItself {
			t.Errorf("from %v to %v: got %s, ending %d; want %s", c.since, c.until, got, start.Ending, c.want)
		}
	}
}

// TestWorstInWindow: the worst of several threads is the one that waited longest in the window.
func TestWorstInWindow(t *testing.T) {
	for until, want := range map[time.Duration]trace.ThreadKey{2500e6: 2, 0: 2, 900e6: 1} {
		r := recordedIn(t, []byte(windowed), selection.Window{Until: until})
		if got, others, err := r.FindWorst("worker-*"); got != want || len(others) != 1 || err != nil {
			t.Errorf("before %v: got thread %d, %v, %v; want %d", until, got, others, err, want)
		}
	}
}

// TestWorstIsNotIdle: a thread that waited for connections all the time is not the one that waited longest.
func TestWorstIsNotIdle(t *testing.T) {
	const document = `<TRACE><threadStart threadId="1" time="1" threadName="exec-1"/>` +
		`<threadStart threadId="2" time="1" threadName="exec-2"/>` +
		`<monWait threadIdRef="1" time="1" objIdRef="8"><annotation name="io" value="select"/></monWait>` +
		`<monContendedEnter threadIdRef="2" time="5" objIdRef="9"/>` +
		`<monContendedEntered threadIdRef="2" time="6" objIdRef="9"/><monWaited threadIdRef="1" time="9" objIdRef="8"/></TRACE>`
	if got, _, err := recorded(t, []byte(document)).FindWorst("exec-*"); got != 2 || err != nil {
		t.Errorf("got thread %d, %v, want 2", got, err)
	}
}
