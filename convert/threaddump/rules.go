package threaddump

import (
	_ "embed"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// The rules by which the reader finds something. Rules describes each.
const (
	ruleTruncated    = "threaddump-truncated"
	ruleThread       = "threaddump-thread"
	ruleLine         = "threaddump-line"
	ruleJSON         = "threaddump-json"
	ruleMixed        = "threaddump-mixed"
	ruleThreadTwice  = "threaddump-thread-twice"
	ruleOwners       = "threaddump-owners"
	ruleDeadlock     = "threaddump-deadlock"
	ruleHead         = "threaddump-head"
	ruleOtherProcess = "threaddump-other-process"
	ruleForms        = "threaddump-forms"
	ruleTime         = "threaddump-time"
	ruleLong         = "threaddump-line-too-long"
	ruleTooLarge     = "threaddump-too-large"
	ruleEmpty        = "threaddump-empty"
	ruleNone         = "threaddump-none"
)

//go:embed rules.txt
var rules string

// Rules describes what the reader finds wrong with dumps.
func Rules() []trace.ReaderRule { return builder.Rules(rules) }
