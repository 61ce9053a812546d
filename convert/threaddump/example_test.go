package threaddump_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/threaddump"
	"github.com/trcx/trcx/trace"
)

// Read reads a thread dump: here which threads are blocked, and on what.
func ExampleRead() {
	file, err := os.Open("../../docs/testdata/deadlock-dump.txt")
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
	if _, err := threaddump.Read(context.Background(), file, builder.Options{}, show); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 22 is blocked on 0x0000000600000010
	// 23 is blocked on 0x0000000600000020
}
