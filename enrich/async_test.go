package enrich_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/trcx/trcx/emit/model"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// TestAsync: a sink consumes the same records in a goroutine of its own.
func TestAsync(t *testing.T) {
	for seed := range testtool.Times(uint64(20)) {
		document := enrichtest.Simulate(seed, 5000).XML
		var direct, later bytes.Buffer
		enriched(t, document, model.NewWriter(&direct, model.Options{Format: model.JSONLines}))
		async := enrich.NewAsync(model.NewWriter(&later, model.Options{Format: model.JSONLines}))
		enriched(t, document, async)
		for range 2 {
			if err := async.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(direct.Bytes(), later.Bytes()) {
			t.Fatalf("seed %d: %d bytes of lines, and %d others from a goroutine", seed, direct.Len(), later.Len())
		}
	}
}

// failing is a sink that fails after the given number of records.
type failing struct {
	left int
}

var errFull = errors.New("full")

func (f *failing) Put(trace.Record) error {
	if f.left--; f.left < 0 {
		return errFull
	}
	return nil
}

// TestAsyncFails: an error of the sink is returned by later calls, and ends the work of both.
func TestAsyncFails(t *testing.T) {
	for _, taken := range []int{0, 1, 1000, 5000} {
		sink := &failing{left: taken}
		async := enrich.NewAsync(sink)
		var err error
		given := 0
		for ; err == nil && given < 1_000_000; given++ {
			err = async.Put(&trace.ModelEvent{})
		}
		if !errors.Is(err, errFull) || given > taken+10_000 {
			t.Errorf("after %d events, %d of them taken, the error is %v", given, taken, err)
		}
		for what, err := range map[string]error{"Summary": async.Put(&trace.Summary{}), "Close": async.Close()} {
			if !errors.Is(err, errFull) {
				t.Errorf("%s says %v", what, err)
			}
		}
		if sink.left != -1 {
			t.Errorf("the sink was given %d more events after it had failed", -1-sink.left)
		}
	}
}
