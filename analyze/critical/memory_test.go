package critical_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// TestMemory measures the heap for each state change of a long run.
func TestMemory(t *testing.T) {
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
	const most = 65
	if each := float64(after.HeapAlloc-before.HeapAlloc) / changes; each > most {
		t.Errorf("a state change takes %.2f bytes of the heap, more than %v", each, most)
	}
	runtime.KeepAlive(r)
}

// TestDeadThreadMemory measures the heap for a thread that has ended, and for its name, without the file.
func TestDeadThreadMemory(t *testing.T) {
	folder := t.TempDir()
	lives := func(threads int) any {
		r := critical.NewRecorderIn(folder)
		t.Cleanup(func() { r.Close() })
		event := trace.ModelEvent{}
		put := func(typ trace.ModelType, key trace.ThreadKey) {
			event.ID++
			event.Segment++
			event.Time++
			event.Type, event.Thread.Key = typ, key
			if err := r.Put(&event); err != nil {
				t.Fatal(err)
			}
		}
		for key := trace.ThreadKey(1); int(key) <= threads; key++ {
			r.Put(&trace.ModelThread{Key: key, Name: fmt.Sprint("request-handler-", key), Group: "VirtualThreads"})
			put(trace.Running, key)
			r.Put(&trace.Activity{Thread: trace.ThreadRef{Key: key}, Time: event.Time})
			put(trace.Dead, key)
		}
		return r
	}
	const threads, most = 200_000, 8 // bytes
	if each := testtool.Retained(t, lives, threads); each > most {
		t.Errorf("a thread that has ended takes %.1f bytes of the heap, more than %d", each, most)
	} else {
		t.Logf("a thread that has ended takes %.1f bytes of the heap", each)
	}
}
