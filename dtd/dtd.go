package dtd

import (
	_ "embed"
	"io"
	"strings"
	"sync"

	"github.com/trcx/trcx/internal/grammar"
	"github.com/trcx/trcx/internal/xmlscan"
)

// Grammar is a compiled DTD. It does not change, so any number of readers can use it at the same time.
type Grammar grammar.Grammar

// Options say how a DTD or a document is read.
type Options struct {
	Limits Limits
	// Open opens external subsets and entities; nil reads none of them.
	Open Opener
	// Location is the path of the input, to which system identifiers are relative.
	Location string
}

// Limits bound what a document may ask for. The zero value of a field is its default.
type Limits struct {
	Depth      int // open elements; default 256
	Attributes int // of one element; default 256
	Name       int // bytes of a name; default 1 KiB
	// Value bounds an attribute value, a text, a comment, a processing instruction and an internal subset, in bytes;
	// default 1 MiB
	Value int
	Names int // different names of elements and attributes; default 65,536
	// EntityExpansion bounds the bytes that entities expand to, all together; default 1 MiB, and 100 times the input
	// before them
	EntityExpansion int
}

// Opener opens an external subset or entity. The system identifier is relative to base, the location of the text that
// names it. location is the base of what the opened text names itself.
type Opener func(systemID, base string) (text io.ReadCloser, location string, err error)

// Finding is a violation of a validity constraint, or an error in the form of a document.
type Finding struct {
	Rule    string // such as dtd-value; see the constants
	Warning bool   // the document is valid all the same
	// Offset is the place in bytes from the beginning. Line and Column count from 1, columns in Unicode code points.
	Offset       int64
	Line, Column int
	// Element and Attribute are the names of the element and its attribute; "" if the finding is not about one.
	Element, Attribute string
	Message            string
	// Option is the option that would help, as the Message names it, such as Options.Limits.Depth; "" if none would.
	Option string
}

// The rules, by the constraint that is violated.
const (
	RuleSyntax      = grammar.RuleSyntax      // the document is not well-formed
	RuleTruncated   = grammar.RuleTruncated   // the document ends too early
	RuleRoot        = grammar.RuleRoot        // the root element is not the one that the DOCTYPE names
	RuleElement     = grammar.RuleElement     // an element is not declared
	RuleAttribute   = grammar.RuleAttribute   // an attribute is not declared
	RuleRequired    = grammar.RuleRequired    // a #REQUIRED attribute is missing
	RuleValue       = grammar.RuleValue       // a value is not of the attribute's type, or not the #FIXED one
	RuleContent     = grammar.RuleContent     // children or text that the content model does not allow
	RuleEntity      = grammar.RuleEntity      // a reference to an entity that is not declared
	RuleDeclaration = grammar.RuleDeclaration // the declarations themselves are not valid
	RuleStandalone  = grammar.RuleStandalone  // the document is not standalone, but declares that it is
	RuleAmbiguous   = grammar.RuleAmbiguous   // a content model is not deterministic
)

// Parse reads and compiles a DTD. Declarations that are not valid are in its Findings. The error is for a DTD that is
// not well-formed, or an error of the reader.
func Parse(r io.Reader, options Options) (*Grammar, error) {
	g, err := grammar.Parse(r, "", options.scanner())
	return (*Grammar)(g), err
}

// Check validates a document by its own DOCTYPE. The first error in its form ends the reading and is the last finding.
// The error is one of the reader.
func Check(r io.Reader, options Options) (findings []Finding, err error) {
	err = grammar.Check(r, options.scanner(), func(f grammar.Finding) { findings = append(findings, found(f)) })
	return findings, err
}

// Findings are the violations in the declarations of the DTD, in order.
func (g *Grammar) Findings() (findings []Finding) {
	for _, f := range (*grammar.Grammar)(g).Findings() {
		findings = append(findings, found(f))
	}
	return findings
}

// Declares reports whether the DTD declares the element.
func (g *Grammar) Declares(element string) bool { return (*grammar.Grammar)(g).Declares(element) }

func (o *Options) scanner() xmlscan.Options {
	return xmlscan.Options{Limits: xmlscan.Limits(o.Limits), Open: xmlscan.Open(o.Open), Location: o.Location}
}

func found(f grammar.Finding) Finding {
	return Finding{Rule: f.Rule, Warning: f.Warning, Offset: f.Offset, Line: f.Line, Column: f.Column,
		Element: f.Element, Attribute: f.Attribute, Message: f.Message, Option: f.Option}
}

// traceText is the DTD of traces. It is derived from the table of package trace. Every attribute is CDATA and #IMPLIED,
// as in the DTDs that TPTP published, and a flag is (1|0). Unlike theirs it allows any order and number of elements in
// a TRACE, as in every real trace.
//
//go:embed trace.dtd
var traceText string

// TraceText returns the DTD of traces. It is derived from the table of package trace.
func TraceText() string { return traceText }

// Trace returns the grammar of traces, which TraceText declares.
func Trace() *Grammar { return traceGrammar() }

var traceGrammar = sync.OnceValue(func() *Grammar {
	g, err := grammar.Parse(strings.NewReader(traceText), "TRACE", xmlscan.Options{})
	if err != nil {
		panic("trace.dtd: " + err.Error()) // the tests parse it
	}
	return (*Grammar)(g)
})
