package normalize_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/normalize"
	"github.com/trcx/trcx/emit/trcxml"
)

// A Normalizer converts traces of other programs to TPTP's form, and reports each kind of change.
func ExampleNew() {
	inputs := convert.NewInputs(strings.NewReader(`<classDef classId="6" name="java.lang.String[]"/>`), 0)
	defer inputs.Close()
	if err := inputs.Add(convert.Stdin); err != nil {
		log.Fatal(err)
	}
	var written strings.Builder
	sink := normalize.New(trcxml.NewWriter(&written, trcxml.Options{}),
		func(_ int, change normalize.Change) { fmt.Println(change) })
	if err := convert.Run(context.Background(), inputs.Documents, convert.Options{}, sink); err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(written.String()) {
		if strings.HasPrefix(line, "<classDef") {
			fmt.Print(line)
		}
	}
	// Output:
	// a class name that is not written as java/lang/Object: java.lang.String[] is [Ljava/lang/String;, at 1:1
	// an element whose attributes are in another order: classDef, at 1:1
	// an element of the preamble that is missing, and is added: node, at 1:50
	// an element of the preamble that is missing, and is added: processCreate, at 1:50
	// an element of the preamble that is missing, and is added: agentCreate, at 1:50
	// an element of the preamble that is missing, and is added: traceStart, at 1:50
	// a missing </TRACE>, at 1:50
	// <classDef name="[Ljava/lang/String;" classId="6"/>
}
