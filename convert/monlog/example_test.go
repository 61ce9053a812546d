package monlog_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/monlog"
	"github.com/trcx/trcx/trace"
)

// Read reads a monitor log: here who was blocked. The metadata, which are optional, name classes and methods.
func ExampleRead() {
	file, err := os.Open("../../docs/testdata/pool.monlog")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	show := func(e *trace.Event) error {
		if e.Kind == trace.MonContendedEnter {
			fmt.Println(e.Thread(), "is blocked on", e.Object(trace.AttrObjIDRef))
		}
		return nil
	}
	if _, err := monlog.Read(context.Background(), file, nil, builder.Options{}, show); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 4294916310 is blocked on 12648430
}
