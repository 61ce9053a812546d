package switchlog

import "github.com/trcx/trcx/trace"

// Rules describes what the reader finds wrong with a log.
var Rules = []trace.ReaderRule{
	{
		ID: RuleFields, Severity: trace.Error,
		Summary:     "a record lacks something; a warning where it has something more",
		Explanation: `A record is such as Thread-4711, wait, Thread-4711, active 8 ms. It is left out, and reading goes on at the next Thread- that can begin one.`,
	},
	{
		ID: RuleAction, Severity: trace.Error,
		Summary:     "an action that no thread can do",
		Explanation: `The message lists the actions. The record is left out. Usually the name is misspelt, or the line is one of another log.`,
	},
	{
		ID: RuleActive, Severity: trace.Error,
		Summary:     "how long a thread was active cannot be read, or cannot be",
		Explanation: `It is a whole number of milliseconds, such as active 8 ms, and all of them together are less than 140 years.`,
	},
	{
		ID: RuleOrder, Severity: trace.Warning,
		Summary: "a record contradicts one before it",
		Explanation: `Nobody is woken who does not wait, no thread starts twice, and none wakes itself. A wait is put in where one is missing, marked as inferred. Usually a record is
missing, or two threads have the same hash code.`,
	},
	{
		ID: RuleNone, Severity: trace.Error,
		Summary:     "there is no switch in the log",
		Explanation: `The log is empty, or none of its records can be read. A switch is such as Thread-32452561, start, Thread-60934352. Usually the file is another one.`,
	},
	{
		ID: RuleThreads, Severity: trace.Warning,
		Summary: "more threads than are remembered; said once",
		Explanation: `A log does not say when a thread ends. One that is not seen while more than 65,536 others are is taken to have ended; should it come again, it is
another thread.`,
	},
	{
		ID: RuleLong, Severity: trace.Error,
		Summary:     "a line of more than 1 MiB, which is left out",
		Explanation: `Usually the file is no log of switches, or has lost its line ends.`,
	},
	{
		ID: RuleTruncated, Severity: trace.Error,
		Summary:     "the log ends inside of a record, which is left out",
		Explanation: `Usually the recorded JVM was killed, or the copy was interrupted.`,
	},
}
