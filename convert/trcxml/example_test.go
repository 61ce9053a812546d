package trcxml_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
)

// Read reads what it can: this trace has no end, and its second element lacks a quote.
func ExampleRead() {
	document := `<TRACE><threadStart threadId="1" time="1.0" threadName="main"/>
<threadEnd threadIdRef="1 time="2.0"/>`
	show := func(e *trace.Event) error {
		fmt.Println(e.Kind)
		return nil
	}
	options := trcxml.Options{Report: func(f trace.Finding) { fmt.Printf("line %d: %s\n", f.Place.Line, f.Message) }}
	if _, err := trcxml.Read(context.Background(), strings.NewReader(document), options, show); err != nil {
		log.Fatal(err)
	}
	// Output:
	// TRACE
	// threadStart
	// line 2: '2': white space and an attribute, or the end of the tag, is expected here
}
