package schema

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/trcx/trcx/trace"
)

// Check reads a document of the name, "model" or "jsonl", and reports what is wrong with it. A finding's Element is the
// JSON pointer of the value that it is about, in a stream from the line's object on, with what is long in it clipped.
// Its Place is where that value begins, or the name of a member that is there twice, or where it is not JSON any more.
// Findings come as pieces end: those of a thread behind those of its events.
//
// A document is read up to the first thing that is not JSON. A stream is read on with the next line.
//
// The error is one of reading, or that of ctx; with it the findings are those of what was read. Memory does not depend
// on the length of the input.
func Check(ctx context.Context, r io.Reader, name string, report func(trace.Finding)) error {
	c := &checker{grammar: compiled(), report: report}
	c.source = newSource(ctx, r, make([]byte, windowSize))
	c.twice = c.reportTwice
	c.mark()
	switch name {
	case Model:
		return c.checkDocument()
	case Lines:
		return c.checkStream()
	}
	return fmt.Errorf("there is no JSON Schema %q: there are %s and %s", name, Model, Lines)
}

// checker checks one document.
type checker struct {
	reader
	grammar *grammar
	report  func(trace.Finding)
}

// finding is an error at a place and a pointer, or about the whole where the pointer is "".
func (c *checker) finding(rule string, place trace.Place, pointer, message string) trace.Finding {
	about := pointer
	switch {
	case pointer != "":
	case c.lines:
		about = "the line"
	default:
		about = "the document"
	}
	return trace.Finding{Rule: rule, Severity: trace.Error, Place: place, Element: pointer, Message: about + ": " +
		message}
}

// say reports a finding about the value at hand, or about what the names lead to in it.
func (c *checker) say(rule string, v value, names []string, format string, arguments ...any) {
	c.report(c.finding(rule, v.follow(names).place, c.path.and(names...).String(), fmt.Sprintf(format, arguments...)))
}

func (c *checker) reportTwice(at trace.Place) {
	c.report(c.finding(RuleModel, at, c.path.String(),
		"has the same name as a member before it; which of them counts differs from reader to reader"))
}

// stopped reports what makes it impossible to read on. What is no fault of the input is an error of reading, and stays
// one.
func (c *checker) stopped(err error) error {
	var f *fault
	if !errors.As(err, &f) {
		return err
	}
	c.report(trace.Finding{Rule: f.rule, Severity: trace.Error, Place: f.place, Element: f.path, Message: f.message})
	return nil
}

// piece reads a value that is kept. One that is too large for that is reported, and unread.
func (c *checker) piece() (value, error) {
	room := c.newRoom()
	v, err := c.value(room)
	if err == nil && room.full != "" {
		c.say(RuleLimit, v, nil, "is not checked: it has %s", room.full)
	}
	return v, err
}
