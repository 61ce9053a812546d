package hprof_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/hprof"
	"github.com/trcx/trcx/trace"
)

// Read reads an HPROF log: here its threads.
func ExampleRead() {
	file, err := os.Open("../../docs/testdata/agent.hprof.txt")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	show := func(e *trace.Event) error {
		if e.Kind == trace.ThreadStart {
			fmt.Println(e.Thread(), e.Text(trace.AttrThreadName))
		}
		return nil
	}
	if _, err := hprof.Read(context.Background(), file, builder.Options{}, show); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1 left
	// 2 right
}
