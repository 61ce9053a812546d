package trcxml

import (
	"bytes"

	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/internal/grammar"
	"github.com/trcx/trcx/internal/xmlscan"
	"github.com/trcx/trcx/trace"
)

// Judgement says by what the reader judges the form of a document. The zero value judges only what a reader needs: that
// it is well-formed, and a trace.
type Judgement struct {
	// Grammar is what the document is judged by; nil for no grammar. With Own it is that of the document's DOCTYPE
	// instead.
	Grammar *dtd.Grammar
	Own     bool
	// Open opens external subsets and entities; nil reads none of them. Location is that of the document.
	Open     dtd.Opener
	Location string
	// Any judges documents that are no traces, too, instead of refusing them.
	Any bool
	// NamesOnly takes no elements, but for TRACE: only the form is judged.
	NamesOnly bool
	// Quote makes the quotes of findings of a tag, as it is in the input, and the name of one of its attributes;
	// QuoteAt of a text and a place in it. Nil leaves quotes out.
	Quote   func(tag []byte, attributes ...string) trace.Quote
	QuoteAt func(text []byte, at int) trace.Quote
}

// look judges the current token by the grammar.
func (r *reader) look(token xmlscan.Token) {
	switch {
	case r.judge != nil:
		r.judge.Look(token)
	case r.begun:
	case token == xmlscan.StartTag:
		r.begin()
	case token == xmlscan.DoctypeDecl && r.options.Judgement.Any:
		r.scanner.SetFragments(false)
	}
}

// judges reports whether there is anything to judge by, or anything to be judged.
func (j *Judgement) judges() bool { return j.Grammar != nil || j.Own || j.Any }

// begin judges the first start tag, and finds out by what the document is to be judged, and whether it is one.
func (r *reader) begin() {
	r.begun = true
	judgement, doctype := &r.options.Judgement, r.scanner.Doctype()
	name := r.scanner.TextOf(r.scanner.Name())
	kind := trace.Lookup([]byte(name))
	if judgement.Any && kind != trace.Root && (kind == trace.Foreign || doctype != nil) {
		r.other, r.recognised, r.alone = true, true, true
		r.scanner.SetFragments(false)
		r.scanner.SetSkipBlank(false)
		r.tellEarly()
	}
	g := (*grammar.Grammar)(judgement.Grammar)
	if judgement.Own && doctype == nil && len(r.early) > 0 {
		return // it could not be read, which has been said
	}
	if judgement.Own {
		g = grammar.Own(r.scanner, r.found)
	}
	if g == nil {
		return
	}
	r.judge = g.NewValidator(r.scanner, r.found)
	if root := trace.Root.String(); kind != trace.Root && !r.other && g.Declares(root) {
		r.judge.Inside(root)
	}
	r.alone = r.alone || !g.Divisible()
	r.judge.Look(xmlscan.StartTag)
}

// found reports what the grammar has found.
func (r *reader) found(f grammar.Finding) {
	finding := trace.Finding{Rule: f.Rule, Place: trace.Place(f.Position), Element: f.Element, Message: f.Message}
	if f.Warning {
		finding.Severity = trace.Warning
	}
	if f.Offset >= r.scanner.Offset() { // not about the declarations
		finding.Quote = r.quote(f.Attribute)
	}
	r.reportAt(finding)
}

// FindingOf returns what is found in the declarations of a DTD as a finding of a trace.
func FindingOf(f dtd.Finding) trace.Finding {
	finding := trace.Finding{Rule: f.Rule, Element: f.Element, Message: f.Message,
		Place: trace.Place{Offset: f.Offset, Line: f.Line, Column: f.Column}}
	if f.Warning {
		finding.Severity = trace.Warning
	}
	return finding
}

// quote shows the current token.
func (r *reader) quote(attribute string) trace.Quote {
	if r.options.Judgement.Quote == nil {
		return trace.Quote{}
	}
	return r.options.Judgement.Quote(r.scanner.Source(maxQuoted), attribute)
}

// quoteAt shows the current token up to the end of the line with the place in it.
func (r *reader) quoteAt(offset int64) trace.Quote {
	if r.options.Judgement.QuoteAt == nil {
		return trace.Quote{}
	}
	text := r.scanner.Source(maxQuoted)
	at := int(min(max(offset-r.scanner.Offset(), 0), int64(len(text))))
	end := len(text)
	if line := bytes.IndexByte(text[at:], '\n'); line >= 0 {
		end = at + line
	}
	return r.options.Judgement.QuoteAt(text[:end], at)
}

// maxQuoted is how many bytes of a tag quotes are made of.
const maxQuoted = 4 << 10

// Locate finds the event that was taken last.
func (r *reader) Locate(*trace.Event) (trace.Place, []byte) {
	if len(r.tag) > 0 {
		return r.at, r.tag
	}
	return trace.Place(r.scanner.Position()), r.scanner.Source(maxQuoted)
}

// remember keeps the place and the tag of the current event, before the scanner moves on to what is inside of it.
func (r *reader) remember() {
	r.at = trace.Place(r.scanner.Position())
	r.tag = append(r.tag[:0], r.scanner.Source(maxQuoted)...)
}

// unrecognised is the verdict on an input without an element of a trace.
func (r *reader) unrecognised() error {
	if !r.options.Judgement.Any {
		return &NotTrace{Reason: r.whyNot()}
	}
	r.recognised = true
	if len(r.early) == 0 {
		r.reportAt(trace.Finding{Rule: trace.RuleTruncated, Place: trace.Place(r.scanner.Position()),
			Message: "the input ends before its first element"})
		r.ending.Truncated = true
	}
	r.tellEarly()
	return nil
}

// tellEarly reports what was found before it was known what the input is.
func (r *reader) tellEarly() {
	early := r.early
	r.early = nil
	for _, finding := range early {
		r.reportAt(finding)
	}
}
