package drain

import (
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/polling"
)

// polledFor reports whether a thread with these calls, innermost first, is parked in the JDK's poller, and for which
// operation; NoIO if the calls are too few to show it. Only virtual threads park there.
func (d *Drainer) polledFor(t *thread, frames []ring.Frame) (operation trace.IO, polls bool) {
	if !t.virtual {
		return trace.NoIO, false
	}
	var w polling.Wait
	for _, frame := range frames[:min(len(frames), polling.MaxDepth)] {
		if operation := w.Outward(d.definitions.methods[frame.Method].polling); operation != trace.NoIO {
			return operation, true
		}
	}
	return trace.NoIO, w.Polls()
}
