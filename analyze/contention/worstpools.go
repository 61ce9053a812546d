package contention

import (
	"cmp"
	"fmt"

	"github.com/trcx/trcx/internal/phrase"
)

// PoolWait is the time that the threads of a pool waited in one state, and the sentence about it.
type PoolWait struct {
	Pool  *Pool
	Kind  Kind
	Total uint64 // nanoseconds, without idle waits
}

// LongestWaits returns, for each state except BLOCKED, the pool of the program that was longest in it.
func (s *Statistics) LongestWaits() (all []PoolWait) {
	for _, state := range s.sums().states {
		worst := PoolWait{Kind: state.kind}
		for _, p := range s.Pools {
			if time := p.sum(state.kind).total; !p.OfJVM && time > worst.Total {
				worst.Pool, worst.Total = p, time
			}
		}
		if worst.Pool != nil && worst.Kind != Blocked {
			all = append(all, worst)
		}
	}
	return all
}

// Threads is the number of the pool's threads that waited; of saved statistics, of all its threads.
func (w *PoolWait) Threads() uint64 { return cmp.Or(w.Pool.waited[w.Kind], w.Pool.Threads) }

// Sentence describes the wait: worker-* (20 threads) PARKED 2.60 s on latch CountDownLatch 73 at app.Main.run.
func (w *PoolWait) Sentence() string {
	was := "was"
	if w.Threads() > 1 {
		was = "were"
	}
	return fmt.Sprintf("%s %s %s for %s%s.", w.Pool.title(w.Threads()), was, stateKinds[w.Kind], phrase.Total(w.Total),
		w.Pool.Longest[kinds[w.Kind]].words(w.Kind, w.Total))
}

// Runnable returns the time, in nanoseconds, in which the program's threads were RUNNABLE while their CPU time is
// known, and the part of it on a processor.
func (s *Statistics) Runnable() (runnable, onCPU uint64) {
	of := s.sums().processors
	return of.Runnable, of.OnCPU
}
