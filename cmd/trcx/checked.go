package main

import (
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// strict is a stage that checks the elements of a conversion as validate does. If the result cannot be written, it goes
// on to check: of an invalid input nothing is written anyway, and the errors are what matters.
type strict struct {
	sink        convert.Sink
	flush       func() error // waits until the sink has everything
	failed      error        // the first error of the sink, which gets nothing more
	checker     *validate.Checker
	findings    *validate.Findings
	diagnostics *diagnostics
	document    string
}

func newStrict(sink convert.Sink, flush func() error, diagnostics *diagnostics) *strict {
	s := &strict{sink: sink, flush: flush, diagnostics: diagnostics}
	s.checker = validate.NewChecker(func(int) *validate.Findings { return s.findings })
	return s
}

// opens begins the findings of the next document.
func (s *strict) opens(document, format string) {
	s.checker.Logs = format != convert.Trcxml
	s.document = document
	s.findings = validate.NewFindings(validate.RuleSelection{}, 2*maxShown)
}

// report adds a finding of the reader. That a document is no trace comes after the end of all of them.
func (s *strict) report(document string, finding trace.Finding) {
	if s.findings == nil || document != s.document || finding.Rule == convert.RuleNotTrace {
		s.diagnostics.report(document, finding)
		return
	}
	s.findings.AddByTable(finding)
}

// Begin begins a recording.
func (s *strict) Begin(session int) error {
	if err := s.checker.Begin(session); err != nil {
		return err
	}
	if s.failed == nil {
		s.failed = s.sink.Begin(session)
	}
	return nil
}

// Put checks the element and passes it on.
func (s *strict) Put(e *trace.Event) error {
	if err := s.checker.Put(e); err != nil {
		return err
	}
	if s.failed == nil {
		s.failed = s.sink.Put(e)
	}
	return nil
}

// End ends a recording, and reports its findings.
func (s *strict) End(ending trace.Ending) error {
	if err := s.checker.End(ending); err != nil {
		return err
	}
	result := s.findings.Result()
	s.findings = nil
	s.diagnostics.reportAll(s.document, result)
	if s.failed == nil {
		s.failed = s.sink.End(ending)
	}
	return nil
}

// Finish ends the result. The error of the sink counts if the input is valid.
func (s *strict) Finish() error {
	if s.failed == nil {
		s.failed = s.sink.Finish()
	}
	if err := s.flush(); s.failed == nil {
		s.failed = err
	}
	if s.diagnostics.errors > 0 {
		return nil
	}
	return s.failed
}
