package grammar

import "github.com/trcx/trcx/internal/xmlscan"

// Finding is a violation of a validity constraint.
type Finding struct {
	Rule string // one of the constants below
	// Warning says that the document is valid all the same.
	Warning bool
	xmlscan.Position
	// Element is the name of the element that the finding is about, Attribute the name of its attribute; "" if it is
	// about none.
	Element, Attribute string
	Message            string
	Option             string // that would help, as the Message names it, such as Options.Open; "" if none would
}

// The rules, by the constraint that is violated. Rules of the form are named as in package trace.
const (
	RuleSyntax      = "xml-syntax"      // the document is not well-formed
	RuleTruncated   = "truncated"       // the document ends too early
	RuleRoot        = "dtd-root"        // the root element is not the one of the DOCTYPE
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
