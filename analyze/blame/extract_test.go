package blame_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/convert/enrich/sinktest"
)

// TestExtractSumsToAllWaits: groups and samples add up to the time of all finished waits; what a limit leaves out of the
// samples is one more of them.
func TestExtractSumsToAllWaits(t *testing.T) {
	b := of(t, recorded(t, sinktest.File(t, "../../testdata/recorded/warehouse-stacks-jdk25.trcxml")), blame.Options{})
	for _, limit := range []int{1, 1000} {
		var out bytes.Buffer
		sinktest.Check(t, b.WriteExtract(&out, limit))
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
