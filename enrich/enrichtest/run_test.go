package enrichtest

import (
	"bytes"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// TestRunsUseEveryRuleOfParks checks that runs reach every rule for parks, and that their endings differ.
func TestRunsUseEveryRuleOfParks(t *testing.T) {
	testtool.Long(t)
	rules, truncated, destroyed := map[string]int{}, 0, 0
	for seed := range uint64(300) {
		run := AnyRun(seed, 60+int(seed%5)*60)
		doc, err := Model(run.XML)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if again := AnyRun(seed, 60+int(seed%5)*60); !bytes.Equal(again.XML, run.XML) {
			t.Fatalf("seed %d gives two traces", seed)
		}
		for rule, n := range doc.Rules {
			rules[rule] += n
		}
		for _, thread := range doc.Threads {
			if thread.Name == "DestroyJavaVM" {
				destroyed++
			}
		}
		if doc.Trace.Truncated {
			truncated++
		}
	}
	for _, rule := range []string{"unpark", "lockFrom", "again", "causedBy", "gave up: timeout", "gave up: interrupt",
		"interrupt outside of the wait set", "2a", "2c", "handoff", "timed out", "start"} {
		if rules[rule] == 0 {
			t.Errorf("rule %q is never applied", rule)
		}
	}
	if destroyed < 80 || truncated < 30 {
		t.Errorf("%d runs have returned and %d traces are cut, want about 100", destroyed, truncated)
	}
	t.Logf("rules: %v", rules)
}
