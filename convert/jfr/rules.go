package jfr

import "github.com/trcx/trcx/trace"

// Rules describes what the reader finds wrong with a recording.
var Rules = []trace.ReaderRule{
	{
		ID: RuleHeader, Severity: trace.Error,
		Summary: "a chunk's header cannot be, or something else stands where a chunk should",
		Explanation: `A recording is a row of chunks, each with a header of 68 bytes that begins with FLR, NUL and a version from 1.0 to 2.x. Usually the file
was put together from parts, or is damaged. What lies between is left out, and reading goes on at the next chunk.`,
	},
	{
		ID: RuleTruncated, Severity: trace.Error,
		Summary: "the recording ends inside of a chunk; what is complete is used",
		Explanation: `The last chunk has fewer bytes than its header says. Usually the copy was interrupted, or the disk was full. If the original is like that,
what comes before the cut is all there is.`,
	},
	{
		ID: RuleUnfinished, Severity: trace.Warning,
		Summary: "the JVM has not finished a chunk",
		Explanation: `The header is written for good when a chunk is full or the recording ends. Here the JVM crashed, or was still recording when the file was
copied. What is there is read; names of threads and methods that were to come at the end may be missing. 'jcmd PID JFR.dump' gives a whole one.`,
	},
	{
		ID: RuleChunkSize, Severity: trace.Error,
		Summary: "a chunk is longer or shorter than it says",
		Explanation: `The size in the header should be that up to the next chunk, or the end of the input. What follows is read as events of the chunk as long as
it can be, up to where another chunk begins.`,
	},
	{
		ID: RuleEventSize, Severity: trace.Error,
		Summary: "an event of that size cannot be",
		Explanation: `Each event begins with its size, which lies inside of the chunk and leads to the next event. Usually bytes were lost or changed. Reading goes on
where whole events follow each other again; what lies between is left out.`,
	},
	{
		ID: RuleEvent, Severity: trace.Error,
		Summary: "an event is shorter than its fields, and left out",
		Explanation: `What fields an event has is said by the metadata of its chunk, and it should have bytes for all of them. Usually the recording is damaged.
Reading goes on at the next event.`,
	},
	{
		ID: RuleTime, Severity: trace.Error,
		Summary: "the time or the duration of an event cannot be",
		Explanation: `Times lie between the years 1970 and 2262, and no event takes less than no time. An event without such a time is left out; one with a wrong
duration has no end.`,
	},
	{
		ID: RuleMetadata, Severity: trace.Error,
		Summary: "the descriptions of a chunk's events cannot be read, or are missing",
		Explanation: `Each chunk holds a metadata event, which says what all others mean. If there was one in a chunk before, its descriptions are used; else the
chunk is left out.`,
	},
	{
		ID: RuleType, Severity: trace.Warning,
		Summary:     "events of a type that the metadata does not describe; said once for a type",
		Explanation: `Nobody knows what such events mean, so they are passed over by their size. Usually another program wrote or filtered the recording.`,
	},
	{
		ID: RuleChain, Severity: trace.Warning,
		Summary: "the metadata or the tables of constants of a chunk are not where the header says",
		Explanation: `The header leads to the metadata and the last table of constants, and each table to the one before. All that are found in the chunk are used, so
that nothing is lost. Usually a program that joined or filtered recordings did not write these numbers anew.`,
	},
	{
		ID: RuleConstants, Severity: trace.Error,
		Summary: "not all of a table of constants can be read",
		Explanation: `Threads, classes, methods and call stacks stand in tables of constants, and events name them by keys. Those before the damage are used; what the
others name stays unknown.`,
	},
	{
		ID: RuleConstant, Severity: trace.Error, Whole: true,
		Summary: "a thread, class, method or call stack that an event names is not there; a warning for threads " +
			"and stacks, where the JVM itself leaves some out",
		Explanation: `A key that an event has should stand in a table of constants of its chunk. What it would name stays unknown, and the event is used. Usually a chunk
was not finished, or a part of it is damaged.`,
	},
	{
		ID: RuleCycle, Severity: trace.Error,
		Summary: "a constant contains itself",
		Explanation: `Constants can hold others, such as a thread its group and that its parent, but never themselves. It stays unknown. No JVM writes such a thing: the
recording is damaged or was made to do harm.`,
	},
	{
		ID: RuleOverlap, Severity: trace.Warning,
		Summary: "a thread does something while it waits, sleeps or is blocked; it is left out",
		Explanation: `A thread does one thing at a time, so that events with a duration do not overlap. JVMs write such events where a thread that waits runs code of the
recorder or of a debugger.`,
	},
	{
		ID: RuleLost, Severity: trace.Warning,
		Summary: "the JVM says that it lost events",
		Explanation: `Its buffers were full (jdk.DataLoss), so that waits, ends of waits and other events are missing from here on, for a while. Larger buffers
(-XX:FlightRecorderOptions=memorysize=64m) or higher thresholds keep them.`,
	},
	{
		ID: RuleRepeated, Severity: trace.Warning,
		Summary:     "a chunk that was read before; it is passed over",
		Explanation: `Dumps of one JVM that are made one after the other (jcmd PID JFR.dump) hold the same chunks. The last one alone has all that the JVM kept.`,
	},
	{
		ID: RuleOrder, Severity: trace.Warning,
		Summary: "a chunk is older than the one before it, and does not say which JVM it is of; it is taken " +
			"for one of another JVM",
		Explanation: `One JVM writes its chunks one after the other. Files of a repository come in the right order by their names: cat repository/*/*.jfr, or jfr assemble.`,
	},
	{
		ID: RuleTooLarge, Severity: trace.Error,
		Summary: "an event, all names and call stacks together, or the threads that live exceed a limit; a warning " +
			"where threads are forgotten",
		Explanation: `trcx looks into events of up to 64 MiB, and keeps 256 MiB of classes, methods and call stacks and 384 MiB of threads, which are over a million, with the first 4 KiB of their names. JVMs write
far less. What exceeds is left out, and reading goes on. Threads whose ends were not recorded are forgotten, those first that did nothing for longest.`,
	},
}
