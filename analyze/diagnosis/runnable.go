package diagnosis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/samples"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// runnable returns findings on threads that thread dumps show RUNNABLE: threads in native code for input or output,
// because a dump does not say whether an answer has come; and in a single dump some others, because it does not say
// whether they get on. Threads at one place are one finding.
func (f *facts) runnable() (findings []Finding) {
	dumps := f.dumps()
	if findings = slices.DeleteFunc(f.inIO(), f.waitedThere); len(findings) > 0 {
		return findings
	}
	if dumps == 0 && (f.Recorded == 0 || f.Statistics == nil || f.Statistics.Samples == nil) {
		return nil
	}
	type place struct {
		method        *trace.ModelMethod
		line          int32
		native, locks bool
	}
	var groups [][]samples.Runnable
	known, named := map[place]int{}, 0
	for _, r := range f.Statistics.Samples.Runnable {
		isBusy := func(b samples.Busy) bool { return b.Thread.Key == r.Thread.Key }
		if ofTool(r.Name) || f.Recorded > 0 && (!r.All || !f.neverActs(r.Thread.ID)) ||
			!r.Native && dumps != 1 || dumps == 1 && slices.ContainsFunc(f.Statistics.Samples.Busy, isBusy) {
			continue
		}
		at := place{r.Place.Method, r.Place.Line, r.Native, r.Locks}
		if n, ok := known[at]; ok {
			groups[n] = append(groups[n], r)
			continue
		}
		if !r.Native {
			if named++; named > maxListed {
				continue
			}
		}
		known[at] = len(groups)
		groups = append(groups, []samples.Runnable{r})
	}
	for _, g := range groups {
		findings = append(findings, f.runnableAt(g, dumps))
	}
	return findings
}

// inIO returns findings on threads that a profiler saw in native code, for input or output: it does not say whether
// they wait for it. Threads at one place are one finding.
func (f *facts) inIO() (findings []Finding) {
	if f.Statistics == nil || f.Statistics.Samples == nil || f.Recorded > 0 {
		return nil
	}
	var groups [][]samples.InIO
	known := map[string]int{}
	for _, io := range f.Statistics.Samples.InIO {
		place := wording.Frame(io.Place)
		n, ok := known[place]
		if !ok {
			n = len(groups)
			known[place], groups = n, append(groups, nil)
		}
		groups[n] = append(groups[n], io)
	}
	for _, g := range groups {
		findings = append(findings, f.inIOAt(g))
	}
	return findings
}

// waitedThere reports whether waits for input or output are known at the place of the finding, which say more.
func (f *facts) waitedThere(found Finding) bool {
	return slices.ContainsFunc(f.others, func(g blame.Group) bool {
		at, in := g.Longest.Caller, found.Places[0][0]
		return g.Longest.State == trace.StateInIO && g.Total >= f.length()/leastOfRun &&
			at.Method != nil && at.Method.Same(in.Method) && at.Line == in.Line
	})
}

// inIOAt returns a finding on threads that a profiler saw in native code at one place.
func (f *facts) inIOAt(all []samples.InIO) Finding {
	first := &all[0]
	found := Finding{Kind: IO, Certainty: Possible, Total: noTotal, own: true, Waiting: len(all),
		Threads: []Thread{threadOf(first.Thread.ID.String(), first.Name)}, Places: [][]trace.Frame{{first.Place}},
		Command: f.command(More{Analysis: "stats"})}
	who, its := found.Threads[0].title()+" was", "its"
	if len(all) > 1 {
		who, its, found.Threads = phrase.Count(len(all), "thread")+" were", "their", nil
	}
	seen, of := uint64(0), uint64(0)
	for i := range all {
		seen, of = seen+all[i].Seen, of+all[i].Of
	}
	found.Summary = fmt.Sprintf("%s in native code, for input or output, at %s in %s of %s %s samples.", who,
		wording.Frame(first.Place), phrase.Number(seen), its, phrase.Number(of))
	return found
}

// runnableAt returns a finding on threads that dumps show RUNNABLE at one place.
func (f *facts) runnableAt(all []samples.Runnable, dumps int) Finding {
	first := &all[0]
	found := Finding{Kind: IO, Certainty: Possible, Total: noTotal, own: true, Waiting: len(all),
		Threads: []Thread{threadOf(first.Thread.ID.String(), first.Name)}, Places: [][]trace.Frame{{first.Place}},
		Command: f.command(More{Analysis: "stats"})}
	who, they := found.Threads[0].title()+" is", "it gets"
	if len(all) > 1 {
		var names []string
		for i := range all {
			names = append(names, all[i].Name)
		}
		who, they, found.Threads = phrase.Count(len(all), "thread")+ofPool(names)+" are", "they get", nil
	}
	at := wording.Frame(first.Place)
	if slices.ContainsFunc(all, func(r samples.Runnable) bool { return wording.Frame(r.Place) != at }) {
		at += " and elsewhere" // other calls led to the same place
	}
	if !first.Native {
		found.Kind, found.Waiting, found.Summary = CPU, 0, who+" RUNNABLE at "+at+"."
		found.Evidence = []string{"Several dumps show whether " + they + " on."}
		return found
	}
	inAll := ""
	if dumps != 1 && !slices.ContainsFunc(all, func(r samples.Runnable) bool { return !r.All }) {
		inAll = ", in all dumps"
	}
	what := "input or output"
	if first.Locks {
		what = "the lock of a file"
	}
	found.Summary = fmt.Sprintf("%s in native code, for %s, at %s%s.", who, what, at, inAll)
	if inAll != "" && len(all) == 1 && f.length() >= longWait {
		found.serveNothing(first.Name)
	}
	return found
}

// neverActs reports whether the trace has neither an action nor a wait of the thread: it is only known to be RUNNABLE.
func (f *facts) neverActs(id trace.ThreadID) bool {
	for t := range f.Blame.Threads {
		if t.ID == id {
			w, lives := f.Blame.Last(t.Key)
			return lives && w.Type == trace.Running && w.Length() >= f.length()-f.length()/10
		}
	}
	return false
}

// tools are the prefixes of names of threads by which tools talk to a JVM that they have started.
var tools = []string{"surefire-", "Monitor Ctrl-Break"}

func ofTool(thread string) bool {
	return slices.ContainsFunc(tools, func(name string) bool { return strings.HasPrefix(thread, name) })
}
