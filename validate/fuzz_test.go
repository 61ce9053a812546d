package validate_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"testing"

	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// FuzzChecker proves that the rules survive any bytes, and that findings are sorted, have existing rules, existing
// elements and messages. Events that share layouts have the same findings as copies that do not.
func FuzzChecker(f *testing.F) {
	for _, rule := range validate.Rules() {
		f.Add([]byte(rule.Example), 100)
	}
	f.Fuzz(func(t *testing.T, document []byte, most int) {
		findings := validate.NewFindings(validate.RuleSelection{}, most%1000)
		c := validate.NewChecker(func(int) *validate.Findings { return findings })
		if err := c.Begin(0); err != nil {
			t.Fatal(err)
		}
		source := &tags{document: document}
		ending, err := trcxml.Read(context.Background(), bytes.NewReader(document), trcxml.Options{},
			func(e *trace.Event) error {
				e.Source = source
				return c.Put(e)
			})
		if other := (*trcxml.NotTrace)(nil); err != nil && !errors.As(err, &other) {
			t.Fatal(err)
		}
		if err := c.End(ending); err != nil {
			t.Fatal(err)
		}
		result, counted := findings.Result(), 0
		for rule, count := range result.Counts {
			if counted += count; validate.Lookup(rule) == nil {
				t.Errorf("there is no rule %q", rule)
			}
		}
		if counted != result.Errors+result.Warnings || result.Hidden() < 0 || result.Hidden() > 0 &&
			len(result.Findings) != max(most%1000, 0) {
			t.Errorf("the result does not add up: %+v", result)
		}
		last := int64(0)
		for _, found := range result.Findings {
			if found.Place.Offset < last || found.Message == "" || found.Rule != "trace-unfinished" &&
				found.Element == "" {
				t.Errorf("%+v is out of order or says nothing", found)
			}
			last = found.Place.Offset
			checkQuote(t, found.Quote, len(document))
		}
		var copied trace.EventBuilder
		repeated := bytes.Repeat(document, 4)
		apart := countsOf(repeated, func(e *trace.Event) *trace.Event {
			copied.Copy(e)
			return &copied.Event
		})
		if shared := countsOf(repeated, func(e *trace.Event) *trace.Event { return e }); !maps.Equal(shared, apart) {
			t.Errorf("%q: %v, but copies of the events have %v", repeated, shared, apart)
		}
	})
}

// countsOf counts the findings of the rules in a document after changing each event.
func countsOf(document []byte, change func(*trace.Event) *trace.Event) map[string]int {
	findings := validate.NewFindings(validate.RuleSelection{}, 0)
	c := validate.NewChecker(func(int) *validate.Findings { return findings })
	c.Begin(0)
	ending, _ := trcxml.Read(context.Background(), bytes.NewReader(document), trcxml.Options{},
		func(e *trace.Event) error { return c.Put(change(e)) })
	c.End(ending)
	return findings.Result().Counts
}

// tags finds tags in a document in memory.
type tags struct{ document []byte }

func (s *tags) Locate(e *trace.Event) (trace.Place, []byte) {
	tag := s.document[min(int(e.Offset), len(s.document)):]
	if end := bytes.IndexByte(tag, '>'); end >= 0 {
		tag = tag[:end+1]
	}
	return trace.Place{Offset: e.Offset, Line: 1, Column: 1}, tag
}
