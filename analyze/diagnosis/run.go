package diagnosis

import (
	"fmt"
	"slices"
	"time"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// leastReady is the part of the run for which threads must be ready for a processor to be worth a finding: a quarter.
const leastReady = 4

// deadlocks returns a finding for each deadlock.
func (f *facts) deadlocks() (findings []Finding) {
	if f.Deadlocks == nil {
		return f.deadlockedThreads()
	}
	for i := range f.Deadlocks.Deadlocks {
		d := &f.Deadlocks.Deadlocks[i]
		found := Finding{Kind: Deadlock, Certainty: Proven, Total: noTotal,
			Waiting: len(d.Members) + len(d.Stuck) + d.More, Summary: f.Deadlocks.Sentence(d),
			Command: f.command(More{Analysis: "deadlocks"})}
		if d.Init() {
			found.Kind = InitLoop
		}
		if f.Deadlocks.IsPossible(d) {
			found.Certainty = Possible
		}
		for j := range d.Members {
			m := &d.Members[j]
			found.Threads = append(found.Threads, threadOf(m.Thread.ID.String(), m.Thread.Name))
			if m.Caller.Method != nil {
				found.Places = append(found.Places, []trace.Frame{m.Caller})
			}
		}
		findings = append(findings, found)
	}
	return findings
}

// deadlockedThreads returns the finding on deadlocks from statistics alone: the number of threads in them.
func (f *facts) deadlockedThreads() []Finding {
	if f.Statistics == nil || f.Statistics.Deadlocked() == "" {
		return nil
	}
	found := Finding{Kind: Deadlock, Certainty: Proven, Total: noTotal, Summary: f.Statistics.Deadlocked()}
	if slices.ContainsFunc(f.Statistics.Traces, contention.Trace.IsPossible) {
		found.Certainty = Possible
	}
	return []Finding{found}
}

// deadlocked has the objects on which the members of deadlocks are blocked.
func (f *facts) deadlocked() map[identity]bool {
	ids := map[identity]bool{}
	for _, id := range f.joins {
		ids[id] = true
	}
	for _, loop := range f.loops {
		for _, key := range loop {
			ids[identityOf(&f.stuck[key].Object)] = true
		}
	}
	if f.Deadlocks == nil {
		return ids
	}
	for i := range f.Deadlocks.Deadlocks {
		for j := range f.Deadlocks.Deadlocks[i].Members {
			m := &f.Deadlocks.Deadlocks[i].Members[j]
			ids[identity{m.Thread.Session, m.Monitor.ID}] = true
		}
	}
	return ids
}

// run returns findings on the run as a whole: pauses, and processors that were lacking.
func (f *facts) run() (findings []Finding) {
	s := f.Statistics
	if s == nil {
		return f.path()
	}
	collected, recorded := s.Collected()
	paused, duration := collected.Paused, f.length()
	runnable, used := s.Runnable()
	// stopped is the time in pauses of all threads that would have run.
	stopped := uint64(float64(paused) * max(1, float64(runnable)/float64(max(recorded, 1))))
	if paused > 0 && !s.Selected {
		small := paused < uint64(recorded)/leastPaused && collected.Longest < longPause
		findings = append(findings, Finding{Kind: Pause, Certainty: Seen, Total: histogram.Signed(stopped), own: small,
			Summary: fmt.Sprintf("The garbage collector stopped the program for %s, %s of the run (%s).", phrase.Total(paused),
				phrase.Percent(histogram.Signed(paused), recorded), phrase.Count(collected.Count, "collection")),
			Command: f.command(More{Analysis: "stats"})})
	}
	if !s.Selected {
		findings = append(findings, f.troubles()...)
	}
	runnable -= min(f.inNative(), runnable)
	ready := runnable - min(used+stopped, runnable)
	if ready > runnable/2 && ready > uint64(duration)/leastReady && !f.isDumped() {
		findings = append(findings, f.starved(runnable, used, ready))
	}
	return findings
}

// Collections that stop the program for less than a twentieth of the run, and never for long, are no fault.
const (
	leastPaused = 20
	longPause   = int64(500 * time.Millisecond)
)

// inNative is the time of the program's pools that could run, but used less than a hundredth of it: they wait in native
// code, for example for the output of another process.
func (f *facts) inNative() (sum uint64) {
	for _, p := range f.Statistics.Pools {
		if time := p.Processors; !p.OfJVM && time.OnCPU < time.Runnable/100 {
			sum = histogram.Sum(sum, time.Runnable)
		}
	}
	return sum
}

// starved returns the finding that threads were ready for a processor for this time, and the pool that was most.
func (f *facts) starved(runnable, used, ready uint64) Finding {
	found := Finding{Kind: CPUStarved, Certainty: Likely, Total: histogram.Signed(ready), Command: f.command(More{Analysis: "stats"})}
	who, they := "Threads", "they were"
	for _, p := range f.Statistics.Pools {
		if time := p.Processors; !p.OfJVM && time.Ready() > ready/2 && time.OnCPU >= time.Runnable/100 {
			runnable, used, ready = time.Runnable, time.OnCPU, time.Ready()
			who = phrase.Name(p.Name)
			switch {
			case p.Threads > 1 && time.Threads == 0:
				who = "Threads of " + who
			case p.Threads > 1:
				who = phrase.Count(int(time.Threads), "thread") + " of " + who
			}
			if p.Threads == 1 || time.Threads == 1 {
				they = "it was"
			}
			found.Threads, found.Waiting = []Thread{{Pool: p.Name}}, int(time.Threads)
			found.Total = histogram.Signed(ready)
			break
		}
	}
	found.Summary = fmt.Sprintf("%s could run for %s, but only for %s of that on a processor: %s ready for one, or in waits "+
		"that the trace does not have, for %s.", who, phrase.Total(runnable),
		phrase.Percent(histogram.Signed(used), histogram.Signed(runnable)), they, phrase.Total(ready))
	return found
}

// path returns findings on what the run's time depended on, if it ended by itself: the threads that ran, slept, or did
// input or output on the critical path for at least a third of it. They are no faults, so a diagnosis of the whole
// trace does not have them.
func (f *facts) path() (findings []Finding) {
	if f.Path == nil || f.Path.Ending.IsArbitrary() {
		return nil
	}
	type doing struct {
		thread trace.ThreadKey
		state  trace.State
	}
	type time struct {
		total   int64
		longest critical.Piece
	}
	times := map[doing]time{}
	for p := range f.Path.Pieces() {
		if p.Kind != critical.Segment {
			continue
		}
		of := times[doing{p.Thread.Key, p.Name}]
		if of.total += p.Length(); p.Length() > of.longest.Length() {
			of.longest = *p
		}
		times[doing{p.Thread.Key, p.Name}] = of
	}
	for key, of := range times {
		kind, ok := pathKinds[key.state]
		if !ok || of.total < f.Path.Length()/3 {
			continue
		}
		p := &of.longest
		text := fmt.Sprintf("%s; for %s of that %s was %s", f.Path.Took(),
			phrase.Percent(of.total, f.Path.Length()), p.Thread.Title(), p.Name.InSentence())
		method := ""
		if kind == CPU {
			method = f.methodOf(p.Thread.ID)
		}
		switch place := wording.Frame(p.Caller); {
		case method != "":
			text += ", most of all in " + method
		case place == "":
		case kind == CPU: // that is where it was before it ran
			text += ", longest after " + place
		default:
			text += ", longest at " + place
		}
		findings = append(findings, Finding{Kind: kind, Certainty: Seen, Total: of.total, Summary: text + ".", own: true,
			Threads: []Thread{threadOf(p.Thread.ID.String(), p.Thread.Name)}, Command: f.command(More{Analysis: "path"})})
	}
	return findings
}

// methodOf returns the method that the thread ran most, with its share; "" if that is not known.
func (f *facts) methodOf(id trace.ThreadID) string {
	if hot, ran := f.hotOf(id); ran {
		return hot.String()
	}
	return ""
}

// pathKinds are the kinds of findings, by what threads did on the path.
var pathKinds = map[trace.State]Kind{trace.StateRunnable: CPU, trace.StateInIO: IO, trace.StateSleeping: Sleep}
