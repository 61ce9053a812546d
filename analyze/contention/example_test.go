package contention_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/trace"
)

// A Collector adds up the time for which threads were blocked, waited, joined and slept.
func Example() {
	file, err := os.Open("../../testdata/recorded/warehouse-jdk17.trcxml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	collector := contention.NewCollector("warehouse", contention.DefaultRows)
	if err := trace.Copy(collector, convert.Model(context.Background(), file, convert.Options{})); err != nil {
		log.Fatal(err)
	}
	for _, monitor := range collector.Statistics().Monitors {
		if blocked := monitor.Times.Of(contention.Blocked); blocked.Count > 0 {
			fmt.Println(monitor.Class, blocked.Count, time.Duration(blocked.Total))
		}
	}
	// Output:
	// Warehouse$Shelf 4 835.901293ms
}

// Parked and IO are the parts of the times in which threads were parked, or waited for input or output.
func ExampleTimes_Of() {
	file, err := os.Open("../../docs/testdata/waits.trcxml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	collector := contention.NewCollector("waits", contention.DefaultRows)
	if err := trace.Copy(collector, convert.Model(context.Background(), file, convert.Options{})); err != nil {
		log.Fatal(err)
	}
	for _, thread := range collector.Statistics().Threads {
		parked, io := thread.Times.Of(contention.Parked), thread.Times.Of(contention.IO)
		fmt.Println(thread.Name, time.Duration(parked.Total), time.Duration(io.Total))
	}
	// Output:
	// main 0s 30ms
	// picker 41ms 0s
}
