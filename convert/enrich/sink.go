package enrich

import "github.com/trcx/trcx/trace"

// Sink takes the enriched stream.
type Sink = trace.ModelSink
