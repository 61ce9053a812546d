package schema

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/trace"
)

// Check validates a document of the name, "model" or "jsonl", and reports its findings. A finding's Element is the JSON
// pointer of the value, in a stream from the line's object on, with long names clipped. Its Place is where the value
// begins, or the second name of a duplicate member, or the syntax error. Findings are reported when a piece ends: those
// of a thread after those of its events.
//
// After a syntax error a document is not read any further, a stream from the next line on.
//
// The error is one of reading, or of ctx; what was read until then is reported. Memory does not depend on the length of
// the input.
func Check(ctx context.Context, r io.Reader, name string, report func(trace.Finding)) error {
	c := &checker{grammar: compiled(), report: report, reader: newReader(cancelable{ctx, r}, bufferSize)}
	c.duplicate = c.reportDuplicate
	c.Mark()
	switch name {
	case Model:
		return c.checkDocument()
	case Lines:
		return c.checkStream()
	}
	return fmt.Errorf("there is no JSON Schema %q: there are %s and %s", name, Model, Lines)
}

const bufferSize = 64 << 10

// checker checks one document.
type checker struct {
	reader
	grammar *grammar
	report  func(trace.Finding)
}

// finding returns an error at a place and a pointer. Pointer "" is the whole document or line.
func (c *checker) finding(rule string, place trace.Place, pointer, message string) trace.Finding {
	about := pointer
	switch {
	case pointer != "":
	case c.Lines:
		about = "the line"
	default:
		about = "the document"
	}
	return trace.Finding{Rule: rule, Severity: trace.Error, Place: place, Element: pointer, Message: about + ": " +
		message}
}

// say reports a finding about the current value, or about the one that the names lead to in it.
func (c *checker) say(rule string, v value, names []string, format string, arguments ...any) {
	c.report(c.finding(rule, v.follow(names).place, c.path.and(names...).String(), fmt.Sprintf(format, arguments...)))
}

func (c *checker) reportDuplicate(at trace.Place) {
	c.report(c.finding(RuleModel, at, c.path.String(),
		"has the same name as a member before it; which of them counts differs from reader to reader"))
}

// stopped reports an error of syntax or depth as a finding about the current value. It returns any other error.
func (c *checker) stopped(err error) error {
	var syntax *jsontext.SyntaxError
	var depth depthError
	f := trace.Finding{Rule: RuleSyntax, Severity: trace.Error, Element: c.path.String(), Message: err.Error()}
	switch {
	case errors.As(err, &depth):
		f.Rule, f.Place = RuleLimit, depth.place
	case errors.As(err, &syntax):
		if f.Place = syntax.Place; syntax.Truncated {
			f.Rule = trace.RuleTruncated
		}
	default:
		return err
	}
	c.report(f)
	return nil
}

// piece reads and keeps a value. One that exceeds the limits is reported, and unread.
func (c *checker) piece() (value, error) {
	b := c.newBudget()
	v, err := c.value(b)
	if err == nil && b.exceeded != "" {
		c.say(RuleLimit, v, nil, "is not checked: it has %s", b.exceeded)
	}
	return v, err
}
