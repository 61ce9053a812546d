package diff_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/diff"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/trace"
)

// Compare tells differences from noise.
func ExampleCompare() {
	statistics := func(name string) *contention.Statistics {
		file, err := os.Open("../../testdata/recorded/" + name)
		if err != nil {
			log.Fatal(err)
		}
		defer file.Close()
		collector := contention.NewCollector(name, contention.DefaultRows)
		if err := trace.Copy(collector, convert.Model(context.Background(), file, convert.Options{})); err != nil {
			log.Fatal(err)
		}
		return collector.Statistics()
	}
	comparison := diff.Compare(statistics("warehouse-jdk17.trcxml"), statistics("warehouse-jdk25.trcxml"))
	for kind, change := range comparison.All {
		fmt.Println(contention.Kinds()[kind], change.Judge())
	}
	// Output:
	// blocked within noise
	// waited within noise
	// timed within noise
	// joined within noise
	// slept within noise
	// parked within noise
	// io within noise
	// init within noise
}
