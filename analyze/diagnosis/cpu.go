package diagnosis

import (
	"cmp"
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

// busy returns findings on threads that computed when the trace ended. The threads of a pool at one place are one
// finding; the whole pool is one if it takes all of them to have used a core, or if a single dump shows their places,
// which need not be where they computed.
func (f *facts) busy() (findings []Finding) {
	if f.Statistics == nil || f.Statistics.Samples == nil {
		return nil
	}
	if f.Path == nil && f.Recorded == 0 && !f.isDumped() {
		return nil // it is unknown whether the run ended
	}
	ended := f.Recorded == 0 && f.Path != nil && f.Path.Length() > 0 && !f.Path.Ending.IsArbitrary() && !f.isDumped()
	if s := f.Statistics.Samples; ended && (s.Dumps > 0 || s.Samples == 0) {
		return nil // trcx path says where the run's time went
	}
	type group struct {
		pool, method string
		whole        bool
	}
	at := map[group]int{}
	var groups [][]samples.Busy
	pooled := map[string]bool{}
	for i := range f.Statistics.Samples.Busy {
		b := &f.Statistics.Samples.Busy[i]
		pooled[threads.PoolOf(b.Name)] = pooled[threads.PoolOf(b.Name)] || b.Pooled
	}
	for _, b := range f.Statistics.Samples.Busy {
		of := group{pool: threads.PoolOf(b.Name), whole: b.Used > 0 && (b.Lifelong || pooled[threads.PoolOf(b.Name)])}
		if b.Place.Method != nil && !of.whole {
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
		findings = append(findings, found)
	}
	return findings
}

// computing returns the threads that computed; nil if that is not known.
func (f *facts) computing() []samples.Busy {
	if f.Statistics == nil || f.Statistics.Samples == nil {
		return nil
	}
	return f.Statistics.Samples.Busy
}

// computingAs returns the thread with the id if it computed, else nil.
func (f *facts) computingAs(id string) *samples.Busy {
	all := f.computing()
	i := slices.IndexFunc(all, func(b samples.Busy) bool { return b.Thread.ID.String() == id })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// computes is the finding on threads that compute, the busiest first.
func (f *facts) computes(all []samples.Busy) Finding {
	first := &all[0]
	found := Finding{Kind: CPU, Certainty: Likely, Total: noTotal, own: true,
		Command: f.command(More{Analysis: "stats"})}
	var names threads.PoolNames
	for i := range all {
		b := &all[i]
		names.Add(b.Name)
		if len(found.Threads) < maxBusy {
			found.Threads = append(found.Threads, threadOf(b.Thread.ID.String(), b.Name))
		}
	}
	used, length := samples.Use(all)
	who, its := wording.Thread(first.Thread.ID, first.Name), "its"
	if len(all) > 1 {
		who, its = fmt.Sprintf("%s of %s", phrase.Count(len(all), "thread"), phrase.Name(names.String())), "their"
	}
	places, there := busyAt(all), ""
	if len(places) == 1 {
		there = " at " + wording.Frame(places[0])
	}
	switch amount := amountOf(all, used, length, its); {
	case used > 0 && first.Lifelong:
		found.Summary = fmt.Sprintf("%s used %s in the %s since %s began; in the dump %s.", who, amount, phrase.Duration(length),
			began(all), inDump(all, places))
	case used > 0:
		found.Total = used
		found.Summary = fmt.Sprintf("%s computed%s: %s for %s.", who, there, amount, phrase.Duration(length))
	default:
		found.Summary = fmt.Sprintf("%s likely computed%s.", who, there)
	}
	if first.Lifelong || there != "" {
		for _, at := range places {
			found.Places = append(found.Places, []trace.Frame{at})
		}
	}
	if hot, ran := f.hot(all); ran && f.Statistics.Samples.Dumps == 0 {
		found.Summary = fmt.Sprintf("%s, most of all in %s.", strings.TrimSuffix(found.Summary, "."), hot)
	}
	if seen := f.seen(all, its); seen != "" && there != "" {
		found.Evidence = append(found.Evidence, seen)
	}
	if load := f.load(); load != "" {
		found.Evidence = append(found.Evidence, load)
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

// busyAt returns the places of the threads, one a method and, in a single dump, one a line; nil if one is unknown.
func busyAt(all []samples.Busy) (places []trace.Frame) {
	for i := range all {
		b := &all[i]
		if b.Place.Method == nil {
			return nil
		}
		if !slices.ContainsFunc(places, func(p trace.Frame) bool {
			return p.Method.Same(b.Place.Method) && (!b.Lifelong || p.Line == b.Place.Line)
		}) {
			places = append(places, b.Place)
		}
	}
	return places
}

// began names the threads since whose beginnings the only dump counts: "they" if these were at about the same time.
func began(all []samples.Busy) string {
	ages := func(a, b samples.Busy) int { return cmp.Compare(a.Length, b.Length) }
	switch oldest := slices.MaxFunc(all, ages).Length; {
	case len(all) == 1:
		return "it"
	case oldest-slices.MinFunc(all, ages).Length > oldest/20:
		return "the first of them"
	}
	return "they"
}

// inDump says where the threads are in the only dump: "they are at app.Main.run(Main.java:7)".
func inDump(all []samples.Busy, places []trace.Frame) string {
	var texts []string
	for _, at := range places[:min(len(places), maxListed)] {
		if len(places) > 1 {
			at.Outer = nil
		}
		texts = append(texts, wording.Frame(at))
	}
	if more := len(places) - maxListed; more > 0 {
		texts = append(texts, phrase.Count(more, "other place"))
	}
	who := "they are"
	if len(all) == 1 {
		who = "it is"
	}
	return who + " at " + phrase.List(texts, "and")
}

// leastBusy is the load of a machine, of 1, from which on it lacks processors.
const leastBusy = 0.9

// load says that the processors of the machine were busy; "" if they were not, or this is unknown.
func (f *facts) load() string {
	if len(f.Statistics.Traces) != 1 || f.Statistics.Traces[0].Load == nil {
		return ""
	}
	load := f.Statistics.Traces[0].Load
	if load.Machine.Mean < leastBusy {
		return ""
	}
	percent := func(share float64) string { return phrase.Percent(int64(share*1000), 1000) }
	return fmt.Sprintf("The processors of the machine were busy for %s of the time, for %s with the JVM.", percent(load.Machine.Mean),
		percent(load.JVM.Mean))
}

// hotOf returns the method that the thread ran most, and false if that is not known.
func (f *facts) hotOf(id trace.ThreadID) (hot methods.Hot, known bool) {
	if f.Hot != nil {
		hot, known = f.Hot()[id.String()]
	}
	return hot, known
}

// hot returns the method that the threads ran most, and false if that is not known, or not the same.
func (f *facts) hot(all []samples.Busy) (sum methods.Hot, agree bool) {
	for i := range all {
		hot, known := f.hotOf(all[i].Thread.ID)
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

// amountOf says how much processor time the threads used: "98 % of a core". Samples only show about how much that was;
// of several threads it can be more, because the JVM's sampler looks at few at a time.
func amountOf(all []samples.Busy, used, length int64, its string) string {
	text := cores(used, length)
	if !slices.ContainsFunc(all, func(b samples.Busy) bool { return b.Sampled }) {
		return text
	}
	text = fmt.Sprintf("by %s samples about %s", its, strings.TrimPrefix(text, ">"))
	if n := int64(len(all)); n > 1 && used/n < length-length/20 {
		text += " or more"
	}
	return text
}

// cores is the part of the processors that threads used: 98 % of a core, or 3.9 cores.
func cores(used, length int64) string {
	if used <= length+length/20 {
		return phrase.Percent(min(used, length), length) + " of a core"
	}
	return fmt.Sprintf("%.1f cores", float64(used)/float64(max(length, 1)))
}

// seen says in how many dumps or samples the threads were RUNNABLE at their place; "" if that is unknown.
func (f *facts) seen(all []samples.Busy, its string) string {
	least, seen, of := all[0].Seen, uint64(0), uint64(0)
	for i := range all {
		least = min(least, all[i].Seen)
		seen, of = histogram.Sum(seen, all[i].Seen), histogram.Sum(of, all[i].Of)
	}
	they, dumps := "It was", fmt.Sprintf("%d of %d dumps", least, all[0].Of)
	if len(all) > 1 {
		they = "They were"
	}
	switch {
	case least == 0 || all[0].Lifelong:
		return ""
	case f.Statistics.Samples.Dumps == 0:
		dumps = fmt.Sprintf("%s of %s %s samples", phrase.Number(seen), its, phrase.Number(of))
	case f.Statistics.Samples.Dumps == 1:
		dumps = "the dump"
	case least*uint64(len(all)) < seen:
		dumps = fmt.Sprintf("%d or more of %d dumps", least, all[0].Of)
	}
	return they + " RUNNABLE there in " + dumps + "."
}

// isDumped reports whether the states of threads come from thread dumps. These show threads that wait in native code as
// RUNNABLE, and do not show what happens between two dumps.
func (f *facts) isDumped() bool {
	return f.Statistics.Samples != nil && f.Statistics.Samples.Dumps > 0 && f.Statistics.Samples.Alone
}
