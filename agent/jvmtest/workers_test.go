package jvmtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/pools"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/trace"
)

// tolerance is how much longer than logged a wait, a busy pool or a record may take, in nanoseconds.
const tolerance = 500_000_000

// TestWorkers compares the analyses with a program's log: when its pool was exhausted, which threads never ended, which
// threads waited for answers and are not idle, and which pool waited for its own queue.
func TestWorkers(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		t.Run(fmt.Sprint(j), func(t *testing.T) {
			out := b.run(t, j, setup{}, true, program{name: "Workers"})
			logged := map[string]int64{}
			for line := range strings.Lines(out.stdout) {
				var what string
				var length int64
				if n, err := fmt.Sscan(line, &what, &length); n != 2 {
					t.Fatalf("the program prints %q: %v", line, err)
				}
				logged[what] = length
			}
			if len(logged) != 5 || out.status != 0 {
				t.Fatalf("status %d, the program logs %v\n%s", out.status, logged, out.stderr)
			}
			collector, finder := contention.NewCollector("", contention.DefaultRows), pools.NewFinder(selection.Window{})
			putModel(t, out.trace, trace.Tee(collector, finder))
			statistics, workers := collector.Statistics(), contention.WorkersOf(finder)
			if workers == nil {
				t.Fatal("no pool is saturated")
			}
			checkSaturated(t, workers, logged)
			checkNeverEnded(t, workers)
			checkAnswers(t, statistics, logged)
			checkSelfWait(t, workers, logged["self"])
		})
	}
}

// checkSaturated checks the pool in which one thread held what the others needed. On a busy machine its threads can also
// be busy for a moment when they begin.
func checkSaturated(t *testing.T, w *contention.Workers, logged map[string]int64) {
	at := slices.IndexFunc(w.Saturated, func(s *contention.Saturated) bool { return s.Pool == "web-*" })
	if at < 0 {
		t.Errorf("saturated are %+v, not web-*", w.Saturated)
		return
	}
	s := w.Saturated[at]
	if s.Threads != 4 || int64(s.Total)-s.Max > tolerance || s.Open || s.Max < logged["saturated"] || s.Max > logged["answered"]+tolerance {
		t.Errorf("web-* is %+v; it was saturated from %d to %d ns", s, logged["saturated"], logged["answered"])
	}
	if blocked := s.Did[0]; blocked.State != "BLOCKED" || blocked.Place.Method != "handle" ||
		int64(blocked.Total) < 3*logged["saturated"]/2 {
		t.Errorf("web-* was %+v, not blocked in handle", *blocked)
	}
	if s.Waiters < 6 { // and main
		t.Errorf("%d threads waited for web-*: %s", s.Waiters, s.Sentence(""))
	}
}

func checkNeverEnded(t *testing.T, w *contention.Workers) {
	if len(w.NeverEnded) != 1 || w.NeverEnded[0].Pool != "poller-*" || w.NeverEnded[0].Threads != 40 ||
		w.NeverEnded[0].Place.Method != "start" {
		t.Errorf("threads that never ended: %+v, want the pollers", w.NeverEnded)
	}
}

// checkAnswers checks that threads that wait for answers to their requests are not idle.
func checkAnswers(t *testing.T, s *contention.Statistics, logged map[string]int64) {
	for _, p := range s.Pools {
		switch p.Name {
		case "handler-*":
			if p.Idle.Count > 0 || int64(p.Waits.Monitor.Total) > logged["handlers"] ||
				int64(p.Waits.Monitor.Total) < logged["handlers"]/2 {
				t.Errorf("the handlers wait %+v, and are idle %+v; they say %d ns", p.Waits, p.Idle, logged["handlers"])
			}
		case "selecting-0":
			if total := int64(p.Waits.IO.Total); total > logged["selected"]+tolerance || total < logged["selected"]/2 {
				t.Errorf("the pool that selects waits %+v; it says %d ns", p.Waits, logged["selected"])
			}
		default:
			continue
		}
		delete(logged, map[string]string{"handler-*": "handlers", "selecting-0": "selected"}[p.Name])
	}
	if logged["handlers"]+logged["selected"] > 0 {
		t.Errorf("the statistics lack a pool of %v", logged)
	}
}

func checkSelfWait(t *testing.T, w *contention.Workers, logged int64) {
	if len(w.SelfWaits) != 1 {
		t.Errorf("%d pools wait for themselves, want one", len(w.SelfWaits))
		return
	}
	s := w.SelfWaits[0]
	if slices.Sort(s.Threads); !slices.Equal(s.Threads, []string{"self-0", "self-1"}) || s.Length > logged+tolerance ||
		s.Length < logged/2 || s.Class != "java/util/concurrent/FutureTask" {
		t.Errorf("%+v; the program says %d ns", s, logged)
	}
}
