package selection_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/trace"
)

// A Filter passes on a part of the trace: here the waits for locks that ended in the first 500 ms.
func ExampleNewFilter() {
	file, err := os.Open("../../testdata/recorded/warehouse-jdk17.trcxml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	show := trace.SinkFunc(func(r trace.Record) error {
		if wait, ok := r.(*trace.Interval); ok && wait.Type == trace.WaitingForLock {
			fmt.Println("thread", wait.Thread.ID, time.Duration(wait.Length()))
		}
		return nil
	})
	filter := selection.NewFilter(selection.Selection{Window: selection.Window{Until: 500 * time.Millisecond}}, show)
	if err := trace.Copy(filter, convert.Model(context.Background(), file, convert.Options{})); err != nil {
		log.Fatal(err)
	}
	// Output:
	// thread 14 237.994292ms
	// thread 13 270.550174ms
	// thread 12 303.143065ms
	// thread 12 24.213762ms
}
