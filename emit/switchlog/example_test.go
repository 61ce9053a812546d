package switchlog_test

import (
	"context"
	"log"
	"os"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/switchlog"
	"github.com/trcx/trcx/trace"
)

// A Writer writes the switches of threads.
func ExampleNewWriter() {
	file, err := os.Open("../../docs/testdata/tour.trcxml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	writer := switchlog.NewWriter(os.Stdout)
	records := convert.Model(context.Background(), file, convert.Options{})
	if err := trace.Copy(writer, records); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Thread-101, start, Thread-102
	// Thread-102, wait, Thread-102, active 7 ms
	// Thread-101, notify, Thread-102
	// Thread-102, wait, Thread-102, active 18 ms
	// Thread-102, wait, Thread-102, active 4 ms
	// Thread-101, notify, Thread-102
	// Thread-101, interrupt, Thread-102
}
