package grammar

import (
	"errors"
	"fmt"
	"io"

	"github.com/trcx/trcx/internal/xmlscan"
)

// Check judges a document by its own DOCTYPE: whether it is well-formed and, if it is, whether it is valid. The first
// error in its form ends the reading and is reported, too. The error is one of the reader. It is for programs that
// judge any XML, and for the tests; traces are judged while convert/trcxml reads them.
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

// Own compiles the declarations of the document that the scanner reads, and reports what is wrong with them. It returns
// nil, with a finding, if the document has no declarations. It does so, too, if some were not read, since nothing can
// be validated without them.
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
