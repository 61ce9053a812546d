package methods

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/trace"
)

// elementsOf returns the calls of a document as elements of the naive computation, with the methods that they name.
func elementsOf(t *testing.T, text []byte) (elements []element, methods [][2]string) {
	t.Helper()
	classes, ids, numbers := map[string]string{}, map[string]int{}, map[[2]string]int{}
	number := func(method [2]string) int {
		if _, known := numbers[method]; !known {
			numbers[method] = len(methods)
			methods = append(methods, method)
		}
		return numbers[method]
	}
	whole := func(e *trace.Event, a trace.Attr, unknown int) int {
		n, err := strconv.Atoi(e.Text(a))
		if err != nil {
			return unknown
		}
		return n
	}
	for e, err := range convert.Events(context.Background(), strings.NewReader(string(text)), convert.Options{}) {
		if errors.Is(err, convert.ErrDamaged) || err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		of := element{kind: e.Kind.String(), thread: whole(e, trace.AttrThreadIDRef, 0), time: int64(e.Time), depth: -1}
		switch e.Kind {
		case trace.ClassDef:
			classes[e.Text(trace.AttrClassID)] = strings.ReplaceAll(e.Text(trace.AttrName), "/", ".")
			continue
		case trace.MethodDef:
			ids[e.Text(trace.AttrMethodID)] = number([2]string{classes[e.Text(trace.AttrClassIDRef)],
				e.Text(trace.AttrName) + e.Text(trace.AttrSignature)})
			continue
		case trace.ThreadStart:
			of.thread = whole(e, trace.AttrThreadID, 0)
		case trace.ThreadEnd, trace.TraceEnd:
		case trace.MethodEntry, trace.MethodExit:
			of.method, of.ticket = ids[e.Text(trace.AttrMethodIDRef)], e.Text(trace.AttrTicket)
			if e.Kind == trace.MethodEntry {
				of.depth = whole(e, trace.AttrStackDepth, -1)
			} else if overhead, reading := trace.ParseTime(e.Value(trace.AttrOverhead)); reading == trace.Exact {
				of.overhead = int64(overhead)
			}
		default:
			continue
		}
		elements = append(elements, of)
	}
	return elements, methods
}

// checkCalls compares the answers about a document of these elements with the naive computation.
func checkCalls(t *testing.T, what string, elements []element, o Options, since, until int64, included func(int) bool) {
	t.Helper()
	checkTraces(t, what, o, [][]element{elements}, []string{document(elements)}, since, until, included)
	if t.Failed() {
		t.FailNow()
	}
}

func everyMethod(int) bool { return true }

// withNames makes these the methods of traces while the test runs.
func withNames(t *testing.T, methods [][2]string) {
	t.Helper()
	before := names
	names = methods
	t.Cleanup(func() { names = before })
}

// checkVariants checks the elements as they are, cut, in a window, with a filter, with exits left out, and with threads in
// another order.
func checkVariants(t *testing.T, what string, elements []element, r *rand.Rand) {
	t.Helper()
	all, never := int64(math.MinInt64), int64(math.MaxInt64)
	checkCalls(t, what, elements, Options{}, all, never, everyMethod)
	for range 100 {
		checkCalls(t, what+" cut", elements[:1+r.IntN(len(elements))], Options{}, all, never, everyMethod)
	}
	start := elements[0].time
	length := max(elements[len(elements)-1].time-start, 2)
	since := 1 + r.Int64N(length/2+1)
	window := Options{}
	window.Window.Since, window.Window.Until = time.Duration(since), time.Duration(since+1+r.Int64N(length))
	checkCalls(t, what+" in a window", elements, window, start+since, start+int64(window.Window.Until), everyMethod)
	excluded := names[r.IntN(len(names))][0]
	filter := Options{Filter: func(class, _ string) bool { return class != excluded }}
	checkCalls(t, what+" without "+excluded, elements, filter, all, never,
		func(method int) bool { return names[method][0] != excluded })
	fewer := slices.DeleteFunc(slices.Clone(elements), func(e element) bool { return e.kind == "methodExit" && r.IntN(10) == 0 })
	checkCalls(t, what+" with lost exits", fewer, Options{}, all, never, everyMethod)
	checkCalls(t, what+" shuffled", shuffled(elements, r), Options{}, all, never, everyMethod)
}

// shuffled returns the elements of each thread in their order, and threads in any. The last element stays if it is the
// end of the trace.
func shuffled(elements []element, r *rand.Rand) (mixed []element) {
	queues := map[int][]element{}
	var order []int
	for _, e := range elements {
		queues[e.thread] = append(queues[e.thread], e)
		if e.kind != "traceEnd" {
			order = append(order, e.thread)
		}
	}
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for _, thread := range order {
		mixed = append(mixed, queues[thread][0])
		queues[thread] = queues[thread][1:]
	}
	for _, rest := range queues {
		mixed = append(mixed, rest...)
	}
	return mixed
}

// TestDeepVariants compares a recursion of two methods through a third one, and of one alone, without some exits.
func TestDeepVariants(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 36))
	var elements []element
	now, ticket := int64(1e9), 0
	for thread := 1; thread <= 2; thread++ {
		var open []element
		for depth := range 60 {
			now += r.Int64N(3)
			ticket++
			method := []int{0, 1, 4}[depth%3]
			if thread == 2 {
				method = 2
			}
			e := element{kind: "methodEntry", thread: thread, method: method, time: now, ticket: fmt.Sprint(ticket), depth: depth}
			elements, open = append(elements, e), append(open, e)
		}
		for i := len(open) - 1; i >= 0; i-- {
			now += r.Int64N(3)
			e := open[i]
			e.kind, e.time, e.depth = "methodExit", now, -1
			elements = append(elements, e)
		}
	}
	checkVariants(t, "recursion", elements, r)
}

// TestWorkbenchTraces compares the traces of Workbenches, also those that are cut.
func TestWorkbenchTraces(t *testing.T) {
	folder := os.Getenv("TRCX_SAMPLES")
	if folder == "" {
		t.Skip("SKIPPED: TRCX_SAMPLES names no folder; let it name one whose folder tptp holds traces of a Workbench")
	}
	files, err := filepath.Glob(filepath.Join(folder, "tptp", "*.trcxml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("TRCX_SAMPLES: no trace matches %s/tptp/*.trcxml: %v", folder, err)
	}
	for _, file := range files {
		for i, text := range documentsOf(t, file) {
			elements, methods := elementsOf(t, text)
			if len(methods) == 0 {
				continue
			}
			withNames(t, methods)
			what := fmt.Sprint(filepath.Base(file), " ", i)
			checkTraces(t, what+" itself", Options{}, [][]element{elements}, []string{string(text)}, math.MinInt64, math.MaxInt64,
				everyMethod)
			checkVariants(t, what, elements, rand.New(rand.NewPCG(uint64(i), 36)))
			t.Logf("%s: %d elements, %d methods", what, len(elements), len(methods))
		}
	}
}

// documentsOf returns the documents of a file, which may be a zip.
func documentsOf(t *testing.T, file string) (texts [][]byte) {
	t.Helper()
	inputs, err := convert.OpenInputs([]string{file}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer inputs.Close()
	for i := range inputs.Documents {
		_, in, err := inputs.Documents[i].Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		in.Close()
		texts = append(texts, text)
	}
	return texts
}
