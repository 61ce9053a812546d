package blame_test

import (
	"io"
	"runtime"
	"testing"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/emit/answers"
)

// TestExtractMemory measures what an extract allocates for each thread of a convoy. All threads are to blame for every
// wait of a convoy, so anything that each group keeps of its culprits is allocated many times.
func TestExtractMemory(t *testing.T) {
	allocated := func(threads int) float64 {
		b := of(t, convoy(t, threads, 2*threads), blame.Options{})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := answers.WriteValue(io.Discard, b.Extract(1)); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	const threads, most = 2000, 14000 // bytes
	if each := (allocated(2*threads) - allocated(threads)) / threads; each > most {
		t.Errorf("an extract allocates %.0f bytes for each thread, more than %d", each, most)
	} else {
		t.Logf("an extract allocates %.0f bytes for each thread", each)
	}
}
