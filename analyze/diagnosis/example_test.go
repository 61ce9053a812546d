package diagnosis_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/diagnosis"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/trace"
)

// Of takes what a program has computed: here the blame alone.
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
	blamed, err := blame.Of(recorder, blame.Options{WithoutIdle: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range diagnosis.Of(&diagnosis.Facts{Blame: blamed}).Findings {
		fmt.Println(f.Kind, f.Waiting, "threads", time.Duration(f.Total))
	}
	// Output:
	// lock 2 threads 2.685s
	// join 1 threads 2.771s
}
