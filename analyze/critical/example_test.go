package critical_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/trace"
)

// A Recorder keeps the records from which the critical path is computed.
func Example() {
	file, err := os.Open("../../testdata/recorded/warehouse-jdk17.trcxml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	recorder := critical.NewRecorder()
	defer recorder.Close()
	if err := trace.Copy(recorder, convert.Model(context.Background(), file, convert.Options{})); err != nil {
		log.Fatal(err)
	}
	path := recorder.Path(recorder.Last())
	for piece := range path.Pieces() {
		if length := time.Duration(piece.Length()); length > 50*time.Millisecond {
			fmt.Println(piece.Thread.Title(), piece.State, length.Round(time.Millisecond))
		}
	}
	// Output:
	// stocktake (thread 15) TRCThreadSleepingEvent 300ms
	// main (thread 1) TRCThreadRunningEvent 95ms
}

// Within cuts the path at a window of the trace.
func ExampleRecorder_Within() {
	file, err := os.Open("../../docs/testdata/path-cache.trcxml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	recorder := critical.NewRecorder()
	defer recorder.Close()
	recorder.Within(selection.Window{Since: 500 * time.Millisecond, Until: 2 * time.Second})
	if err := trace.Copy(recorder, convert.Model(context.Background(), file, convert.Options{})); err != nil {
		log.Fatal(err)
	}
	path := recorder.Path(recorder.Last())
	for piece := range path.Pieces() {
		fmt.Println(piece.Thread.Title(), piece.State, time.Duration(piece.Length()))
	}
	fmt.Println(path.Length() == int64(1500*time.Millisecond))
	// Output:
	// worker-1 (thread 2) TRCThreadRunningEvent 415ms
	// worker-2 (thread 3) TRCThreadRunningEvent 900ms
	// worker-3 (thread 4) TRCThreadRunningEvent 185ms
	// true
}
