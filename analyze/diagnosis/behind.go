package diagnosis

import (
	"fmt"
	"slices"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// addBlamed adds the likely holders of the lock, if unknown ones held it, and the threads that the holders waited for.
func (f *facts) addBlamed(l *lock) {
	held := map[trace.ThreadKey]bool{}
	for i := range l.holders {
		held[l.holders[i].key] = true
	}
	for i := range f.blocks {
		g := &f.blocks[i]
		if identityOf(&g.Longest.Object) != l.of {
			continue
		}
		l.finished = histogram.Sum(l.finished, g.Total)
		l.letIn = append(l.letIn, slices.DeleteFunc(culpritsOf(g.LetIn), func(c culprit) bool {
			return c.kind != blame.Segment || c.own
		})...)
		l.behind = append(l.behind, slices.DeleteFunc(culpritsOf(g.Culprits), func(c culprit) bool {
			return c.kind != blame.Segment || c.own || held[c.key]
		})...)
	}
}

// isGuess reports whether the holders are unknown, but the threads that let the others in are known for most of the
// time: these are the likely holders.
func (l *lock) isGuess() bool {
	return l.total > 0 && !l.names(l.known()) && len(l.letIn) > 0 && totalOf(l.letIn) >= l.total/2
}

// likely continues a sentence with the likely holders.
func (l *lock) likely() string {
	return "; who held it is not recorded, likely the one that let them in: " + l.blamed(l.letIn)
}

// blamed says who let the holders, or the threads that were blocked, wait. The part is of the blocks that are over,
// because nobody is to blame yet for the others.
func (l *lock) blamed(all []culprit) string {
	that, finished := l.over()
	return blamed(all, finished, that)
}

// over names the blocks that are over, and their time in nanoseconds.
func (l *lock) over() (name string, total int64) {
	if l.finished > l.total-l.total/20 {
		return "that", l.total
	}
	return "the finished blocks", l.finished
}

// follow adds to the finding the thread that let the holders wait meanwhile, if they waited most of the time, or the
// likely holder of the lock.
func (l *lock) follow(found *Finding) {
	switch {
	case l.isGuess():
		found.Certainty = Likely
		found.Threads, found.Places = named(l.letIn, l.total)
	case len(l.behind) > 0 && l.behind[0].total >= l.total/2 && l.names(l.known()):
		found.waitedToo(l, l.blamed(l.behind), l.behind)
	case len(l.behind) > 0 && l.names(l.known()):
		if kept := l.keptWaiting(); totalOf(kept) >= l.total/2 { // in several states
			found.waitedToo(l, l.blamedInAll(kept), kept)
		}
	}
}

// waitedToo adds that the holders of the lock waited, too, for the threads behind them.
func (found *Finding) waitedToo(l *lock, text string, behind []culprit) {
	found.Summary += " The holder waited, too: " + text + "."
	threads, places := named(behind, l.total)
	found.Threads, found.Places = append(threads, found.Threads...), append(places, found.Places...)
}

// keptWaiting is what the thread did that let the holders of the lock wait longest.
func (l *lock) keptWaiting() []culprit {
	sums := map[trace.ThreadKey]int64{}
	longest := l.behind[0].key
	for i := range l.behind {
		c := &l.behind[i]
		if sums[c.key] = histogram.Sum(sums[c.key], c.total); sums[c.key] > sums[longest] {
			longest = c.key
		}
	}
	return slices.DeleteFunc(slices.Clone(l.behind), func(c culprit) bool { return c.key != longest })
}

// blamedInAll is blamed for one thread in all of its states.
func (l *lock) blamedInAll(kept []culprit) string {
	var states []string
	for i := range kept {
		if state := kept[i].state.String(); !slices.Contains(states, state) {
			states = append(states, state)
		}
	}
	that, finished := l.over()
	return fmt.Sprintf("for %s of %s %s was %s", phrase.Percent(totalOf(kept), finished), that, kept[0].title,
		phrase.List(states, "or"))
}
