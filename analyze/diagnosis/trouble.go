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
