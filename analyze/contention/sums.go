package contention

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/idle"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// maxNamed limits the pools that a sentence names.
const maxNamed = 3

// Nothing is the sentence for an answer in which nothing is wrong, if only statistics know the reason: nothing is
// selected, or the trace cannot show it; else "".
func (s *Statistics) Nothing() string {
	_, stated := s.monitorTimes()
	switch sums := s.sums(); {
	case stated != 0:
		return fmt.Sprintf("Threads were BLOCKED for %s in all, as MONITOR TIME states; it has no single waits.",
			phrase.Duration(stated))
	case len(s.NoClass) > 0:
		return fmt.Sprintf("No class matches %s: the trace has no monitor or lock of such a name. A name has its package; "+
			"* matches any characters.", phrase.List(s.NoClass, "or"))
	case s.Selected && len(sums.states) == 0 && len(sums.idle) > 0:
		return "Except for idle threads, nothing that is selected waited for a monitor, a notification or another thread."
	case s.Selected && len(sums.states) == 0:
		return "Nothing that is selected waited for a monitor, a notification or another thread."
	case !s.All.isEmpty():
		return ""
	}
	return "The trace does not show why threads waited: it has no wait of any thread."
}

// Remarks says what the trace cannot show, what a window cuts, where threads were RUNNABLE, and which were asleep.
func (s *Statistics) Remarks() (text []string) {
	sums := s.sums()
	if sums.isMoment() {
		text = append(text, sums.momentWords())
	}
	if s.Samples != nil && s.Samples.Untimed {
		text = append(text, "How much time passed between the thread dumps is unknown, and so is every length here.")
	}
	if whole := s.wholeBlock(); whole != "" {
		text = append(text, whole)
	}
	if words := sums.processors.words(sums.lacking); words != "" {
		of := "RUNNABLE: "
		if slices.ContainsFunc(s.Threads, func(t *Thread) bool { return t.Group == "VirtualThreads" }) {
			of = "RUNNABLE, without virtual threads: " // they have no CPU times
		}
		text = append(text, of+words)
	}
	if len(sums.asleep) > 0 {
		sleepers := func(p *Pool) uint64 { return p.Waits.Asleep.Count }
		text = append(text, "Asleep since before the recording: "+poolNames(sums.asleep, sleepers)+".")
	}
	return text
}

// IsPossible reports that one of the deadlocks of the trace is only a possible one.
func (t Trace) IsPossible() bool { return t.Deadlocked > 0 && (t.CutOff || t.Possible) }

// Deadlocked is a sentence on the threads of deadlocks in all traces; "" without any.
func (s *Statistics) Deadlocked() string {
	threads, possible := 0, false
	for i := range s.Traces {
		if t := &s.Traces[i]; t.Deadlocked > 0 {
			threads, possible = threads+t.Deadlocked, possible || t.IsPossible()
		}
	}
	return wording.Deadlocked(threads, possible)
}

// sums are the times of the program's threads, except idle waits.
type sums struct {
	lifetime, held uint64 // in all states, and in states of waiting or sleeping
	states         []stateSum
	processors     Processors
	lacking        bool    // the trace has no parks, or no waits for input or output, so it may lack some
	idle           []*Pool // pools that waited for work, the longest first
	asleep         []*Pool // pools with threads that slept before the recording began and did not wake up
}

// stateSum is the time in one state.
type stateSum struct {
	kind               Kind
	count, total, open uint64
}

// stateKinds are the states of the kinds, as people know them.
var stateKinds = [KindCount]string{Blocked: trace.StateBlocked.String(), Waited: trace.StateWaiting.String(),
	Timed: trace.StateTimedWaiting.String(), Parked: trace.StateParked.String(), IO: trace.StateInIO.String(),
	Init: trace.StateInitialising.String(), Joined: trace.StateJoining.String(), Slept: trace.StateSleeping.String()}

// sums returns the sums over all pools of the program.
func (s *Statistics) sums() *sums {
	result, states := &sums{lacking: s.missing() != ""}, [KindCount]stateSum{}
	for _, p := range s.Pools {
		if p.OfJVM {
			continue
		}
		result.lifetime = histogram.Sum(result.lifetime, p.Lifetime)
		result.processors.merge(&p.Processors)
		if p.Waits.Asleep.Count > 0 {
			result.asleep = append(result.asleep, p)
		}
		if p.Idle.Count > 0 {
			result.idle = append(result.idle, p)
		}
		for kind := range KindCount {
			sum, of := &states[kind], p.sum(kind)
			sum.kind, sum.count, sum.open = kind, sum.count+of.count, sum.open+of.open
			sum.total = histogram.Sum(sum.total, of.total)
		}
	}
	for _, sum := range states {
		if sum.count > 0 {
			result.states = append(result.states, sum)
			result.held = histogram.Sum(result.held, sum.total)
		}
	}
	slices.SortStableFunc(result.states, func(a, b stateSum) int { return cmp.Compare(b.total, a.total) })
	slices.SortStableFunc(result.idle, func(a, b *Pool) int { return cmp.Compare(b.Idle.Total, a.Idle.Total) })
	return result
}

// sum returns the pool's time of the kind. Each interval counts in one kind only: Waited leaves out waits with a
// timeout, waits for input or output or a class, and parks of WaitingForObject; no kind has idle waits and sleeps since
// before the recording.
func (p *Pool) sum(kind Kind) stateSum { return sumOf(kind, &p.Times, &p.WaitEnds) }

// sumOf is Pool.sum of the times and waits of any threads.
func sumOf(kind Kind, times *Times, ends *WaitEnds) stateSum {
	switch w := &ends.Waits; kind {
	case Waited:
		return stateSum{kind, w.Monitor.Count - w.Timed.Count, w.Monitor.Total - w.Timed.Total, w.Open - w.OpenTimed}
	case Timed:
		return stateSum{kind, w.Timed.Count, w.Timed.Total, w.OpenTimed}
	case Parked:
		return stateSum{kind, w.Park.Count, w.Park.Total, 0}
	case IO:
		return stateSum{kind, w.IO.Count, w.IO.Total, 0}
	case Init:
		return stateSum{kind, w.Init.Count, w.Init.Total, w.OpenInit}
	}
	d, asleep := times.Of(kind), Tally{}
	if kind == Slept {
		asleep = ends.Waits.Asleep
	}
	return stateSum{kind, d.Count - min(d.Count, asleep.Count), d.Total - min(d.Total, asleep.Total),
		d.Open - min(d.Open, asleep.Count)}
}

// title names the pool and how many of its threads are meant: main, worker-* (20 threads), worker-* (1 of 20 threads).
func (p *Pool) title(n uint64) string {
	switch {
	case p.Threads == 1:
		return cmp.Or(p.Name, "a thread without a name")
	case p.Name == "":
		return phrase.Count(n, "thread") + " without a name"
	case n < p.Threads:
		return fmt.Sprintf("%s (%d of %d threads)", p.Name, n, p.Threads)
	}
	return fmt.Sprintf("%s (%d threads)", p.Name, p.Threads)
}

// shareOf writes a part of a total time: all 2.69 s, or 1.2 s (45 %).
func shareOf(part, total uint64) string {
	if part >= total {
		return "all " + phrase.Total(total)
	}
	return fmt.Sprintf("%s (%s)", phrase.Total(part), percent(part, total))
}

// percent writes the part in percent of the whole, with 0 % and 100 % only if exact.
func percent(part, whole uint64) string {
	share := 100 * float64(part) / float64(max(whole, 1))
	switch {
	case part > 0 && share < 1:
		return "<1 %"
	case part < whole && share > 99:
		return ">99 %"
	}
	return fmt.Sprintf("%.0f %%", share)
}

// isMoment reports whether the trace shows only one moment, as a thread dump does: no interval has a length or an end,
// or no thread lived for any time.
func (s *sums) isMoment() bool {
	hasEnded := func(state stateSum) bool { return state.open < state.count }
	return s.held == 0 && len(s.states) > 0 && (s.lifetime == 0 || !slices.ContainsFunc(s.states, hasEnded))
}

// momentWords is the first sentence about a trace of one moment: the states with their numbers of threads.
func (s *sums) momentWords() string {
	states := []string{phrase.Count(s.states[0].count, "thread was ", "threads were ") + stateKinds[s.states[0].kind]}
	for _, state := range s.states[1:] {
		states = append(states, phrase.Number(state.count)+" "+stateKinds[state.kind])
	}
	return "The trace is of one moment, so its waits have no lengths: " + phrase.List(states, "and") + "."
}

// poolNames lists the first pools with the number of their threads that are meant, and the number of further pools.
func poolNames(pools []*Pool, threads func(*Pool) uint64) string {
	var names []string
	for _, p := range pools[:min(len(pools), maxNamed)] {
		names = append(names, p.title(min(threads(p), p.Threads)))
	}
	if more := len(pools) - maxNamed; more > 0 {
		names = append(names, phrase.Count(more, "more pool"))
	}
	return phrase.List(names, "and")
}

// idleWords names the pools whose waits are idle.
func (s *sums) idleWords() []string {
	if len(s.idle) == 0 {
		return nil
	}
	total, reasons := uint64(0), idle.Reasons(0)
	for _, p := range s.idle {
		reasons |= p.IdleFor
		total = histogram.Sum(total, p.Idle.Total)
	}
	length := ""
	if total > 0 {
		length = phrase.Total(total)
	}
	return []string{reasons.Sentence(poolNames(s.idle, (*Pool).idleThreads), length)}
}

// idleThreads returns how many threads waited for work. In a trace of one moment each does so once; otherwise it is
// unknown, and all of the pool are meant.
func (p *Pool) idleThreads() uint64 {
	if p.Idle.Total == 0 {
		return p.Idle.Count
	}
	return p.Threads
}

// advice names what the trace lacks for a complete answer; "" for nothing.
func (s *Statistics) advice() string {
	var advice []string
	stated, _ := s.monitorTimes()
	if sums := s.sums(); !s.Selected && sums.lifetime > sums.held && len(stated) == 0 {
		advice = append(advice, "The rest of the threads' time is RUNNABLE as far as the trace shows"+s.missing()+".")
	}
	if len(s.Sites) == 0 && len(s.Monitors) > 0 {
		advice = append(advice, wording.NoStacks)
	}
	return strings.Join(advice, "\n")
}

// missing names the kinds of waits that the trace lacks: its recorder may not report them.
func (s *Statistics) missing() string {
	var kinds []string
	if s.All.Of(Parked).Count == 0 {
		kinds = append(kinds, "in java.util.concurrent")
	}
	if s.All.Of(IO).Count == 0 {
		kinds = append(kinds, "for input or output")
	}
	if len(kinds) == 0 {
		return ""
	}
	return "; it has no waits " + phrase.List(kinds, "or")
}
