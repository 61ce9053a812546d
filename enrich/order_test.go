package enrich_test

import (
	"testing"

	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/trace"
)

// TestOrder: the enricher and the stages after it put records in the order that trace.Record promises.
func TestOrder(t *testing.T) {
	for name, document := range sinktest.Documents(t, "..") {
		for stage, partial := range map[string]bool{"enricher": false, "async": false, "selection": true} {
			order := &enrichtest.Order{Partial: partial}
			var sink trace.Sink = order
			var async *enrich.Async
			switch stage {
			case "async":
				async = enrich.NewAsync(order)
				sink = async
			case "selection":
				sink = selection.NewFilter(selection.Selection{Window: selection.Window{Since: 1e6}}, order)
			}
			err := sinktest.TryRead(sink, document, document)
			if async != nil && err == nil {
				err = async.Close()
			}
			if err != nil || !order.Ended() {
				t.Errorf("%s, %s: %v, and the summary has come: %v", name, stage, err, order.Ended())
			}
		}
	}
}

// TestOrderFails: Order finds records that come too early or too late.
func TestOrderFails(t *testing.T) {
	ref := trace.ThreadRef{Key: 1}
	thread, running := &trace.ModelThread{Key: 1}, &trace.ModelEvent{ID: 1, Thread: ref}
	begin := []trace.Record{&trace.Origin{}, &trace.Session{}, thread, &trace.Activity{Thread: ref}, running}
	for name, records := range map[string][]trace.Record{
		"":                             append(begin, &trace.Interval{ModelEvent: *running}, &trace.Summary{}),
		"an event before its thread":   {&trace.Origin{}, &trace.Session{}, running},
		"an event before its session":  {&trace.Origin{}, thread, running},
		"an event before its interval": append(begin, &trace.ModelEvent{ID: 2, Thread: ref, Type: trace.Sleeping}),
		"an interval before its event": append(begin[:4:4], &trace.Interval{ModelEvent: *running}),
		"an interval twice": append(begin, &trace.Interval{ModelEvent: *running},
			&trace.Interval{ModelEvent: *running}),
		"a binding before its event": append(begin, &trace.Binding{Running: 2}),
		"a binding without its cause": append(begin, &trace.Binding{Running: 1, Cause: trace.Cause{ID: 2}},
			&trace.Summary{}),
		"a deadlock before its events": append(begin, &trace.DeadlockLoop{Threads: []trace.ThreadRef{ref}}),
		"a record after the summary":   append(begin, &trace.Summary{}, thread),
	} {
		order := &enrichtest.Order{}
		var err error
		for _, r := range records {
			if err = order.Put(r); err != nil {
				break
			}
		}
		if (err == nil) != (name == "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
