package tables_test

import (
	"fmt"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/fleet/rows"
	"github.com/trcx/trcx/fleet/tables"
)

// Tables are made of the rows of a run, for programs, and a report for people.
func ExampleAll() {
	var waits histogram.Distribution
	waits.Add(4_000_000)
	var set rows.Set
	set.Add(rows.Key{Table: rows.Class, Labels: "shop", Class: "app/Stock"}, rows.Value{Monitors: 1, Threads: 2, Traces: 1})
	set.Add(rows.Key{Table: rows.Class, Labels: "shop", Class: "app/Stock", Time: "blocked"}, rows.Of(&waits))
	labels := []string{"service"}
	for _, table := range tables.All(set.Sorted(), labels, labels) {
		if table.Name == "classes" {
			row := table.Rows[0]
			fmt.Println(row[0], row[len(row)-1])
		}
	}
	report := tables.Report(set.Sorted(), labels, labels, 10)
	fmt.Println(report.Tables[0].Title)
	// Output:
	// app/Stock shop
	// Classes of monitors, by the time that threads were BLOCKED
}
