package critical_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// recorded reads a document.
func recorded(t testing.TB, document []byte) *critical.Recorder {
	t.Helper()
	r := critical.NewRecorder()
	sinktest.ReadFollowing(t, enrich.CallersOnly, r, document)
	return r
}

// told lists the pieces of a path, a line each, with times since the trace's start.
func told(p *critical.Path, start trace.Time) []string {
	lines := []string{}
	for piece := range p.Pieces() {
		told := oraclePiece{thread: int(piece.Thread.Key), kind: piece.Kind.String(), from: int64(piece.From - start),
			to: int64(piece.To - start), cause: int(piece.Cause)}
		if piece.Kind == critical.Segment {
			told.state, told.object = piece.State.String(), piece.Object.ID.String()
		}
		lines = append(lines, fmt.Sprint(told))
	}
	return lines
}

func toldByOracle(pieces []oraclePiece) []string {
	lines := []string{}
	for _, p := range pieces {
		lines = append(lines, fmt.Sprint(p))
	}
	return lines
}

// agree checks that paths through a document equal the oracle's: the path of the run, and of each thread.
func agree(t *testing.T, name string, document []byte) (ok bool) {
	t.Helper()
	doc, err := enrichtest.Model(document)
	if err != nil {
		t.Fatalf("%s: the oracle says %v", name, err)
	}
	start, _ := trace.ParseTime([]byte(doc.Trace.StartTime))
	r := recorded(t, document)
	own := oracleRecords(t, document)
	key, at := newOracle(doc).start(own)
	paused := pausesSince(oraclePauses(t, document), int64(start))
	if end := r.Last(); int(end.Thread) != key || int64(end.At) != at {
		t.Errorf("%s: the path starts with thread %d at %v, want %d at %v", name, end.Thread, end.At, key,
			trace.Time(at))
		return false
	}
	if key == 0 {
		return true
	}
	starts := map[int]critical.Start{0: r.Last()}
	for thread := range own {
		starts[thread] = r.LastOf(trace.ThreadKey(thread))
	}
	for thread, from := range starts {
		want, to := key, at
		if thread != 0 {
			want, to = thread, own[thread].at
		}
		path := r.Path(from)
		contiguous(t, name, path)
		oracle := newOracle(doc)
		oracle.pauses = paused
		got, expected := told(path, start), toldByOracle(oracle.path(want, to-int64(start)))
		if g, w := strings.Join(got, "\n"), strings.Join(expected, "\n"); g != w {
			t.Errorf("%s: the path from thread %d at %d is\n%s\nwant\n%s", name, want, to-int64(start), g, w)
			return false
		}
		nothingSpared(t, name, r, from)
	}
	return true
}

// contiguous checks that the pieces are contiguous, and that they sum to the path's length.
func contiguous(t *testing.T, name string, p *critical.Path) {
	t.Helper()
	at, sum := p.From, int64(0)
	for piece := range p.Pieces() {
		if piece.From != at || piece.Length() <= 0 {
			t.Errorf("%s: a piece from %v to %v follows at %v", name, piece.From, piece.To, at)
		}
		at = piece.To
		sum += piece.Length()
	}
	if at != p.To || sum != p.Length() {
		t.Errorf("%s: the path ends at %v and is %d long; its pieces end at %v and are %d long", name, p.To, p.Length(),
			at, sum)
	}
}

// kindsOf counts the kinds of the pieces of the run's path.
func kindsOf(t *testing.T, document []byte) map[critical.Kind]int {
	kinds := map[critical.Kind]int{}
	r := recorded(t, document)
	for piece := range r.Path(r.Last()).Pieces() {
		kinds[piece.Kind]++
	}
	return kinds
}

// spread makes the time between events many times longer: simulated threads take turns within few milliseconds.
func spread(document []byte, factor int64) []byte {
	return timesOf.ReplaceAllFunc(document, func(text []byte) []byte {
		at, _ := trace.ParseTime(bytes.Trim(text[len("time="):], `"`))
		later := 1_700_000_000_000_000_000 + (int64(at)-1_700_000_000_000_000_000)*factor
		return fmt.Appendf(nil, `time="%d.%09d"`, later/1e9, later%1e9)
	})
}

// TestPausesAndUnknownHolders compares the paths of traces in which collections stop the program and the holders of
// monitors are unknown for long.
func TestPausesAndUnknownHolders(t *testing.T) {
	kinds := map[critical.Kind]int{}
	for seed := range testtool.Times(uint64(60)) {
		chance := rand.New(rand.NewPCG(seed, 17))
		for name, simulate := range map[string]func(uint64, int) enrichtest.Trace{"a JVM": enrichtest.Simulate,
			"chaos": enrichtest.Chaos, "a run": enrichtest.AnyRun} {
			document := spread(simulate(seed, 60+int(seed%5)*60).XML, []int64{1, 20, 300}[chance.IntN(3)])
			if chance.IntN(5) > 0 {
				document = withPauses(document, chance)
			}
			agree(t, fmt.Sprintf("%s, seed %d", name, seed), document)
			for kind, n := range kindsOf(t, document) {
				kinds[kind] += n
			}
		}
		if t.Failed() {
			t.Fatal("… and so on")
		}
	}
	if kinds[critical.Unknown] < 2 || kinds[critical.Paused] < 40 {
		t.Errorf("the pieces are of these kinds: %v", kinds)
	}
}

func TestSimulatedTraces(t *testing.T) {
	failed := 0
	for seed := range testtool.Times(uint64(200)) {
		for name, simulate := range map[string]func(uint64, int) enrichtest.Trace{"a JVM": enrichtest.Simulate,
			"chaos": enrichtest.Chaos, "a run": enrichtest.AnyRun} {
			simulated := simulate(seed, 60+int(seed%5)*60)
			if !agree(t, fmt.Sprintf("%s, seed %d", name, seed), simulated.XML) {
				failed++
			}
		}
		if failed > 3 {
			t.Fatal("… and so on")
		}
	}
}

// TestEndingsOfRuns: a run that returned has ended by itself, a run that a signal ended was ended from outside, and a
// trace that is cut lacks the end.
func TestEndingsOfRuns(t *testing.T) {
	for seed := range testtool.Times(uint64(100)) {
		for ending, want := range map[enrichtest.Ending]critical.Ending{
			enrichtest.Returned: critical.EndByItself,
			enrichtest.Signaled: critical.EndFromOutside,
			enrichtest.Cut:      critical.EndCutOff,
		} {
			r := recorded(t, enrichtest.Run(seed, 200, ending).XML)
			if got := r.Last().Ending; got != want {
				t.Errorf("seed %d: the ending of run %d is %d (%s), want %d", seed, ending, got, got.Words(), want)
			}
		}
	}
}

// TestRolesOfThreads gives threads of simulated runs the names and groups of the JVM's threads, in every mixture.
func TestRolesOfThreads(t *testing.T) {
	name := regexp.MustCompile(`threadName="[^"]*" groupName="[^"]*"`)
	changed := 0
	for seed := range testtool.Times(uint64(150)) {
		simulate := enrichtest.Simulate
		if seed%3 == 0 {
			simulate = enrichtest.Chaos
		}
		chance := rand.New(rand.NewPCG(seed, 11))
		document := name.ReplaceAllFunc(simulate(seed, 60+int(seed%5)*60).XML, func(names []byte) []byte {
			changed++
			switch chance.IntN(4) {
			case 0:
				return []byte(`threadName="DestroyJavaVM" groupName="main"`)
			case 1:
				return []byte(`threadName="SIGTERM handler" groupName="system"`)
			}
			return names
		})
		agree(t, fmt.Sprintf("seed %d", seed), document)
		if t.Failed() {
			t.Fatal("… and so on")
		}
	}
	if changed == 0 {
		t.Error("no thread has another role")
	}
}

func TestRecordedTraces(t *testing.T) {
	for _, folder := range []string{
		"../../testdata/recorded", "../../docs/testdata", "../../enrich/enrichtest/testdata",
	} {
		paths, _ := filepath.Glob(filepath.Join(folder, "*.trcxml"))
		if len(paths) == 0 {
			t.Errorf("there is no trace in %s", folder)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			agree(t, path, text)
		}
	}
}

// nothingSpared checks that a replay in which nothing is changed gives the same path at the same times.
func nothingSpared(t *testing.T, name string, r *critical.Recorder, from critical.Start) {
	t.Helper()
	path, end := r.ReplayAsItWas(from)
	if end != from {
		t.Errorf("%s: replayed as it was, the run ends with %v instead of %v", name, end, from)
	}
	if got, want := strings.Join(told(path, 0), "\n"), strings.Join(told(r.Path(from), 0), "\n"); got != want {
		t.Errorf("%s: replayed as it was, the path is\n%s\nwant\n%s", name, got, want)
	}
}

// timesOf matches the times of random traces.
var timesOf = regexp.MustCompile(`time="1700000\d+\.\d+"`)

// TestDisorder dates the events of random traces in random order, with few or many different times, so that walks go
// forward as well, and reach a segment repeatedly.
func TestDisorder(t *testing.T) {
	for seed := range testtool.Times(uint64(50)) {
		chance := rand.New(rand.NewPCG(seed, 7))
		for _, different := range []int64{1, 3, 1_000_000_000} {
			document := timesOf.ReplaceAllFunc(enrichtest.Chaos(seed, 200).XML, func([]byte) []byte {
				return fmt.Appendf(nil, `time="1700000000.%09d"`, chance.Int64N(different))
			})
			agree(t, fmt.Sprintf("seed %d with %d times", seed, different), document)
		}
		if t.Failed() {
			t.Fatal("… and so on")
		}
	}
}
