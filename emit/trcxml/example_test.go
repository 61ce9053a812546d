package trcxml_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/trcxml"
)

// A Writer writes a trace in the form of TPTP's agents, after a preamble if the input has none.
func Example() {
	inputs, err := convert.OpenInputs([]string{convert.Stdin}, strings.NewReader(`<TRACE>
<threadStart   time='1.0' threadId='1' threadName='main' objIdRef='10' ></threadStart>
</TRACE>`), 0)
	if err != nil {
		log.Fatal(err)
	}
	defer inputs.Close()
	var text strings.Builder
	writer := trcxml.NewWriter(&text, trcxml.Options{})
	if err := convert.Run(context.Background(), inputs.Documents, convert.Options{}, writer); err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(text.String()) {
		if strings.HasPrefix(line, "<threadStart") {
			fmt.Print(line)
		}
	}
	// Output:
	// <threadStart threadId="1" time="1.0" threadName="main" objIdRef="10"/>
}
