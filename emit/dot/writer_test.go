package dot_test

import (
	"bytes"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trcx/trcx/emit/dot"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

const root = "../.."

var update = flag.Bool("update", false, "write the golden files anew")

// graph returns the graph of the documents with at most most edges.
func graph(t testing.TB, most int, documents ...[]byte) string {
	t.Helper()
	var out bytes.Buffer
	sinktest.Read(t, dot.NewWriter(&out, dot.Options{MaxEdges: most}), documents...)
	return out.String()
}

func TestGolden(t *testing.T) {
	for name, path := range map[string]string{
		"tour": "docs/testdata/tour.trcxml", "deadlock": "testdata/recorded/deadlock-jdk25.trcxml",
		"warehouse": "testdata/recorded/warehouse-jdk25.trcxml",
		"nothing":   "docs/testdata/stacks.trcxml",
	} {
		var out bytes.Buffer
		g := dot.NewWriter(&out, dot.Options{})
		if name == "warehouse" {
			g.CriticalPath(map[trace.ThreadKey]int64{1: 120_000_000, 11: 280_000_000, 4: 80_000_000})
		}
		sinktest.Read(t, g, sinktest.File(t, root, path))
		sinktest.Golden(t, filepath.Join("testdata", name+".dot"), out.Bytes(), *update)
	}
}

// TestWaitsAreTheOracles: the edges and the number of left out waits together agree with the model, however little is
// kept.
func TestWaitsAreTheOracles(t *testing.T) {
	for name, document := range sinktest.Documents(t, root) {
		var count, total int64
		for _, interval := range sinktest.Intervals(t, document) {
			if interval.State == "blocked" || interval.State == "joined" {
				count++
				total += interval.Length
			}
		}
		for _, kept := range []int{1, 5, 1000} {
			g := dot.NewWriter(io.Discard, dot.Options{MaxEdges: 3}).KeepAtMost(kept)
			sinktest.Read(t, g, document)
			if gotCount, gotTotal := g.Waits(); gotCount != count || gotTotal != total {
				t.Errorf("%s, %d kept: %d waits of %d ns, want %d of %d", name, kept, gotCount, gotTotal, count, total)
			}
		}
	}
}

// contention returns a trace in which threads with these names wait in turn: the first for the second, the second for
// the third and so on, each a little longer than the previous one, and at the end the last two for each other.
func contention(rounds int, names ...string) []byte {
	var b strings.Builder
	b.WriteString(
		`<TRACE><classDef name="app/Cache" classId="1"/><objAlloc objId="1001" classIdRef="1"/><objAlloc objId="1002" classIdRef="1"/>`)
	now := 0.0
	element := func(format string, values ...any) {
		now += 0.001
		fmt.Fprintf(&b, format+` time="%.6f"/>`, append(values, now)...)
	}
	for i, name := range names {
		element(`<threadStart threadId="%d" threadName="%s"`, i+1, name)
	}
	for i := range rounds * len(names) {
		waiter, holder := i%len(names)+1, (i+1)%len(names)+1
		element(`<monContendedEnter threadIdRef="%d" objIdRef="%d" threadOwner="%d"`, waiter, 1001+i%2, holder)
		now += 0.001 * float64(waiter)
		element(`<monContendedEntered threadIdRef="%d" objIdRef="%d"`, waiter, 1001+i%2)
	}
	last := len(names)
	element(`<monContendedEnter threadIdRef="%d" objIdRef="1001" threadOwner="%d"`, last, last-1)
	element(`<monContendedEnter threadIdRef="%d" objIdRef="1002" threadOwner="%d"`, last-1, last)
	b.WriteString("</TRACE>")
	return []byte(b.String())
}

func TestLongestWaitsAreDrawn(t *testing.T) {
	got := graph(t, 4, contention(2, "alpha", "beta", "gamma", "delta", "epsilon", "zeta"))
	for text, times := range map[string]int{
		"deadlock 1: 1 of 2": 1, "deadlock 1: 2 of 2": 1, "t5 -> t6": 2, "t6 -> t5": 1, "t6 -> t1": 1,
		"t4 -> t5": 0, `left out: 4 arrows of shorter waits, together 28.0 ms in 8 waits\l`: 1,
		`label="alpha\nthread 1\nblocked 4.00 ms in 2 waits"`: 1, `"beta`: 0,
	} {
		if strings.Count(got, text) != times {
			t.Errorf("%s is %d times in the graph, want %d", text, strings.Count(got, text), times)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}

// TestPoolsAreBroughtTogether: if there are too many arrows, threads whose names differ only in digits become one box,
// unless they are deadlocked.
func TestPoolsAreBroughtTogether(t *testing.T) {
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprintf("pool-%d-thread-%d", 1+i%3, i))
	}
	document := contention(1, append(names, "main")...)
	for _, kept := range []int{10, 1 << 14} { // while reading, or at the end
		var out bytes.Buffer
		g := dot.NewWriter(&out, dot.Options{MaxEdges: 10}).KeepAtMost(kept)
		g.CriticalPath(map[trace.ThreadKey]int64{1: 10, 2: 20, 31: 30, 99: 40})
		sinktest.Read(t, g, document)
		for _, want := range []string{
			`label="pool-*-thread-*\n29 threads\nblocked 464 ms in 29 waits\ncritical path 30 ns, 30 %"`,
			`label="main\nthread 31\nblocked 33.0 ms in 2 waits`,
			`label="pool-3-thread-29\nthread 30\n`, "of which 60 % is in threads that are shown here", `t1 -> w2 `,
			`w2 -> t1 `, "deadlock 1: 2 of 2",
			`differ in digits only`, `label="Cache, several\n434 ms in 28 waits\nlongest 29.0 ms"`,
		} {
			if kept == 10 { // deadlocked threads become known too late to stay apart
				want = strings.NewReplacer("29 threads", "30 threads", "29 waits", "30 waits", "464", "495", "434",
					"464", "28 waits", "29 waits", "29.0", "30.0").Replace(want)
			}
			if !strings.Contains(out.String(), want) {
				t.Errorf("%d kept: %s is missing in\n%s", kept, want, out.String())
			}
		}
	}
}

func TestMemoryIsBounded(t *testing.T) {
	g := dot.NewWriter(io.Discard, dot.Options{}).KeepAtMost(100)
	letters := strings.NewReplacer("0", "a", "1", "b", "2", "c", "3", "d", "4", "e", "5", "f", "6", "g", "7", "h", "8",
		"i", "9", "j")
	for i := 1; i < 10_000; i++ {
		ref := trace.ThreadRef{Key: trace.ThreadKey(i), ID: trace.ThreadFrom(fmt.Append(nil, i))}
		g.Put(&trace.ModelThread{Key: ref.Key, ID: ref.ID, Name: letters.Replace(fmt.Sprint(i))})
		g.Put(&trace.Interval{ModelEvent: trace.ModelEvent{Type: trace.WaitingForLock, Thread: ref,
			Other: trace.ThreadRef{Key: ref.Key - 1}}, End: trace.Time(i)})
	}
	if g.Size() > 700 {
		t.Errorf("%d nodes, edges and groups are kept", g.Size())
	}
	if count, _ := g.Waits(); count != 9999 {
		t.Errorf("%d waits, want 9999", count)
	}
}

// rendered returns the graph as Graphviz draws it.
func rendered(t *testing.T, graph string) []byte {
	t.Helper()
	var complaints bytes.Buffer
	command := exec.Command(testtool.Need(t, "dot"), "-Tsvg")
	command.Stdin, command.Stderr = strings.NewReader(graph), &complaints
	svg, err := command.Output()
	if err != nil || strings.Contains(complaints.String(), "syntax") ||
		strings.Contains(complaints.String(), "Warning: not") {
		t.Fatalf("%v: %s of\n%s", err, complaints.String(), graph)
	}
	return svg
}

// TestGraphviz: Graphviz draws every graph, and shows all names as they are.
func TestGraphviz(t *testing.T) {
	graphs := map[string]string{"hostile": graph(t, 1000, sinktest.HostileDocument()),
		"pools": graph(t, 5, contention(2, "p-1", "p-2", "p-3", "q-1", "q-2", "main"))}
	for name, document := range sinktest.Documents(t, root) {
		if strings.Contains(name, "jdk") || strings.HasSuffix(name, " 7") || name == "empty" {
			graphs[name] = graph(t, 0, document)
		}
	}
	for name, text := range graphs {
		if !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\x1b\r\u202E") {
			t.Errorf("%s: the graph is not plain text:\n%s", name, text)
		}
		shown := texts(t, rendered(t, text))
		if name != "hostile" {
			continue
		}
		for _, want := range []string{
			`</script><img src=x onerror=alert(1)>`, `quo"te and back\slash\`, `\N \G \l <b>html</b> {a|b}`,
			`&lt;b&gt; &amp; &#39;`, `NUL \u0000 inside`, `\xED\xA0\x80 lone surrogate`,
			`\u202Eesrever`, `\u0009tab first`, `\u001B[31mred\u001B]0;title\u0007`,
		} {
			if !shown[want] {
				t.Errorf("%s is not in the picture:\n%q", want, slices.Sorted(maps.Keys(shown)))
			}
		}
	}
}

// texts returns the texts of a picture.
func texts(t *testing.T, svg []byte) map[string]bool {
	t.Helper()
	all := make(map[string]bool)
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	decoder.Entity = xml.HTMLEntity
	inside := false
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return all
		}
		sinktest.Check(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			inside = token.Name.Local == "text"
			if token.Name.Local == "script" || token.Name.Local == "img" {
				t.Errorf("the picture has a %s", token.Name.Local)
			}
		case xml.CharData:
			if inside {
				all[strings.ReplaceAll(string(token), "\u00a0", " ")] = true
			}
		}
	}
}

func BenchmarkInterval(b *testing.B) {
	g := dot.NewWriter(io.Discard, dot.Options{})
	var refs [20]trace.ThreadRef
	for i := range refs {
		refs[i] = trace.ThreadRef{Key: trace.ThreadKey(i + 1), ID: trace.ThreadFrom(fmt.Append(nil, i))}
		g.Put(&trace.ModelThread{Key: refs[i].Key, ID: refs[i].ID, Name: fmt.Sprint("worker ", i)})
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		g.Put(&trace.Interval{ModelEvent: trace.ModelEvent{Type: trace.WaitingForLock, Thread: refs[i%20],
			Other: refs[(i+7)%20], Class: "app/Lock"}, End: 5})
	}
}

// TestDeadlocksGrow: a deadlock of more threads than the limit of edges is drawn in linear time.
func TestDeadlocksGrow(t *testing.T) {
	testtool.Allocations(t, 1000, func(threads int) {
		g := dot.NewWriter(io.Discard, dot.Options{}).KeepAtMost(100)
		ring := &trace.DeadlockLoop{}
		for i := range threads {
			key := trace.ThreadKey(i + 1)
			ring.Threads = append(ring.Threads, trace.ThreadRef{Key: key, ID: trace.ThreadFrom(fmt.Append(nil, key))})
		}
		g.Put(ring)
		for i, thread := range ring.Threads {
			g.Put(&trace.Interval{ModelEvent: trace.ModelEvent{Type: trace.WaitingForLock, Thread: thread,
				Other: ring.Threads[(i+1)%threads]}, End: 9, Deadlocked: true})
		}
		if err := g.Put(&trace.Summary{Last: 9}); err != nil {
			t.Error(err)
		}
	})
}
