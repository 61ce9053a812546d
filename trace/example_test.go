package trace_test

import (
	"fmt"

	"github.com/trcx/trcx/trace"
)

// The table of elements drives the reader, the writer, the DTD and the documentation.
func Example() {
	element := trace.MonWait.Element()
	fmt.Println(element.Name)
	for _, attribute := range element.Attributes {
		fmt.Println(" ", attribute.Name)
	}
	fmt.Println(trace.Lookup([]byte("monWait")) == trace.MonWait)
	// Output:
	// monWait
	//   threadIdRef
	//   time
	//   objIdRef
	//   timeout
	// true
}
