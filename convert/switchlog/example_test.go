package switchlog_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/switchlog"
	"github.com/trcx/trcx/trace"
)

// Read reads a log of thread switches: here the notifications.
func ExampleRead() {
	file, err := os.Open("../../docs/testdata/pool.switchlog")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	show := func(e *trace.Event) error {
		if e.Kind == trace.CallNotify {
			fmt.Println(e.Thread(), "notifies", e.Object(trace.AttrObjIDRef))
		}
		return nil
	}
	if _, err := switchlog.Read(context.Background(), file, builder.Options{}, show); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 4711 notifies wait 5001
	// 4711 notifies wait 5002
	// 4711 notifies wait 5001
}
