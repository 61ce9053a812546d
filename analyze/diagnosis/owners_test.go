package diagnosis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/trace"
)

// TestOwnersAgree: the locks of blame, which it finds at the end, have the figures and owners of the statistics, which
// count while they read, also in windows.
func TestOwnersAgree(t *testing.T) {
	owners, places := 0, 0
	for seed := range uint64(300) {
		document := enrichtest.AnyRun(seed, 200).XML
		window := selection.Window{}
		if seed%3 == 1 {
			window.Since, window.Until = time.Duration(seed)*time.Millisecond, time.Duration(20*seed)*time.Millisecond
		}
		recorder := critical.NewRecorder()
		collector := contention.NewCollector("t", contention.DefaultRows)
		filter := selection.NewFilter(selection.Selection{Window: window}, collector)
		sinktest.ReadFollowing(t, enrich.CallersOnly, trace.Tee(recorder, collector.Whole(filter.Entrance())), document)
		b, err := blame.Of(recorder, blame.Options{Window: window})
		sinktest.Check(t, err)
		var got, want []string
		locks := b.Locks()
		b.FindOwners(locks)
		for _, l := range locks {
			text := fmt.Sprintf("%s: %d in %d", l.Object.ID, l.Total, l.Count)
			var lines []string
			for _, o := range l.Owners {
				owners++
				lines = append(lines, fmt.Sprint(o.Thread.ID, " ", o.Total))
				for _, p := range o.Places {
					places++
					lines = append(lines, fmt.Sprint(o.Thread.ID, " at ", p.Method.Title(), p.Line, p.Probable, p.Total))
				}
			}
			slices.Sort(lines)
			got = append(got, text+" "+strings.Join(lines, ", "))
		}
		for _, m := range collector.Statistics().Monitors {
			d := m.Times.Of(contention.Blocked)
			if d.Count == 0 {
				continue
			}
			var lines []string
			for _, o := range m.Owners {
				if o.ID == "" {
					continue
				}
				lines = append(lines, fmt.Sprint(o.ID, " ", o.Total))
				for _, p := range o.Places {
					f := p.Frame()
					lines = append(lines, fmt.Sprint(o.ID, " at ", f.Method.Title(), f.Line, p.Probable, p.Total))
				}
			}
			slices.Sort(lines)
			want = append(want, fmt.Sprintf("%s: %d in %d ", m.ID, histogram.Signed(d.Total), d.Count)+
				strings.Join(lines, ", "))
		}
		slices.Sort(got)
		slices.Sort(want)
		if len(got) != len(want) {
			t.Errorf("%d: %d locks, want %d", seed, len(got), len(want))
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%d:\n%s\nwant\n%s", seed, got[i], want[i])
			}
		}
	}
	if owners < 1000 || places < 1000 {
		t.Errorf("only %d owners at %d places are compared", owners, places)
	}
}
