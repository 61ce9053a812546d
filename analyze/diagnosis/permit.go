package diagnosis

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// holders returns the threads that had what others waited for, if threads pass it to each other, such as a permit or a
// connection of a pool; nil for other waits.
func (f *facts) holders(g *blame.Group, kind Kind) []blame.Holder {
	if kind == Semaphore || kind == QueueEmpty {
		return f.Blame.Holders(g, kind == Semaphore)
	}
	return nil
}

// hold makes the finding one on the threads that had what the others waited for. Text says who waited; some of them
// still do.
func (found *Finding) hold(holders []blame.Holder, g *blame.Group, still unfinished, text string) {
	one := "one"
	if found.Kind == Semaphore {
		one = "a permit"
	}
	found.Total = histogram.Sum(g.Total, still.total)
	first := &holders[0]
	if first.Total < g.Total/2 {
		found.Certainty = Possible
		found.Summary = fmt.Sprintf("%s; %s; the trace does not show who else had one.", text, inTurn(holders, one))
		return
	}
	had := "had"
	if found.Certainty = Seen; first.Likely {
		found.Certainty, had = Likely, "likely had"
	}
	found.Summary = fmt.Sprintf("%s; for %s of %s %s %s %s, %s.", text, phrase.Percent(min(first.Total, g.Total), g.Total),
		still.finished(), first.Thread.Title(), had, one, doing(first))
	found.Threads = []Thread{threadOf(first.Thread.ID.String(), first.Thread.Name)}
	if first.Place.Method != nil {
		found.Places = [][]trace.Frame{{first.Place}}
	}
	if others := holders[1:]; len(others) > 0 {
		found.Evidence = append(found.Evidence, "Meanwhile "+inTurn(others, one)+".")
	}
}

// inTurn says that threads had something in turn: 4 threads of web-* had a permit in turn, longest web-3 (thread 14)
// for 21.0 ms, SLEEPING at shop.Handler.handle.
func inTurn(holders []blame.Holder, one string) string {
	longest := slices.MaxFunc(holders, func(a, b blame.Holder) int { return cmp.Compare(a.Longest, b.Longest) })
	title, length, did := longest.Thread.Title(), phrase.Duration(longest.Longest), doing(&longest)
	if len(holders) == 1 {
		return fmt.Sprintf("%s had %s, for %s at most, %s", title, one, length, did)
	}
	who := phrase.Count(len(holders), "thread")
	if pool := poolOf(holders); pool != "" {
		who += " of " + phrase.Name(pool)
	}
	isAsLong := func(h blame.Holder) bool {
		return h.Thread.Key != longest.Thread.Key && h.Longest > longest.Longest-longest.Longest/10
	}
	if slices.ContainsFunc(holders, isAsLong) {
		return fmt.Sprintf("%s had %s in turn, for %s at most, %s", who, one, length, did)
	}
	return fmt.Sprintf("%s had %s in turn, longest %s for %s, %s", who, one, title, length, did)
}

// poolOf returns the pool of all holders; "" if they belong to several pools.
func poolOf(holders []blame.Holder) string {
	pool := threads.PoolOf(holders[0].Thread.Name)
	if slices.ContainsFunc(holders, func(h blame.Holder) bool { return threads.PoolOf(h.Thread.Name) != pool }) {
		return ""
	}
	return pool
}

// doing is what the holder did, and where: SLEEPING at shop.Report.run.
func doing(h *blame.Holder) string {
	text := h.As.String()
	if place := wording.Frame(h.Place); place != "" {
		text += " at " + place
	}
	return text
}
