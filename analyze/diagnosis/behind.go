package diagnosis

import (
	"slices"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/histogram"
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

// blamed says who let the holders, or the threads that were blocked, wait for what part of the blocks that are over:
// of the others that is not known yet.
func (l *lock) blamed(all []culprit) string {
	if l.finished > l.total-l.total/20 {
		return blamed(all, l.total, "that")
	}
	return blamed(all, l.finished, "the finished blocks")
}

// follow adds to the finding the thread that let the holders wait meanwhile, if they waited most of the time, or the
// likely holder of the lock.
func (l *lock) follow(found *Finding) {
	switch {
	case l.isGuess():
		found.Certainty = Likely
		found.Threads, found.Places = named(l.letIn, l.total)
	case len(l.behind) > 0 && l.behind[0].total >= l.total/2 && l.names(l.known()):
		found.Summary += " The holder waited, too: " + l.blamed(l.behind) + "."
		threads, places := named(l.behind, l.total)
		found.Threads, found.Places = append(threads, found.Threads...), append(places, found.Places...)
	}
}
