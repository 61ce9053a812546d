package validate_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/trcx/trcx/validate"
)

// Read checks a trace by its grammar and by the rules of meaning.
func ExampleRead() {
	document := `<TRACE>
<threadStart threadId="1" time="1.0" threadName="main" objIdRef="10"/>
<monWait threadIdRef="1" time="2.0" objIdRef="11" timeout="0"/>
<monWait threadIdRef="1" time="3.0" objIdRef="11" timeout="0"/>
</TRACE>`
	result, err := validate.Read(context.Background(), strings.NewReader(document),
		validate.Options{Name: "app.trcxml"})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range result.Findings {
		fmt.Printf("%s:%d:%d: %s: %.40s… [%s]\n", result.Input, f.Place.Line, f.Place.Column, f.Severity, f.Message, f.Rule)
	}
	fmt.Println("valid:", result.Valid())
	// Output:
	// app.trcxml:2:1: warning: threadStart comes before node, processCr… [preamble-missing]
	// app.trcxml:4:1: error: thread 1 waits already; that wait has to… [wait-twice]
	// app.trcxml:5:9: warning: the trace has neither traceEnd nor agent… [trace-unfinished]
	// valid: false
}
