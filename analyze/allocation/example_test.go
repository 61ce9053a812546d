package allocation_test

import (
	"context"
	"fmt"
	"log"

	"github.com/trcx/trcx/analyze/allocation"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/enrich"
)

// A Collector sums up what the trace says was allocated, here by class.
func Example() {
	inputs, err := convert.OpenInputs([]string{"../../docs/testdata/allocations.trcxml"}, nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	defer inputs.Close()
	collector := allocation.NewCollector(allocation.Options{})
	enricher := enrich.New(collector, enrich.Options{Allocations: true})
	if err := convert.Run(context.Background(), inputs.Documents, convert.Options{}, enricher); err != nil {
		log.Fatal(err)
	}
	for _, row := range collector.Rows(allocation.Classes) {
		fmt.Println(row.Title, row.Allocated.Bytes, "bytes allocated,", row.Live.Bytes, "live")
	}
	// Output:
	// [B 6360 bytes allocated, 6360 live
	// app.Order 432 bytes allocated, 24 live
}
