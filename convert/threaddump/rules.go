package threaddump

import "github.com/trcx/trcx/trace"

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
var Rules = []trace.ReaderRule{
	{
		ID: ruleTruncated, Severity: trace.Error,
		Summary: "a dump has no end; what is complete is used",
		Explanation: `A printed dump ends with the line JNI global refs, or with the deadlocks that the JVM
found and their number; one in JSON where its first brace is closed. All threads up to the cut are used, the
last one with the calls that it has; threads that are missing have not ended. Usually the copy was interrupted,
or the program ended while it printed.`,
	},
	{
		ID: ruleThread, Severity: trace.Error,
		Summary: "a line begins like one of a thread and is none, or a thread of JSON has no id or is no object",
		Explanation: `A thread is such as "main" #1 prio=5 tid=0x00007f0a nid=0x1f03 runnable, in JSON an object
with a "tid". Its calls are left out, and reading goes on at the next thread.`,
	},
	{
		ID: ruleLine, Severity: trace.Error,
		Summary: "a state, a call or an object of a thread cannot be read; the rest of the thread is used",
		Explanation: `A call is such as at app.Main.run(Main.java:17), an object such as - locked
<0x000000060001> (a app.Main), or in JSON app.Main@1b2c. Usually something else was printed into the dump.`,
	},
	{
		ID: ruleJSON, Severity: trace.Error,
		Summary: "a dump in JSON is no JSON",
		Explanation: `Reading goes on at the next thread that can be recognised. Usually a file was edited,
damaged, or put together from parts.`,
	},
	{
		ID: ruleMixed, Severity: trace.Error,
		Summary: "two dumps are mixed line by line; a warning where the calls of an exception are in the middle " +
			"of a thread",
		Explanation: `A dump is printed line by line, and another one, or an exception, may be printed at the
same time. Lines that contradict each other are reported; calls that landed in the wrong thread cannot be told.
jcmd PID Thread.print writes a dump that nothing can get into.`,
	},
	{
		ID: ruleThreadTwice, Severity: trace.Error,
		Summary: "a thread occurs in one dump twice; the first one is used",
		Explanation: `A thread has one id, and occurs in a dump once. Usually two dumps are mixed, or the head
of the second one is missing.`,
	},
	{
		ID: ruleOwners, Severity: trace.Warning,
		Summary: "two threads have one object",
		Explanation: `A monitor has one owner at a time; one of the two is of another moment. The first one is
taken for the owner. In dumps that look at one thread after the other (Thread.dump_to_file) this can be.`,
	},
	{
		ID: ruleDeadlock, Severity: trace.Warning,
		Summary: "the JVM has found a deadlock that does not follow from the threads",
		Explanation: `What the JVM says under Found one Java-level deadlock should follow from what each thread
has and wants. Usually lines of the dump are missing.`,
	},
	{
		ID: ruleHead, Severity: trace.Warning,
		Summary: "threads come without the head of a dump",
		Explanation: `A printed dump begins with a line that says Full thread dump, and before that with the
time. When these threads were seen is not known. Usually the dump was copied without its beginning.`,
	},
	{
		ID: ruleOtherProcess, Severity: trace.Warning,
		Summary: "a dump of a series is of another process",
		Explanation: `Threads of different processes have nothing to do with each other: those of the second one
have @2 after their ids. Those before are taken to go on up to the end, as nothing says when they ended. Give
dumps of several processes as several inputs.`,
	},
	{
		ID: ruleForms, Severity: trace.Warning,
		Summary: "one input has dumps of several forms; reported once",
		Explanation: `All are read. But printed dumps have local times, and call objects by their addresses;
those of Thread.dump_to_file have UTC, and call objects by their hashes, or do not have them. So a thread that
does nothing seems to do something else in the next dump. Give dumps of several forms as several inputs.`,
	},
	{
		ID: ruleTime, Severity: trace.Warning,
		Summary: "the time of a dump goes back, or cannot be read",
		Explanation: `Dumps are in the order of time, each with a time such as 2026-11-22 05:00:51. One that
goes back is taken to be at the time of the one before it; one that has none, to be 1 s later. Usually files
were put together in another order, or a clock was set.`,
	},
	{
		ID: ruleLong, Severity: trace.Error,
		Summary:     "a line of more than 1 MiB, which is left out",
		Explanation: `Lines of dumps are shorter. Usually a program printed something else into the dump.`,
	},
	{
		ID: ruleTooLarge, Severity: trace.Error,
		Summary: "a dump has more threads or names than are kept; a warning where a call stack is cut",
		Explanation: `docs/formats/threaddump.md has the limits. What goes beyond is left out; of call stacks
the innermost calls are used.`,
	},
	{
		ID: ruleEmpty, Severity: trace.Error,
		Summary: "a dump has no thread that can be read",
		Explanation: `There is a thread in any JVM. Usually the dump was changed on its way: it was copied out
of the source of a web page, where &quot; is a quotation mark, or somebody took all but a few lines
away. What it says about threads is not known; that there are no deadlocks does not follow from it.`,
	},
	{
		ID: ruleNone, Severity: trace.Error,
		Summary: "there is no thread dump in the input",
		Explanation: `A dump begins with the line Full thread dump, or is one that jcmd PID Thread.dump_to_file
has written.`,
	},
}
