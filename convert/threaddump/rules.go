package threaddump

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// The rules by which the reader finds something. Rules describes each.
const (
	ruleTruncated    = "threaddump-truncated"
	ruleThread       = "threaddump-thread"
	ruleLine         = "threaddump-line"
	ruleJSON         = "threaddump-json"
	ruleMixed        = "threaddump-mixed"
	ruleThreadTwice  = "threaddump-thread-twice"
	ruleOwners       = "threaddump-owners"
	ruleDeadlock     = "threaddump-deadlock"
	ruleHead         = "threaddump-head"
	ruleOtherProcess = "threaddump-other-process"
	ruleForms        = "threaddump-forms"
	ruleTime         = "threaddump-time"
	ruleLong         = "threaddump-line-too-long"
	ruleTooLarge     = "threaddump-too-large"
	ruleEmpty        = "threaddump-empty"
	ruleNone         = "threaddump-none"
)

// Rules describes what the reader finds wrong with dumps.
func Rules() []trace.ReaderRule { return slices.Clone(rules) }

var rules = []trace.ReaderRule{
	{
		ID: ruleTruncated, Severity: trace.Error,
		Summary: "a dump has no end; everything before is used",
		Explanation: `A printed dump ends with the line JNI global refs, or with the JVM's list of deadlocks and
their number; a dump in JSON ends where its first brace is closed. All threads up to the cut are used, the last
one with the calls that it has; missing threads have not ended. Usually the copy was interrupted, or the program
ended while it printed.`,
	},
	{
		ID: ruleThread, Severity: trace.Error,
		Summary: "the first line of a thread is invalid, or a thread in JSON has no id or is not an object",
		Explanation: `The first line of a thread is such as "main" #1 prio=5 tid=0x00007f0a nid=0x1f03 runnable;
in JSON a thread is an object with a "tid". Its calls are left out, and reading resumes at the next thread.`,
	},
	{
		ID: ruleLine, Severity: trace.Error,
		Summary: "a state, a call or an object of a thread cannot be read; the rest of the thread is used",
		Explanation: `A call is such as at app.Main.run(Main.java:17), an object such as - locked
<0x000000060001> (a app.Main), or in JSON app.Main@1b2c. Usually something else was printed into the dump.`,
	},
	{
		ID: ruleJSON, Severity: trace.Error,
		Summary: "a dump in JSON is invalid",
		Explanation: `Reading resumes at the next thread that can be recognized. Usually a file was edited, damaged,
or put together from parts.`,
	},
	{
		ID: ruleMixed, Severity: trace.Error,
		Summary: "two dumps are mixed line by line; a warning if the calls of an exception are in the middle of a " +
			"thread",
		Explanation: `A dump is printed line by line, and another one, or an exception, may be printed at the same
time. Lines that contradict each other are reported; calls in the wrong thread cannot be detected. The output of
jcmd PID Thread.print is never mixed.`,
	},
	{
		ID: ruleThreadTwice, Severity: trace.Error,
		Summary: "a thread occurs twice in one dump; the first occurrence is used",
		Explanation: `A thread has one id, and occurs once in a dump. Usually two dumps are mixed, or the head of the
second one is missing.`,
	},
	{
		ID: ruleOwners, Severity: trace.Warning,
		Summary: "two threads have one object",
		Explanation: `A monitor has one owner at a time, so one of the two is out of date. The first one is read as the
owner. Dumps that visit one thread after the other (Thread.dump_to_file) can have this.`,
	},
	{
		ID: ruleDeadlock, Severity: trace.Warning,
		Summary: "the JVM reports a deadlock that does not follow from the threads",
		Explanation: `The deadlocks under Found one Java-level deadlock should follow from the monitors that each thread
holds and wants. Usually lines of the dump are missing.`,
	},
	{
		ID: ruleHead, Severity: trace.Warning,
		Summary: "threads without the head of a dump",
		Explanation: `A printed dump begins with the time and the line Full thread dump. Without them the time of the
dump is unknown. Usually the dump was copied without its beginning.`,
	},
	{
		ID: ruleOtherProcess, Severity: trace.Warning,
		Summary: "a dump of a series is of another process",
		Explanation: `Threads of different processes are unrelated: ids of threads of the second one end in @2. The
earlier threads are read as live up to the end of the trace. Pass dumps of several processes as several inputs.`,
	},
	{
		ID: ruleForms, Severity: trace.Warning,
		Summary: "one input has dumps of several forms; reported once",
		Explanation: `All are read. But printed dumps have local times and the addresses of objects; dumps of
Thread.dump_to_file have UTC and the hashes of objects, or no objects. So an idle thread seems to change in the
next dump. Pass dumps of several forms as several inputs.`,
	},
	{
		ID: ruleTime, Severity: trace.Warning,
		Summary: "the time of a dump goes back, or cannot be read",
		Explanation: `Dumps are in the order of time, each with a time such as 2026-11-22 05:00:51. A time that goes
back is read as the previous dump's time; a missing one, as 1 s later. Usually files were joined in another
order, or a clock was set.`,
	},
	{
		ID: ruleLong, Severity: trace.Error,
		Summary:     "a line exceeds 1 MiB; it is skipped",
		Explanation: `Lines of dumps are shorter. Usually a program printed something else into the dump.`,
	},
	{
		ID: ruleTooLarge, Severity: trace.Error,
		Summary: "a dump exceeds the limits of threads or names; a warning if a call stack is cut",
		Explanation: `docs/formats/threaddump.md has the limits. The excess is left out; of a call stack the innermost
calls are used.`,
	},
	{
		ID: ruleEmpty, Severity: trace.Error,
		Summary: "a dump has no thread that can be read",
		Explanation: `Every JVM has a thread. Usually the dump was changed on its way: it was copied from the source of
a web page, where &quot; is a quotation mark, or lines were removed. Its threads are unknown, so it does not show
that the process has no deadlock.`,
	},
	{
		ID: ruleNone, Severity: trace.Error,
		Summary:     "the input has no thread dump",
		Explanation: `A dump has a line Full thread dump, or is a file of jcmd PID Thread.dump_to_file.`,
	},
}
