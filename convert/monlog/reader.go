package monlog

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// The rules by which the reader finds something.
const (
	RuleFields    = "monlog-fields"         // a line that does not have the fields of its event
	RuleNone      = "monlog-none"           // a log without any event
	RuleTime      = "monlog-time"           // a time that is none
	RuleComma     = "monlog-decimal-comma"  // times with a comma for the decimal point
	RulePrecision = "monlog-time-precision" // times with more than nine decimals
	RuleEvent     = "monlog-event"          // an event that is not known
	RuleHex       = "monlog-hex"            // an id that is not hexadecimal
	RuleStack     = "monlog-stack"          // a call stack that is none, or not of its depth
	RuleLong      = "monlog-line-too-long"
	RuleTruncated = "monlog-truncated" // the log ends inside a line
	RuleCollision = "monlog-collision" // two threads of one hash code
	RuleUnpaired  = "monlog-unpaired"  // a begin without its end, or an end without its begin
	RuleMetadata  = "monlog-metadata"  // a line of the metadata that is none
	RuleLines     = "monlog-line-table"
	RuleSignature = "monlog-signature"
)

// Read reads a log and gives its elements to take, in the order of the log. What is wrong in the log is reported, and
// reading goes on with the next line; errors are those of in, of ctx and of take. The metadata is nil where there is
// none; it serves one reading.
func Read(ctx context.Context, in io.Reader, metadata *Metadata, options builder.Options,
	put func(*trace.Event) error) (trace.Ending, error) {
	r := &reader{lines: builder.NewLines(in), options: options, metadata: metadata,
		threads: heads{all: map[uint64]*thread{}}, unknown: map[string]bool{}}
	r.out = builder.New(options.Session, r, put)
	truncated, err := r.read(ctx)
	if err == nil {
		if r.events == 0 && !truncated {
			r.find(trace.Finding{Rule: RuleNone, Place: trace.Place{Line: 1, Column: 1},
				Message: "there is no event in it that can be used; one is such as 12.5,ThreadSleep,0A1B2C3D"})
		}
		r.lack()
	}
	if err == nil && r.events > 0 && !truncated {
		err = r.out.Element(trace.TraceEnd, r.lines.Offset).At(r.last).Put()
	}
	return trace.Ending{Closed: err == nil && !truncated, Truncated: truncated, Place: r.lines.End()}, err
}

type reader struct {
	lines    *builder.Lines
	options  builder.Options
	metadata *Metadata
	out      *builder.Builder
	stacks   stacks

	threads heads      // those that live
	gone    remembered // hash codes of threads that have ended
	named   remembered // hash codes that are known to be those of threads' objects

	unknown        map[string]bool // names of events that are none
	cut            bool            // times with too many decimals were reported
	commas         bool            // times with a decimal comma were
	pointed        []byte          // a line that has one, with a point for it
	unpadded       bool            // hash codes have fewer digits than the format says
	unknownMethods bool            // the metadata lacks a method
	last           trace.Time      // of all events
	events         int
	stacked        int // events that have a stack
	stackless      int // events that could have one and have none
	waits          int
	nameless       int // threads of which no ThreadStarted says the name
}

// linesPerLook is how many lines are read before the context is asked again.
const linesPerLook = 4096

func (r *reader) read(ctx context.Context) (truncated bool, _ error) {
	var rec record
	for {
		more, err := r.lines.Next()
		if err != nil || !more {
			return truncated, err
		}
		if r.lines.Number%linesPerLook == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		line := r.lines.Line
		if r.lines.Number == 1 {
			line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
		}
		if r.lines.TooLong {
			r.wrong(RuleLong, 0, fmt.Sprintf("the line has more than %d bytes; it is left out", builder.MaxLine))
			continue
		}
		wrong := r.decode(line, &rec)
		if wrong != nil && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if !r.lines.Terminated && (wrong != nil || r.isCut(line, &rec)) {
			r.wrong(RuleTruncated, len(line), "the log ends inside a line, which is left out")
			return true, nil
		}
		if wrong != nil {
			r.mistaken(wrong, line)
			continue
		}
		if rec.event.kind == trace.ThreadEnd && len(rec.stack) > 0 {
			r.warn(RuleFields, rec.stackAt,
				"ThreadEnded has a thread and nothing more; the rest of the line is left out")
		}
		r.events++
		r.last = max(r.last, rec.time)
		if err := r.take(&rec); err != nil {
			return false, err
		}
	}
}

// isCut says whether the last line of the log, which has no end, lacks something. What can end anywhere, as names do,
// is taken as it is.
func (r *reader) isCut(line []byte, rec *record) bool {
	last := line[bytes.LastIndexByte(line, ',')+1:]
	switch commas := bytes.Count(rec.stack, []byte{','}); {
	case rec.event.named:
		return len(rec.name) == 0
	case len(rec.stack) == 0:
		return r.isShort(last)
	default:
		depth, _ := field(rec.stack, 0)
		return !bytes.Equal(bytes.TrimSpace(depth), fmt.Appendf(nil, "%d", commas/2)) || commas%2 != 0 || commas > 0 &&
			r.isShort(last)
	}
}

// isShort says whether the log ends in a hash code or a location of which digits are missing.
func (r *reader) isShort(text []byte) bool {
	digits := len(bytes.TrimSpace(text))
	return digits == 0 || digits < hashDigits && !r.unpadded
}

// hashDigits is how many digits a hash code and a location have at least.
const hashDigits = 8

// mostNames is how many names of unknown events are remembered, so that each is reported once.
const mostNames = 64

// mistaken reports a line that is left out.
func (r *reader) mistaken(m *mistake, line []byte) {
	if m.rule != RuleEvent {
		r.wrong(m.rule, m.at, m.message)
		return
	}
	name, _ := field(line, m.at)
	if len(name) > quotedName || len(r.unknown) >= mostNames {
		r.warn(m.rule, m.at, m.message)
		return
	}
	if !r.unknown[string(name)] {
		r.unknown[string(name)] = true
		r.warn(m.rule, m.at, m.message+", and so is each other one of this name")
	}
}

// quotedName is how long names of unknown events are that are remembered.
const quotedName = 64

// commaTime says, once, that times have a decimal comma.
func (r *reader) commaTime(text []byte) {
	if !r.commas {
		r.commas = true
		r.warn(RuleComma, 0, "the time "+sanitize.Quote(text)+
			" has a comma for the decimal point, as some locales write it; here and elsewhere it is taken for one")
	}
}

// cutTime says, once, that times are cut.
func (r *reader) cutTime(text []byte) {
	if !r.cut {
		r.cut = true
		r.warn(RulePrecision, 0, "the time "+sanitize.Quote(text)+
			" has more than nine decimals; here and elsewhere those beyond nanoseconds are cut off")
	}
}

func (r *reader) wrong(rule string, at int, message string) { r.report(rule, trace.Error, at, message) }

func (r *reader) warn(rule string, at int, message string) {
	r.report(rule, trace.Warning, at, message)
}

func (r *reader) report(rule string, severity trace.Severity, at int, message string) {
	r.find(trace.Finding{Rule: rule, Severity: severity, Place: r.lines.Place(at), Message: message,
		Quote: r.lines.Quote(at)})
}

func (r *reader) find(finding trace.Finding) {
	if r.options.Report != nil {
		r.options.Report(finding)
	}
}

// Locate says where the event stands that was taken last.
func (r *reader) Locate(*trace.Event) (trace.Place, []byte) { return r.lines.Place(0), r.lines.Line }

// lack says what the log cannot tell.
func (r *reader) lack() {
	if r.events == 0 {
		return
	}
	o := &r.options
	o.Unsupported(true, "wall-clock times", "times count from when the clock of the recorded machine began")
	o.Unsupported(r.waits > 0, "timeouts and interrupts",
		"a wait or sleep that ended without a notification ended for an unknown reason")
	o.Unsupported(true, "classes of objects", "monitors are known by their hash codes only")
	o.Unsupported(r.nameless > 0, "ThreadStarted of "+phrase.Count(r.nameless, "thread"),
		"these are known by their hash codes only; when they began is unknown")
	o.Unsupported(r.metadata == nil && r.stacked > 0, "metadata file",
		"the frames of call stacks are method ids without names and lines; name the file with --meta")
	o.Unsupported(r.unknownMethods, "metadata of some methods",
		"their frames are method ids without names and lines; is it the metadata of this log?")
	o.Unsupported(r.stackless > 0, "call stack in "+phrase.Count(r.stackless, "event"),
		"where in the program these threads were is unknown")
}
