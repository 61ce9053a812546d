package methods

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/trace"
)

// TestWithin compares the methods of pieces with the naive computation, on random traces.
func TestWithin(t *testing.T) {
	found := 0
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 37))
		traces := [][]element{randomTrace(r), randomTrace(r)}[:1+r.IntN(2)]
		var documents []string
		for _, elements := range traces {
			documents = append(documents, document(elements))
		}
		var all []Piece
		for at := trace.Time(1e9 - 10); at < 1e9+400; {
			p := Piece{r.IntN(2), fmt.Sprint(1 + r.IntN(3)), at, at + 1 + trace.Time(r.IntN(30))}
			if at = p.To + trace.Time(r.IntN(2)*r.IntN(9)); r.IntN(4) > 0 {
				all = append(all, p)
			}
		}
		want := map[string]int64{}
		for session, elements := range traces {
			for _, call := range oracle(session, elements, &Findings{}) {
				for _, p := range all {
					for _, part := range call.top {
						if p.Session == session && p.Thread == fmt.Sprint(call.thread) {
							want[strings.Join(names[call.method][:], ".")] += max(0, min(part[1], int64(p.To))-max(part[0], int64(p.From)))
						}
					}
				}
			}
		}
		maps.DeleteFunc(want, func(_ string, time int64) bool { return time == 0 })
		c, got := collect(t, Options{Spans: true}, documents...), map[string]int64{}
		for _, row := range c.Within(slices.Values(all)).by[hotInCalls].rows {
			got[row.Class+"."+row.Name] += row.Base // each recording has its rows
		}
		if !maps.Equal(got, want) {
			t.Fatalf("seed %d: got %v, want %v of %v in\n%s", seed, got, want, all, strings.Join(documents, "\n"))
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		found += len(want)
	}
	if found < 1000 {
		t.Errorf("only %d methods were found", found)
	}
}

// TestSamplesWithin: a sample counts in the piece of its moment; samples in other states do not count. The hot method
// is the one in the pieces, not in the whole time.
func TestSamplesWithin(t *testing.T) {
	var text strings.Builder
	for _, value := range []string{"1 1.1 RUNNABLE 20 10 2:5 0:3", "1 1.2 RUNNABLE 30 10 0:3", "1 1.3 RUNNABLE 3 0 1", "2 1.1 RUNNABLE 50 10 3",
		"1 1.1 SLEEPING 7 0 1"} {
		fmt.Fprintf(&text, `<annotation name="sample" value="%s"/>`, value)
	}
	c := collect(t, Options{Spans: true}, strings.Replace(document(nil), "</TRACE>", text.String()+"</TRACE>", 1))
	for to, want := range map[trace.Time]string{11e8: "", 11e8 + 1: "onCPU a.B.x 20 200;hot a.B.x",
		12e8 + 1: "onCPU a.A.x 30 300;onCPU a.B.x 20 200;hot a.A.x", 2e9: "onCPU a.A.x 30 300;onCPU a.B.x 20 200;moments a.A.y 3 0;hot a.A.x"} {
		ran := c.Within(slices.Values([]Piece{{0, "1", 1e9, to}}))
		var got []string
		for row := range ran.rows {
			got = append(got, fmt.Sprintf("%s %s.%s %d %d", row.By, *row.Class, *row.Name, row.Samples, row.Time))
		}
		if hot, known := ran.Hot["1"]; known {
			got = append(got, "hot "+hot.Title)
		}
		if got := strings.Join(got, ";"); got != want {
			t.Errorf("up to %v: got %s, want %s", to, got, want)
		}
	}
}

// TestTablesOfSamplesAndCalls: shares of calls are of the whole, also beside samples, whose shares are of the samples.
func TestTablesOfSamplesAndCalls(t *testing.T) {
	ran, row := &Ran{total: 1000}, Row{Figures: Figures{Calls: 2, Base: 50}}
	ran.by[hotInCPU].rows, ran.by[hotInCPU].sum = []Row{row}, hotSum{time: 100, calls: 4}
	ran.by[hotInCalls].rows, ran.by[hotInCalls].sum = []Row{row}, hotSum{time: 50, calls: 2}
	var shares []string
	for _, table := range ran.Tables(1000, 10) {
		shares = append(shares, fmt.Sprint(table.Rows[0][0]))
	}
	if got := strings.Join(shares, " "); got != "50 % 5 %" {
		t.Errorf("the shares are %s", got)
	}
}
