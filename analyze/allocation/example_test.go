package allocation_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/trcx/trcx/analyze/allocation"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/enrich"
	"github.com/trcx/trcx/trace"
)

// A Collector sums up allocations, which the model has if Options.Model asks for them.
func Example() {
	file, err := os.Open("../../docs/testdata/allocations.trcxml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	collector := allocation.NewCollector(allocation.Options{})
	records := convert.Model(context.Background(), file, convert.Options{Model: enrich.Options{Allocations: true}})
	if err := trace.Copy(collector, records); err != nil {
		log.Fatal(err)
	}
	for _, row := range collector.Rows(allocation.Classes)[:2] {
		fmt.Printf("%s: %.0f objects, %.0f bytes\n", row.Title, row.Allocated.Count, row.Allocated.Bytes)
	}
	// Output:
	// [B: 6 objects, 6360 bytes
	// app.Order: 18 objects, 432 bytes
}
