package wording

import "github.com/trcx/trcx/internal/phrase"

// NoStacks is the note of an answer that lacks places in the program.
const NoStacks = "Some of these waits have no call stack in the trace, so their places in the program are unknown. " +
	"trcx record writes call stacks, unless it is told not to."

// Unreported returns the note of an answer about a trace that lacks waits of a kind, as its recorder may not report
// them; "" if it has all kinds.
func Unreported(parks, io bool) string {
	var kinds []string
	if !parks {
		kinds = append(kinds, "waits in java.util.concurrent")
	}
	if !io {
		kinds = append(kinds, "waits for input or output")
	}
	if len(kinds) == 0 {
		return ""
	}
	return "The trace has no " + phrase.List(kinds, "and no") + ": if there were any, they count as RUNNABLE."
}

// Deadlocked is a sentence on the number of threads of deadlocks; "" for 0. Threads of possible ones may have gone on.
func Deadlocked(threads int, possible bool) string {
	switch {
	case threads == 0:
		return ""
	case possible:
		return phrase.Count(threads, "thread") + " waited for each other when the trace ended, but may have gone on: see trcx " +
			"deadlocks."
	}
	return phrase.Count(threads, "thread is", "threads are") + " deadlocked: see trcx deadlocks."
}
