package bench

import (
	"bytes"
	"context"
	"testing"

	"github.com/trcx/trcx/bench/synthetic"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// BenchmarkValidate measures validation without input and output: well-formedness alone, with the DTD, with all rules,
// and with the rules alone.
func BenchmarkValidate(b *testing.B) {
	for name, c := range map[string]struct {
		grammar *dtd.Grammar
		rules   string
	}{
		"form": {nil, "none"}, "dtd": {dtd.Trace(), "none"}, "dtd+rules": {dtd.Trace(), "all"}, "rules": {nil, "all"},
	} {
		b.Run(name, func(b *testing.B) {
			text := generated(b, synthetic.Style{})
			selection, err := validate.ParseSelection(c.rules)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				check(b, text, c.grammar, selection)
			}
		})
	}
}

func check(b *testing.B, text []byte, grammar *dtd.Grammar, selection validate.RuleSelection) {
	findings := validate.NewFindings(selection, 100)
	checker := validate.NewChecker(func(int) *validate.Findings { return findings })
	if err := checker.Begin(0); err != nil {
		b.Fatal(err)
	}
	ending, err := trcxml.Read(context.Background(), bytes.NewReader(text), trcxml.Options{
		Report: func(finding trace.Finding) { findings.Add(finding) },
		Validation: trcxml.Validation{Grammar: grammar, Any: true, NamesOnly: !selection.Any(validate.Meaning),
			Quote: validate.NewQuote},
	}, checker.Put)
	if err != nil {
		b.Fatal(err)
	}
	if err := checker.End(ending); err != nil {
		b.Fatal(err)
	}
	if result := findings.Result(); result.Errors > 0 {
		b.Fatal(result.Findings)
	}
}
