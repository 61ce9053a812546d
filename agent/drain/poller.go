package drain

import (
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/polling"
)

// polledFor returns the operation for which a thread with these calls, innermost first, is parked in the JDK's poller;
// NoIO for another park. Only virtual threads park there.
func (d *Drainer) polledFor(t *thread, frames []ring.Frame) trace.IO {
	if !t.virtual {
		return trace.NoIO
	}
	var w polling.Wait
	for _, frame := range frames[:min(len(frames), polling.MaxDepth)] {
		if operation := w.Outward(d.definitions.methods[frame.Method].polling); operation != trace.NoIO {
			return operation
		}
	}
	return trace.NoIO
}
