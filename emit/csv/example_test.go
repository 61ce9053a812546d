package csv_test

import (
	"context"
	"io"
	"log"
	"os"
	"strings"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/csv"
	"github.com/trcx/trcx/trace"
)

// A Writer writes a table of events and one of interactions: here only the second is shown.
func ExampleNewWriter() {
	document := `<TRACE>
<threadStart threadId="1" time="1.0" threadName="main"/>
<threadStart threadId="2" time="1.1" threadName="worker"/>
<monContendedEnter threadIdRef="2" time="1.2" objIdRef="9" threadOwner="1"/>
<monContendedEntered threadIdRef="2" time="1.5" objIdRef="9"/>
</TRACE>`
	writer := csv.NewWriter(io.Discard, csv.Options{Interactions: os.Stdout})
	records := convert.Model(context.Background(), strings.NewReader(document), convert.Options{})
	if err := trace.Copy(writer, records); err != nil {
		log.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// cause,kind,causeTime,actingKey,actingId,actingName,running,runningTime,latency,affectedKey,affectedId,affectedName,session,objectId,class,inferred,caller,file,line
	// 5,hand-off,500000000,1,1,main,4,500000000,0,2,2,worker,0,9,,,,,
}
