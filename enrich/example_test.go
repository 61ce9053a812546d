package enrich_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

// An Enricher consumes events and puts the records of the model.
func ExampleNew() {
	threads := 0
	enricher := enrich.New(trace.SinkFunc(func(r trace.Record) error {
		if e, ok := r.(*trace.ModelEvent); ok {
			fmt.Println(e.Thread.ID, e.Type)
		}
		if _, ok := r.(*trace.ModelThread); ok {
			threads++
		}
		return nil
	}), enrich.Options{})
	document := `<TRACE>
<threadStart threadId="1" time="1.0" threadName="main" objIdRef="10"/>
<monWait threadIdRef="1" time="2.0" objIdRef="-1" timeout="500"/>
<monWaited threadIdRef="1" time="2.5" objIdRef="-1" isTimedOut="1"/>
</TRACE>`
	inputs, err := convert.OpenInputs([]string{convert.Stdin}, strings.NewReader(document), 0)
	if err != nil {
		log.Fatal(err)
	}
	defer inputs.Close()
	if err := convert.Run(context.Background(), inputs.Documents, convert.Options{}, enricher); err != nil {
		log.Fatal(err)
	}
	fmt.Println(threads, "thread")
	// Output:
	// 1 TRCThreadRunningEvent
	// 1 TRCThreadSleepingEvent
	// 1 TRCThreadRunningEvent
	// 1 thread
}
