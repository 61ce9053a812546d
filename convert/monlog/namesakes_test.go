package monlog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/builder/buildertest"
	"github.com/trcx/trcx/internal/testtool"
)

// TestNamesakes reads a log in which thousands of threads begin with one hash code and none ends. All have their own
// ids, nothing of the log is lost, and the trace is valid.
func TestNamesakes(t *testing.T) {
	const starts = 3000
	log := namesakes(starts)
	got := read(t, log, "")
	ids := map[string]bool{}
	for line := range strings.Lines(got.XML) {
		if rest, found := strings.CutPrefix(line, `<threadStart threadId="`); found {
			id, _, _ := strings.Cut(rest, `"`)
			ids[id] = true
		}
	}
	if len(ids) != starts {
		t.Errorf("%d threads have %d ids", starts, len(ids))
	}
	if errs := buildertest.Invalid(t, got.XML); len(errs) > 0 {
		t.Errorf("the trace is invalid: %q", errs[:1])
	}
	if back, _ := again(t, got.XML); back != log {
		t.Error("the log, written from its trace, is another one")
	}
	const want = "more than 64 live threads have the hash code 0000000A: events are no longer attributed to the one that " +
		"began in line 1, which has none for longest"
	if !strings.Contains(strings.Join(got.Findings, "\n"), want) {
		t.Errorf("no finding says %q", want)
	}
}

// namesakes returns a log in which threads of one hash code begin to wait, each on its own object.
func namesakes(starts int) string {
	var log strings.Builder
	for i := range starts {
		fmt.Fprintf(&log, "%d.000000000,ThreadStarted,0000000A,t%d\n", i+1, i)
		fmt.Fprintf(&log, "%d.500000000,ObjectWait,0000000A,%08X\n", i+1, i+16)
	}
	return log.String()
}

// TestNamesakesGrow: the time for an event does not grow with the threads of its hash code.
func TestNamesakesGrow(t *testing.T) {
	testtool.Allocations(t, 1000, func(starts int) { read(t, namesakes(starts), "") })
}
