package pools_test

import (
	"fmt"
	"testing"

	"github.com/trcx/trcx/analyze/pools"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/trace"
)

var takesTask = &trace.Stack{Frames: []trace.Frame{method("java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue", "take"),
	method("java/util/concurrent/ThreadPoolExecutor", "getTask")}, Idle: true}

var runsTask = &trace.Stack{Frames: []trace.Frame{method("app/Main", "tick"), method("java/util/concurrent/FutureTask", "runAndReset")}}

// step is what the thread of a timer does from a time on, in milliseconds: it waits until its next task is due, runs if
// due is 0, or waits within a task if due is less.
type step struct{ at, due int }

// ticks are steps with a task that is due every 100 ms, from 100 ms on.
func ticks(count int) (steps []step) {
	for n := range count {
		steps = append(steps, step{n*100 + 1, n*100 + 100}, step{n*100 + 100, 0})
	}
	return steps
}

// TestTimers proves how late tasks began that a timer's thread could not run in time, as their period shows.
func TestTimers(t *testing.T) {
	for about, c := range map[string]struct {
		steps   []step
		threads int
		want    string
	}{
		"a slow task":                   {append(ticks(4), step{401, 450}, step{450, 0}, step{1050, 1100}), 1, "450-1050 6 late 1800 max 550 period 100"},
		"a slow run of the task itself": {append(ticks(4), step{850, 900}), 1, "400-850 4 late 800 max 350 period 100"},
		"a run of a fixed delay":        {append(ticks(4), step{900, 1000}), 1, "400-900 0 late 0 max 0 period 0"},
		"the period begins after a run": {append(ticks(4), step{850, 950}), 1, "400-850 0 late 0 max 0 period 0"},
		"no period is known":            {[]step{{1, 100}, {100, 0}, {900, 950}}, 1, "100-900 0 late 0 max 0 period 0"},
		"it never waits again":          {[]step{{1, 100}, {100, -1}, {300, -1}, {500, -1}}, 1, "100-2000 0 late 0 max 0 period 0"},
		"it never waited":               {[]step{{100, -1}, {300, -1}}, 1, "0-2000 0 late 0 max 0 period 0"},
		"no task is slow":               {ticks(8), 1, ""},
		"a pool of two":                 {append(ticks(4), step{850, 900}), 2, ""},
	} {
		s := newScript(t, selection.Window{}, "main", "timer-1", "timer-2")
		for key := range c.threads {
			s.does(trace.ThreadKey(key+2), "run", 0)
		}
		for _, step := range c.steps {
			if step.due == 0 {
				s.does(2, "run", step.at)
				continue
			}
			stack := takesTask
			if step.due < 0 {
				stack = runsTask
			}
			s.id++
			s.put(&trace.ModelEvent{ID: s.id, Type: trace.WaitingForObject, Park: true, Thread: trace.ThreadRef{Key: 2}, Stack: stack,
				Time: s.start + trace.Time(step.at)*1e6, Timeout: int64(max(step.due-step.at, 50))})
		}
		s.put(&trace.SessionEnd{Last: s.start + 2e9})
		got := ""
		for _, p := range s.finder.Pools() {
			for _, i := range p.Timers {
				got += fmt.Sprintf("%d-%d %s", (i.From-s.start)/1e6, (i.To-s.start)/1e6, late(i.Late))
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", about, got, c.want)
		}
	}
}

func late(l pools.Late) string {
	return fmt.Sprintf("%d late %d max %d period %d", l.Runs, l.Total/1e6, l.Max/1e6, l.Period/1e6)
}
