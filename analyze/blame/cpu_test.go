package blame_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/internal/testtool"
)

// TestUseOfProcessors: the time of a RUNNABLE holder is divided by its processor time, segment by segment and without
// pauses, also when one sweep sums the waits; a segment without processor time is not measured.
func TestUseOfProcessors(t *testing.T) {
	r := recorded(t, []byte(`<TRACE>
<threadStart threadId="1" time="1" threadName="holder"><annotation name="cpu" value="1000000000"/></threadStart>
<threadStart threadId="2" time="1" threadName="waiter"/>
<monContendedEnter threadIdRef="2" time="2" objIdRef="9" threadOwner="1"/>
<gcStart time="3"/><gcFinish time="4"/>
<monWait threadIdRef="1" time="6" objIdRef="-1" timeout="1000"/>
<monWaited threadIdRef="1" time="7" objIdRef="-1" isTimedOut="1"><annotation name="cpu" value="2000000000"/></monWaited>
<monWait threadIdRef="1" time="9" objIdRef="-1" timeout="1000"/>
<monWaited threadIdRef="1" time="10" objIdRef="-1" isTimedOut="1"><annotation name="cpu" value="4000000000"/></monWaited>
<monContendedEntered threadIdRef="2" time="12" objIdRef="9"/>
</TRACE>`))
	for _, c := range []struct {
		window                 selection.Window
		total, measured, onCPU int64
	}{
		// a quarter of 2 s to 3 s and of 4 s to 6 s, all of 7 s to 9 s, and 10 s to 12 s unknown
		{selection.Window{}, 7e9, 5e9, 2.75e9},
		{selection.Window{Until: 4e9}, 2e9, 2e9, 0.5e9},
	} {
		for _, compute := range []func(*critical.Recorder, blame.Options) (*blame.Blame, error){blame.Of, blame.InOneSweep} {
			b, err := compute(r, blame.Options{Window: c.window})
			if err != nil {
				t.Fatal(err)
			}
			for _, rows := range [][]blame.Row{b.Rows(), b.Pools()} {
				if row := rows[0]; row.Kind != blame.Segment || row.Total != c.total || row.Measured != c.measured ||
					row.OnCPU != c.onCPU {
					t.Errorf("until %s: %d ns, of %d measured %d on a processor, want %d, %d, %d", c.window.Until, row.Total,
						row.Measured, row.OnCPU, c.total, c.measured, c.onCPU)
				}
			}
		}
	}
}

// TestUseInSweep: a sweep measures the same times as walks, except for rounding, if no time goes back.
func TestUseInSweep(t *testing.T) {
	of, known := regexp.MustCompile(` thread(?:Id|IdRef)="(\d+)"[^<>]* time="([\d.]+)"`), 0
	for seed := range testtool.Times(uint64(100)) {
		chance, used := rand.New(rand.NewPCG(seed, 2)), int64(0)
		document := timed.ReplaceAllFunc(enrichtest.Simulate(seed, 200).XML, func(element []byte) []byte {
			m := of.FindSubmatch(element)
			if m == nil || chance.IntN(2) > 0 {
				return element
			}
			used += chance.Int64N(3_000_000)
			return fmt.Appendf(nil, `<annotation name="cpu" value="%s %s %d"/>%s`, m[1], m[2], used, element)
		})
		if !inOrder(document) {
			continue
		}
		r := recorded(t, document)
		swept, err := blame.InOneSweep(r, blame.Options{})
		if err != nil {
			t.Fatal(err)
		}
		type use struct{ measured, onCPU int64 }
		uses := map[string]use{}
		walked, err := blame.Of(r, blame.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range walked.Rows() {
			uses[rowOf(&row.Culprit)] = use{row.Measured, row.OnCPU}
		}
		for _, row := range swept.Rows() {
			want := uses[rowOf(&row.Culprit)]
			if known++; row.Measured == 0 {
				known--
			}
			if off := row.OnCPU - want.onCPU; row.Measured != want.measured || off < -1000 || off > 1000 {
				t.Errorf("seed %d: %s: %d ns measured, %d on a processor, want %+v", seed, rowOf(&row.Culprit), row.Measured,
					row.OnCPU, want)
			}
		}
	}
	if known < testtool.Times(100) {
		t.Errorf("only %d rows are measured", known)
	}
}
