package jvmtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/emit/model"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// ReadTrace returns the model of a trace, as `trcx convert` writes it, also of one that a killed JVM cut off.
func ReadTrace(file string) (*enrichtest.Doc, error) {
	var text bytes.Buffer
	grouped := model.NewWriter(&text, model.Options{})
	defer grouped.Close()
	err := read(file, convert.Options{}, enrich.New(grouped, enrich.Options{}))
	if err != nil && !errors.Is(err, convert.ErrDamaged) {
		return nil, err
	}
	doc := &enrichtest.Doc{}
	if err := json.Unmarshal(text.Bytes(), doc); err != nil {
		return nil, fmt.Errorf("the model of %s: %w", file, err)
	}
	return doc, nil
}

// Validate returns the findings of `trcx validate` in a trace.
func Validate(file string) (*validate.Result, error) {
	findings := validate.NewFindings(validate.RuleSelection{}, 20)
	err := read(file, convert.Options{
		OnFinding: func(_ string, finding trace.Finding) { findings.AddByTable(finding) },
		Validation: trcxml.Validation{Grammar: dtd.Trace(), Any: true, Quote: validate.NewQuote,
			QuoteAt: validate.QuoteAt},
	}, validate.NewChecker(func(int) *validate.Findings { return findings }))
	return findings.Result(), err
}

func read(file string, options convert.Options, sink convert.Sink) error {
	inputs, err := convert.OpenInputs([]string{file}, nil, 0)
	if err != nil {
		return err
	}
	defer inputs.Close()
	return convert.Run(context.Background(), inputs.Documents, options, sink)
}
