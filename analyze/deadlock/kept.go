package deadlock

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/trace"
)

// Of returns the deadlocks of a trace with a wait that reaches into the window. It uses the waits that the recorder
// keeps, so it takes no time while the trace is read. The report suffices for a sentence: it has no inversions, no
// places where members took their monitors, and stuck threads are only counted, by More. A monitor has the id that it
// had when its thread began to wait.
func Of(r *critical.Recorder, window selection.Window) *Report {
	report := &Report{Start: r.Start(), CutOff: r.IsCutOff()}
	_, until := window.Bounds(r.Start())
	loops := slices.DeleteFunc(slices.Clone(r.Loops()), func(l trace.DeadlockLoop) bool {
		return !slices.ContainsFunc(l.Threads, func(t trace.ThreadRef) bool {
			_, last := r.Thread(t.Key)
			return last != 0 && r.Begin(last) < until
		})
	})
	if len(loops) == 0 {
		return report
	}
	waiting := waitingThreads(r, loops)
	for _, loop := range loops {
		d := Deadlock{Loop: loop}
		var members []trace.ThreadKey
		for _, ref := range loop.Threads {
			d.Members, members = append(d.Members, blockOf(r, ref.Key)), append(members, ref.Key)
		}
		for range behind(members, waiting) {
			d.More++
		}
		report.Deadlocks = append(report.Deadlocks, d)
	}
	return report
}

// waitingThreads returns the threads whose waits are open, by the thread that they wait for.
func waitingThreads(r *critical.Recorder, loops []trace.DeadlockLoop) map[trace.ThreadKey][]trace.ThreadKey {
	holders := map[critical.Object]trace.ThreadKey{} // of what members want
	for _, loop := range loops {
		for i, ref := range loop.Threads {
			_, last := r.Thread(ref.Key)
			object, _, _ := r.WaitOf(last)
			holders[object] = loop.Threads[(i+1)%len(loop.Threads)].Key
		}
	}
	waiting := map[trace.ThreadKey][]trace.ThreadKey{}
	for key := trace.ThreadKey(1); key <= r.Threads(); key++ {
		_, last := r.Thread(key)
		if last == 0 {
			continue
		}
		by := r.Blocker(last)
		if object, state, _ := r.WaitOf(last); state == trace.StateBlocked {
			by = cmp.Or(holders[object], by)
		}
		waiting[by] = append(waiting[by], key)
	}
	return waiting
}

// blockOf returns the open wait of the thread.
func blockOf(r *critical.Recorder, key trace.ThreadKey) Block {
	t, last := r.Thread(key)
	object, state, caller := r.WaitOf(last)
	return Block{Thread: Thread{ThreadRef: t.ThreadRef, Session: t.Session, Name: t.Name},
		Monitor: Monitor{object.ID, object.Class}, Init: state == trace.StateInitialising,
		Since: r.Segment(last).Begin, Until: r.OpenEnd(last), Caller: caller}
}
