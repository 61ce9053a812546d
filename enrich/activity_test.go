package enrich_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/trace"
)

// TestNoActivities proves that NoActivities leaves out the Activity records, and changes no other record.
func TestNoActivities(t *testing.T) {
	document := string(enrichtest.Simulate(1, 100).XML)
	read := func(o enrich.Options) (records []string) {
		enricher := enrich.New(trace.SinkFunc(func(r trace.Record) error {
			records = append(records, fmt.Sprintf("%T %+v", r, r))
			return nil
		}), o)
		enricher.Begin(0)
		if _, err := trcxml.Read(context.Background(), strings.NewReader(document), trcxml.Options{},
			enricher.Put); err != nil {
			t.Fatal(err)
		}
		enricher.End(trace.Ending{})
		enricher.Finish()
		return records
	}
	all, without := read(enrich.Options{}), read(enrich.Options{NoActivities: true})
	others := slices.DeleteFunc(slices.Clone(all), func(r string) bool { return strings.HasPrefix(r, "*trace.Activity") })
	if len(others) == len(all) {
		t.Error("the trace has no activities")
	}
	if !slices.Equal(without, others) {
		t.Errorf("without activities %d records are put, want %d", len(without), len(others))
	}
}
