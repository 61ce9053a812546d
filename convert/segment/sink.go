package segment

import "github.com/trcx/trcx/trace"

// Sink takes the enriched stream with its segments. Pointers are good until the method returns. An error ends the
// reading.
type Sink interface {
	trace.ModelSink
	// Segment comes when the segment is over, before the event that ends it; those that the end of the trace closes
	// come before End, in the order of their threads' keys.
	Segment(*trace.Segment) error
}
