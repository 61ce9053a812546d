package methods

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// entry and exit are elements of thread 1, in nanoseconds.
func entry(method int, time int64, more string) string {
	return fmt.Sprintf(`<methodEntry threadIdRef="1" methodIdRef="%d" time="0.%09d" %s/>`, method, time, more)
}

func exit(method int, time int64, more string) string {
	return fmt.Sprintf(`<methodExit threadIdRef="1" methodIdRef="%d" time="0.%09d" %s/>`, method, time, more)
}

func aggregated(method, calls int, base, cumulative string) string {
	return fmt.Sprintf(`<agMethodEntry threadIdRef="1" methodIdRef="%d" numCalls="%d" baseTime="%s" cumulativeTime="%s"/>`,
		method, calls, base, cumulative)
}

func aggregatedExit(method int) string {
	return fmt.Sprintf(`<agMethodExit threadIdRef="1" methodIdRef="%d"/>`, method)
}

// TestRules has a small trace for each rule. A call is shown as name calls base/cumulative, with o for open, l for lost
// and r for recursive ones.
func TestRules(t *testing.T) {
	for name, c := range map[string]struct {
		trace string
		want  string
	}{
		"nested":                 {entry(0, 1, "") + entry(2, 3, "") + exit(2, 5, "") + exit(0, 9, ""), "a.A.x 1 6/8, a.B.x 1 2/2"},
		"a time that goes back":  {entry(0, 10, "") + entry(2, 5, "") + exit(2, 12, "") + exit(0, 11, ""), "a.A.x 1 0/2, a.B.x 1 2/2, backwards 2"},
		"by the stack depth":     {entry(0, 1, `stackDepth="4"`) + entry(2, 3, `stackDepth="4"`) + exit(2, 5, ""), "a.A.x 1 2/2 l1, a.B.x 1 2/2"},
		"a gap of the depth":     {entry(0, 1, `stackDepth="4"`) + entry(2, 3, `stackDepth="9"`) + exit(2, 5, "") + exit(0, 6, ""), "a.A.x 1 3/5, a.B.x 1 2/2"},
		"by the ticket":          {entry(0, 1, `ticket="7"`) + entry(2, 3, `ticket="8"`) + exit(2, 5, `ticket="7"`), "a.A.x 1 2/4, a.B.x 1 2/2 l1, mismatched 1"},
		"by the method":          {entry(0, 1, "") + entry(2, 3, "") + exit(0, 5, ""), "a.A.x 1 2/4, a.B.x 1 2/2 l1"},
		"a stray exit":           {entry(0, 1, "") + exit(2, 3, "") + exit(0, 5, ""), "a.A.x 1 4/4, stray 1"},
		"a stray ticket":         {entry(0, 1, `ticket="7"`) + exit(0, 3, `ticket="8"`) + exit(0, 5, `ticket="7"`), "a.A.x 1 4/4, stray 1"},
		"the thread ends":        {entry(0, 1, "") + `<threadEnd threadIdRef="1" time="0.000000004"/>`, "a.A.x 1 3/3 l1"},
		"the trace ends":         {entry(0, 1, "") + `<traceEnd time="0.000000006"/>`, "a.A.x 1 5/5 o1"},
		"the trace has no end":   {entry(0, 1, "") + `<threadStart threadId="2" time="0.000000008"/>`, "a.A.x 1 7/7 o1"},
		"recursion":              {entry(0, 1, "") + entry(0, 3, "") + exit(0, 5, "") + exit(0, 9, ""), "a.A.x 2 8/8 r1"},
		"two methods of a class": {entry(0, 1, "") + entry(1, 3, "") + exit(1, 5, "") + exit(0, 9, ""), "a.A.x 1 6/8, a.A.y 1 2/2"},
		"summed up": {aggregated(0, 5, "0.000000010", "0.000000030") + aggregated(2, 7, "0.000000020", "0.000000020") + aggregatedExit(2) +
			aggregatedExit(0) + aggregatedExit(0), "a.A.x 5 10/30, a.B.x 7 20/20, stray 1"},
		"counted":            {`<methodCount methodIdRef="0" count="3"/><methodCount methodIdRef="0" count="4" threadIdRef="1"/>`, "a.A.x 7 0/0"},
		"counted once more":  {entry(0, 1, "") + exit(0, 3, "") + `<methodCount methodIdRef="0" count="1"/>`, "a.A.x 1 2/2"},
		"counted otherwise":  {entry(0, 1, "") + exit(0, 3, "") + `<methodCount methodIdRef="0" count="2"/>`, "a.A.x 1 2/2, miscounted 1"},
		"counted, no number": {`<methodCount methodIdRef="0"/>`, ""},
		"skipped calls": {entry(0, 1, "") + strings.Replace(exit(0, 3, ""), "/>", `><annotation name="skipped" value="7"/></methodExit>`, 1),
			"a.A.x 1 2/2, skipped 7"},
		"left out": {aggregated(0, 5, "0.000000010", "0.000000010") + aggregatedExit(0) +
			strings.Repeat(`<methodCount methodIdRef="0" count="3"><annotation name="leftOut" value="17"/></methodCount>`, 2), "a.A.x 5 10/10, left out 1"},
		"lost records": {entry(0, 1, "") + `<option key="trcx.dropped" value="8"/>` + exit(0, 3, ""), "a.A.x 1 2/2, dropped 8"},
		"no thread":    {`<methodEntry methodIdRef="0" time="0.1"/>`, "threadless 1"},
		"a method without a name": {`<methodEntry threadIdRef="1" methodIdRef="77" time="0.1"/><methodExit threadIdRef="1" methodIdRef="77" time="0.1"/>`,
			"method 77 1 0/0"},
		"an entry without a time": {`<methodEntry threadIdRef="1" methodIdRef="0"/>` + entry(2, 3, "") + exit(2, 5, "") + exit(0, 9, ""), "a.A.x 1 4/6, a.B.x 1 2/2"},
	} {
		t.Run(name, func(t *testing.T) {
			s := collect(t, Options{}, strings.Replace(document(nil), "</TRACE>", c.trace, 1)+"</TRACE>").Sessions()[0]
			tables := s.Tables(nil)
			checkInvariants(t, "", tables)
			var got []string
			for _, r := range (&View{Sort: "name"}).sort(tables.Methods) {
				text := fmt.Sprintf("%s %d %d/%d", r.Title, r.Calls, r.Base, r.Cumulative)
				for mark, n := range map[string]uint64{" o": r.Open, " l": r.Lost, " r": r.Recursive} {
					if n > 0 {
						text += fmt.Sprint(mark, n)
					}
				}
				got = append(got, text)
			}
			f := &s.Findings
			for _, finding := range []struct {
				name string
				n    int
			}{{"stray", f.Stray}, {"mismatched", f.Mismatched}, {"backwards", f.Backwards}, {"threadless", f.Threadless}, {"miscounted", f.Miscounted},
				{"skipped", f.Skipped}, {"dropped", f.Dropped}, {"left out", f.LeftOut}} {
				if finding.n > 0 {
					got = append(got, fmt.Sprint(finding.name, " ", finding.n))
				}
			}
			if text := strings.Join(got, ", "); text != c.want {
				t.Errorf("got %s, want %s", text, c.want)
			}
		})
	}
}

// TestPackages compares the packages of classes, including hidden ones.
func TestPackages(t *testing.T) {
	for class, want := range map[string]string{"": "", "A": "", "a.B": "a", "a.b.C$1": "a.b", "a.B$$Lambda.0x00007f0b08001000": "a",
		"B$$Lambda.0x00007f0b08001000": "", "a.B$$Lambda$1.937773": "a"} {
		if got := packageOf(class); got != want {
			t.Errorf("%s: got %q, want %q", class, got, want)
		}
	}
}

// TestManyCallees proves that a node with very many children has each once.
func TestManyCallees(t *testing.T) {
	var text strings.Builder
	for round := range int64(3) {
		text.WriteString(entry(0, 1+round*1000, ""))
		for i := range 100 {
			text.WriteString(entry(100+i, 1+round*1000+int64(i), "") + exit(100+i, 2+round*1000+int64(i), ""))
		}
		text.WriteString(exit(0, 500+round*1000, ""))
	}
	s := collect(t, Options{}, "<TRACE>"+text.String()+"</TRACE>").Sessions()[0]
	tables := s.Tables(nil)
	checkInvariants(t, "", tables)
	if len(tables.Methods) != 101 || s.tree.count != 102 || tables.Total.Calls != 303 {
		t.Errorf("%d methods, %d nodes, %d calls", len(tables.Methods), s.tree.count, tables.Total.Calls)
	}
	for i := range tables.Methods {
		if m := &tables.Methods[i]; m.Calls != 3 {
			t.Errorf("%s: %d calls", m.Title, m.Calls)
		}
	}
}

// TestStrayExitsOfDeepStack proves that exits without a call are cheap even if very many calls are open.
func TestStrayExitsOfDeepStack(t *testing.T) {
	var text strings.Builder
	const depth = 20_000
	for i := range int64(depth) {
		text.WriteString(entry(0, i, fmt.Sprintf(`ticket="%d"`, i)))
	}
	for i := range int64(depth) {
		text.WriteString(exit(0, depth, fmt.Sprintf(`ticket="x%d"`, i)) + exit(3, depth, ""))
	}
	text.WriteString(exit(0, depth+5, `ticket="5"`))
	s := collect(t, Options{}, "<TRACE>"+text.String()+"</TRACE>").Sessions()[0]
	if s.Findings.Stray != 2*depth || s.Findings.Lost != depth-6 || s.Findings.Open != 5 {
		t.Errorf("%+v", s.Findings)
	}
}

// TestDeepRecursion proves that views of very deep stacks are limited, and that their sums stay right.
func TestDeepRecursion(t *testing.T) {
	var text strings.Builder
	const depth = 3 * maxPath
	for i := range int64(depth) {
		text.WriteString(entry(0, i, ""))
	}
	trace := strings.Replace(document(nil), "</TRACE>", text.String()+`<traceEnd time="1.0"/></TRACE>`, 1)
	c := collect(t, Options{Flow: true}, trace)
	defer c.Close()
	s := c.Sessions()[0]
	var calls, nodes, steps int
	for stack := range c.Profile(View{}).Stacks() {
		calls += int(stack.Values[0])
		if len(stack.Frames) > maxFrames {
			t.Fatalf("%d frames", len(stack.Frames))
		}
	}
	for range s.jsonTree(&View{}) {
		nodes++
	}
	for e := range s.steps(&View{}) {
		if steps++; int(e.level) != steps-1 {
			t.Fatalf("call %d is at level %d", steps, e.level)
		}
	}
	if calls != depth || nodes != maxPath || steps != depth || s.folded().tree.count != 2 {
		t.Errorf("%d calls, %d nodes in JSON, %d steps", calls, nodes, steps)
	}
}

// TestInvariantsOfRealTraces checks traces that Workbenches saved.
func TestInvariantsOfRealTraces(t *testing.T) {
	folder := os.Getenv("TRCX_SAMPLES")
	if folder == "" {
		t.Skip("SKIPPED: TRCX_SAMPLES names no folder; let it name one whose folder tptp holds traces of a Workbench")
	}
	traces, err := filepath.Glob(filepath.Join(folder, "tptp", "*.trcxml"))
	if err != nil || len(traces) == 0 {
		t.Fatalf("TRCX_SAMPLES: no trace matches %s/tptp/*.trcxml: %v", folder, err)
	}
	for _, name := range traces {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range collect(t, Options{}, string(text)).Sessions() {
			tables := s.Tables(nil)
			checkInvariants(t, name, tables)
			if s.Findings.Stray > 0 || s.Findings.Lost > 0 || tables.Total.Calls < 1000 {
				t.Errorf("%s: %d calls, %+v", name, tables.Total.Calls, s.Findings)
			}
		}
	}
}

// TestHostileSums: a value of a trace that is too large counts as the largest number, and never as a negative one.
func TestHostileSums(t *testing.T) {
	var text strings.Builder
	for thread := range 10 {
		for _, of := range []string{"numCalls", "samples"} {
			for _, method := range []int{0, 1} {
				fmt.Fprintf(&text, `<agMethodEntry threadIdRef="%d" methodIdRef="%d" %s="999999999999999999" baseTime="9223372036.5" `+
					`cumulativeTime="9223372036.6" minTime="1" maxTime="9223372036.5"/>`, thread, method, of)
			}
			for _, method := range []int{1, 0} {
				fmt.Fprintf(&text, `<agMethodExit threadIdRef="%d" methodIdRef="%d"/>`, thread, method)
			}
		}
		fmt.Fprintf(&text, `<methodCount methodIdRef="2" count="999999999999999999"/><methodEntry threadIdRef="%d" methodIdRef="3" time="1"/>`+
			`<methodExit threadIdRef="%[1]d" methodIdRef="3" time="9223372036" overhead="9223372036"/>`, thread)
	}
	c := collect(t, Options{}, strings.Replace(document(nil), "</TRACE>", text.String()+"</TRACE>", 1))
	for _, v := range []View{{}, {By: "class"}, {By: "thread", Sort: "calls"}, {Tree: true}, {Tree: true, Fold: true},
		{Callers: "*", Callees: "*"}, {Compensated: true, Sort: "average"}} {
		a := c.Answer(v)
		for row := range a.CSV {
			for _, cell := range row {
				if strings.HasPrefix(fmt.Sprint(cell), "-") && fmt.Sprint(cell) != "-init-" {
					t.Errorf("%+v: %v", v, row)
				}
			}
		}
		for _, table := range a.Report().Tables {
			for _, row := range table.Rows {
				if text := fmt.Sprint(row...); strings.Contains(text, " -") {
					t.Errorf("%+v: %s", v, text)
				}
			}
		}
	}
	for stack := range c.Profile(View{}).Stacks() {
		if stack.Values[0] < 0 || stack.Values[1] < 0 {
			t.Errorf("%+v", stack)
		}
	}
	s := c.Sessions()[0]
	if total := s.Tables(nil).Total; total.Calls != math.MaxUint64 || total.Base != math.MaxInt64 || total.Cumulative != math.MaxInt64 || total.States[Running] < 0 {
		t.Errorf("%+v", total)
	}
	if samples := s.Samples(OnCPU, nil).Total; samples.Base != math.MaxInt64 || samples.Cumulative != math.MaxInt64 {
		t.Errorf("%+v", samples)
	}
	for id, hot := range c.Hot() {
		if hot.Part < 0 || hot.Whole < hot.Part {
			t.Errorf("thread %s: %v", id, hot)
		}
	}
}
