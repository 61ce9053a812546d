package critical_test

import (
	"runtime"
	"testing"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/trace"
)

// TestMemory measures what the heap holds for each state change of a long run.
func TestMemory(t *testing.T) {
	if critical.RecordSize != 24 {
		t.Errorf("a record has %d bytes, not 24", critical.RecordSize)
	}
	const threads, changes = 100, 1 << 20
	r := critical.NewRecorder()
	for key := range threads {
		r.Put(&trace.ModelThread{Key: trace.ThreadKey(key + 1)})
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	event := trace.ModelEvent{}
	for i := range trace.SegmentID(changes) {
		event.ID, event.Segment, event.Time, event.Thread.Key = trace.EventID(2*i+1), i+1, trace.Time(1000*i),
			trace.ThreadKey(i/2%threads+1)
		event.Type, event.Cause = trace.WaitingForLock, trace.Cause{}
		if i%2 == 1 {
			event.Type, event.Cause = trace.Running, trace.Cause{ID: event.ID - 1, Thread: event.Thread.Key, Segment: i,
				Time: event.Time - 500}
		}
		if err := r.Put(&event); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	const most = 24.1 // the tenth is for the blocks' bases
	if each := float64(after.HeapAlloc-before.HeapAlloc) / changes; each > most {
		t.Errorf("a state change takes %.2f bytes of the heap, more than %v", each, most)
	}
	runtime.KeepAlive(r)
}
