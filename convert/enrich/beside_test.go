package enrich_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/trcx/trcx/convert/enrich"
	"github.com/trcx/trcx/convert/enrich/enrichtest"
	"github.com/trcx/trcx/emit/model"
	"github.com/trcx/trcx/trace"
)

// TestBeside: what a sink has had in the end does not depend on whether it worked beside the reading.
func TestBeside(t *testing.T) {
	for seed := range uint64(20) {
		document := enrichtest.Simulate(seed, 5000).XML
		var direct, later bytes.Buffer
		enriched(t, document, model.NewLines(&direct))
		beside := enrich.NewBeside(model.NewLines(&later))
		enriched(t, document, beside)
		for range 2 {
			if err := beside.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(direct.Bytes(), later.Bytes()) {
			t.Fatalf("seed %d: %d bytes of lines, and beside the reading %d others", seed, direct.Len(), later.Len())
		}
	}
}

// failing is a sink that takes so many events.
type failing struct {
	trace.Ignore
	left int
}

var errFull = errors.New("full")

func (f *failing) Event(*trace.ModelEvent) error {
	if f.left--; f.left < 0 {
		return errFull
	}
	return nil
}

// TestBesideFails: an error of the sink comes back, and ends the work of both.
func TestBesideFails(t *testing.T) {
	for _, taken := range []int{0, 1, 1000, 5000} {
		sink := &failing{left: taken}
		beside := enrich.NewBeside(sink)
		var err error
		given := 0
		for ; err == nil && given < 1_000_000; given++ {
			err = beside.Event(&trace.ModelEvent{})
		}
		if !errors.Is(err, errFull) || given > taken+10_000 {
			t.Errorf("after %d events of which %d are taken, the error is %v", given, taken, err)
		}
		for what, err := range map[string]error{"Wait": beside.Wait(), "End": beside.End(&trace.Summary{}),
			"Close": beside.Close()} {
			if !errors.Is(err, errFull) {
				t.Errorf("%s says %v", what, err)
			}
		}
		if sink.left != -1 {
			t.Errorf("the sink was given %d more events after it had failed", -1-sink.left)
		}
	}
}
