package enrich

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/trcx/trcx/trace"
)

// TestPacking proves that no field of a quiet thread's state is forgotten: each has some value, or none.
func TestPacking(t *testing.T) {
	for seed := range uint64(2000) {
		r := &randomState{rand.New(rand.NewPCG(seed, 0)), &object{}, trace.NumberID(seed)}
		th := &thread{activity: &activity{}, ref: trace.ThreadRef{Key: 7, ID: trace.ThreadID{ID: trace.NumberID(5)}},
			segment: trace.SegmentID(seed)}
		var open trace.Interval
		r.fill(reflect.ValueOf(&open).Elem())
		open.Thread, open.Stack, open.End, open.Open = th.ref, nil, 0, false
		th.open = &open
		fillActivity(r, th.activity)
		n := &names{start: trace.Time(seed)}
		quiet, ok := n.pack(th, &packing{})
		if !ok {
			t.Fatalf("seed %d: it is not packed", seed)
		}
		asleep := &thread{ref: th.ref, segment: th.segment, quiet: quiet}
		var got activity
		var gotOpen trace.Interval
		if !n.unpack(asleep, &packing{}, &got, &gotOpen, &pool[running]{}) {
			t.Fatalf("seed %d: it has no interval", seed)
		}
		if gotOpen != open {
			t.Fatalf("seed %d: the interval is\n%+v, want\n%+v", seed, gotOpen, open)
		}
		if !reflect.DeepEqual(&got, th.activity) {
			t.Fatalf("seed %d: the activity is\n%+v, want\n%+v", seed, got, th.activity)
		}
		if on := asleep.blockedOn(); on != th.blocked {
			t.Fatalf("seed %d: it is blocked on %p, want %p", seed, on, th.blocked)
		}
		if asleep.waitsOn(r.o) != th.waitsOn(r.o) {
			t.Fatalf("seed %d: the quiet thread and the other do not wait on the same object", seed)
		}
	}
}

// fillActivity gives the fields of an activity values as those of a thread to which nothing can be bound.
func fillActivity(r *randomState, a *activity) {
	r.fill(reflect.ValueOf(a).Elem())
	if a.blocked == nil {
		a.blockedAt, a.blockedOrder = 0, 0
	}
	if a.wait.open = a.wait.open || a.wait.object != nil; !a.wait.open {
		a.wait = wait{}
	}
	a.marks, a.at, a.calls = nil, trace.Frame{}, 0
	for _, run := range []*running{a.first, a.later} {
		if run != nil {
			run.unbound = nil
			if run.cause.Cause == (trace.Cause{}) {
				run.cause.object = nil
			}
		}
	}
}

// TestPackingOfSeveralObjects proves that a thread that refers to two objects is not packed.
func TestPackingOfSeveralObjects(t *testing.T) {
	th := &thread{activity: &activity{blocked: &object{}, contends: &object{}}}
	if _, ok := (&names{}).pack(th, &packing{}); ok {
		t.Error("it is packed")
	}
}

// randomState fills values at random. All objects are the same one.
type randomState struct {
	*rand.Rand
	o  *object
	id trace.ID
}

func (r *randomState) fill(v reflect.Value) {
	if r.IntN(3) == 0 {
		return
	}
	switch field := v.Addr().Interface().(type) {
	case **object:
		*field = r.o
		return
	case *trace.ID:
		*field = []trace.ID{r.id, trace.IDFrom([]byte("0x7f")), trace.NumberID(0), {}}[r.IntN(4)]
		return
	case **running:
		*field = &running{}
		r.fill(reflect.ValueOf(*field).Elem())
		return
	case *trace.Frame:
		*field = trace.Frame{Method: &trace.ModelMethod{}, Line: r.Int32()}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				r.fill(v.Field(i))
			} else {
				r.fill(reflect.NewAt(v.Field(i).Type(), v.Field(i).Addr().UnsafePointer()).Elem())
			}
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("a.Class")
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.Uint64()>>r.IntN(64)) * int64(1-2*r.IntN(2)) % (1 << 31))
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.Uint64() >> r.IntN(64))
	}
}
