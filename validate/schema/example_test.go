package schema_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate/schema"
)

// Check validates a model against its JSON Schema.
func ExampleCheck() {
	line := `{"kind":"trace","format":"trcx-model","version":"one"}`
	err := schema.Check(context.Background(), strings.NewReader(line), schema.Lines, func(f trace.Finding) {
		fmt.Printf("%d:%d: %s\n", f.Place.Line, f.Place.Column, f.Message)
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1:1: the line: missing properties: 'sessions'
	// 1:1: /version: value must be 1
	// 1:55: the input ends without a line of kind "end"
}
