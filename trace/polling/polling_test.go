package polling

import (
	"testing"

	"github.com/trcx/trcx/trace"
)

// TestOutward: only calls outward from the poller's show what a thread waits for.
func TestOutward(t *testing.T) {
	const nio, poller = "sun/nio/ch/NioSocketImpl", "sun/nio/ch/Poller"
	for _, c := range []struct {
		calls [][2]string
		want  trace.IO
	}{
		{[][2]string{{poller, "poll"}, {nio, "park"}, {nio, "implAccept"}}, trace.IOAccept},
		{[][2]string{{poller, "poll"}, {nio, "timedFinishConnect"}}, trace.IOConnect},
		{[][2]string{{poller, "poll"}, {nio, "implWrite"}, {nio, "implRead"}}, trace.IOWrite},
		{[][2]string{{poller, "subPollerLoop"}, {"java/lang/VirtualThread", "run"}}, trace.IOSelect},
		{[][2]string{{poller, "pollSelector"}, {"sun/nio/ch/EPollSelectorImpl", "doSelect"}}, trace.IOSelect},
		{[][2]string{{nio, "implRead"}, {"java/net/Socket", "read"}}, trace.NoIO},
		{[][2]string{{poller, "poll"}, {"shop/Orders", "read"}}, trace.NoIO},
	} {
		var w Wait
		got := trace.NoIO
		for _, call := range c.calls {
			if got == trace.NoIO {
				got = w.Outward(Of(call[0], call[1]))
			}
		}
		if got != c.want {
			t.Errorf("%v: %v, want %v", c.calls, got, c.want)
		}
	}
}
