package picture_test

import (
	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/emit/picture"
	"github.com/trcx/trcx/trace"
)

const ms = 1_000_000

// scene returns a small picture with every state, every interaction, and everything that a lane can have.
func scene() *picture.Picture {
	shelf := timeline.Object{ID: "1013", Class: "com/acme/Warehouse$Shelf"}
	span := func(begin, end int64, state timeline.State, other trace.ThreadKey) timeline.Span {
		s := timeline.Span{Begin: begin * ms, End: end * ms, State: state, Other: other}
		if state != timeline.Running && state != timeline.Sleeping {
			s.Object, s.Caller = shelf, timeline.Frame{Class: "com/acme/Cache", Method: "load", File: "Cache.java",
				Line: 88}
		}
		return s
	}
	still := func(s timeline.Span) timeline.Span { s.Open = true; return s }
	const run, wait, block, join, sleep, dead = timeline.Running, timeline.WaitingForObject, timeline.WaitingForLock,
		timeline.WaitingForJoin, timeline.Sleeping, timeline.Deadlocked
	w := &timeline.Window{From: 0, To: 500 * ms, Lanes: []timeline.Lane{
		{Thread: 1, Spans: []timeline.Span{span(0, 60, run, 0), span(60, 330, join, 2), span(330, 420, run, 0),
			span(420, 500, wait, 0)},
			Instants: []timeline.Instant{{Time: 10 * ms, Type: timeline.Start, Count: 1, Event: 2, Other: 2},
				{Time: 395 * ms, Type: timeline.Notify, Count: 3, Event: 99, Object: shelf}},
			Path: []timeline.PathPart{{Begin: 0, End: 40 * ms, Time: 40 * ms}, {Begin: 330 * ms, End: 420 * ms,
				Time: 90 * ms}}},
		{Thread: 2, Spans: []timeline.Span{span(14, 80, run, 0), span(80, 240, block, 3), span(240, 325, run, 0)},
			Path: []timeline.PathPart{{Begin: 232 * ms, End: 325 * ms, Time: 93 * ms}}},
		{Thread: 3, Spans: []timeline.Span{span(22, 70, run, 0), span(70, 190, sleep, 0), span(190, 232, run, 0),
			span(232, 380, wait, 0), still(span(380, 500, run, 0))},
			Path: []timeline.PathPart{{Begin: 40 * ms, End: 232 * ms, Time: 192 * ms}}},
		{Thread: 4, Spans: []timeline.Span{span(30, 110, run, 0), span(110, 260, timeline.TimedWaiting, 0),
			span(260, 300, run, 0),
			span(380, 500, run, 0)},
			Mixes: []timeline.Mix{{Begin: 300 * ms, End: 340 * ms, Count: 90, Times: [timeline.StateCount]int64{
				30 * ms, 0, 10 * ms}}, {Begin: 340 * ms, End: 380 * ms, Count: 70, Times: [timeline.StateCount]int64{
				12 * ms, 4 * ms, 24 * ms}}},
			Instants: []timeline.Instant{{Time: 260 * ms, Type: timeline.Timeout, Count: 1, Event: 40}}},
		{Thread: 5, Spans: []timeline.Span{span(34, 60, run, 0), span(60, 100, timeline.Parked, 0), span(100, 150, run, 0),
			still(span(150, 500, dead, 6))}},
		{Thread: 6, Spans: []timeline.Span{span(36, 70, run, 0), span(70, 120, timeline.InIO, 0), span(120, 170, run, 0),
			still(span(170, 500, dead, 5))}},
	}}
	arrow := func(kind timeline.Interaction, from trace.ThreadKey, at int64, to trace.ThreadKey, then, waited int64) {
		event := trace.EventID(len(w.Arrows) + 2)
		w.Arrows = append(w.Arrows, timeline.Arrow{Type: kind, From: timeline.End{Event: event, Thread: from,
			Time: at * ms}, To: timeline.End{Event: event + 100, Thread: to, Time: then * ms}, Waited: waited * ms})
	}
	arrow(timeline.Start, 1, 10, 2, 14, 0)
	arrow(timeline.Start, 1, 18, 3, 22, 0)
	arrow(timeline.Start, 1, 26, 4, 30, 0)
	arrow(timeline.Interrupt, 4, 180, 3, 190, 120)
	arrow(timeline.HandOff, 3, 232, 2, 240, 160)
	arrow(timeline.Join, 2, 325, 1, 330, 270)
	arrow(timeline.NotifyAll, 1, 374, 3, 380, 148)
	arrow(timeline.Notify, 1, 376, 4, 384, 3)
	thread := func(key trace.ThreadKey, id, name, group string, died int64) timeline.Thread {
		return timeline.Thread{Key: key, ID: id, Name: name, Group: group, Died: died, Dead: died >= 0}
	}
	return &picture.Picture{
		Title: "warehouse.trcxml",
		Verdict: "picker-1 was blocked for 160 ms of 500 ms, for com.acme.Warehouse$Shelf 1013, held by stocktake " +
			"at Cache.load:88; transfer-1 and transfer-2 wait for each other for ever.",
		Notes:  []string{"Threads parked by java.util.concurrent leave no events: they seem to run."},
		Window: w,
		Threads: []timeline.Thread{
			thread(1, "1", "main", "main", -1), thread(2, "21", "picker-1", "pickers", 325*ms),
			thread(3, "22", "stocktake", "pickers", -1), thread(4, "23", "picker-2", "pickers", -1),
			thread(5, "31", "transfer-1", "main", -1), thread(6, "32", "transfer-2", "main", -1),
		},
	}
}
