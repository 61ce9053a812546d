package monlog_test

import (
	"context"
	"log"
	"os"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/monlog"
)

// A Writer is a sink of events: of TPTP's elements it writes those that a monitor log has.
func ExampleNewWriter() {
	inputs, err := convert.OpenInputs([]string{"../../docs/testdata/tour.trcxml"}, nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	defer inputs.Close()
	writer := monlog.NewWriter(os.Stdout, monlog.Options{})
	if err := convert.Run(context.Background(), inputs.Documents, convert.Options{}, writer); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1700000000.001000000,ThreadStarted,00000065,main
	// 1700000000.002000000,ThreadStart,00000065,00000066
	// 1700000000.002500000,ThreadStarted,00000066,worker
	// 1700000000.010000000,ObjectWait,00000066,00000384
	// 1700000000.020000000,ObjectNotify,00000065,00000384
	// 1700000000.020100000,ObjectWaited,00000066,00000384
	// 1700000000.030000000,MonitorContendedEnter,00000065,00000384,00000066
	// 1700000000.035000000,MonitorContendedEntered,00000065,00000384
	// 1700000000.036000000,MonitorContendedEnter,00000066,00000384,00000000
	// 1700000000.037000000,MonitorContendedEntered,00000066,00000384
	// 1700000000.040000000,ObjectWait,00000066,00000384
	// 1700000000.045200000,ObjectWaited,00000066,00000384
	// 1700000000.050000000,ObjectWait,00000066,00000384
	// 1700000000.060000000,ObjectNotify,00000065,00000384
	// 1700000000.060100000,ObjectWaited,00000066,00000384
	// 1700000000.070000000,ThreadEnded,00000066
	// 1700000000.080000000,ThreadStarted,00000067,second worker
	// 1700000000.090000000,MonitorContendedEnter,00000065,00000385,00000067
	// 1700000000.091000000,MonitorContendedEnter,00000067,00000386,00000065
}
