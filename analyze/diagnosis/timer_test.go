package diagnosis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/diagnosis"
)

// TestTimerWaits: a timer's thread that waits for a permit all the time is a fault, but not a task that waits now and
// then. Either is told once.
func TestTimerWaits(t *testing.T) {
	waits := func(from, to int) string {
		text := fmt.Sprintf(`<monWait threadIdRef="2" time="%d" objIdRef="950" timeout="0"><annotation name="park" value="wait"/>`+
			`<annotation name="stack" value="70:5"/></monWait>`, from)
		if to > 0 {
			text += fmt.Sprintf(`<monWaited threadIdRef="2" time="%d" objIdRef="950" isTimedOut="0"/>`, to)
		}
		return text
	}
	for name, c := range map[string]struct {
		document string
		busy     int64 // seconds
		healthy  bool
	}{
		"one wait":  {waits(2, 0), 7, false},
		"two waits": {waits(2, 4) + waits(5, 8), 6, true},
	} {
		facts := factsOf(t, threadsOf+permits+ofProgram+c.document+`<gcStart time="9"/></TRACE>`)
		facts.Statistics.Workers = &contention.Workers{LateTimers: []*contention.LateTimer{{Name: "worker-1", Busy: c.busy * 1e9}}}
		found := diagnosis.Of(facts)
		told := slices.ContainsFunc(found.Findings, func(f diagnosis.Finding) bool {
			return f.Kind == diagnosis.Semaphore && strings.Contains(fmt.Sprint(f.Evidence), "It runs a timer's tasks: ")
		})
		if len(found.Findings) != 1 || !told || found.Healthy() != c.healthy {
			t.Errorf("%s: healthy is %v: %+v", name, found.Healthy(), found.Findings)
		}
	}
}

// TestTimerBlockedBriefly: a timer that is busy by something else keeps its finding beside a short block of its thread.
func TestTimerBlockedBriefly(t *testing.T) {
	const blocks = `<monContendedEnter threadIdRef="2" time="2" objIdRef="900" threadOwner="1"/><monContendedEntered threadIdRef="2" time="2.5" objIdRef="900"/>`
	facts := factsOf(t, threadsOf+permits+ofProgram+blocks+`<gcStart time="9"/></TRACE>`)
	facts.Statistics.Workers = &contention.Workers{LateTimers: []*contention.LateTimer{{Name: "worker-1", Busy: 6e9}}}
	found := diagnosis.Of(facts)
	if !slices.ContainsFunc(found.Findings, func(f diagnosis.Finding) bool { return f.Kind == diagnosis.TimerLate }) {
		t.Errorf("%+v", found.Findings)
	}
}
