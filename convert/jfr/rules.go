package jfr

import (
	_ "embed"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// The ids of the rules.
const (
	ruleHeader     = "jfr-header"
	ruleTruncated  = "jfr-truncated"
	ruleUnfinished = "jfr-unfinished"
	ruleChunkSize  = "jfr-chunk-size"
	ruleEventSize  = "jfr-event-size"
	ruleMetadata   = "jfr-metadata"
	ruleType       = "jfr-type"
	ruleChain      = "jfr-chain"
	ruleConstants  = "jfr-constants"
	ruleConstant   = "jfr-constant"
	ruleCycle      = "jfr-cycle"
	ruleEvent      = "jfr-event"
	ruleTime       = "jfr-time"
	ruleTooLarge   = "jfr-too-large"
	ruleOverlap    = "jfr-overlap"
	ruleLost       = "jfr-lost"
	ruleRepeated   = "jfr-repeated"
	ruleOrder      = "jfr-order"
)

//go:embed rules.txt
var rules string

// Rules describes the findings of Read.
func Rules() []trace.ReaderRule { return builder.Rules(rules) }
