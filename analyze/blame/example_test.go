package blame_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/trace"
)

// Of computes who is to blame from the records that the critical path needs, too.
func Example() {
	file, err := os.Open("../../docs/testdata/path-cache.trcxml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	recorder := critical.NewRecorder()
	defer recorder.Close()
	if err := trace.Copy(recorder, convert.Model(context.Background(), file, convert.Options{})); err != nil {
		log.Fatal(err)
	}
	result, err := blame.Of(recorder, blame.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range result.Rows() {
		fmt.Println(row.Thread.Name, row.Kind, time.Duration(row.Total), "in", row.Count, "waits")
	}
	// Output:
	// worker-1 segment 2.67s in 3 waits
	// worker-2 segment 1.8s in 2 waits
	// worker-3 segment 985ms in 1 waits
	// worker-3 latency 1ms in 1 waits
}
