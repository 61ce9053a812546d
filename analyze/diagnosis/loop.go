package diagnosis

import (
	"fmt"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// A thread sleeps in a loop that slept at least leastSleeps times, for at most longestSleep on average, for 9/10 of the
// recording, and hardly waited for anything else.
const (
	leastSleeps  = 10
	longestSleep = 100_000_000
)

// waitLoops returns a finding on several threads of a process that slept in a loop. Such threads may let each other in
// for ever: a trace shows neither attempts to get a lock without waiting, nor changes of variables.
func (f *facts) waitLoops() []Finding {
	if f.Recorded == 0 || f.Statistics == nil || f.Blame == nil {
		return nil
	}
	slept := map[string]*contention.Times{}
	for _, t := range f.Statistics.Threads {
		slept[t.ID] = &t.Times
	}
	found := Finding{Kind: WaitLoop, Certainty: Possible, own: true, idle: true, Command: f.command(More{Analysis: "stats"})}
	count, total, example := uint64(0), uint64(0), ""
	for t := range f.Blame.Threads {
		times := slept[t.ID.String()]
		if times == nil || f.servesJVM(t) || isMain(&t) || !f.sleepsInLoop(times) || f.ticking[t.Key] >= leastTurns {
			continue // of a thread that ticks it is known that others wait for what it does
		}
		w := f.lastSleep(t)
		if w.Caller.Method == nil {
			continue
		}
		if len(found.Threads) == 0 {
			example = t.Title() + at(&w)
		}
		if len(found.Threads) < maxBlamed {
			found.Threads = append(found.Threads, threadOf(t.ID.String(), t.Name))
			found.Places = append(found.Places, []trace.Frame{w.Caller})
		}
		found.Waiting++
		count, total = count+times.Of(contention.Slept).Count, histogram.Sum(total, times.Of(contention.Slept).Total)
	}
	if found.Waiting < 2 {
		return nil
	}
	found.Total = histogram.Signed(total)
	found.Summary = fmt.Sprintf("%d threads slept again and again, such as %s: %s in all, in %s sleeps.", found.Waiting, example,
		phrase.Total(total), phrase.Number(count))
	found.Evidence = []string{"They may well poll, or keep a pace. The trace does not show what they try: if each waits until " +
		"it can have what another one has, such as by tryLock, they may never get on."}
	return []Finding{found}
}

func (f *facts) sleepsInLoop(times *contention.Times) bool {
	sleeps, length := times.Of(contention.Slept), uint64(f.length())
	others := uint64(0)
	for _, kind := range []contention.Kind{contention.Blocked, contention.Waited, contention.Joined} {
		others = histogram.Sum(others, times.Of(kind).Total)
	}
	return sleeps.Count >= leastSleeps && sleeps.Mean() <= longestSleep && sleeps.Total >= length-length/10 &&
		others < length/20
}

// lastSleep is the thread's last sleep; the zero Wait if it is long ago.
func (f *facts) lastSleep(t critical.Thread) (w blame.Wait) {
	const moments = 8
	for i := range moments {
		w = f.Blame.During(t.Key, f.Blame.End()-trace.Time(i)*longestSleep/moments)
		if w.Type == trace.Sleeping {
			return w
		}
	}
	return blame.Wait{}
}
