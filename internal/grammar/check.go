package grammar

import (
	"errors"
	"fmt"
	"io"

	"github.com/trcx/trcx/internal/xmlscan"
)

// Check validates a document by its own DOCTYPE and reports whether it is well-formed and valid. The first error in its
// form ends the reading and is reported, too. The error is from the reader. Check is for programs that validate any
// XML, and for tests; traces are validated while convert/trcxml reads them.
func Check(r io.Reader, options xmlscan.Options, report func(Finding)) error {
	s := xmlscan.New(r, options)
	var v *Validator // nil before the DOCTYPE
	for {
		token, err := s.Next()
		var wrong *xmlscan.SyntaxError
		switch {
		case errors.As(err, &wrong):
			rule := RuleSyntax
			if wrong.Incomplete {
				rule = RuleTruncated
			}
			report(Finding{Rule: rule, Position: wrong.Position, Message: wrong.Message,
				Option: wrong.Option})
			return nil
		case err != nil:
			return err
		case token == xmlscan.DoctypeDecl:
			if grammar := Own(s, report); grammar != nil {
				v = grammar.NewValidator(s, report)
			}
		case token == xmlscan.End && s.Doctype() == nil:
			Own(s, report)
		}
		if v != nil {
			v.Look(token)
		}
		if token == xmlscan.End {
			return nil
		}
	}
}

// Own compiles the declarations of the document that the scanner reads, and reports their defects. It returns nil, with
// a finding, if the document has no declarations or some were not read, because nothing can be validated without them.
func Own(s *xmlscan.Scanner, report func(Finding)) *Grammar {
	doctype := s.Doctype()
	switch {
	case doctype == nil:
		report(Finding{Rule: RuleDeclaration, Position: s.Position(),
			Message: "the document has no DOCTYPE to be judged by"})
		return nil
	case len(doctype.Unread) > 0:
		first := doctype.Unread[0]
		finding := Finding{Rule: RuleDeclaration, Position: doctype.Position}
		finding.Message = fmt.Sprintf("what the DOCTYPE declares is not known without %s, which cannot be read: %v",
			first.SystemID, first.Reason)
		if errors.Is(first.Reason, xmlscan.ErrNotOpened) {
			finding.Option = "Options.Open"
			finding.Message = fmt.Sprintf(
				"what the DOCTYPE declares is not known without %s; allow to read the folder it lies in "+
					"(Options.Open)", first.SystemID)
		}
		report(finding)
		return nil
	}
	grammar := compile(doctype)
	for _, finding := range grammar.Findings() {
		report(finding)
	}
	return grammar
}

// Finding is a violation of a validity constraint.
type Finding struct {
	Rule string // one of the constants below
	// Warning reports that the document is valid all the same.
	Warning bool
	xmlscan.Position
	// Element is the name of the element that the finding is about, Attribute the name of its attribute, or "".
	Element, Attribute string
	Message            string
	Option             string // that would help, as the Message names it, such as Options.Open; "" if none would
}

// The rules, by the constraint that is violated. Rules of the form are named as in package trace.
const (
	RuleSyntax      = "xml-syntax"      // the document is not well-formed
	RuleTruncated   = "truncated"       // the document ends too early
	RuleRoot        = "dtd-root"        // the root element is not the one that the DOCTYPE names
	RuleElement     = "dtd-element"     // an element is not declared
	RuleAttribute   = "dtd-attribute"   // an attribute is not declared
	RuleRequired    = "dtd-required"    // a #REQUIRED attribute is missing
	RuleValue       = "dtd-value"       // a value is not one of the attribute's type, or not the #FIXED one
	RuleContent     = "dtd-content"     // children or text that the content model does not allow
	RuleEntity      = "dtd-entity"      // a reference to an entity that is not declared
	RuleDeclaration = "dtd-declaration" // the declarations themselves are not valid
	RuleStandalone  = "dtd-standalone"  // the document is not standalone, but says so
	RuleAmbiguous   = "dtd-ambiguous"   // a content model is not deterministic
)
