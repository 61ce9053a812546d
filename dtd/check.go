package dtd

import (
	"errors"
	"io"

	"github.com/trcx/trcx/internal/xmlscan"
)

// The rules of what is not well-formed, as package trace names them.
const (
	ruleSyntax    = "xml-syntax"
	ruleTruncated = "truncated"
)

// Check judges a document by its own DOCTYPE: whether it is well-formed and, if it is, whether it is valid. The first error in
// its form ends the reading and is reported, too. The error is one of the reader.
func Check(r io.Reader, options xmlscan.Options, report func(Finding)) error {
	s := xmlscan.New(r, options)
	var v *Validator // nil before the DOCTYPE
	for {
		token, err := s.Next()
		var wrong *xmlscan.SyntaxError
		switch {
		case errors.As(err, &wrong):
			rule := ruleSyntax
			if wrong.Incomplete {
				rule = ruleTruncated
			}
			report(Finding{Rule: rule, Position: wrong.Position, Message: wrong.Message})
			return nil
		case err != nil:
			return err
		case token == xmlscan.DoctypeDecl:
			v = Compile(s.Doctype()).begin(s, report)
		case token == xmlscan.End && v == nil:
			report(Finding{Rule: RuleDeclaration, Position: s.Position(), Message: "the document has no DOCTYPE to be judged by"})
		}
		if v != nil {
			v.Look(token)
		}
		if token == xmlscan.End {
			return nil
		}
	}
}

// begin reports what is wrong with the declarations, and returns a validator.
func (g *Grammar) begin(s *xmlscan.Scanner, report func(Finding)) *Validator {
	for _, finding := range g.findings {
		report(finding)
	}
	return g.NewValidator(s, report)
}
