package hprof

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// Rules describes the findings of Read.
func Rules() []trace.ReaderRule { return slices.Clone(rules) }

var rules = []trace.ReaderRule{
	{
		ID: ruleTruncated, Severity: trace.Error,
		Summary: "the log ends inside an item, or a heap dump in segments has no end; everything before is used",
		Explanation: `The last record has fewer bytes than its length, a table of the text form has no end, or
the HEAP DUMP END record (tag 0x2C) is missing. Usually the copy was interrupted, the disk was full, or the JVM
was killed during the dump.`,
	},
	{
		ID: ruleHeader, Severity: trace.Error,
		Summary: "the size of ids is not 4 or 8 bytes, or the time or date of the header is invalid",
		Explanation: `After the name of the format, the header has the size of ids and the time at which the log
was created. Without the size of ids nothing can be read; without the time the log is read as one of 1970.`,
	},
	{
		ID: ruleLength, Severity: trace.Error,
		Summary: "the length of a record is impossible for its tag",
		Explanation: `Each record has a length. A record of another length than its tag allows is skipped. A
heap dump whose length is 0 or wrong, as JVMs write it for more than 4 GB, is read up to the next record.`,
	},
	{
		ID: ruleRecord, Severity: trace.Warning,
		Summary: "a record has an unknown tag",
		Explanation: `It is skipped by its length. Usually another program wrote it, or the length of the
previous record is wrong.`,
	},
	{
		ID: ruleSubRecord, Severity: trace.Error,
		Summary: "a heap dump has an object or value of an unknown type",
		Explanation: `Objects have no length of their own: only their type tells where the next one begins. So
the rest of the segment is skipped, and reading resumes at the next one. Usually the file is damaged.`,
	},
	{
		ID: ruleInstance, Severity: trace.Error,
		Summary: "an instance has more or fewer bytes than the fields of its class; a warning if " +
			"its class is defined later or not at all",
		Explanation: `The bytes of an instance are the values of the fields of its class and superclasses. If
they do not fit, the object is counted without its references.`,
	},
	{
		ID: ruleClass, Severity: trace.Error,
		Summary: "superclasses form a cycle; a warning if a class is dumped again with other fields",
		Explanation: `Each class has a superclass, except java.lang.Object. In a cycle the references of
instances are unknown. If a class is dumped twice, the newer fields hold from there on.`,
	},
	{
		ID: ruleThread, Severity: trace.Error,
		Summary: "a thread starts twice, ends twice, or is suspended twice",
		Explanation: `A serial number identifies one thread from its start to its end. The event is skipped.
Usually a part of the log is missing. A thread without a recorded start is older than the log: its start is
inferred.`,
	},
	{
		ID: ruleUndefined, Severity: trace.Warning,
		Summary: "a record refers to an undefined class, frame or stack trace",
		Explanation: `The definition should be in an earlier record. The name stays unknown, and the rest of the
record is used.`,
	},
	{
		ID: ruleLimit, Severity: trace.Error,
		Summary:     "names, classes, frames, stack traces and threads exceed the limit",
		Explanation: `The limit is 96 MiB, which no known program needs. The excess is skipped; objects are still read.`,
	},
	{
		ID: ruleLine, Severity: trace.Error,
		Summary:     "a line of the text form is not part of any record or table",
		Explanation: `It is skipped. Usually a program printed into the log, or the log was edited.`,
	},
	{
		ID: ruleAnotherLog, Severity: trace.Error,
		Summary: "another log begins after the first one",
		Explanation: `Reading ends there, since the ids of another log refer to other threads and objects.
Everything before is used. Usually the files of two JVMs were joined; pass each as a file of its own.`,
	},
}
