package critical

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/trcx/trcx/trace"
)

// TestRecords writes segments with whatever values there may be, near the limits of the bits above all, and reads them
// again.
func TestRecords(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 1))
	around := func(limits ...int64) int64 { return max(limits[chance.IntN(len(limits))]+chance.Int64N(5)-2, 1) }
	type kept struct {
		event         trace.ModelEvent
		previous      segment
		cause         trace.EventID
		latency       int64
		in            segment
		caller, owner uint32
	}
	var r records
	var all []kept
	event := trace.EventID(1)
	for i := range 20_000 {
		k := kept{event: trace.ModelEvent{
			Type: trace.Running, Time: trace.Time(around(1, 1_700_000_000_000_000_000, 1_700_000_000_000_000_000+1<<39,
				1_700_000_000_000_000_000-1<<39, math.MaxInt64-3)),
			Thread: trace.ThreadRef{Key: trace.ThreadKey(around(1, 100, 1<<24, math.MaxUint32-3))},
		}}
		k.previous = segment(chance.IntN(i + 1))
		if chance.IntN(1000) == 0 {
			event = trace.EventID(around(1, 1<<31, 1<<32, 1<<62))
		}
		event++
		k.event.ID = event
		s, rec := r.add(&k.event, k.previous)
		if chance.IntN(2) == 0 {
			k.in, k.cause = segment(around(1, math.MaxUint32-3)),
				trace.EventID(around(int64(event), int64(event)+1<<31, int64(event)-1<<31, 1, 1<<62))
			k.latency = around(1, 1000, 1<<28, math.MaxInt64-3)
			r.bind(s, rec, k.in, k.cause, k.latency, chance.IntN(2) == 0)
		} else {
			rec.rest = uint32(trace.WaitingForLock)
			k.event.Type, k.caller, k.owner = trace.WaitingForLock, uint32(around(1, 1<<14, math.MaxUint32-3)),
				uint32(around(1, 1<<14, math.MaxUint32-3))
			r.placed(s, rec, k.caller, k.owner)
		}
		all = append(all, k)
	}
	for i, want := range all {
		s := segment(i + 1)
		got := kept{event: trace.ModelEvent{
			ID: want.event.ID, Type: r.of(s).state(), Time: r.begin(s), Thread: trace.ThreadRef{Key: r.thread(s)},
		}, previous: r.of(s).previous}
		if r.of(s).runs() {
			got.in, got.cause, got.latency = segment(r.of(s).link), r.cause(s), r.latency(s, r.of(s))
		} else {
			got.caller, got.owner = r.framesAt(s)
		}
		if got != want {
			t.Fatalf("segment %d is read as\n%+v, was written as\n%+v", s, got, want)
		}
	}
}

func TestTooManySegments(t *testing.T) {
	r := NewRecorder()
	r.Put(&trace.ModelThread{Key: 1})
	err := r.Put(&trace.ModelEvent{ID: 1, Segment: maxSegments + 1, Thread: trace.ThreadRef{Key: 1}})
	if want := "the trace has more than 4294967295 state changes, the limit of a path; cut the trace " +
		"into parts"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
