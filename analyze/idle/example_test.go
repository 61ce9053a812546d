package idle_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/trcx/trcx/analyze/idle"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/trace"
)

// ReasonOf finds waits for work: a thread of a pool that waits for its next task.
func ExampleReasonOf() {
	file, err := os.Open("../../testdata/recorded/orders-jdk25.trcxml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	for record, err := range convert.Model(context.Background(), file, convert.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		if e, ok := record.(*trace.ModelEvent); ok && idle.ReasonOf(e) != 0 {
			fmt.Println(e.Thread.ID, e.Type)
		}
	}
	// Output:
	// 20 TRCThreadWaitingForObjectEvent
	// 21 TRCThreadWaitingForObjectEvent
	// 21 TRCThreadWaitingForObjectEvent
	// 21 TRCThreadWaitingForObjectEvent
	// 21 TRCThreadWaitingForObjectEvent
	// 21 TRCThreadWaitingForObjectEvent
	// 21 TRCThreadWaitingForObjectEvent
}
