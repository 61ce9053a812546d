package blame_test

import (
	"testing"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// convoy records threads that hold a lock in turn, for 10 ns each, and enter it again at once.
func convoy(t testing.TB, threads, handOffs int) *critical.Recorder {
	t.Helper()
	r := critical.NewRecorder()
	segments, last := trace.SegmentID(0), make([]trace.SegmentID, threads+1)
	id, owner := trace.EventID(0), 1
	put := func(record trace.Record) {
		if err := r.Put(record); err != nil {
			t.Fatal(err)
		}
	}
	event := func(thread int, typ trace.ModelType, at int, cause trace.Cause) {
		id++
		segments++
		last[thread] = segments
		e := &trace.ModelEvent{ID: id, Type: typ, Thread: trace.ThreadRef{Key: trace.ThreadKey(thread)},
			Time: trace.Time(at), Segment: segments, Cause: cause}
		if typ == trace.WaitingForLock {
			e.Monitor, e.HeldBy = 1, trace.ThreadKey(owner)
		}
		put(e)
	}
	for thread := 1; thread <= threads; thread++ {
		put(&trace.ModelThread{Key: trace.ThreadKey(thread)})
		event(thread, trace.Running, 0, trace.Cause{})
	}
	for thread := 2; thread <= threads; thread++ {
		event(thread, trace.WaitingForLock, 1, trace.Cause{})
	}
	for i := range handOffs {
		at, next := 10*(i+1), owner%threads+1
		if threads > 2 {
			put(&trace.MonitorOwner{Monitor: 1, Owner: trace.ThreadKey(next), Time: trace.Time(at)})
		}
		event(next, trace.Running, at, trace.Cause{ID: id + 2, Type: trace.HandoffLock,
			Thread: trace.ThreadKey(owner), Segment: last[owner], Time: trace.Time(at)})
		id++
		put(&trace.ModelEvent{ID: id, Type: trace.HandoffLock, Thread: trace.ThreadRef{Key: trace.ThreadKey(owner)},
			Other: trace.ThreadRef{Key: trace.ThreadKey(next)}, Time: trace.Time(at)})
		before := owner
		owner = next
		event(before, trace.WaitingForLock, at, trace.Cause{})
	}
	return r
}

// TestConvoy proves that the waits of a convoy of many threads take no more operations per event than the waits of two
// threads, and that its threads share the blame.
func TestConvoy(t *testing.T) {
	handOffs := 100_000
	if !testing.Short() {
		handOffs = 300_000
	}
	testtool.Long(t)
	const threads = 1000
	type compute func(*critical.Recorder, blame.Options) (*blame.Blame, error)
	cost := func(threads int, compute compute) (float64, *blame.Blame) {
		r := convoy(t, threads, handOffs)
		b, err := compute(r, blame.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return float64(b.Steps()) / float64(r.Segments()), b
	}
	few, _ := cost(2, blame.InOneSweep)
	sweep, _ := cost(threads, blame.InOneSweep)
	if sweep > few*1.5 {
		t.Errorf("%.2f operations an event of a sweep with %d threads, %.2f with 2", sweep, threads, few)
	}
	many, b := cost(threads, blame.Of)
	if many > few*1.5 { // including the walks taken one by one before the sweep
		t.Errorf("%.2f operations an event with %d threads, %.2f with 2", many, threads, few)
	}
	for _, row := range b.Rows() {
		if share := float64(row.Total) / float64(b.Total); row.Kind != blame.Segment || share < 0.0009 || share > 0.0011 {
			t.Fatalf("thread %d has %.4f of the blame", row.Thread.Key, share)
		}
	}
	t.Logf("%.2f operations an event, %.2f with 2 threads", many, few)
}

// TestHostileDisorder proves that long walks that all reach a cause that is later in the trace than its effect take no
// more operations per event than the limits of walks allow, and that the parts are still whole.
func TestHostileDisorder(t *testing.T) {
	const threads = 20_000
	r := critical.NewRecorder()
	id, segments := trace.EventID(0), trace.SegmentID(0)
	put := func(thread trace.ThreadKey, typ trace.ModelType, at trace.Time, cause trace.Cause) {
		id++
		segments++
		if err := r.Put(&trace.ModelEvent{ID: id, Type: typ, Thread: trace.ThreadRef{Key: thread}, Time: at,
			Segment: segments, Cause: cause}); err != nil {
			t.Fatal(err)
		}
	}
	for key := range trace.ThreadKey(threads + 1) {
		r.Put(&trace.ModelThread{Key: key + 1})
	}
	put(1, trace.Running, 5, trace.Cause{ID: 1 << 20, Segment: 2 * threads, Time: 2}) // caused by the last segment
	for key := trace.ThreadKey(2); key <= threads; key++ {
		put(key, trace.WaitingForObject, 1, trace.Cause{})
	}
	last := trace.SegmentID(1)
	for key := trace.ThreadKey(2); key <= threads; key++ {
		at := trace.Time(10 * key)
		put(key, trace.Running, at, trace.Cause{ID: id, Type: trace.Notify, Thread: key - 1, Segment: last, Time: at - 1})
		last = segments
	}
	put(threads+1, trace.Running, 1, trace.Cause{})
	for _, compute := range []func(*critical.Recorder, blame.Options) (*blame.Blame, error){blame.Of, blame.InOneSweep} {
		b, err := compute(r, blame.Options{})
		if err != nil {
			t.Fatal(err)
		}
		steps := float64(b.Steps()) / float64(r.Segments())
		if t.Logf("%.1f operations an event", steps); steps > 100 {
			t.Errorf("%.0f operations an event", steps)
		}
		total := int64(0)
		for _, row := range b.Rows() {
			total += row.Total
		}
		if b.Count != threads-1 || total != b.Total {
			t.Errorf("the parts of %d waits sum to %d of %d ns", b.Count, total, b.Total)
		}
	}
}
