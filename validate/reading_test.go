package validate_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// judged reads a document and returns all findings of the reader and the rules.
func judged(t testing.TB, document []byte) *validate.Result {
	t.Helper()
	findings := validate.NewFindings(validate.RuleSelection{}, 1000)
	c := validate.NewChecker(func(int) *validate.Findings { return findings })
	read(t, c, 0, document, findings.Add)
	result := findings.Result()
	for i := range result.Findings {
		place := &result.Findings[i].Place
		place.Line = 1 + bytes.Count(document[:place.Offset], []byte("\n"))
	}
	return result
}

// read passes a document to the checker.
func read(t testing.TB, c *validate.Checker, session int, document []byte, report func(trace.Finding)) {
	t.Helper()
	readBy(t, c, session, document, report, c.Put)
}

// readBy is like read, but passes the elements to take.
func readBy(t testing.TB, c *validate.Checker, session int, document []byte, report func(trace.Finding),
	put func(*trace.Event) error) {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(c.Begin(session))
	ending, err := trcxml.Read(context.Background(), bytes.NewReader(document), trcxml.Options{Session: session,
		Report: report}, put)
	check(err)
	check(c.End(ending))
	check(c.Finish())
}

// eventsOf reads a document and returns its elements.
func eventsOf(t testing.TB, document []byte) (events []*trace.Event) {
	t.Helper()
	_, err := trcxml.Read(context.Background(), bytes.NewReader(document), trcxml.Options{},
		func(e *trace.Event) error {
			events = append(events, e.Clone())
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	return events
}
