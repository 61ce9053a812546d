package flight_test

import (
	"fmt"
	"strings"

	"github.com/trcx/trcx/agent/flight"
)

func ExampleSamples_Walk() {
	samples := flight.Samples{
		Classes: []flight.Class{{Name: "app/Order"}},
		Methods: []flight.Method{{Class: 0, Name: "total"}, {Class: 0, Name: "tax"}},
		Nodes:   []flight.Node{{Parent: -1, Thread: 1, Method: 0, Count: 2}, {Parent: 0, Thread: 1, Method: 1, Count: 5}},
	}
	level := 0
	samples.Walk(func(n *flight.Node) {
		fmt.Printf("%s%s %d\n", strings.Repeat("  ", level), samples.Methods[n.Method].Name, n.Count)
		level++
	}, func(*flight.Node) { level-- })
	// Output:
	// total 2
	//   tax 5
}
