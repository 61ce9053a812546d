package jfr_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/jfr"
	"github.com/trcx/trcx/trace"
)

// Read reads a flight recording: here its threads.
func ExampleRead() {
	file, err := os.Open("../../testdata/recorded/sample.jfr")
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
	if _, err := jfr.Read(context.Background(), file, builder.Options{}, show); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1 main
	// 2 worker-1
	// 3 worker-2
}
