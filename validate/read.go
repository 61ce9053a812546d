package validate

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
)

// Options select how Read checks an input. The zero value applies all rules and the grammar of traces, and keeps
// DefaultFindings.
type Options struct {
	// Name is Result.Input.
	Name string
	// MaxFindings limits the findings that are kept; all are counted. 0 is DefaultFindings, a negative number keeps
	// none.
	MaxFindings int
	// Selection switches rules off.
	Selection RuleSelection
	// OwnRules are the caller's rules, in addition to Rules.
	OwnRules []OwnRule
	// Grammar is the DTD for checking documents; nil is the DTD of traces.
	Grammar *dtd.Grammar
	// Limits bound what a document may contain; the zero value has the default limits.
	Limits dtd.Limits
	// Format is the input format; "" detects it from the content.
	Format string
}

// DefaultFindings is the limit of findings that Read keeps by default.
const DefaultFindings = 1000

// Read checks a trace: plain, compressed or a zip of documents, of any length. Defects of the trace are in the result;
// the error is a *convert.InputError if nothing can be read, or one of Check.
func Read(ctx context.Context, r io.Reader, o Options) (*Result, error) {
	inputs, err := convert.OpenInputs([]string{convert.Stdin}, r, 0)
	if err != nil {
		return nil, err
	}
	defer inputs.Close()
	if o.Grammar == nil {
		o.Grammar = dtd.Trace()
	}
	findings := NewFindings(o.Selection, cmp.Or(o.MaxFindings, DefaultFindings))
	namesOnly := !o.Selection.Any(Meaning) && len(o.OwnRules) == 0
	err = Check(ctx, inputs.Documents, convert.Options{Format: o.Format, Limits: o.Limits,
		Validation: trcxml.Validation{
			Grammar: o.Grammar, Any: true, NamesOnly: namesOnly, Quote: NewQuote, QuoteAt: QuoteAt,
		}}, findings, o.OwnRules...)
	if err != nil {
		return nil, err
	}
	result := findings.Result()
	result.Input = o.Name
	return result, nil
}

// Check reads documents by the options and adds all findings of the readers, the grammar, the rules of meaning and the
// caller's own rules. It replaces OnFinding. The error says that an own rule has the id of another rule, that nothing
// can be read, or is that of ctx.
func Check(ctx context.Context, documents []convert.Document, o convert.Options, findings *Findings,
	own ...OwnRule) error {
	others := make([]*Rule, len(own))
	for i, rule := range own {
		if Lookup(rule.Rule.ID, others[:i]...) != nil {
			return fmt.Errorf("the own rule %q has the ID of another rule", rule.Rule.ID)
		}
		others[i] = rule.Rule
	}
	add := findings.Add
	if o.Validation.Grammar == dtd.Trace() {
		add = findings.AddByTable
	}
	checker := NewChecker(func(int) *Findings { return findings })
	checker.ownRules = own
	opened := o.OnOpen
	o.OnOpen = func(document, format string) {
		checker.Logs = format != convert.Trcxml
		if opened != nil {
			opened(document, format)
		}
	}
	o.OnFinding = func(_ string, finding trace.Finding) { add(finding) }
	return convert.Run(ctx, documents, o, checker)
}
