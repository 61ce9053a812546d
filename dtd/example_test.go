package dtd_test

import (
	"fmt"
	"strings"

	"github.com/trcx/trcx/dtd"
)

// Check validates any document by its own DOCTYPE.
func ExampleCheck() {
	document := `<!DOCTYPE list [<!ELEMENT list (item+)> <!ELEMENT item EMPTY> <!ATTLIST item id ID #REQUIRED>]>
<list><item id="a"/><item/></list>`
	findings, err := dtd.Check(strings.NewReader(document), dtd.Options{})
	if err != nil {
		fmt.Println(err)
	}
	wellFormed := true
	for _, f := range findings {
		fmt.Printf("%d:%d: %s [%s]\n", f.Line, f.Column, f.Message, f.Rule)
		wellFormed = wellFormed && f.Rule != dtd.RuleSyntax && f.Rule != dtd.RuleTruncated
	}
	fmt.Println("well-formed:", wellFormed)
	// Output:
	// 2:21: item has no attribute id, which is required [dtd-required]
	// well-formed: true
}

// Trace returns the grammar of traces, whose text is TraceText.
func ExampleTrace() {
	first, _, _ := strings.Cut(dtd.TraceText(), "\n")
	fmt.Println(first)
	fmt.Println(len(dtd.Trace().Findings()))
	// Output:
	// <!-- The DTD of Java thread and heap traces in the vocabulary of Eclipse TPTP.
	// 0
}
