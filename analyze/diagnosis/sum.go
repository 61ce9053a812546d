package diagnosis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// maxSmall limits the groups of waits that are added up.
const maxSmall = 1 << 12

// inSum returns a finding on waits for others that are too small to be findings, and a tenth of the run in sum.
// Statistics alone only know how long threads were BLOCKED.
func (f *facts) inSum() []Finding {
	least := f.length() / leastInSum
	switch {
	case least == 0 || f.untimed():
		return nil
	case f.Blame == nil && f.Statistics != nil:
		blocked := f.Statistics.All.Of(contention.Blocked)
		if histogram.Signed(blocked.Total) < least || blocked.Max >= longWait {
			return nil
		}
		return []Finding{{Kind: WaitKind, Certainty: Seen, Total: histogram.Signed(blocked.Total), Share: 1,
			Command: f.command(More{Analysis: "blame"}), Summary: fmt.Sprintf("Threads were BLOCKED for %s in all, in %s short blocks.",
				phrase.Total(blocked.Total), phrase.Number(blocked.Count))}}
	case f.Blame == nil || f.Blame.Total-f.large() < least:
		return nil
	}
	blocks, others := f.Blame.Largest(maxSmall, maxSmall)
	found, waits, waiters := Finding{Kind: WaitKind, Certainty: Seen, Share: 1}, 0, map[trace.ThreadKey]bool{}
	var culprits []culprit
	var one *blame.Wait
	for _, g := range slices.Concat(blocks, others) {
		w := &g.Longest
		if g.Total >= f.length()/leastOfRun || w.Type == trace.WaitingForJoin || kindOfWait(w) == QueueEmpty {
			continue // it is a finding, or the thread waits for work or for work to be done
		}
		of := slices.DeleteFunc(culpritsOf(g.Culprits), func(c culprit) bool {
			return c.own || c.kind != blame.Segment || f.isOfJVM(&c)
		})
		if len(of) == 0 {
			continue
		}
		found.Total, waits, one = histogram.Sum(found.Total, totalOf(of)), waits+g.Count, w
		maps.Copy(waiters, g.Waiters)
		culprits = append(culprits, of...)
	}
	if found.Total < least {
		return nil
	}
	who := phrase.Count(len(waiters), "thread")
	if len(waiters) == 1 {
		who = one.Thread.Title()
	}
	found.Waiting, found.Command = len(waiters), f.command(More{Analysis: "blame"})
	found.Summary = fmt.Sprintf("%s waited %s in all for others, in %s short waits", who, phrase.Duration(found.Total),
		phrase.Number(uint64(waits)))
	if most := largest(culprits); most.total >= found.Total/2 {
		found.Threads = []Thread{most.Thread}
		found.Summary += fmt.Sprintf("; for %s of that %s was %s", phrase.Percent(most.total, found.Total), most.title, most.state)
	}
	found.Summary += "."
	return []Finding{found}
}

// large is the sum of the waits that are not small, as far as they were looked at.
func (f *facts) large() (total int64) {
	for _, g := range slices.Concat(f.blocks, f.others) {
		if g.Total >= f.length()/leastOfRun {
			total = histogram.Sum(total, g.Total)
		}
	}
	return total
}

// largest adds up the culprits by thread and state, and returns the one with the largest sum.
func largest(all []culprit) (most culprit) {
	type key struct {
		thread trace.ThreadKey
		state  trace.State
	}
	sums := map[key]culprit{}
	for _, c := range all {
		if sum, known := sums[key{c.key, c.state}]; known {
			c.add(&sum)
		}
		sums[key{c.key, c.state}] = c
	}
	for _, c := range sums {
		if cmp.Or(cmp.Compare(c.total, most.total), cmp.Compare(most.key, c.key),
			cmp.Compare(most.state, c.state)) > 0 {
			most = c
		}
	}
	return most
}
