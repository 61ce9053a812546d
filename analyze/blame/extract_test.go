package blame_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/enrich/sinktest"
)

// TestExtractSumsToAllWaits: groups and samples add up to the time of all finished waits; one more sample sums up those
// beyond the limit.
func TestExtractSumsToAllWaits(t *testing.T) {
	b := of(t, recorded(t, sinktest.File(t, "../../testdata/recorded/warehouse-stacks-jdk25.trcxml")), blame.Options{})
	for _, limit := range []int{1, 1000} {
		var out bytes.Buffer
		sinktest.Check(t, answers.WriteValue(&out, b.Extract(limit)))
		var got struct {
			Total                                              int64
			Threads, Pools, Monitors, Places, Waiters, Samples []struct{ Total int64 }
		}
		sinktest.Check(t, json.Unmarshal(out.Bytes(), &got))
		for name, list := range map[string][]struct{ Total int64 }{
			"threads": got.Threads, "pools": got.Pools, "monitors": got.Monitors, "places": got.Places,
			"waiters": got.Waiters, "samples": got.Samples,
		} {
			sum := int64(0)
			for _, row := range list {
				sum += row.Total
			}
			switch {
			case name != "samples" && limit == 1:
				if len(list) != 1 || sum > b.Total {
					t.Errorf("%s: %d rows of %d ns, want one of at most %d", name, len(list), sum, b.Total)
				}
			case sum != b.Total || got.Total != b.Total:
				t.Errorf("%s: %d ns, want %d", name, sum, b.Total)
			}
		}
	}
}

// TestWorstWindowsAreBlamedAlone: the sums of the worst second and minute equal the blame of these windows, and no
// other window has more.
func TestWorstWindowsAreBlamedAlone(t *testing.T) {
	var text strings.Builder
	text.WriteString(`<TRACE><threadStart threadId="1" time="1000" threadName="owner"/><threadStart threadId="2" time="1000"/>`)
	for second := range 130 {
		fmt.Fprintf(&text, `<monContendedEnter threadIdRef="2" time="%d.1" objIdRef="9" threadOwner="1"/>`+
			`<monContendedEntered threadIdRef="2" time="%d.%d" objIdRef="9"/>`, 1000+second, 1000+second, 2+second*7%8)
	}
	text.WriteString(`</TRACE>`)
	r := recorded(t, []byte(text.String()))
	worst := of(t, r, blame.Options{}).WorstWindows()
	if len(worst) != 2 || worst[0].Name != "second" || worst[1].Name != "minute" {
		t.Fatalf("worst windows: %+v", worst)
	}
	for _, w := range worst {
		length := w.Until - w.Since
		alone := of(t, r, blame.Options{Window: w.Window})
		if alone.Total != w.Total || alone.Count != w.Count {
			t.Errorf("the worst %s has %d ns of %d waits, its blame %d of %d", w.Name, w.Total, w.Count, alone.Total,
				alone.Count)
		}
		for since := time.Duration(0); since < 130*time.Second; since += length {
			other := of(t, r, blame.Options{Window: selection.Window{Since: since, Until: since + length}})
			if other.Total > w.Total {
				t.Errorf("the %s from %s has %d ns, the worst one %d", w.Name, since, other.Total, w.Total)
			}
		}
	}
	cut := of(t, r, blame.Options{Window: selection.Window{Since: 500 * time.Millisecond, Until: 2500 * time.Millisecond}})
	for _, w := range cut.WorstWindows() {
		if w.Since < 500*time.Millisecond || w.Until > 2500*time.Millisecond {
			t.Errorf("the worst %s is from %s to %s, and the chosen window from 0.5 s to 2.5 s", w.Name, w.Since, w.Until)
		}
	}
}
