package pools

import (
	"slices"
	"strings"

	"github.com/trcx/trcx/trace"
)

// timer is what is known of a thread that runs all tasks of a ScheduledThreadPoolExecutor or a java.util.Timer. It
// waits until its next task is due. While it is busy, other tasks that become due begin late. The trace does not record
// when they are due, but a period shows it.
type timer struct {
	dues    [2]trace.Time // of the latest waits
	first   trace.Time    // the first due time of the period
	due     trace.Time    // the latest due time of the period
	periods trace.Time    // between them; 0 if no period is known
	strange int           // waits since then for other times
}

// period returns the mean period; 0 if none is known.
func (t *timer) period() trace.Time {
	if t.periods == 0 {
		return 0
	}
	return (t.due - t.first) / t.periods
}

// Late is how late tasks began.
type Late struct {
	Runs   int
	Total  int64 // nanoseconds, as Longest and Period
	Max    int64
	Period int64
}

// Limits of times, in nanoseconds. A timeout is in milliseconds, and a thread wakes up some time after it.
const (
	dueError    = 3_000_000
	leastPeriod = 20_000_000
	leastLate   = 10_000_000
	maxStrange  = 8 // waits until a period is given up
)

// timers are the classes in which such threads wait.
var timers = []string{"java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue", "java/util/TimerThread",
	"java/util/concurrent/DelayScheduler"}

func isTimer(stack *trace.Stack) bool { return calls(stack, timers) }

// IsTimerQueue reports whether workers of timers wait in methods of the class until tasks are due.
func IsTimerQueue(class string) bool {
	return slices.Contains(timers, strings.ReplaceAll(class, ".", "/"))
}

// timerTasks are the classes whose methods run the tasks of timers.
var timerTasks = []string{"java/util/concurrent/ScheduledThreadPoolExecutor$ScheduledFutureTask", "java/util/TimerThread"}

// runsTimer reports whether the calls belong to a task of a timer. The recorded calls of a deep task can end with the
// call that runs a periodic one.
func runsTimer(stack *trace.Stack) bool {
	return calls(stack, timerTasks) || stack != nil && slices.ContainsFunc(stack.Frames, func(f trace.Frame) bool {
		return f.Method.Name == "runAndReset" && strings.ReplaceAll(f.Method.Class, ".", "/") == "java/util/concurrent/FutureTask"
	})
}

func calls(stack *trace.Stack, classes []string) bool {
	return stack != nil && slices.ContainsFunc(stack.Frames, func(f trace.Frame) bool {
		return slices.Contains(classes, strings.ReplaceAll(f.Method.Class, ".", "/"))
	})
}

// schedule handles that the pool's only thread waits for its next task, after the interval in which it was busy, if
// that was long.
func (p *pool) schedule(e *trace.ModelEvent) {
	if p.largest > 1 || !isTimer(e.Stack) {
		return
	}
	t, due := &p.timer, trace.Time(0)
	if e.Timeout > 0 {
		due = e.Time + trace.Time(e.Timeout)*1_000_000
	}
	if n := len(p.intervals); n > 0 && !p.intervals[n-1].Timer && p.intervals[n-1].To == p.bounds.cut(e.Time) {
		i := p.intervals[n-1]
		// A timer with a fixed delay waits for a whole period after each run. No run of it was due meanwhile.
		if i.Timer = true; t.gives(due) > 0 && due-e.Time < t.period()-dueError {
			i.Late = t.late(i)
		}
	}
	t.expect(due)
}

// gives returns the number of periods from the latest due time to this one; 0 if the period does not give it.
func (t *timer) gives(due trace.Time) trace.Time {
	period := t.period()
	if period == 0 || due <= t.due {
		return 0
	}
	count := (due - t.due + period/2) / period
	if off := due - t.due - count*period; max(off, -off) > min(dueError+count*dueError/8, period/4) {
		return 0
	}
	return count
}

// late returns how late the tasks began that became due while the thread was busy: they began when that was over, at
// the earliest.
func (t *timer) late(i *Interval) (l Late) {
	period := t.period()
	for due := t.due; due < i.To-leastLate; due += period {
		if due > i.From+leastLate {
			length := int64(i.To - due)
			l.Runs, l.Total, l.Max, l.Period = l.Runs+1, l.Total+length, max(l.Max, length), int64(period)
		}
	}
	return l
}

// expect notes that the thread waits until a time. Three times at equal distances give a period.
func (t *timer) expect(due trace.Time) {
	if due == 0 {
		*t = timer{}
		return
	}
	distance := t.dues[1] - t.dues[0]
	difference := due - t.dues[1] - distance
	switch count := t.gives(due); {
	case count > 0:
		t.due, t.periods, t.strange = due, t.periods+count, 0
	case t.dues[0] != 0 && distance >= leastPeriod && difference <= dueError && difference >= -dueError:
		t.first, t.due, t.periods, t.strange = t.dues[0], due, 2, 0
	default:
		if t.strange++; t.strange > maxStrange {
			t.periods = 0
		}
	}
	t.dues = [2]trace.Time{t.dues[1], due}
}
