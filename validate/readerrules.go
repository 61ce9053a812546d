package validate

import (
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
)

var xmlSyntax = &Rule{
	ID: trcxml.RuleSyntax, Severity: trace.Error, Layer: Syntax,
	Summary: "the input is not well-formed XML; reading goes on at the next element where that is safe",
	Explanation: `The text breaks a rule of XML 1.0: a value without quotes, an end tag without its start tag,
a character that XML does not allow, a name twice in one tag. Its meaning is then uncertain, so the element at
this place is not used.

Usually the writer does not escape values (& is '&amp;' in XML, < is '&lt;'), two programs wrote into one file
at the same time, or the file was edited by hand. Correct the program that writes it. This rule cannot be
switched off.`,
	Example: `<TRACE>
<threadEnd threadIdRef="7" time=1700000000.100000000/>
</TRACE>
`,
}

var notATrace = &Rule{
	ID: "not-a-trace", Severity: trace.Error, Layer: Input,
	Summary: "one of several inputs, or one entry of a zip, is no trace at all",
	Explanation: `The input has no element of a trace: its root is another element, or it is of another
format. The other inputs were used as usual, but the exit status is 3. If no input is a trace, there is no result.

Usually the file is among the traces by mistake, such as a report. If it is a trace, look at its beginning:
bytes before the first element, such as lines of a log, can hide it.`,
	Example: `<html>
<body>Traces of Monday</body>
</html>
`,
}

var damagedInput = &Rule{
	ID: "damaged-input", Severity: trace.Error, Layer: Input,
	Summary: "compressed data is damaged, or cut off; what comes before is used",
	Explanation: `The gzip, bzip2, zstd or zip data breaks off, or its checksum is wrong. All text up to that point
was read and checked.

Usually the copy was interrupted, the disk was full, or the recording program was killed. Copy the file again;
if the original is damaged, too, the rest is lost.`,
}

var contentTooLarge = &Rule{
	ID: trcxml.RuleTooLarge, Severity: trace.Error, Layer: Input,
	Summary: "an element has more than 8 MiB inside, which are left out",
	Explanation: `The content of an element, such as the annotations of an event, is kept in memory until the
element ends, and therefore limited. The element itself was read; its content was not.

No known agent writes so much. Usually an end tag is missing, so that a large part of the trace becomes the
content of one element.`,
}

var truncated = &Rule{
	ID: trcxml.RuleTruncated, Severity: trace.Error, Layer: Syntax,
	Summary: "the input ends inside a tag or an open element; everything complete before the cut is used",
	Explanation: `The last element is not complete, so the end of the recording is lost. If only '</TRACE>' is
missing, as in files that a Workbench saved, the rule is trace-unfinished.

Usually the recording program was killed, the disk was full, or the copy was interrupted. This rule cannot be
switched off.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="ma
`,
}

var unreadEntity = &Rule{
	ID: trcxml.RuleUnreadEntity, Severity: trace.Warning, Layer: Syntax,
	Summary: "a reference to an entity that is declared outside of the input, and not read; it is left out",
	Explanation: `The document's DOCTYPE names an external DTD, and a reference such as '&host;' can only be
declared there. Nothing external is fetched, so the reference is replaced by nothing.

Write the text itself instead of the reference, declare the entity in the document, or allow trcx to
open the folder in which the DTD lies.`,
	Example: `<!DOCTYPE TRACE SYSTEM "site.dtd">
<TRACE>
<node nodeId="n1" hostname="&host;" time="1700000000.000000000"/>
</TRACE>
`,
}

var strayText = &Rule{
	ID: trcxml.RuleStrayText, Severity: trace.Warning, Layer: Meaning,
	Summary: "text between the elements, which is left out; reported once",
	Explanation: `Only white space is allowed between the elements of a trace. Only the first such text is
reported.

Usually a program printed into the same file. If it printed in the middle of an element, xml-syntax finds
that.`,
	Example: `<TRACE>
<gcStart time="1700000000.100000000"/>
Heap is low
<gcFinish time="1700000000.200000000"/>
</TRACE>
`,
}

var nestedTrace = &Rule{
	ID: trcxml.RuleNestedTrace, Severity: trace.Error, Layer: Meaning,
	Summary: "a TRACE inside of TRACE; its elements are read as the outer one's",
	Explanation: `Ids are unique within a recording only, so two recordings in one document cannot be told
apart: threads of the inner one count as the outer one's.

Usually two traces were joined, and '</TRACE>' of the first was missing. Keep each in a file of its own, or in
an entry of a zip.`,
	Example: `<TRACE>
<gcStart time="1700000000.100000000"/>
<TRACE>
<gcFinish time="1700000000.200000000"/>
</TRACE>
</TRACE>
`,
}

var attributeMissing = &Rule{
	ID: trcxml.RuleAttributeMissing, Severity: trace.Error, Layer: Meaning,
	Summary: "a thread or monitor event without thread id or time, or (threadStart, threadEnd, threadInterrupted " +
		"apart) without objIdRef",
	Explanation: `Without the attribute the thread, the time or the object of the event is unknown, so nothing
follows from it. The grammar allows this. An empty id counts as a missing one. The id 0 means that the agent
does not know the object, and is valid.

Usually an option of the agent was off, or the writer spells the attribute differently.`,
	Example: `<TRACE>
<monWait threadIdRef="7" time="1700000000.100000000" timeout="0"/>
</TRACE>
`,
}

var badTime = &Rule{
	ID: trcxml.RuleBadTime, Severity: trace.Error, Layer: Meaning,
	Summary: "a time that is not decimal seconds",
	Explanation: `Times are decimal seconds since the Unix epoch, UTC, up to the year 2262: '1700000000', or
'1700000000.123456789'. An event whose time cannot be read is not used.

Usually the writer formatted the time for people, with a decimal comma, or in milliseconds with an exponent.`,
	Example: `<TRACE>
<threadEnd threadIdRef="7" time="12:30:00"/>
</TRACE>
`,
}

var timePrecision = &Rule{
	ID: trcxml.RuleTimePrecision, Severity: trace.Warning, Layer: Meaning,
	Summary: "a time that has more than nine decimals; those beyond nanoseconds are dropped",
	Explanation: `Times are kept exactly, as nanoseconds. What comes after the ninth decimal is dropped, not
rounded.

No agent writes more decimals; usually a program has printed a floating-point number, whose last digits mean
nothing.`,
	Example: `<TRACE>
<threadEnd threadIdRef="7" time="1700000000.1234567890123"/>
</TRACE>
`,
}
