package anonymize_test

import (
	"context"
	"os"
	"strings"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/anonymize"
	emit "github.com/trcx/trcx/emit/trcxml"
)

// A trace is written without the name of its thread.
func ExampleNew() {
	inputs := convert.NewInputs(strings.NewReader(`<threadStart threadId="1" time="1.0" threadName="payroll"/>`), 0)
	defer inputs.Close()
	if err := inputs.Add(convert.Stdin); err != nil {
		panic(err)
	}
	var trace strings.Builder
	sink := anonymize.New(emit.NewWriter(&trace, emit.Options{}), []byte("secret"))
	if err := convert.Run(context.Background(), inputs.Documents, convert.Options{}, sink); err != nil {
		panic(err)
	}
	for line := range strings.Lines(trace.String()) {
		if strings.Contains(line, "threadName") {
			os.Stdout.WriteString(line)
		}
	}
	// Output:
	// <threadStart threadId="1" time="1.0" threadName="thread-leACiEbtCm"/>
}
