package heap_test

import (
	"context"
	"fmt"
	"log"

	"github.com/trcx/trcx/analyze/heap"
	"github.com/trcx/trcx/convert"
)

// A Collector collects a heap dump. Its graph has the classes, with what their objects retain.
func Example() {
	inputs, err := convert.OpenInputs([]string{"../../docs/testdata/heap.trcxml"}, nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	defer inputs.Close()
	collector := &heap.Collector{}
	if err := convert.Run(context.Background(), inputs.Documents, convert.Options{}, collector); err != nil {
		log.Fatal(err)
	}
	graph, err := collector.Graph(false)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range graph.Classes(graph.Dominators()) {
		fmt.Println(row.Class.ClassName(), row.Count, "objects of", row.Bytes, "bytes retain", row.Retained)
	}
	// Output:
	// [B 1 objects of 32 bytes retain 32
	// app.Node 2 objects of 32 bytes retain 48
	// app.Cache 1 objects of 24 bytes retain 72
	// java.lang.Class 1 objects of 24 bytes retain 24
}
