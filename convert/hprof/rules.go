package hprof

import "github.com/trcx/trcx/trace"

// Rules describes what the reader finds wrong with a log.
var Rules = []trace.ReaderRule{
	{
		ID: ruleTruncated, Severity: trace.Error,
		Summary: "the log ends inside of something, or a dump in segments has no end; what comes before is used",
		Explanation: `The last record has fewer bytes than it says, a table of the text has no end, or the record that ends a heap dump (tag 0x2C) is missing. Usually the
copy was interrupted, the disk was full, or the JVM was killed while it dumped.`,
	},
	{
		ID: ruleHeader, Severity: trace.Error,
		Summary: "the header has ids that are not of 4 or 8 bytes, or a time or date that cannot be",
		Explanation: `Behind the name of the format the header says how many bytes ids have, and when the log was created. Without the size of ids nothing can be read;
without the time the log is read as if it was of 1970.`,
	},
	{
		ID: ruleLength, Severity: trace.Error,
		Summary: "a record has a length that its kind cannot have",
		Explanation: `Each record says how long it is. One of a wrong length is left out, and reading goes on behind it. A heap dump whose length is 0 or wrong, as JVMs
wrote it for more than 4 GB, is read up to the next record.`,
	},
	{
		ID: ruleRecord, Severity: trace.Warning,
		Summary:     "a record of a tag that does not exist",
		Explanation: `It is passed by its length. Usually another program wrote it, or a record before it has a wrong length.`,
	},
	{
		ID: ruleSubRecord, Severity: trace.Error,
		Summary: "a heap dump holds a kind of object or value that does not exist",
		Explanation: `Objects have no length of their own: only their kind says where the next one begins. So the rest of the segment is left out, and reading goes on at
the next one. Usually the file is damaged.`,
	},
	{
		ID: ruleInstance, Severity: trace.Error,
		Summary: "an instance has more or fewer bytes than the fields of its class; a warning where its class " +
			"comes later or not at all",
		Explanation: `The bytes of an instance are the values of its class's fields, and of those of the classes above. Where they do not fit, the object is counted
without what it refers to.`,
	},
	{
		ID: ruleClass, Severity: trace.Error,
		Summary: "classes above each other go round in a circle; a warning where a class is dumped again with " +
			"other fields",
		Explanation: `Above each class stands another one, up to java.lang.Object. In a circle the references of instances are not known. Of a class that is dumped twice
the newer fields hold from there on.`,
	},
	{
		ID: ruleThread, Severity: trace.Error,
		Summary: "a thread starts twice, ends twice, or is held up twice",
		Explanation: `A serial number is that of one thread from its start to its end. The event is left out. Usually a part of the log is missing. A thread whose start no
record reports was there before the log: its start is inferred.`,
	},
	{
		ID: ruleUndefined, Severity: trace.Warning,
		Summary:     "a record names a class, a frame or a stack that nothing defines",
		Explanation: `What is named should be defined in a record before. The name stays unknown, and the rest of the record is used.`,
	},
	{
		ID: ruleLimit, Severity: trace.Error,
		Summary:     "there are more names, classes, frames, stacks and threads than are kept",
		Explanation: `96 MiB of them are kept, which no known program needs. What exceeds is left out; objects are read on.`,
	},
	{
		ID: ruleLine, Severity: trace.Error,
		Summary:     "a line of the text that no record or table has",
		Explanation: `It is left out, and reading goes on at the next line. Usually a program printed into the log, or the log was edited.`,
	},
	{
		ID: ruleAnotherLog, Severity: trace.Error,
		Summary: "another log begins behind the first one",
		Explanation: `Reading ends there, for the ids of another log mean other threads and objects. What comes before is used. Usually the files of two JVMs were put into
one; each should be given as a file of its own.`,
	},
}
