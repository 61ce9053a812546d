package methods_test

import (
	"context"
	"fmt"
	"os"

	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/convert"
)

// A Collector is a sink of convert. Its sessions have tables of methods, classes, packages and threads.
func Example() {
	collector := methods.NewCollector(methods.Options{})
	inputs, err := convert.OpenInputs([]string{"../../docs/testdata/calls.trcxml"}, os.Stdin, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer inputs.Close()
	if err := convert.Run(context.Background(), inputs.Documents, convert.Options{}, collector); err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range collector.Sessions()[0].Tables(nil).Methods[:2] {
		fmt.Println(m.Title, m.Calls, m.Base, m.Cumulative)
	}
	// Output:
	// app.Main.main 1 24500000 99000000
	// app.Parser.parse 1 17000000 30000000
}
