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

// manyPools returns a finding for each kind of pool that is very numerous among the live threads when the trace ends.
// Who created the pools is unknown: a thread dump has no starts, and a recording may have begun later.
func (f *facts) manyPools() (findings []Finding) {
	if f.Blame == nil {
		return nil
	}
	type pool struct {
		session int
		number  string
	}
	all, first := make([]map[pool]int, len(numberedPools)), make([]critical.Thread, len(numberedPools))
	for t := range f.Blame.Threads {
		i := slices.IndexFunc(numberedPools, func(p numberedPool) bool { return p.number(t.Name) != "" })
		if i < 0 {
			continue
		}
		if _, lives := f.Blame.Last(t.Key); !lives {
			continue
		}
		if all[i] == nil {
			all[i], first[i] = map[pool]int{}, t
		}
		all[i][pool{t.Session, numberedPools[i].number(t.Name)}]++
	}
	for i, pools := range all {
		if len(pools) < leastPools || f.neverEnd(numberedPools[i].before) {
			continue
		}
		threads := 0
		for _, count := range pools {
			threads += count
		}
		findings = append(findings, Finding{Kind: Leak, Certainty: Possible, Total: noTotal, own: threads < leak,
			Threads: []Thread{threadOf(first[i].ID.String(), first[i].Name)}, Command: f.command(More{Analysis: "stats"}),
			Summary: fmt.Sprintf("%d threads of %d %s live, such as %s: possibly these are created again and again, and never %s.",
				threads, len(pools), numberedPools[i].what, first[i].Title(), numberedPools[i].end)})
	}
	return findings
}

// neverEnd reports whether another finding names who started threads with this prefix, and that these never ended.
func (f *facts) neverEnd(name string) bool {
	return f.Statistics != nil && f.Statistics.Workers != nil && slices.ContainsFunc(f.Statistics.Workers.NeverEnded,
		func(n *contention.NeverEnded) bool { return strings.HasPrefix(n.Pool, name) })
}
