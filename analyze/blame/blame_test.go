package blame_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/convert/selection"
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

// of computes the blame of the chosen waits.
func of(t testing.TB, r *critical.Recorder, options blame.Options) *blame.Blame {
	t.Helper()
	b, err := blame.Of(r, options)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// rowOf names a culprit as the oracle does.
func rowOf(c *blame.Culprit) string {
	switch c.Kind {
	case blame.Segment:
		return fmt.Sprintf("%d segment %v", c.Thread.Key, c.Type)
	case blame.Latency:
		return fmt.Sprintf("%d latency", c.Thread.Key)
	}
	return c.Kind.String()
}

// linesOf lists rows as the oracle does.
func linesOf(all []blame.Row) string {
	var lines []string
	for i := range all {
		row := rowOf(&all[i].Culprit)
		lines = append(lines, fmt.Sprintf("%s %d in %d", row, all[i].Total, all[i].Count))
		places := map[string]int64{} // by frame, without its callees and callers
		for _, at := range all[i].Places {
			places[placeText(enrichtest.Place{Class: at.Method.Class, Method: at.Method.Name, File: at.Method.File,
				Line: int(at.Line), Probable: at.Probable})] += at.Total
		}
		for place, total := range places {
			lines = append(lines, fmt.Sprintf("%s at %s %d", row, place, total))
			placed++
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// agree checks that each wait of the document, and the sums, agree with the oracle: for the whole trace and for
// windows.
func agree(t *testing.T, name string, document []byte) (waits int) {
	t.Helper()
	doc, err := enrichtest.Model(document)
	if err != nil {
		t.Fatalf("%s: the oracle says %v", name, err)
	}
	start, _ := trace.ParseTime([]byte(doc.Trace.StartTime))
	o := newOracle(doc)
	o.pauses = pausesOf(document, start)
	r := recorded(t, document)
	all := agreeIn(t, name, r, o, selection.Window{})
	total := int64(0)
	for _, w := range all {
		total += w.to - w.from
	}
	sweepAgrees(t, name, document, rows(all), total)
	for _, part := range []int64{0, 1, 2} {
		length := time.Duration(doc.Trace.Duration / 3)
		w := selection.Window{Since: time.Duration(part) * length, Until: time.Duration(part+1) * length}
		if part == 2 {
			w.Until = 0
		}
		agreeIn(t, fmt.Sprintf("%s, from %s to %s", name, w.Since, w.Until), r, o, w)
	}
	return len(all)
}

// agreeIn checks the waits of a window.
func agreeIn(t *testing.T, name string, r *critical.Recorder, o *oracle, w selection.Window) []wait {
	t.Helper()
	since, until := w.Bounds(0)
	want, b := o.waits(int64(since), int64(until)), of(t, r, blame.Options{Window: w})
	n, total := 0, int64(0)
	for w, parts := range b.Waits() {
		got, sum := map[string]int64{}, int64(0)
		for i := range parts {
			got[rowOf(&parts[i].Culprit)] += parts[i].Time
			sum += parts[i].Time
		}
		if sum != w.Length() {
			t.Errorf("%s: the parts of a wait of %d ns sum to %d", name, w.Length(), sum)
		}
		total += sum
		if n == len(want) {
			t.Errorf("%s: more than %d waits", name, n)
			break
		}
		expected := want[n]
		if int(w.Thread.Key) != expected.thread || int64(w.From-r.Start()) != expected.from ||
			int64(w.To-r.Start()) != expected.to || !maps.Equal(got, expected.parts) {
			t.Errorf("%s: wait %d of thread %d from %d to %d has %v, want %+v", name, n, w.Thread.Key, w.From-r.Start(),
				w.To-r.Start(), got, expected)
			break
		}
		n++
	}
	if n != len(want) || b.Count != n || b.Total != total {
		t.Errorf("%s: %d waits of %d ns, said to be %d of %d, want %d", name, n, total, b.Count, b.Total, len(want))
	}
	if got, expected := linesOf(b.Rows()), rows(want); got != expected {
		t.Errorf("%s: the rows are\n%s\nwant\n%s", name, got, expected)
	}
	if got, expected := len(b.Open()), o.open(int64(since), int64(until)); got != expected {
		t.Errorf("%s: %d open waits, want %d", name, got, expected)
	}
	return want
}

// withPauses adds collections between the elements of the document.
func withPauses(document []byte, seed uint64) []byte {
	chance, starts := rand.New(rand.NewPCG(seed, 1)), false
	return timed.ReplaceAllFunc(document, func(element []byte) []byte {
		if chance.IntN(6) > 0 || bytes.HasPrefix(element, []byte("<gc")) {
			return element
		}
		starts = !starts
		name := "gcFinish"
		if starts {
			name = "gcStart"
		}
		return fmt.Appendf(nil, `<%s time="%s"/>%s`, name, timed.FindSubmatch(element)[1], element)
	})
}

var timed = regexp.MustCompile(`<\w+[^<>]* time="(\d+\.\d+)"[^<>]*>`)

var (
	counts = regexp.MustCompile(` in \d+(\n|$)`)
	times  = regexp.MustCompile(` time="([\d.]+)"`)
)

// sweepAgrees checks that a sweep finds the same sums if no time of the document goes back and no object moves; else
// that the sums are whole.
func sweepAgrees(t *testing.T, name string, document []byte, want string, total int64) {
	t.Helper()
	b, err := blame.InOneSweep(recorded(t, document), blame.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sum, got := int64(0), b.Rows()
	for i := range got {
		sum += got[i].Total
	}
	if sum != total {
		t.Errorf("%s: the rows of a sweep sum to %d ns, want %d", name, sum, total)
	}
	if !inOrder(document) {
		return
	}
	swept++
	want = counts.ReplaceAllString(want, "$1")
	if got := counts.ReplaceAllString(linesOf(got), "$1"); got != want {
		t.Errorf("%s: the rows of a sweep are\n%s\nwant\n%s", name, got, want)
	}
}

// inOrder reports whether no time of the document goes back, and no object moves.
func inOrder(document []byte) bool {
	last := trace.Time(0)
	for _, match := range times.FindAllSubmatch(document, -1) {
		at, _ := trace.ParseTime(match[1])
		if at < last {
			return false
		}
		last = at
	}
	return !bytes.Contains(document, []byte("<objMove"))
}

var placed int // rows at places

var swept int // number of traces whose times do not go back

func TestSimulatedTraces(t *testing.T) {
	waits := 0
	for seed := range testtool.Times(uint64(300)) {
		for name, simulate := range map[string]func(uint64, int) enrichtest.Trace{"a JVM": enrichtest.Simulate,
			"chaos": enrichtest.Chaos, "a run": enrichtest.AnyRun} {
			document := simulate(seed, 60+int(seed%5)*60).XML
			if seed%2 == 1 {
				document = withPauses(document, seed)
			}
			waits += agree(t, fmt.Sprintf("%s, seed %d", name, seed), document)
		}
		if t.Failed() {
			t.Fatal("… and so on")
		}
	}
	if waits < testtool.Times(1000) || swept < testtool.Times(100) || placed < testtool.Times(1000) {
		t.Errorf("only %d waits, %d traces in order, and %d places", waits, swept, placed)
	}
}

func TestRecordedTraces(t *testing.T) {
	for _, folder := range []string{"../../testdata/recorded", "../../docs/testdata",
		"../../enrich/enrichtest/testdata"} {
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

// TestDisorder dates the events of random traces in random order, with few or many different times, so that walks reach
// a segment repeatedly.
func TestDisorder(t *testing.T) {
	times := regexp.MustCompile(`time="1700000\d+\.\d+"`)
	for seed := range testtool.Times(uint64(60)) {
		chance := rand.New(rand.NewPCG(seed, 7))
		for _, different := range []int64{2, 3, 20, 1_000_000_000} {
			document := times.ReplaceAllFunc(enrichtest.Chaos(seed, 200).XML, func([]byte) []byte {
				return fmt.Appendf(nil, `time="1700000000.%09d"`, chance.Int64N(different))
			})
			agree(t, fmt.Sprintf("seed %d with %d times", seed, different), document)
		}
		if t.Failed() {
			t.Fatal("… and so on")
		}
	}
}
