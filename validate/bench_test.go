package validate_test

import (
	"bytes"
	"testing"

	"github.com/trcx/trcx/bench/synthetic"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// BenchmarkChecker measures all rules together per element of a generated trace; "looking" only iterates over the
// elements. They are read beforehand, and few enough to stay in the processor's cache, as an element just read does.
//
//	go test ./validate -run '^$' -bench Checker -cpu 1
func BenchmarkChecker(b *testing.B) {
	var text bytes.Buffer
	if err := synthetic.Generate(&text, 256<<10, 1, synthetic.Style{}); err != nil {
		b.Fatal(err)
	}
	events := eventsOf(b, text.Bytes())
	run := func(name string, element func(*trace.Event) error, begin func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				begin()
				for _, e := range events {
					if err := element(e); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(events)), "ns/element")
		})
	}
	sum := 0
	run("looking", func(e *trace.Event) error {
		sum += int(e.Kind) + int(e.Positions())
		return nil
	}, func() {})
	for _, rules := range [][2]string{{"all", "all"}, {"none", "none"}} {
		selection, err := validate.ParseSelection(rules[1])
		if err != nil {
			b.Fatal(err)
		}
		c := validate.NewChecker(func(int) *validate.Findings { return validate.NewFindings(selection, 100) })
		run(rules[0], c.Put, func() { c.Begin(0) })
	}
}
