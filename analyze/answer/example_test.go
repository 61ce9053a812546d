package answer_test

import (
	"fmt"
	"os"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/emit/answers"
)

// An analysis of one's own returns an Answer, and so has all four formats.
func Example() {
	table := func() answer.Table {
		t := answer.Table{Title: "Slowest queries", Columns: append(answer.Left("query"), answer.Right("time")...)}
		t.Add("SELECT 1", answer.Time(2_500_000))
		return t
	}
	a := &answer.Answer{
		Report: func() *answer.Report {
			return &answer.Report{Headline: "One query was slow.", Tables: []answer.Table{table()}}
		},
		CSV:  answer.RowsOf(table),
		JSON: func() any { return answer.Object{{Name: "slow", Value: 1}} },
	}
	if err := answers.WriteText(os.Stdout, a, answers.Options{Width: 80}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// One query was slow.
	//
	// Slowest queries
	//   query        time
	//   SELECT 1  2.50 ms
}
