package timeline_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// oneAfterTheOther records threads that live one after the other.
func oneAfterTheOther(t testing.TB, recorder *timeline.Recorder, threads int) {
	t.Helper()
	put := func(r trace.Record) { sinktest.Check(t, recorder.Put(r)) }
	put(&trace.Session{})
	for i := range threads {
		thread, at := trace.ThreadRef{Key: trace.ThreadKey(i + 1)}, trace.Time(10*i)
		put(&trace.ModelThread{Key: thread.Key, ID: trace.ThreadFrom(fmt.Append(nil, i+100)), Name: fmt.Sprint("t", i)})
		begin := trace.ModelEvent{ID: trace.EventID(2*i + 1), Type: trace.Running, Thread: thread, Time: at}
		put(&begin)
		put(&trace.Interval{ModelEvent: begin, End: at + 7})
		put(&trace.ModelEvent{ID: trace.EventID(2*i + 2), Type: trace.Dead, Thread: thread, Time: at + 7})
	}
	put(&trace.Summary{HasStart: true, Last: trace.Time(10 * threads), Events: trace.EventID(2 * threads)})
}

// TestDeadThreads proves that more dead threads than stay in memory are read again, also by several goroutines.
func TestDeadThreads(t *testing.T) {
	const threads = 20_000
	recorder, err := timeline.NewRecorder("", false)
	sinktest.Check(t, err)
	x := recorder.Index()
	defer x.Close()
	oneAfterTheOther(t, recorder, threads)
	var readers sync.WaitGroup
	for reader := range 4 {
		readers.Go(func() {
			for i := reader; i < threads; i += 3 {
				key, begin := trace.ThreadKey(i+1), int64(10*i)
				got := x.Thread(key)
				if got.Name != fmt.Sprint("t", i) || !got.Dead || got.Born != begin || got.Died != begin+7 ||
					got.Times[timeline.Running] != 7 || got.Counts[timeline.Running] != 1 {
					t.Errorf("thread %d is %+v", key, got)
					return
				}
				w, err := x.Window(t.Context(), timeline.Request{Threads: []trace.ThreadKey{key}, To: x.Duration()})
				if err != nil || len(w.Lanes[0].Spans) != 1 || w.Lanes[0].Spans[0].Begin != begin {
					t.Errorf("thread %d did %+v, %v", key, w, err)
					return
				}
			}
		})
	}
	readers.Wait()
}

// TestMemoryOfDeadThreads measures the heap for a thread that has ended.
func TestMemoryOfDeadThreads(t *testing.T) {
	kept := testtool.Retained(t, func(count int) any {
		recorder, err := timeline.NewRecorder("", false)
		sinktest.Check(t, err)
		t.Cleanup(func() { recorder.Index().Close() })
		oneAfterTheOther(t, recorder, count)
		return recorder
	}, 1<<16)
	if t.Logf("a dead thread takes %.0f bytes", kept); kept > 250 {
		t.Errorf("a dead thread takes %.0f bytes, more than 250", kept)
	}
}
