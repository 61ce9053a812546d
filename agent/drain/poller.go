package drain

import (
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/polling"
)

// polledFor returns the operation for which a virtual thread with these calls, innermost first, is parked in the JDK's
// poller; NoIO for another park.
func (x *definitions) polledFor(frames []ring.Frame) trace.IO {
	var w polling.Wait
	for _, frame := range frames[:min(len(frames), polling.MaxDepth)] {
		if operation := w.Outward(x.methods[frame.Method].polling); operation != trace.NoIO {
			return operation
		}
	}
	return trace.NoIO
}
