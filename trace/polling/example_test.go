package polling_test

import (
	"fmt"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/polling"
)

func Example() {
	var w polling.Wait
	for _, call := range [][2]string{
		{"java/lang/VirtualThread", "park"}, {"sun/nio/ch/Poller", "poll"}, {"sun/nio/ch/NioSocketImpl", "park"},
		{"sun/nio/ch/NioSocketImpl", "implRead"},
	} {
		if operation := w.Outward(polling.Of(call[0], call[1])); operation != trace.NoIO {
			fmt.Println(operation)
		}
	}
	// Output: read
}
