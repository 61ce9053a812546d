package report_test

import (
	"context"
	"log"
	"os"
	"strings"

	"github.com/trcx/trcx/validate"
	"github.com/trcx/trcx/validate/report"
)

// A Printer prints results as text, JSON, SARIF, JUnit or annotations of GitHub.
func ExampleNew() {
	printer, err := report.New("github", os.Stdout, report.Options{Rules: validate.Rules()})
	if err != nil {
		log.Fatal(err)
	}
	result, err := validate.Read(context.Background(), strings.NewReader("<TRACE><monWiat/></TRACE>"),
		validate.Options{Name: "app.trcxml", MaxFindings: 1})
	if err != nil {
		log.Fatal(err)
	}
	if err := printer.Print(result); err != nil {
		log.Fatal(err)
	}
	if err := printer.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// ::error file=app.trcxml,line=1,col=8,title=dtd-element::the element monWiat is not declared
	// ::notice title=trcx validate::1 error, 1 warning in 1 document, 1 of them invalid; 1 finding not shown
}
