package trcxml

import (
	"fmt"

	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/internal/xmlscan"
	"github.com/trcx/trcx/trace"
)

// A missing end tag, or a missing slash in <threadEnd …/>, must not cost more than one element. So an element inside
// another one that cannot hold it is read as if it came after that one. Whether the end tag is really missing shows
// later: if it comes after all, the document is well-formed, and the elements are only in the wrong place.

// unclosed is an element that was left before its end tag.
type unclosed struct {
	name    string
	missing trace.Finding   // to report if its end tag does not come
	nested  []trace.Finding // to report if it does
}

// maxUnclosed limits the end tags that are waited for.
const maxUnclosed = 64

// leaves reports whether the current start tag ends the element of the event, in which it is nested: the tag is then
// read again as the next element. With a user's grammar, nested elements stay nested.
func (r *reader) leaves(e *trace.Event) bool {
	inner := trace.Lookup([]byte(r.scanner.TextOf(r.scanner.Name())))
	if inner == trace.Foreign || inner == trace.Annotation || e.Kind == trace.Foreign ||
		e.Kind.Element().Content == trace.TextContent {
		return false
	}
	if r.validator != nil && r.options.Validation.Grammar != dtd.Trace() {
		return false
	}
	place, quote := trace.Place(r.scanner.Position()), r.quote("")
	if !r.scanner.Unread(r.depth()) {
		return false
	}
	left := unclosed{name: e.Name(), missing: trace.Finding{Rule: RuleSyntax, Place: place, Element: e.Name(),
		Quote: quote,
		Message: fmt.Sprintf("<%s> begins before </%s>; the end tag, or the slash of <%s …/>, is missing", inner,
			e.Name(), e.Name())}}
	switch {
	case r.validator != nil:
		r.collect = &left.nested
		r.validator.Look(xmlscan.StartTag)
		r.collect = nil
		r.validator.Reset(r.depth())
	case !r.options.Validation.Any:
		left.nested = []trace.Finding{{Rule: dtd.RuleContent, Severity: trace.Warning, Place: place,
			Element: inner.String(), Quote: quote,
			Message: fmt.Sprintf("<%s> is nested in <%s>; it is read as the next element", inner, e.Name())}}
	}
	if len(r.unclosed) == maxUnclosed {
		r.reportAt(r.unclosed[0].missing)
		r.unclosed = r.unclosed[1:]
	}
	r.unclosed = append(r.unclosed, left)
	r.reported = true
	return true
}

// closesLate reports whether the error is the end tag of an element that was left before. Elements that were left
// inside it have no end tags.
func (r *reader) closesLate(wrong *xmlscan.SyntaxError) bool {
	for i := len(r.unclosed) - 1; i >= 0 && wrong.EndTag != ""; i-- {
		if r.unclosed[i].name != wrong.EndTag {
			continue
		}
		nested := r.unclosed[i].nested
		r.lackEndTags(i + 1)
		r.unclosed = r.unclosed[:i]
		for _, finding := range nested {
			r.reportAt(finding)
		}
		return true
	}
	return false
}

// lackEndTags reports that the left elements from the index on have no end tags.
func (r *reader) lackEndTags(from int) {
	for _, left := range r.unclosed[from:] {
		r.reportAt(left.missing)
	}
	r.unclosed = r.unclosed[:from]
}
