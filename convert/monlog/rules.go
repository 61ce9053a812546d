package monlog

import "github.com/trcx/trcx/trace"

// Rules describes what the reader finds wrong with a log, or with its metadata.
var Rules = []trace.ReaderRule{
	{
		ID: RuleFields, Severity: trace.Error,
		Summary: "a line does not have the fields of its event; a warning where it has more",
		Explanation: `An event is TIME,EVENT,THREAD and what its kind has behind that, such as 12.5,ObjectNotify,0A1B2C3D,0A1B2C3E. The line is left out, and reading goes on
at the next one. Usually another program wrote into the log.`,
	},
	{
		ID: RuleTime, Severity: trace.Error,
		Summary:     "the time of an event is not decimal seconds",
		Explanation: `Times are such as 34232.841923742, or 3.4e4. The event is left out.`,
	},
	{
		ID: RuleNone, Severity: trace.Error,
		Summary:     "there is no event in the log",
		Explanation: `The log is empty, or none of its lines can be read. An event is such as 12.5,ThreadEnded,0A1B2C3D. Usually the file is another one, such as the metadata.`,
	},
	{
		ID: RuleComma, Severity: trace.Warning,
		Summary:     "times have a comma for the decimal point; said once",
		Explanation: `The log was written in a country that writes decimals so. The name of the event, which is no number, tells where the time ends.`,
	},
	{
		ID: RulePrecision, Severity: trace.Warning,
		Summary:     "times have more than nine decimals; said once",
		Explanation: `Those beyond nanoseconds are cut off, here and elsewhere.`,
	},
	{
		ID: RuleEvent, Severity: trace.Error,
		Summary:     "an event that no monitor log has",
		Explanation: `The line is left out. Usually the name is misspelt, or the line is one of another log. docs/formats/monlog.md lists the events.`,
	},
	{
		ID: RuleHex, Severity: trace.Error,
		Summary:     "a hash code or the id of a method is not hexadecimal, or too long",
		Explanation: `Threads, objects and methods are named by hexadecimal numbers such as 0A1B2C3D. The event or the method is left out.`,
	},
	{
		ID: RuleStack, Severity: trace.Error,
		Summary:     "a call stack cannot be read; a warning where it has not the depth that it says",
		Explanation: `A stack is its depth and for each frame a method and a location, both hexadecimal. Frames before the mistake are used, and so is the event.`,
	},
	{
		ID: RuleLong, Severity: trace.Error,
		Summary:     "a line of more than 1 MiB, which is left out",
		Explanation: `No event is as long. Usually the file is no log, or has lost its line ends.`,
	},
	{
		ID: RuleTruncated, Severity: trace.Error,
		Summary:     "the log ends inside of a line, which is left out",
		Explanation: `Each line has an end. Usually the recorded JVM was killed, or the copy was interrupted.`,
	},
	{
		ID: RuleCollision, Severity: trace.Error, Whole: true,
		Summary: "two threads have the same hash code",
		Explanation: `Threads are named by the identity hash codes of their objects, which are not unique. What the events say can only have been done by two: each is taken for
that of the thread that can have done it. Both lines are named; the log itself may be right.`,
	},
	{
		ID: RuleUnpaired, Severity: trace.Error, Whole: true,
		Summary: "something ends that has not begun, or begins before the last has ended",
		Explanation: `Waits, sleeps, joins and blocks have a begin and an end each. The missing one is put in, marked as inferred. Usually a line is missing, or another thread
has the same hash code.`,
	},
	{
		ID: RuleMetadata, Severity: trace.Error,
		Summary: "a line of the metadata is neither a class nor a method, or is too much; a warning where the " +
			"file was only guessed",
		Explanation: `A class is SIGNATURE,FILE, a method ID,NAME,SIGNATURE,CLASS,LINES. The line is left out. --meta names the metadata file of a log that lies elsewhere.`,
	},
	{
		ID: RuleLines, Severity: trace.Error,
		Summary:     "a table of line numbers cannot be read",
		Explanation: `It is the number of its entries, or -1, and for each a hexadecimal location and a decimal line. Entries that can be read are used.`,
	},
	{
		ID: RuleSignature, Severity: trace.Error,
		Summary: "the signature of a class or a method is none",
		Explanation: `Those of classes are such as Ljava/lang/Object;, those of methods such as (I)V. What stands there is taken for the name of the class; a method is used
without its signature.`,
	},
}
