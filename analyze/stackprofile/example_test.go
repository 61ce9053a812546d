package stackprofile_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/trcx/trcx/analyze/stackprofile"
	"github.com/trcx/trcx/convert"
)

// A Profile sums up how long threads were blocked, by state and call stack.
func ExampleProfile() {
	file, err := os.Open("../../testdata/recorded/orders-jdk25.trcxml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	profile := stackprofile.New(stackprofile.Options{States: stackprofile.Of(stackprofile.Blocked)})
	for record, err := range convert.Model(context.Background(), file, convert.Options{}) {
		if err != nil {
			log.Fatal(err)
		}
		profile.Put(record)
	}
	longest := profile.Samples()[0]
	innermost := profile.Place(longest.Stack[0])
	fmt.Println(longest.Thread, longest.State, longest.Delay, "ns in", profile.Function(innermost.Function).Title("."))
	// Output: order-1 blocked 129409293 ns in Orders$PriceCache.price
}
