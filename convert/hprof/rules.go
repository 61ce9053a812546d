package hprof

import (
	_ "embed"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

//go:embed rules.txt
var rules string

// Rules describes the findings of Read.
func Rules() []trace.ReaderRule { return builder.Rules(rules) }
