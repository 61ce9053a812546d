package schema

import (
	_ "embed"

	"github.com/trcx/trcx/validate"
)

// The rules of this package. A document that is cut off has a finding of trcxml.RuleTruncated.
const (
	RuleSyntax = "json-syntax"
	RuleLimit  = "limit"
	RuleSchema = "json-schema"
	RuleModel  = "json-model"
)

//go:embed rules.txt
var rules string

// Rules describes the rules, from syntax to meaning.
func Rules() []*validate.Rule { return validate.ParseRules(rules) }
