package callgrind_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/callgrind"
)

// The profile of a trace with two calls, as KCachegrind opens it.
func Example() {
	trace := `<TRACE><classDef name="app/Main" sourceName="Main.java" classId="1"/>` +
		`<methodDef name="main" startLineNumber="5" methodId="2" classIdRef="1"/><methodDef name="sum" methodId="3" classIdRef="1"/>` +
		`<methodEntry threadIdRef="1" time="1.0" methodIdRef="2"/><methodEntry threadIdRef="1" time="1.1" methodIdRef="3"/>` +
		`<methodExit threadIdRef="1" time="1.3" methodIdRef="3"/><methodExit threadIdRef="1" time="1.4" methodIdRef="2"/></TRACE>`
	collector := methods.NewCollector(methods.Options{})
	inputs, err := convert.OpenInputs([]string{convert.Stdin}, strings.NewReader(trace), 0)
	if err == nil {
		defer inputs.Close()
		err = convert.Run(context.Background(), inputs.Documents, convert.Options{}, collector)
	}
	if err == nil {
		err = callgrind.Write(os.Stdout, collector.Profile(methods.View{}))
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// # callgrind format
	// version: 1
	// creator: trcx
	// positions: line
	// events: base
	// event: base : base, nanoseconds
	//
	// fl=(1) Main.java
	// fn=(2) app.Main.main
	// 5 200000000
	// cfi=(1)
	// cfn=(3) app.Main.sum
	// calls=1 0
	// 5 200000000
	//
	// fl=(1)
	// fn=(3)
	// 0 200000000
}
