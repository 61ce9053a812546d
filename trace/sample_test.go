package trace_test

import (
	"testing"

	"github.com/trcx/trcx/trace"
)

// TestSample: Parse reads what AppendTo writes.
func TestSample(t *testing.T) {
	for _, c := range []struct {
		sample         trace.Sample
		thread, frames string
		want           string
	}{
		{trace.Sample{Time: 1_500_000_000, Count: 1}, "7", "", "7 1.500000000 RUNNABLE 1 0"},
		{trace.Sample{Time: 1, Count: 3, Period: 20e6, State: trace.StateTimedWaiting}, "a", "5:7 8", "a 0.000000001 TIMED_WAITING 3 20000000 5:7 8"},
		{trace.Sample{Count: 1 << 20, Period: 1 << 40, State: trace.StateSleeping}, "7", "5", "7 0.000000000 SLEEPING 1048576 1099511627776 5"},
	} {
		got := string(c.sample.AppendTo(nil, []byte(c.thread), []byte(c.frames)))
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		var read trace.Sample
		thread, frames, ok := read.Parse([]byte(got))
		if !ok || read != c.sample || string(thread) != c.thread || string(frames) != c.frames {
			t.Errorf("%q is read as %+v of %q at %q, ok %v", got, read, thread, frames, ok)
		}
	}
	for _, bad := range []string{"", "7", "7 1.5", " 1.5 RUNNABLE 1 0", "7 soon RUNNABLE 1 0", "7 1.5 JOINING 1 0", "7 1.5 BUSY 1 0",
		"7 1.5 RUNNABLE 0 0", "7 1.5 RUNNABLE 1", "7 1.5 RUNNABLE 1048577 0", "7 1.5 RUNNABLE 1 1099511627777",
		"7 1.5 RUNNABLE 1 0 5:x", "7 1.5 RUNNABLE 1 0 5  6", "7 1.5 RUNNABLE -1 0"} {
		var read trace.Sample
		if _, _, ok := read.Parse([]byte(bad)); ok {
			t.Errorf("%q is read as %+v", bad, read)
		}
	}
}
