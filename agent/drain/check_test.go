package drain

import (
	"bytes"
	"context"
	"io"
	"slices"
	"testing"

	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/emit/model"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// checkTrace proves that the document is a valid trace without warnings but these, and that it can be enriched. It
// returns the elements.
func checkTrace(t testing.TB, name, document string, warnings ...string) (elements []*trace.Event) {
	t.Helper()
	findings := validate.NewFindings(validate.RuleSelection{}, 20)
	checker := validate.NewChecker(func(int) *validate.Findings { return findings })
	enricher := enrich.New(model.NewWriter(io.Discard, model.Options{Format: model.JSONLines}), enrich.Options{})
	must(t, checker.Begin(0))
	must(t, enricher.Begin(0))
	ending, err := trcxml.Read(context.Background(), bytes.NewReader([]byte(document)), trcxml.Options{
		Report: findings.Add, Validation: trcxml.Validation{Grammar: dtd.Trace()}, Live: true,
	}, func(e *trace.Event) error {
		elements = append(elements, e.Clone())
		if annotation(e, "again") == "" { // which the rules do not know
			must(t, checker.Put(e))
		}
		return enricher.Put(e)
	})
	must(t, err)
	must(t, checker.End(ending))
	must(t, enricher.End(ending))
	must(t, enricher.Finish())
	for _, finding := range findings.Result().Findings {
		if finding.Severity != trace.Warning || !slices.Contains(warnings, finding.Rule) {
			t.Errorf("%s: %+v in\n%s", name, finding, excerpt(document, finding.Place.Offset))
		}
	}
	return elements
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// excerpt is the part of the document around the place.
func excerpt(document string, offset int64) string {
	return document[max(0, int(offset)-1000):min(len(document), int(offset)+200)]
}
