package diagnosis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/analyze/samples"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// busy returns findings on threads that computed when the trace ended; the threads of a pool at one place are one
// finding. It skips a thread that computed on the path of the run, which has a finding already.
func (f *facts) busy(known []Finding) (findings []Finding) {
	if f.Statistics == nil || f.Statistics.Samples == nil {
		return nil
	}
	if f.Path == nil && f.Recorded == 0 && !f.isDumped() {
		return nil // it is unknown whether the run ended
	}
	ended := f.Recorded == 0 && f.Path != nil && f.Path.Length() > 0 && !f.Path.Ending.IsArbitrary() && !f.isDumped()
	if s := f.Statistics.Samples; ended && (s.Dumps > 0 || s.Samples == 0) {
		return nil // path reports where the run's time went
	}
	type group struct {
		pool   string
		method string
	}
	at := map[group]int{}
	var groups [][]samples.Busy
	for _, b := range f.Statistics.Samples.Busy {
		of := group{pool: threads.PoolOf(b.Name)}
		if b.Place.Method != nil {
			of.method = b.Place.Method.Title()
		}
		n, known := at[of]
		if !known {
			n = len(groups)
			at[of], groups = n, append(groups, nil)
		}
		groups[n] = append(groups[n], b)
	}
	for _, all := range groups {
		found := f.computes(all)
		found.busy = !ended
		if !slices.ContainsFunc(known, func(k Finding) bool {
			return k.Kind == CPU && slices.Equal(k.Threads, found.Threads)
		}) {
			findings = append(findings, found)
		}
	}
	return findings
}

// computes is the finding on threads that compute, the busiest first.
func (f *facts) computes(all []samples.Busy) Finding {
	first := &all[0]
	found := Finding{Kind: CPU, Certainty: Likely, Total: noTotal, own: true,
		Command: f.command(More{Analysis: "stats"})}
	var names threads.PoolNames
	used := int64(0)
	for i := range all {
		b := &all[i]
		names.Add(b.Name)
		used = histogram.Sum(used, b.Used)
		if len(found.Threads) < maxBusy {
			found.Threads = append(found.Threads, threadOf(b.Thread.ID.String(), b.Name))
		}
	}
	place, who, it := wording.Frame(first.Place), wording.Thread(first.Thread.ID, first.Name), "It"
	began, its := "it", "its"
	if place != "" {
		found.Places, place = [][]trace.Frame{{first.Place}}, " at "+place
	}
	if len(all) > 1 {
		it, began, its = who, "they", "their"
		who = fmt.Sprintf("%s of %s", phrase.Count(len(all), "thread"), phrase.Name(names.String()))
	}
	switch {
	case used > 0 && first.Lifelong:
		found.Summary = fmt.Sprintf("%s computed%s: %s in the %s since %s began.", who, place, cores(used, first.Length),
			phrase.Duration(first.Length), began)
	case used > 0:
		found.Total = used
		found.Summary = fmt.Sprintf("%s computed%s: %s for %s.", who, place, cores(used, first.Length),
			phrase.Duration(first.Length))
	default:
		found.Summary = fmt.Sprintf("%s likely computed%s.", who, place)
	}
	if hot, ran := f.hot(all); ran && f.Statistics.Samples.Dumps == 0 {
		found.Summary = fmt.Sprintf("%s, most of all in %s.", strings.TrimSuffix(found.Summary, "."), hot)
	}
	if seen := f.seen(first); seen != "" {
		found.Evidence = append(found.Evidence, it+" was RUNNABLE there in "+seen+".")
	}
	if waiting, total := f.awaiting(all); waiting > 0 {
		found.own, found.Waiting = false, waiting
		found.Total = max(total, found.Total)
		found.Evidence = append(found.Evidence, phrase.Count(waiting, "thread")+" waited for that.")
	} else {
		found.Evidence = append(found.Evidence, "Whether that is "+its+" work or a loop without end is not known.")
	}
	return found
}

// hot returns the method that the threads ran most, and false if that is not known, or not the same.
func (f *facts) hot(all []samples.Busy) (sum methods.Hot, agree bool) {
	for i := range all {
		hot, known := f.Hot[all[i].Thread.ID.String()]
		if agree = known; i == 0 {
			sum = hot
		} else if known {
			sum, agree = sum.Add(hot)
		}
		if !agree {
			break
		}
	}
	return sum, agree
}

// maxBusy limits the threads of a finding that are named.
const maxBusy = 8

// cores is the part of a processor that threads used: 98 % of a core, or 3.9 cores. If clocks differ, a thread can seem
// to use a little more than a core.
func cores(used, length int64) string {
	if used <= length+length/20 {
		return phrase.Percent(min(used, length), length) + " of a core"
	}
	return fmt.Sprintf("%.1f cores", float64(used)/float64(max(length, 1)))
}

// seen says in how many dumps or samples the thread was RUNNABLE at its place; "" if that is unknown.
func (f *facts) seen(b *samples.Busy) string {
	dumps := f.Statistics.Samples.Dumps
	switch {
	case b.Seen == 0:
		return ""
	case dumps == 1:
		return "the dump"
	case dumps > 1:
		return fmt.Sprintf("%d of %d dumps", b.Seen, b.Of)
	}
	return fmt.Sprintf("%s of its %s samples", phrase.Number(b.Seen), phrase.Number(b.Of))
}

// isDumped reports whether the states of threads come from thread dumps. These show threads that wait in native code as
// RUNNABLE, and do not show what happens between two dumps.
func (f *facts) isDumped() bool {
	return f.Statistics.Samples != nil && f.Statistics.Samples.Dumps > 0 && f.Statistics.Samples.Alone
}
