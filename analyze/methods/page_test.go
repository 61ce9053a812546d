package methods_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/convert"
)

// page is what the tests read of Collector.Extract.
type page struct {
	All  int64
	Rows map[string][]struct {
		Title       string
		Base, Total int64
	}
	Omitted map[string]int
	Tree    struct {
		Names       []string
		Above, Name []int
		Self, Total []int64
	}
	Nodes int
	Calls struct {
		IDs, Names          []string
		Thread, Name, Level []int
		Begin, Length       []int64
		Omitted             int
	}
}

func extract(t *testing.T, text string, limit int) (p page, size int) {
	t.Helper()
	collector := methods.NewCollector(methods.Options{Merge: true, Longest: 100})
	inputs, err := convert.OpenInputs([]string{convert.Stdin}, strings.NewReader(text), 0)
	if err == nil {
		defer inputs.Close()
		err = convert.Run(context.Background(), inputs.Documents, convert.Options{}, collector)
	}
	var written []byte
	if err == nil {
		written, err = json.Marshal(collector.Extract(methods.Page{Limit: limit}))
	}
	if err == nil {
		err = json.Unmarshal(written, &p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p, len(written)
}

// nested is a trace of calls that call width others each, down to a depth; each call has a method of its own.
func nested(depth, width int) string {
	var b strings.Builder
	b.WriteString(`<TRACE><classDef name="app/Deep" classId="1"/>`)
	now, id := 0, 0
	var call func(level int)
	call = func(level int) {
		id++
		method := id
		fmt.Fprintf(&b, `<methodDef name="m%d" methodId="%[1]d" classIdRef="1"/>`, method)
		fmt.Fprintf(&b, `<methodEntry threadIdRef="1" time="%d.0" methodIdRef="%d"/>`, now, method)
		for range width {
			if now++; level < depth {
				call(level + 1)
			}
		}
		fmt.Fprintf(&b, `<methodExit threadIdRef="1" time="%d.0" methodIdRef="%d"/>`, now, method)
	}
	call(1)
	return b.String() + "</TRACE>"
}

// TestPageIsBounded: a page has the largest rows and nodes, and says how many more there are; costs agree, whatever is
// left out.
func TestPageIsBounded(t *testing.T) {
	for _, c := range []struct{ depth, width, nodes, shown, limit int }{
		{3, 2, 7, 7, 1000}, {13, 2, 8191, 8191, 1000}, {14, 2, 16383, 10000, 10}, {300, 1, 200, 200, 1000},
	} {
		p, size := extract(t, nested(c.depth, c.width), c.limit)
		if p.Nodes != c.nodes || len(p.Tree.Name) > c.shown {
			t.Errorf("depth %d: %d nodes, of which %d are shown", c.depth, p.Nodes, len(p.Tree.Name))
		}
		if size > 2<<20 {
			t.Errorf("depth %d: the page has %d bytes of methods", c.depth, size)
		}
		if len(p.Rows["methods"]) > c.limit {
			t.Errorf("depth %d: %d rows, and %d are too many", c.depth, len(p.Rows["methods"]), c.limit)
		}
		rest, roots := append([]int64{}, p.Tree.Total...), int64(0)
		for i, above := range p.Tree.Above {
			if above >= i {
				t.Fatalf("node %d is before the one above it, %d", i, above)
			}
			if rest[i] -= p.Tree.Self[i]; above < 0 {
				roots += p.Tree.Total[i]
			} else {
				rest[above] -= p.Tree.Total[i]
			}
		}
		for i, of := range rest {
			if of < 0 {
				t.Errorf("depth %d: the nodes below node %d cost more than it", c.depth, i)
			}
		}
		if roots != p.All {
			t.Errorf("depth %d: the roots cost %d of %d", c.depth, roots, p.All)
		}
	}
}

// TestPageSaturates: costs that are beyond the largest time leave the tree a tree.
func TestPageSaturates(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<TRACE><classDef name="app/M" classId="1"/><methodDef name="a" methodId="2" classIdRef="1"/>` +
		`<methodDef name="b" methodId="3" classIdRef="1"/>`)
	for thread := range 3 {
		for _, of := range []struct{ method, base int }{{2, 4_000_000_000}, {3, 3_000_000_000}} {
			fmt.Fprintf(&b, `<agMethodEntry threadIdRef="%d" methodIdRef="%d" numCalls="1" baseTime="%d"/>`, thread,
				of.method, of.base)
		}
		fmt.Fprintf(&b, `<agMethodExit threadIdRef="%d" methodIdRef="3"/>`, thread)
		fmt.Fprintf(&b, `<agMethodExit threadIdRef="%d" methodIdRef="2"/>`, thread)
	}
	p, _ := extract(t, b.String()+"</TRACE>", 10)
	if above := p.Tree.Above; len(above) != 2 || above[0] != -1 || above[1] != 0 {
		t.Errorf("the nodes are below %v", above)
	}
}

// TestPageTellsOverloads: methods of one name have their types in the table and the tree; others do not.
func TestPageTellsOverloads(t *testing.T) {
	p, _ := extract(t, `<TRACE><classDef name="app/M" classId="1"/>
		<methodDef name="f" signature="(I)V" methodId="1" classIdRef="1"/>
		<methodDef name="f" signature="(Ljava/lang/String;)V" methodId="2" classIdRef="1"/>
		<methodDef name="f" signature="odd" methodId="3" classIdRef="1"/>
		<methodDef name="g" signature="(I)V" methodId="4" classIdRef="1"/>
		<methodEntry threadIdRef="1" time="0.0" methodIdRef="1"/><methodExit threadIdRef="1" time="1.0" methodIdRef="1"/>
		<methodEntry threadIdRef="1" time="1.0" methodIdRef="2"/><methodExit threadIdRef="1" time="3.0" methodIdRef="2"/>
		<methodEntry threadIdRef="1" time="3.0" methodIdRef="3"/><methodExit threadIdRef="1" time="6.0" methodIdRef="3"/>
		<methodEntry threadIdRef="1" time="6.0" methodIdRef="4"/><methodExit threadIdRef="1" time="10.0" methodIdRef="4"/>
		</TRACE>`, 10)
	want := "app.M.g;app.M.f odd;app.M.f(java.lang.String): void;app.M.f(int): void"
	var titles []string
	for _, row := range p.Rows["methods"] {
		titles = append(titles, row.Title)
	}
	if got := strings.Join(titles, ";"); got != want {
		t.Errorf("the rows are %s, not %s", got, want)
	}
	if got := strings.Join(p.Tree.Names, ";"); got != want {
		t.Errorf("the tree has %s, not %s", got, want)
	}
}

// TestPageHasTheLongestCalls: no kept call is shorter than a call that is left out; each call is inside the call around
// it, which is kept, too.
func TestPageHasTheLongestCalls(t *testing.T) {
	for _, c := range []struct{ depth, width, calls int }{{3, 2, 7}, {7, 2, 127}, {11, 2, 2047}, {2, 999, 1000}} {
		p, _ := extract(t, nested(c.depth, c.width), 10)
		calls := p.Calls
		if n := len(calls.Name); n != min(c.calls, 100) || n+calls.Omitted != c.calls {
			t.Errorf("depth %d: %d calls are there, %d not", c.depth, n, calls.Omitted)
		}
		var ends []int64
		begin := int64(0)
		for i, level := range calls.Level {
			begin += calls.Begin[i]
			if level > len(ends) {
				t.Fatalf("depth %d: call %d is on level %d, and those around it are not there", c.depth, i, level)
			}
			if ends = append(ends[:level], begin+calls.Length[i]); level > 0 && ends[level] > ends[level-1] {
				t.Errorf("depth %d: call %d ends after the one around it", c.depth, i)
			}
		}
		if c.depth == 11 && slices.Min(calls.Length) < 15e9 { // 63 calls take 31 s or more, 64 take 15
			t.Errorf("a call of %d ns is there, and longer ones are not", slices.Min(calls.Length))
		}
	}
}
