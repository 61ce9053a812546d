package validate_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/trcx/trcx/trace"
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

// A rule of one's own is checked with the others. This one wants a timeout for each wait.
func ExampleOwnRule() {
	unlimited := validate.OwnRule{
		Rule: &validate.Rule{ID: "shop-wait-unlimited", Severity: trace.Warning, Layer: validate.Meaning,
			Summary: "a wait has no timeout"},
		NewCheck: func(report func(trace.Attr, string)) func(*trace.Event) {
			return func(e *trace.Event) {
				if e.Kind == trace.MonWait && e.Text(trace.AttrTimeout) == "0" {
					report(trace.AttrTimeout, "the wait of thread "+e.Thread().String()+" has no timeout")
				}
			}
		},
	}
	document := `<TRACE>
<threadStart threadId="1" time="1.0" threadName="main" objIdRef="10"/>
<monWait threadIdRef="1" time="2.0" objIdRef="11" timeout="0"/>
</TRACE>`
	result, err := validate.Read(context.Background(), strings.NewReader(document),
		validate.Options{OwnRules: []validate.OwnRule{unlimited}})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range result.Findings {
		if f.Rule == unlimited.Rule.ID {
			fmt.Println(f)
			fmt.Println(f.Quote.Text)
		}
	}
	// Output:
	// 3:1: warning: the wait of thread 1 has no timeout [shop-wait-unlimited]
	// <monWait threadIdRef="1" time="2.0" objIdRef="11" timeout="0"/>
}
