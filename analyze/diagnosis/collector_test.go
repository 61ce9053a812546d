package diagnosis_test

import (
	"context"
	"testing"

	"github.com/trcx/trcx/analyze/diagnosis"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/enrich"
)

// TestCollector compares the sums of the blame by class with those by pool, and finds a deadlock.
func TestCollector(t *testing.T) {
	for _, name := range []string{"deadlock-jdk25", "warehouse-jdk17", "warehouse-stacks-jdk25", "orders-jdk25"} {
		inputs, err := convert.OpenInputs([]string{"../../testdata/recorded/" + name + ".trcxml"}, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer inputs.Close()
		collector := diagnosis.NewCollector(name, selection.Window{})
		defer collector.Close()
		sink := convert.Tee(enrich.New(collector, enrich.Options{Calls: enrich.CallersOnly, NoActivities: true}),
			collector.Calls)
		if err := convert.Run(context.Background(), inputs.Documents, convert.Options{}, sink); err != nil {
			t.Fatal(err)
		}
		facts := &diagnosis.Facts{Target: name}
		if err := collector.Complete(facts); err != nil {
			t.Fatal(err)
		}
		total, byClass := int64(0), map[string]int64{}
		for _, row := range facts.Blame.Classes() {
			total += row.Total
			byClass[row.Pool+row.Kind.String()+row.State()] += row.Total
		}
		if total != facts.Blame.Total || total == 0 && name != "deadlock-jdk25" {
			t.Errorf("%s: the classes sum to %d, all waits to %d", name, total, facts.Blame.Total)
		}
		for _, row := range facts.Blame.Pools() {
			key := row.Pool + row.Kind.String() + row.State()
			if byClass[key] -= row.Total; row.Thread.Key == 0 && byClass[key] != 0 {
				t.Errorf("%s: the classes of %s differ from the sum by %d", name, key, byClass[key])
			}
		}
		if found := diagnosis.Of(facts); collector.Failed() != nil ||
			(found.Findings[0].Kind == diagnosis.Deadlock) != (name == "deadlock-jdk25") {
			t.Errorf("%s: the first finding is %+v", name, found.Findings[0])
		}
	}
}
