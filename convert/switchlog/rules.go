package switchlog

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// Rules describes the findings of Read.
func Rules() []trace.ReaderRule { return slices.Clone(rules) }

var rules = []trace.ReaderRule{
	{
		ID: ruleFields, Severity: trace.Error,
		Summary: "a record lacks something; a warning if it has something more",
		Explanation: `A record is such as Thread-4711, wait, Thread-4711, active 8 ms. It is skipped, and
reading resumes at the next Thread- that can begin one.`,
	},
	{
		ID: ruleAction, Severity: trace.Error,
		Summary: "an action is unknown",
		Explanation: `The message lists the actions. The record is skipped. Usually the name is misspelt, or the
line is one of another log.`,
	},
	{
		ID: ruleActive, Severity: trace.Error,
		Summary:     "the active time of a thread is invalid",
		Explanation: `It is a whole number of milliseconds, such as active 8 ms. The sum of all is less than 140 years.`,
	},
	{
		ID: ruleOrder, Severity: trace.Warning,
		Summary: "a record contradicts an earlier one",
		Explanation: `Only waiting threads are woken, no thread starts twice, and none wakes itself. A missing
wait is inserted, marked as inferred. Usually a record is missing, or two threads have the same hash code.`,
	},
	{
		ID: ruleNone, Severity: trace.Error,
		Summary: "the log has no switch",
		Explanation: `The log is empty, or none of its records is valid. A switch is such as Thread-32452561,
start, Thread-60934352. Usually the file is another one.`,
	},
	{
		ID: ruleThreads, Severity: trace.Warning,
		Summary: "more threads than are tracked; reported once",
		Explanation: `A log has no ends of threads. A thread that does not occur among 65,536 others is assumed
to have ended; if its name occurs again, it is another thread.`,
	},
	{
		ID: ruleLong, Severity: trace.Error,
		Summary:     "a line exceeds 1 MiB; it is skipped",
		Explanation: `Usually the file is no log of switches, or has lost its line ends.`,
	},
	{
		ID: ruleTruncated, Severity: trace.Error,
		Summary:     "the log ends inside a record, which is skipped",
		Explanation: `Usually the recorded JVM was killed, or the copy was interrupted.`,
	},
}
