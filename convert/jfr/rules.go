package jfr

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// The ids of the rules.
const (
	ruleHeader     = "jfr-header"
	ruleTruncated  = "jfr-truncated"
	ruleUnfinished = "jfr-unfinished"
	ruleChunkSize  = "jfr-chunk-size"
	ruleEventSize  = "jfr-event-size"
	ruleMetadata   = "jfr-metadata"
	ruleType       = "jfr-type"
	ruleChain      = "jfr-chain"
	ruleConstants  = "jfr-constants"
	ruleConstant   = "jfr-constant"
	ruleCycle      = "jfr-cycle"
	ruleEvent      = "jfr-event"
	ruleTime       = "jfr-time"
	ruleTooLarge   = "jfr-too-large"
	ruleOverlap    = "jfr-overlap"
	ruleLost       = "jfr-lost"
	ruleRepeated   = "jfr-repeated"
	ruleOrder      = "jfr-order"
)

// Rules describes the findings of Read.
func Rules() []trace.ReaderRule { return slices.Clone(rules) }

var rules = []trace.ReaderRule{
	{
		ID: ruleHeader, Severity: trace.Error,
		Summary: "a chunk header is invalid or missing",
		Explanation: `A recording is a sequence of chunks, each with a header of 68 bytes that begins with FLR,
NUL and a version from 1.0 to 2.x. Usually the file was put together from parts, or is damaged. The bytes before
the next valid header are skipped.`,
	},
	{
		ID: ruleTruncated, Severity: trace.Error,
		Summary: "the recording ends inside a chunk; complete events are used",
		Explanation: `The last chunk has fewer bytes than its header says. Usually the copy was interrupted, or
the disk was full. If the original is like that, the events before the cut are all there are.`,
	},
	{
		ID: ruleUnfinished, Severity: trace.Warning,
		Summary: "the JVM has not finished a chunk",
		Explanation: `The JVM completes the header when a chunk is full or the recording ends. Here the JVM
crashed, or was still recording when the file was copied. The events present are read; names of threads and
methods that were to follow at the end may be missing. 'jcmd PID JFR.dump' writes a complete recording.`,
	},
	{
		ID: ruleChunkSize, Severity: trace.Error,
		Summary: "a chunk is longer or shorter than its header says",
		Explanation: `After the size in the header, the next chunk should begin or the input end. The bytes up
to the next chunk are read as events of this chunk as far as possible.`,
	},
	{
		ID: ruleEventSize, Severity: trace.Error,
		Summary: "the size of an event is impossible",
		Explanation: `Each event begins with its size, which must be within the chunk and lead to the next
event. Usually bytes were lost or changed. Reading resumes where whole events follow each other again; the bytes
before are skipped.`,
	},
	{
		ID: ruleEvent, Severity: trace.Error,
		Summary: "an event is shorter than its fields; it is skipped",
		Explanation: `The metadata of the chunk describes the fields of an event, and the event must have bytes
for all of them. Usually the recording is damaged. Reading resumes at the next event.`,
	},
	{
		ID: ruleTime, Severity: trace.Error,
		Summary: "the time or the duration of an event is impossible",
		Explanation: `Times must be between the years 1970 and 2262, and durations must not be negative. An
event with another time is skipped; one with another duration is read with a duration of 0.`,
	},
	{
		ID: ruleMetadata, Severity: trace.Error,
		Summary: "the metadata of a chunk is invalid or missing",
		Explanation: `Each chunk has a metadata event, which describes the fields of all others. Without one,
the previous chunk's metadata is used. Without any, the chunk is skipped.`,
	},
	{
		ID: ruleType, Severity: trace.Warning,
		Summary: "the metadata does not describe a type of events; reported once per type",
		Explanation: `The fields of such events are unknown, so the events are skipped by their sizes. Usually
another program wrote or filtered the recording.`,
	},
	{
		ID: ruleChain, Severity: trace.Warning,
		Summary: "the metadata or the constant pools of a chunk are not where the header says",
		Explanation: `The header points to the metadata and to the last checkpoint, and each checkpoint to the
previous one. All that are found in the chunk are used, so nothing is lost. Usually a program that joined or
filtered recordings did not update these numbers.`,
	},
	{
		ID: ruleConstants, Severity: trace.Error,
		Summary: "a checkpoint is damaged; some of its constants are missing",
		Explanation: `Checkpoint events contain the constant pools: threads, classes, methods and stack traces,
to which events refer by keys. The constants before the damage are used; the others are unknown.`,
	},
	{
		ID: ruleConstant, Severity: trace.Error, Whole: true,
		Summary: "an event refers to a missing thread, class, method or stack trace; a warning for threads and stack " +
			"traces that the JVM itself omits",
		Explanation: `The constant pools of the chunk should define each key that its events refer to. The event
is used without the constant. Usually a chunk was not finished, or part of it is damaged.`,
	},
	{
		ID: ruleCycle, Severity: trace.Error,
		Summary: "a constant contains itself",
		Explanation: `Constants refer to others, such as a thread to its group and that to its parent, but never
to themselves. The constant is left unknown. No JVM writes such a cycle: the recording is damaged or was made to
do harm.`,
	},
	{
		ID: ruleOverlap, Severity: trace.Warning,
		Summary: "a thread does something while it waits, sleeps or is blocked; the event is skipped",
		Explanation: `A thread does one thing at a time, so its events with a duration do not overlap. JVMs
write such events when a waiting thread runs code of the recorder or of a debugger.`,
	},
	{
		ID: ruleLost, Severity: trace.Warning,
		Summary: "the JVM reports that it lost events",
		Explanation: `Its buffers were full (jdk.DataLoss), so waits, ends of waits and other events are missing
for a while from here on. Larger buffers (-XX:FlightRecorderOptions=memorysize=64m) or higher thresholds keep
them.`,
	},
	{
		ID: ruleRepeated, Severity: trace.Warning,
		Summary: "a chunk was read before; it is skipped",
		Explanation: `Successive dumps of one JVM (jcmd PID JFR.dump) have chunks in common. The last dump alone
has all that the JVM kept.`,
	},
	{
		ID: ruleOrder, Severity: trace.Warning,
		Summary: "a chunk is older than the previous one and does not name its JVM; it is read as one of " +
			"another JVM",
		Explanation: `A JVM writes its chunks in time order. The file names of a repository sort in this order:
cat repository/*/*.jfr, or jfr assemble.`,
	},
	{
		ID: ruleTooLarge, Severity: trace.Error,
		Summary: "an event, the names and stack traces, or the live threads exceed a limit; a warning if " +
			"threads are no " +
			"longer tracked",
		Explanation: `The limits are 64 MiB for an event, 256 MiB for classes, methods and stack traces, and 384
MiB for threads, which are over a million, with up to 4 KiB of each name. JVMs write far less. The excess is
skipped, and reading resumes. Threads whose ends were not recorded are no longer tracked, those inactive for
longest first.`,
	},
}
