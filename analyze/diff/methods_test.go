package diff_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/diff"
	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/convert"
)

// calls returns the times of methods m0, m1, …, each called the given number of times; lengths are in milliseconds.
func calls(t *testing.T, times []int, length func() int64) *diff.MethodTimes {
	t.Helper()
	sums := &diff.MethodTimes{}
	addCalls(t, times, length, sums)
	return sums
}

// addCalls adds a recording with such calls to the times of methods.
func addCalls(t *testing.T, times []int, length func() int64, sums *diff.MethodTimes) {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<TRACE><classDef name="app/M" classId="1"/>`)
	now := int64(0)
	for m, n := range times {
		fmt.Fprintf(&b, `<methodDef name="m%d" methodId="%d" classIdRef="1"/>`, m, m+1)
		for range n {
			fmt.Fprintf(&b, `<methodEntry threadIdRef="1" time="%d.%03d" methodIdRef="%d"/>`, now/1000, now%1000, m+1)
			now += length()
			fmt.Fprintf(&b, `<methodExit threadIdRef="1" time="%d.%03d" methodIdRef="%d"/>`, now/1000, now%1000, m+1)
		}
	}
	b.WriteString(`</TRACE>`)
	collector := methods.NewCollector(methods.Options{})
	inputs, err := convert.OpenInputs([]string{convert.Stdin}, strings.NewReader(b.String()), 0)
	check(t, err)
	defer inputs.Close()
	check(t, convert.Run(context.Background(), inputs.Documents, convert.Options{}, collector))
	for _, s := range collector.Sessions() {
		sums.Add(s, nil)
	}
}

func compareMethods(base, head *diff.MethodTimes) []diff.MethodRow {
	c := diff.Compare(&contention.Statistics{}, &contention.Statistics{})
	c.CompareMethods(base, head)
	return c.Methods[0]
}

// TestMethodsAddUp: the first row has the sums of all methods, whichever side has a method.
func TestMethodsAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		times := func() (n []int) {
			for range 1 + r.IntN(8) {
				n = append(n, r.IntN(4))
			}
			return append(n, 1)
		}
		rows := compareMethods(calls(t, times(), uniform(r, 0, 50)), calls(t, times(), uniform(r, 0, 50)))
		var base, head diff.MethodSum
		change := int64(0)
		for _, row := range rows[1:] {
			base.Calls, head.Calls = base.Calls+row.Base.Calls, head.Calls+row.Head.Calls
			base.Base, head.Base = base.Base+row.Base.Base, head.Base+row.Head.Base
			change += row.Change
		}
		all := rows[0]
		if base.Calls != all.Base.Calls || head.Calls != all.Head.Calls || base.Base != all.Base.Base ||
			head.Base != all.Head.Base || change != all.Change {
			t.Fatalf("the sums are %v and %v, and the row of all is %+v", base, head, all)
		}
	}
}

// TestMethodsWithinNoise: two runs of one program differ by chance, which is nearly always called noise; twice as many
// calls, or calls that take twice as long, are not.
func TestMethodsWithinNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	exponential := func(mean float64) func() int64 { return func() int64 { return int64(r.ExpFloat64() * mean) } }
	alarms := 0
	for range 200 {
		rows := compareMethods(calls(t, []int{90 + r.IntN(20)}, exponential(100)), calls(t, []int{90 + r.IntN(20)},
			exponential(100)))
		if rows[1].Judge() != diff.Same {
			alarms++
		}
	}
	if alarms > 20 {
		t.Errorf("%d of 200 pairs of equal programs are said to differ", alarms)
	}
	base := calls(t, []int{100, 0, 9}, exponential(100))
	for want, head := range map[diff.Judgement]*diff.MethodTimes{
		diff.MoreOften: calls(t, []int{200, 0, 9}, exponential(100)), diff.LessOften: calls(t, []int{50, 0, 9}, exponential(100)),
		diff.MoreTime: calls(t, []int{100, 0, 9}, exponential(200)), diff.LessTime: calls(t, []int{100, 0, 9}, exponential(50)),
		diff.OnlyInBase: calls(t, []int{0, 0, 9}, exponential(100)),
	} {
		if got := compareMethods(base, head)[1].Judge(); got != want { // the largest change
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestHostileMethods: a sum of times that is too large becomes the largest number.
func TestHostileMethods(t *testing.T) {
	long := int64(9_000_000_000_000) // milliseconds
	side := calls(t, []int{1}, func() int64 { return long })
	again := calls(t, []int{1, 1}, func() int64 { return 1 })
	rows := compareMethods(side, again)
	if all := rows[0]; all.Base.Base != long*1e6 || all.Change >= 0 {
		t.Errorf("%+v", all)
	}
	var sum diff.MethodTimes
	for range 3 {
		addCalls(t, []int{1}, func() int64 { return long }, &sum)
	}
	if all := compareMethods(&sum, again)[0]; all.Base.Base != math.MaxInt64 || all.Base.Cumulative != math.MaxInt64 || all.Change >= 0 {
		t.Errorf("%+v", all)
	}
}
