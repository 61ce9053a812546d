package trcxml

import (
	"bytes"

	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/internal/grammar"
	"github.com/trcx/trcx/internal/xmlscan"
	"github.com/trcx/trcx/trace"
)

// Validation is the grammar by which a reader validates a document. The zero value requires only that the document is
// well-formed, and a trace.
type Validation struct {
	// Grammar validates the document; nil is no grammar. With Own, the document's DOCTYPE does instead.
	Grammar *dtd.Grammar
	Own     bool
	// Open opens external subsets and entities; nil reads none of them. Location is the location of the document.
	Open     dtd.Opener
	Location string
	// Any accepts documents that are not traces.
	Any bool
	// NamesOnly puts only the event TRACE: only the form is validated.
	NamesOnly bool
	// Quote makes the quotes of findings from a tag, as it is in the input, and the name of one of its attributes;
	// QuoteAt makes them from a text and a place in it. Nil leaves quotes out.
	Quote   func(tag []byte, attributes ...string) trace.Quote
	QuoteAt func(text []byte, at int) trace.Quote
}

// validate validates the current token against the grammar. The first start tag chooses it.
func (r *reader) validate(token xmlscan.Token) {
	switch {
	case r.validator != nil:
		r.validator.Look(token)
	case r.mode != unread:
	case token == xmlscan.StartTag:
		r.begin()
	case token == xmlscan.DoctypeDecl && r.options.Validation.Any:
		r.scanner.SetFragments(false)
	}
}

// active reports whether documents are validated, or documents of any kind are accepted.
func (j *Validation) active() bool { return j.Grammar != nil || j.Own || j.Any }

// begin chooses the grammar at the first start tag, and validates the tag.
func (r *reader) begin() {
	r.mode = unknown
	validation, doctype := &r.options.Validation, r.scanner.Doctype()
	name := r.scanner.TextOf(r.scanner.Name())
	kind := trace.Lookup([]byte(name))
	if validation.Any && kind != trace.Root && (kind == trace.Foreign || doctype != nil) {
		r.mode, r.sequential = anyXML, true
		r.scanner.SetFragments(false)
		r.scanner.SetSkipBlank(false)
		r.reportEarly()
	}
	g := (*grammar.Grammar)(validation.Grammar)
	if validation.Own && doctype == nil && len(r.early) > 0 {
		return // it could not be read, which has been reported
	}
	if validation.Own {
		g = grammar.Own(r.scanner, r.found)
	}
	if g == nil {
		return
	}
	r.validator = g.NewValidator(r.scanner, r.found)
	if root := trace.Root.String(); kind != trace.Root && r.mode != anyXML && g.Declares(root) {
		r.validator.Inside(root)
	}
	r.sequential = r.sequential || !g.Divisible()
	r.validator.Look(xmlscan.StartTag)
}

// found reports a finding of the grammar.
func (r *reader) found(f grammar.Finding) {
	finding := trace.Finding{Rule: f.Rule, Place: trace.Place(f.Position), Element: f.Element, Message: f.Message,
		Option: f.Option}
	if f.Warning {
		finding.Severity = trace.Warning
	}
	if f.Offset >= r.scanner.Offset() { // not about the declarations
		finding.Quote = r.quote(f.Attribute)
	}
	r.reportAt(finding)
}

// FindingOf returns a finding about the declarations of a DTD as a finding of a trace.
func FindingOf(f dtd.Finding) trace.Finding {
	finding := trace.Finding{Rule: f.Rule, Element: f.Element, Message: f.Message, Option: f.Option,
		Place: trace.Place{Offset: f.Offset, Line: f.Line, Column: f.Column}}
	if f.Warning {
		finding.Severity = trace.Warning
	}
	return finding
}

// quote quotes the current token.
func (r *reader) quote(attribute string) trace.Quote {
	if r.options.Validation.Quote == nil {
		return trace.Quote{}
	}
	return r.options.Validation.Quote(r.scanner.Source(maxQuoted), attribute)
}

// quoteAt quotes the current token up to the end of the line with the offset.
func (r *reader) quoteAt(offset int64) trace.Quote {
	if r.options.Validation.QuoteAt == nil {
		return trace.Quote{}
	}
	text := r.scanner.Source(maxQuoted)
	at := int(min(max(offset-r.scanner.Offset(), 0), int64(len(text))))
	end := len(text)
	if line := bytes.IndexByte(text[at:], '\n'); line >= 0 {
		end = at + line
	}
	return r.options.Validation.QuoteAt(text[:end], at)
}

// maxQuoted is the limit of bytes of a tag that are quoted.
const maxQuoted = 4 << 10

// Locate returns the place and the tag of the latest event.
func (r *reader) Locate(*trace.Event) (trace.Place, []byte) {
	if len(r.tag) > 0 {
		return r.place, r.tag
	}
	return trace.Place(r.scanner.Position()), r.scanner.Source(maxQuoted)
}

// remember keeps the place and the tag of the current event before the scanner moves on to its content.
func (r *reader) remember() {
	r.place = trace.Place(r.scanner.Position())
	r.tag = append(r.tag[:0], r.scanner.Source(maxQuoted)...)
}

// unrecognized returns the error for an input without an element of a trace, unless any document is accepted.
func (r *reader) unrecognized() error {
	if !r.options.Validation.Any {
		return &NotTrace{Reason: r.whyNot()}
	}
	r.mode = anyXML
	if len(r.early) == 0 {
		r.reportAt(trace.Finding{Rule: RuleTruncated, Place: trace.Place(r.scanner.Position()),
			Message: "the input ends before its first element"})
		r.ending.Truncated = true
	}
	r.reportEarly()
	return nil
}

// reportEarly reports the findings that were held until the kind of the document was known.
func (r *reader) reportEarly() {
	early := r.early
	r.early = nil
	for _, finding := range early {
		r.reportAt(finding)
	}
}

// The rules that the reader applies. Package validate describes them.
const (
	RuleSyntax           = "xml-syntax"
	RuleTruncated        = "truncated"
	RuleBadTime          = "bad-time"
	RuleTimePrecision    = "time-precision"
	RuleAttributeMissing = "attribute-missing"
	RuleStrayText        = "stray-text"
	RuleTooLarge         = "content-too-large"
	RuleUnreadEntity     = "unread-entity"
	RuleNestedTrace      = "nested-trace"
)
