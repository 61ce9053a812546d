package deadlock_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/trcx/trcx/analyze/deadlock"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/trace"
)

// A Finder finds the cycles of threads that exist at the end of a trace.
func Example() {
	document := `<TRACE>
<threadStart threadId="1" time="1.0" threadName="anna" objIdRef="10"/>
<threadStart threadId="2" time="1.0" threadName="ben" objIdRef="11"/>
<monContendedEnter threadIdRef="1" time="2.0" objIdRef="20" threadOwner="2"/>
<monContendedEnter threadIdRef="2" time="2.1" objIdRef="21" threadOwner="1"/>
</TRACE>`
	finder := deadlock.NewFinder()
	records := convert.Model(context.Background(), strings.NewReader(document), convert.Options{})
	if err := trace.Copy(finder, records); err != nil {
		log.Fatal(err)
	}
	for _, d := range finder.Report().Deadlocks {
		for _, member := range d.Members {
			fmt.Println(member.Thread.Name, "is blocked on", member.Monitor.ID)
		}
	}
	// Output:
	// ben is blocked on 21
	// anna is blocked on 20
}
