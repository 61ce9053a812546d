package diagnosis

import (
	"fmt"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/internal/phrase"
)

// troubles returns findings on what the JVM reports besides the actions of threads.
func (f *facts) troubles() (findings []Finding) {
	for i := range f.Statistics.Traces {
		for _, t := range f.Statistics.Traces[i].Troubles {
			if t.Kind == "collector" {
				findings = append(findings, f.collectorThreads(&t)...)
				continue
			}
			begin, known := troubleTexts[t.Kind]
			if !known || t.Longest < leastTrouble && t.Total < f.length()/troubleOfRun {
				continue
			}
			found := Finding{Kind: Pause, Certainty: Seen, Total: t.Total, Command: f.command(More{Analysis: "stats"}),
				Summary: begin + timesOf(&t)}
			if t.Kind == "pinned" {
				found.Kind = Pinned
			}
			findings = append(findings, found)
		}
	}
	return findings
}

// A trouble is worth a finding if it lasted for a second at once, or for 1/20 of the run in all.
const leastTrouble, troubleOfRun = 1_000_000_000, 20

// troubleTexts are the beginnings of the sentences on the kinds of troubles; how long they lasted follows.
var troubleTexts = map[string]string{
	"pinned":    "Virtual threads kept their carriers while they waited, for ",
	"safepoint": "Threads that the JVM had stopped waited until all others had stopped, too, for ",
	"operation": "The JVM stopped the program, not for a garbage collection, for ",
}

// A garbage collector is worth a finding if its threads used half of the CPU time of all threads, and longWait and
// 1/20 of a processor at least: on a busy machine the JVM gets little.
const leastCollecting, collectingOfRun = 2, 20

// collectorThreads returns a finding on a garbage collector whose threads took most of the CPU time.
func (f *facts) collectorThreads(t *contention.Trouble) []Finding {
	var all, length int64
	_, err := fmt.Sscan(t.What, &all, &length)
	if err != nil || t.Total < max(all/leastCollecting, longWait, length/collectingOfRun) {
		return nil
	}
	since := "in the last dump, since the first one"
	if f.dumps() == 1 {
		since = "in the dump, since the JVM began"
	}
	return []Finding{{Kind: Pause, Certainty: Likely, Total: noTotal, Command: f.command(More{Analysis: "stats"}),
		Summary: fmt.Sprintf("The garbage collector used %s of the CPU time of the threads %s: %s in %s.",
			phrase.Percent(t.Total, all), since, phrase.Duration(t.Total), phrase.Duration(length)),
		Evidence: []string{"Perhaps the heap is nearly full, as jcmd PID GC.heap_info shows, or the program calls System.gc again and again."}}}
}

func timesOf(t *contention.Trouble) string {
	what := ""
	if t.What != "" {
		what = " " + phrase.Name(t.What)
	}
	if t.Count == 1 {
		return phrase.Duration(t.Total) + what + "."
	}
	return fmt.Sprintf("%s in all (%s times, longest %s%s).", phrase.Duration(t.Total), phrase.Number(t.Count),
		phrase.Duration(t.Longest), what)
}
