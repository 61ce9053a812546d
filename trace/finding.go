package trace

import (
	"cmp"
	"fmt"
)

// Finding is something that is wrong with an input, or unusual in it.
type Finding struct {
	Rule     string // its id, as docs and command line name it
	Severity Severity
	// the file of the Place if it is not the input itself but belongs to it, such as the metadata file of a log; else
	// ""
	File    string
	Place   Place
	Element string // the name of the element it is about, or ""
	Message string // what is wrong, and what would be right
	// the option that would help, as the Message names it, such as Options.Limits.Depth; "" if none would
	Option string
	Quote  Quote // for people; the zero value where there is nothing to show
}

// Quote is the piece of the input that a finding is about.
type Quote struct {
	// Text is the element's tag as it is in the input, or a part of it with … where something is left out; on one
	// line.
	Text string
	// Caret is how many code points of Text come before what is wrong.
	Caret int
}

// Place is a position in an input.
type Place struct {
	Offset int64 // bytes of the decompressed input
	Line   int   // from 1; 0 in an input without lines
	Column int   // from 1, in Unicode code points; likewise
}

// String is line:column, or @offset where there are no lines.
func (p Place) String() string {
	if p.Line == 0 {
		return fmt.Sprintf("@%d", p.Offset)
	}
	return fmt.Sprintf("%d:%d", p.Line, p.Column)
}

// In is the place in the input of the name: file:line:column, or file@offset.
func (p Place) In(input string) string {
	if p.Line == 0 {
		return input + p.String()
	}
	return input + ":" + p.String()
}

// Lack is information that an input lacks because its format cannot hold it or its recorder did not write it.
type Lack struct {
	// What names the information in a few words: "timeouts of waits".
	What string
	// Means is the consequence for the result, a sentence without a full stop: "whether a wait ended by its timeout is
	// unknown".
	Means string
	// Option is the recorder's option that adds the information to a recording; "" if none does.
	Option string
	// Heap reports that it affects results about objects of the heap.
	Heap bool
}

// Severity is how bad a finding is.
type Severity uint8

// The severities. Only an Error makes an input invalid.
const (
	Error Severity = iota
	Warning
)

// String names the severity as outputs do.
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// String is line:column: severity: message [rule], or @offset: … in an input without lines.
func (f Finding) String() string {
	return fmt.Sprintf("%s: %s: %s [%s]", f.Place, f.Severity, f.Message, f.Rule)
}

// In is the finding in the input of the name, or in its own File: file:line:column: …, or file@offset: ….
func (f Finding) In(input string) string {
	return fmt.Sprintf("%s: %s: %s [%s]", f.Place.In(cmp.Or(f.File, input)), f.Severity, f.Message, f.Rule)
}
