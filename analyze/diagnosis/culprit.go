package diagnosis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// culprit is a thread to blame, in one state, whatever its place.
type culprit struct {
	Thread
	key   trace.ThreadKey
	title string
	kind  blame.Kind
	state trace.State
	own   bool
	total int64
	place trace.Frame // where it was longest, if it did not run
	there int64       // how long it was there
	// measured is the part of the total with a known processor time, and onCPU the part of that on a processor.
	measured, onCPU int64
}

// culpritsOf returns the culprits without regard to their places, the largest first.
func culpritsOf(rows []blame.CulpritRow) (all []culprit) {
	type key struct {
		thread trace.ThreadKey
		kind   blame.Kind
		state  trace.State
		own    bool
	}
	at := make(map[key]int, len(rows))
	all = make([]culprit, 0, len(rows))
	for i := range rows {
		r := &rows[i]
		k := key{r.Thread.Key, r.Kind, r.As, r.Own}
		n, known := at[k]
		if !known {
			n = len(all)
			at[k] = n
			all = append(all, culprit{Thread: threadOf(r.Thread.ID.String(), r.Thread.Name), title: r.Thread.Title(),
				kind: r.Kind, state: r.As, own: r.Own, key: r.Thread.Key})
		}
		c := &all[n]
		c.total = histogram.Sum(c.total, r.Total)
		c.measured, c.onCPU = histogram.Sum(c.measured, r.Measured), histogram.Sum(c.onCPU, r.OnCPU)
		if r.Kind == blame.Segment && r.As != trace.StateRunnable && len(r.Places) > 0 && r.Places[0].Total > c.there {
			c.place, c.there = r.Places[0].Frame, r.Places[0].Total
		}
	}
	slices.SortStableFunc(all, func(a, b culprit) int { return cmp.Compare(b.total, a.total) })
	return all
}

// isOfJVM reports whether the culprit is one of the JVM's threads, and was not in the program's code.
func (f *facts) isOfJVM(c *culprit) bool {
	return c.key != 0 && f.Blame.OfJVM(c.key) && (c.place.Method == nil || enrich.IsLibrary(c.place.Method.Class))
}

// waitsLike reports whether the culprit only waited where the thread did. A thread that gives up waiting for a permit
// lets the next one look, too.
func (c *culprit) waitsLike(w *blame.Wait) bool {
	return c.state == w.State && isSameCall(&c.place, &w.Caller)
}

// isSameCall reports whether both are one line of one method, whatever called it.
func isSameCall(a, b *trace.Frame) bool {
	return a.Method != nil && b.Method != nil && a.Line == b.Line && a.Method.Same(b.Method)
}

// totalOf is the time of all culprits.
func totalOf(all []culprit) (total int64) {
	for i := range all {
		total = histogram.Sum(total, all[i].total)
	}
	return total
}

// reaper is the JDK's thread that waits in native code for the end of a process that the program has started.
// Later JDKs add the id of the process to its name.
const reaper = "process reaper"

func isReaper(name string) bool { return name == reaper || strings.HasPrefix(name, reaper+" (pid ") }

// isSelector reports whether the thread of the name waits for the responses to an HttpClient's requests.
func isSelector(name string) bool {
	return strings.HasPrefix(name, "HttpClient-") && strings.HasSuffix(name, "-SelectorManager")
}

// isOfHTTPClient reports whether the culprit waited for the responses to an HttpClient's requests, or handed them on.
// The workers of such a client also run tasks of the program.
func (c *culprit) isOfHTTPClient() bool {
	isWorker := strings.HasPrefix(c.Name, "HttpClient-") && strings.Contains(c.Name, "-Worker-")
	return isSelector(c.Name) || isWorker && (c.place.Method == nil || enrich.IsLibrary(c.place.Method.Class))
}

// named returns the threads that are to blame for at least 5 % of the time, and their places.
func named(all []culprit, total int64) (threads []Thread, places [][]trace.Frame) {
	for i := range all {
		c := &all[i]
		if c.total < total/leastNamed || c.ID == "" || isReaper(c.Name) || isSelector(c.Name) || len(threads) == 3 ||
			slices.Contains(threads, c.Thread) {
			continue
		}
		threads = append(threads, c.Thread)
		if c.place.Method != nil {
			places = append(places, []trace.Frame{c.place})
		}
	}
	return threads, places
}

// blamed says who let the threads wait: "for 90 % of that EventThread (thread 12) was SLEEPING at app.Events.deliver".
// The last argument says to what the share refers: "that", or "the finished ones".
func blamed(all []culprit, total int64, that string) string {
	first := all[0]
	who, was, sum := first.title, "was", first
	for i := range all[1:] {
		if c := &all[i+1]; c.kind == first.kind && c.state == first.state && c.Pool == first.Pool {
			sum.add(c)
		}
	}
	if strings.Contains(first.Pool, "*") && first.total < sum.total-sum.total/5 {
		who, was, first = "threads of "+phrase.Name(first.Pool), "were", sum
	}
	part := first.total
	share := phrase.Percent(part, total)
	switch first.kind {
	case blame.Paused:
		return fmt.Sprintf("for %s of %s a garbage collection stopped the program", share, that)
	case blame.Latency:
		return fmt.Sprintf("for %s of %s %s had let a thread go on that did not run yet", share, that, who)
	}
	if isSelector(first.Name) && first.state != trace.StateRunnable {
		return fmt.Sprintf("for %s of %s no HTTP response had come", share, that)
	}
	if isReaper(first.Name) && first.state == trace.StateRunnable {
		return fmt.Sprintf("for %s of %s another process ran, whose end %s awaited", share, that, who)
	}
	text := fmt.Sprintf("for %s of %s %s %s %s", share, that, who, was, first.state)
	place := wording.Frame(first.place)
	switch {
	case place != "" && first.there >= part-part/leastNamed:
		text += " at " + place
	case place != "" && first.there >= part/2:
		text += ", mostly at " + place
	case place != "":
		text += ", such as at " + place
	case first.state == trace.StateRunnable && first.measured >= part-part/leastNamed && !first.computed():
		text += ", but only for " + phrase.Percent(first.onCPU, first.measured) + " of that on a processor"
	}
	return text
}

// add adds what another culprit did.
func (c *culprit) add(other *culprit) {
	c.total = histogram.Sum(c.total, other.total)
	c.measured, c.onCPU = histogram.Sum(c.measured, other.measured), histogram.Sum(c.onCPU, other.onCPU)
	if c.place == other.place {
		c.there = histogram.Sum(c.there, other.there)
	}
}

// computed reports whether it was on a processor for most of the time for which that is known.
func (c *culprit) computed() bool { return c.onCPU > c.measured-c.onCPU }
