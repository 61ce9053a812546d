package monlog

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// Rules describes the findings of Read and ReadMetadata.
func Rules() []trace.ReaderRule { return slices.Clone(rules) }

var rules = []trace.ReaderRule{
	{
		ID: ruleFields, Severity: trace.Error,
		Summary: "a line lacks fields of its event; a warning if it has more",
		Explanation: `An event is TIME,EVENT,THREAD and further fields of its kind, such as
12.5,ObjectNotify,0A1B2C3D,0A1B2C3E. The line is skipped. Usually another program wrote into the log.`,
	},
	{
		ID: ruleTime, Severity: trace.Error,
		Summary:     "the time of an event is not decimal seconds",
		Explanation: `Times are such as 34232.841923742, or 3.4e4. The event is skipped.`,
	},
	{
		ID: ruleNone, Severity: trace.Error,
		Summary: "the log has no event",
		Explanation: `The log is empty, or none of its lines is valid. An event is such as
12.5,ThreadEnded,0A1B2C3D. Usually the file is another one, such as the metadata.`,
	},
	{
		ID: ruleComma, Severity: trace.Warning,
		Summary: "times have a decimal comma; reported once",
		Explanation: `The log was written in a locale with decimal commas. The name of the event is no number,
so it shows where the time ends.`,
	},
	{
		ID: rulePrecision, Severity: trace.Warning,
		Summary:     "times have more than nine decimals; reported once",
		Explanation: `Decimals beyond nanoseconds are cut in all times.`,
	},
	{
		ID: ruleEvent, Severity: trace.Error,
		Summary: "an event is unknown",
		Explanation: `The line is skipped. Usually the name is misspelt, or the line is one of another log.
docs/formats/monlog.md lists the events.`,
	},
	{
		ID: ruleHex, Severity: trace.Error,
		Summary: "a hash code or the id of a method is not hexadecimal, or too long",
		Explanation: `Threads, objects and methods have hexadecimal ids such as 0A1B2C3D. The event or the
method is skipped.`,
	},
	{
		ID: ruleStack, Severity: trace.Error,
		Summary: "a stack trace is invalid; a warning if it has another depth than it claims",
		Explanation: `A stack trace is its depth and for each frame a method and a location, both hexadecimal.
Frames before the error are used, and so is the event.`,
	},
	{
		ID: ruleLong, Severity: trace.Error,
		Summary:     "a line exceeds 1 MiB; it is skipped",
		Explanation: `No event is as long. Usually the file is not a log, or has lost its line ends.`,
	},
	{
		ID: ruleTruncated, Severity: trace.Error,
		Summary:     "the log ends inside a line, which is skipped",
		Explanation: `Each line has an end. Usually the recorded JVM was killed, or the copy was interrupted.`,
	},
	{
		ID: ruleCollision, Severity: trace.Error, Whole: true,
		Summary: "two threads have the same hash code",
		Explanation: `Threads are named by the identity hash codes of their objects, which are not unique. Only
two threads can have executed these events: each is attributed to the one that can execute it. Both lines are
named; the log itself may be right.`,
	},
	{
		ID: ruleUnpaired, Severity: trace.Error, Whole: true,
		Summary: "a state ends without a begin, or begins before the previous one has ended",
		Explanation: `Waits, sleeps, joins and blocks have a begin and an end each. The missing one is inserted,
marked as inferred. Usually a line is missing, or another thread has the same hash code.`,
	},
	{
		ID: RuleMetadata, Severity: trace.Error,
		Summary: "a line of the metadata is neither a class nor a method, or exceeds the limit; a warning if the " +
			"file was guessed",
		Explanation: `A class is SIGNATURE,FILE, a method ID,NAME,SIGNATURE,CLASS,LINES. The line is skipped.
--meta names a metadata file in another place.`,
	},
	{
		ID: ruleLines, Severity: trace.Error,
		Summary: "a line table is invalid",
		Explanation: `It is the number of its entries, or -1, and for each a hexadecimal location and a decimal
line. Valid entries are used.`,
	},
	{
		ID: ruleSignature, Severity: trace.Error,
		Summary: "the signature of a class or a method is invalid",
		Explanation: `A class has one such as Ljava/lang/Object;, a method one such as (I)V. The text
is used as the name of the class; a method is used without its signature.`,
	},
}
