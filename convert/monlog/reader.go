package monlog

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// The ids of the rules.
const (
	ruleFields    = "monlog-fields"         // a line without the fields of its event
	ruleNone      = "monlog-none"           // a log without events
	ruleTime      = "monlog-time"           // an invalid time
	ruleComma     = "monlog-decimal-comma"  // times with a decimal comma
	rulePrecision = "monlog-time-precision" // times with more than nine decimals
	ruleEvent     = "monlog-event"          // an unknown event
	ruleHex       = "monlog-hex"            // an id that is not hexadecimal
	ruleStack     = "monlog-stack"          // an invalid stack trace, or one of another depth
	ruleLong      = "monlog-line-too-long"
	ruleTruncated = "monlog-truncated" // the log ends inside a line
	ruleCollision = "monlog-collision" // two threads of one hash code
	ruleUnpaired  = "monlog-unpaired"  // a begin without its end, or an end without its begin
	RuleMetadata  = "monlog-metadata"  // an invalid line of the metadata
	ruleLines     = "monlog-line-table"
	ruleSignature = "monlog-signature"
)

// Read reads a log and passes its elements to put, in the order of the log. The event is valid until put returns; use
// Clone to keep it. Damage of the log is reported as findings, and reading resumes at the next line. It returns errors
// of in, ctx and put. The metadata may be nil; use it for one call only.
func Read(ctx context.Context, in io.Reader, metadata *Metadata, options builder.Options,
	put func(*trace.Event) error) (trace.Ending, error) {
	r := &reader{lines: builder.NewLines(in), options: options, metadata: metadata,
		stacks: lru.NewCache[string, *stackTrace](maxStacks), threadTable: threadTable{threads: threadIndex{}},
		unknown: map[string]bool{}, warned: map[string]bool{}}
	r.out = builder.New(options.Session, r, put)
	truncated, err := r.read(ctx)
	switch {
	case err != nil:
	case r.events > 0:
		r.reportUnsupported()
		if !truncated {
			err = r.out.Element(trace.TraceEnd, r.lines.Offset).At(r.last).Put()
		}
	case !truncated:
		r.options.Add(trace.Finding{Rule: ruleNone, Place: trace.Place{Line: 1, Column: 1},
			Message: "the log has no valid event; want one such as 12.5,ThreadSleep,0A1B2C3D"})
	}
	return trace.Ending{Closed: err == nil && !truncated, Truncated: truncated, Place: r.lines.End()}, err
}

// reader reads a log.
type reader struct {
	lines       *builder.Lines
	options     builder.Options
	metadata    *Metadata
	out         *builder.Builder
	stacks      *lru.Cache[string, *stackTrace] // by their text
	pointLine   []byte                          // a line whose decimal comma is replaced
	shortHashes bool                            // hash codes have fewer digits than specified
	unknown     map[string]bool                 // names of unknown events, each reported once
	warned      map[string]bool                 // rules for times, each reported once
	threadTable
	totals
}

// threadTable has the threads of the log.
type threadTable struct {
	threads      threadIndex       // that are alive
	ended        hashCodes         // of threads that have ended
	threadHashes hashCodes         // of threads' objects
	nextNumbers  map[uint64]uint64 // the next number for an id, by hash codes of more than maxNamesakes threads
}

// totals describe the whole log.
type totals struct {
	last           trace.Time // of all events
	events         int
	withStack      int // events with a stack trace
	withoutStack   int // events that could have one
	waits          int
	unnamed        int  // threads without a ThreadStarted
	unknownMethods bool // the metadata lacks a method
}

// linesPerCheck is the number of lines between checks of the context.
const linesPerCheck = 4096

func (r *reader) read(ctx context.Context) (truncated bool, _ error) {
	var rec record
	for {
		more, err := r.lines.Next()
		if err != nil || !more {
			return truncated, err
		}
		if r.lines.Number%linesPerCheck == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		line := r.lines.Line
		if r.lines.Number == 1 {
			line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
		}
		if r.lines.TooLong {
			r.wrong(ruleLong, 0, fmt.Sprintf("the line has more than %d bytes; it is skipped", builder.MaxLine))
			continue
		}
		wrong := r.decode(line, &rec)
		if wrong != nil && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if !r.lines.Terminated && (wrong != nil || r.isTruncated(line, &rec)) {
			r.wrong(ruleTruncated, len(line), "the log ends inside a line, which is skipped")
			return true, nil
		}
		if wrong != nil {
			r.reportProblem(wrong, line)
			continue
		}
		if rec.event.element == trace.ThreadEnd && len(rec.stack) > 0 {
			r.warn(ruleFields, rec.stackAt, "ThreadEnded has only a thread; the rest of the line is skipped")
		}
		r.events++
		r.last = max(r.last, rec.time)
		if r.process(&rec); r.out.Err() != nil {
			return false, r.out.Err()
		}
	}
}

// isTruncated reports whether the last line, which has no end, lacks something. Names and other fields of any length
// are accepted as they are.
func (r *reader) isTruncated(line []byte, rec *record) bool {
	last := line[bytes.LastIndexByte(line, ',')+1:]
	switch commas := bytes.Count(rec.stack, []byte{','}); {
	case rec.event.hasName:
		return len(rec.name) == 0
	case len(rec.stack) == 0:
		return r.isShort(last)
	default:
		depth, _ := field(rec.stack, 0)
		return !bytes.Equal(bytes.TrimSpace(depth), fmt.Appendf(nil, "%d", commas/2)) || commas%2 != 0 || commas > 0 &&
			r.isShort(last)
	}
}

// isShort reports whether the log ends in a hash code or a location with too few digits.
func (r *reader) isShort(text []byte) bool {
	digits := len(bytes.TrimSpace(text))
	return digits == 0 || digits < hashDigits && !r.shortHashes
}

// hashDigits is the least number of digits of a hash code or a location.
const hashDigits = 8

// maxNames limits the names of unknown events that are remembered, to report each once.
const maxNames = 64

// reportProblem reports a line that is skipped.
func (r *reader) reportProblem(m *problem, line []byte) {
	if m.rule != ruleEvent {
		r.wrong(m.rule, m.at, m.message)
		return
	}
	name, _ := field(line, m.at)
	if len(name) > maxName || len(r.unknown) >= maxNames {
		r.warn(m.rule, m.at, m.message)
		return
	}
	if !r.unknown[string(name)] {
		r.unknown[string(name)] = true
		r.warn(m.rule, m.at, m.message+", as are all others of this name")
	}
}

// maxName limits the length of these names in bytes.
const maxName = 64

// warnOfTimes reports, once, something about the time that holds for other times, too.
func (r *reader) warnOfTimes(rule string, time []byte, what string) {
	if !r.warned[rule] {
		r.warned[rule] = true
		r.warn(rule, 0, "the time "+sanitize.Quote(time)+" has "+what+" here and in all other times")
	}
}

func (r *reader) wrong(rule string, at int, message string) { r.report(rule, trace.Error, at, message) }

func (r *reader) warn(rule string, at int, message string) {
	r.report(rule, trace.Warning, at, message)
}

func (r *reader) report(rule string, severity trace.Severity, at int, message string) {
	r.options.Add(r.lines.Finding(rule, severity, at, message))
}

// Locate returns the place and the text of the current line.
func (r *reader) Locate(*trace.Event) (trace.Place, []byte) { return r.lines.Place(0), r.lines.Line }

// reportUnsupported reports the information that the log does not have.
func (r *reader) reportUnsupported() {
	o := &r.options
	o.Unsupported(true, "wall-clock times", "times count from the start of the recorded machine's clock")
	o.Unsupported(r.waits > 0, "timeouts and interrupts",
		"the reason for the end of a wait or sleep without a notification is unknown")
	o.Unsupported(true, "classes of objects", "monitors have hash codes only")
	o.Unsupported(r.unnamed > 0, "ThreadStarted of "+phrase.Count(r.unnamed, "thread"),
		"these threads have hash codes only, and their starts are unknown")
	o.Unsupported(r.metadata == nil && r.withStack > 0, "metadata file",
		"frames of stack traces are method ids without names and lines; pass the file with Options.Metadata")
	o.Unsupported(r.unknownMethods, "metadata of some methods",
		"their frames are method ids without names and lines; is this the metadata of the log?")
	o.Unsupported(r.withoutStack > 0, "call stack in "+phrase.Count(r.withoutStack, "event"),
		"the places of these events in the program are unknown")
}

//go:embed rules.txt
var rules string

// Rules describes the findings of Read and ReadMetadata.
func Rules() []trace.ReaderRule { return builder.Rules(rules) }
