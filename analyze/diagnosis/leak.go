package diagnosis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/critical"
)

// numberedPool is a kind of pools whose threads the JDK names by the pool's number: the texts before and after it.
type numberedPool struct{ before, after, what, end string }

// numberedPools are the kinds of pools that programs create casually, and must shut down.
var numberedPools = []numberedPool{
	{"pool-", "-thread-", "executors", "shut down"},
	{"ForkJoinPool-", "-worker-", "ForkJoinPools", "shut down"},
	{"Timer-", "", "java.util.Timers", "cancelled"},
	{"HttpClient-", "-SelectorManager", "HttpClients", "closed"},
}

// leastPools is the number of such pools that is wrong by itself.
const leastPools = 30

// number returns the number of the pool whose thread has the name; "" if it is of another kind.
func (p *numberedPool) number(name string) string {
	rest, ok := strings.CutPrefix(name, p.before)
	number := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	if rest = rest[len(number):]; !ok || !strings.HasPrefix(rest, p.after) || p.after == "" && rest != "" {
		return ""
	}
	return number
}

// manyPools returns a finding for each kind of pool that is very numerous among the live threads of a recording when it
// ends. Who created the pools is unknown: a thread dump has no starts, and a recording may have begun later.
func (f *facts) manyPools() (findings []Finding) {
	if f.Blame == nil {
		return nil
	}
	type kind struct{ pools, session int }
	type many struct {
		kind
		first critical.Thread
		pools map[string]int // numbers of threads, by the pools' numbers
	}
	var all []*many
	of := map[kind]*many{}
	for t := range f.Blame.Threads {
		i := slices.IndexFunc(numberedPools, func(p numberedPool) bool { return p.number(t.Name) != "" })
		if i < 0 {
			continue
		}
		if _, lives := f.Blame.Last(t.Key); !lives {
			continue
		}
		m := of[kind{i, t.Session}]
		if m == nil {
			m = &many{kind{i, t.Session}, t, map[string]int{}}
			all, of[m.kind] = append(all, m), m
		}
		m.pools[numberedPools[i].number(t.Name)]++
	}
	for _, m := range all {
		p := &numberedPools[m.kind.pools]
		if len(m.pools) < leastPools || f.neverEnd(p.before) {
			continue
		}
		threads, in := 0, ""
		for _, count := range m.pools {
			threads += count
		}
		if m.session > 0 {
			in = fmt.Sprintf(" in recording %d", m.session+1)
		}
		findings = append(findings, Finding{Kind: Leak, Certainty: Possible, Total: noTotal, own: threads < leak,
			Threads: []Thread{threadOf(m.first.ID.String(), m.first.Name)}, Command: f.command(More{Analysis: "stats"}),
			Summary: fmt.Sprintf("%d threads of %d %s live%s, such as %s: possibly these are created again and again, and never %s.",
				threads, len(m.pools), p.what, in, m.first.Title(), p.end)})
	}
	return findings
}

// neverEnd reports whether another finding names who started threads with this prefix, and that these never ended.
func (f *facts) neverEnd(name string) bool {
	return f.Statistics != nil && f.Statistics.Workers != nil && slices.ContainsFunc(f.Statistics.Workers.NeverEnded,
		func(n *contention.NeverEnded) bool { return strings.HasPrefix(n.Pool, name) })
}
