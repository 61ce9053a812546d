package xmlscan

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// SyntaxError reports where a document is not well-formed or exceeds a limit, and why.
type SyntaxError struct {
	Position
	Message string
	// Incomplete reports that the input ended where more was needed: nothing before the end is wrong.
	Incomplete bool
	// Open is the number of elements that were open at the end of an Incomplete input that ended between two tokens;
	// -1 if it ended inside a token.
	Open int
	// EndTag is the name in an end tag that closes nothing or not the open element; "" for other errors.
	EndTag string
	// Option is the option that allows more, as the Message names it, such as Options.Limits.Depth; "" if the input is
	// wrong.
	Option string
}

// OptionName returns the option that allows more; "" if the input is wrong.
func (e *SyntaxError) OptionName() string { return e.Option }

// Error returns line:column and what is wrong there.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
}

// Position is a place in the input.
type Position struct {
	Offset int64 // bytes from the beginning
	Line   int   // from 1
	Column int   // from 1, in Unicode code points
}

// errMore reports that the current token is not complete in the buffer. It never leaves the package.
var errMore = errors.New("more input needed")

// fail returns the error for the text at p of the current input. It is errMore if the input has not been read that far,
// or if only a part of the character that the message names was read.
func (s *Scanner) fail(p int, format string, arguments ...any) error {
	if !s.whole && p < s.end && !utf8.FullRune(s.buf[p:s.end]) {
		return errMore
	}
	if p >= s.end {
		if !s.whole {
			return errMore
		}
		if len(s.outer) == 0 {
			return &SyntaxError{Position: s.position(s.end), Incomplete: true, Open: -1,
				Message: "the input ends in the middle of " + s.what()}
		}
	}
	return s.failAt(p, format, arguments...)
}

// what names the current token, for messages.
func (s *Scanner) what() string {
	// for the text of a declared entity, the start is where its declaration begins
	rest := s.buf[min(s.start, s.end):s.end]
	for _, token := range []struct{ begins, name string }{
		{"</", "an end tag"}, {"<!--", "a comment"}, {"<![CDATA[", "a CDATA section"},
		{"<!DOCTYPE", "the document type declaration"},
		{"<!", "a markup declaration"}, {"<?xml ", "the XML declaration"}, {"<?", "a processing instruction"},
		{"<", "a start tag"}, {"&", "a reference"},
	} {
		if bytes.HasPrefix(rest, []byte(token.begins)) {
			return token.name
		}
	}
	return "text"
}

// failAt is fail for an error that does not depend on the text after p.
func (s *Scanner) failAt(p int, format string, arguments ...any) error {
	return s.syntaxError(p, format, arguments...)
}

func (s *Scanner) syntaxError(p int, format string, arguments ...any) *SyntaxError {
	message := fmt.Sprintf(format, arguments...)
	if len(s.outer) > 0 && s.entity().external {
		at := s.advance(Position{Line: 1, Column: 1}, s.buf[:p])
		message += fmt.Sprintf(" (in %s, %d:%d)", s.entity().location, at.Line, at.Column)
	}
	return &SyntaxError{Position: s.position(p), Message: message}
}

// exceeds is failAt for the limit of that name in Limits. The format makes the message before the name.
func (s *Scanner) exceeds(p int, limit, format string, arguments ...any) error {
	option := "Options.Limits." + limit
	err := s.syntaxError(p, format+" (limit: "+option+")", arguments...)
	err.Option = option
	return err
}

// Limits bound what a document may ask for. The zero value of a field is its default.
type Limits struct {
	Depth      int // open elements; default 256
	Attributes int // of one element; default 256
	Name       int // bytes of a name; default 1 KiB
	// bytes of an attribute value, a text, a comment, a processing instruction, an internal subset; default 1 MiB
	Value int
	Names int // different names of elements and attributes; default 65,536
	// EntityExpansion is the entity expansion limit: the bytes that entities expand to, all together; default 1 MiB,
	// and 100 times the input before them
	EntityExpansion int
}

// expansionRatio is the entity expansion limit as a multiple of the input so far.
const expansionRatio = 100

// tagValues is the limit of a start tag, as a multiple of the largest value.
const tagValues = 8

func (l Limits) withDefaults() Limits {
	for _, field := range []struct {
		value     *int
		byDefault int
	}{
		{&l.Depth, 256}, {&l.Attributes, 256}, {&l.Name, 1 << 10}, {&l.Value, 1 << 20}, {&l.Names, 1 << 16},
		{&l.EntityExpansion, 1 << 20},
	} {
		if *field.value <= 0 {
			*field.value = field.byDefault
		}
	}
	l.Value = min(l.Value, math.MaxInt/tagValues)
	return l
}
