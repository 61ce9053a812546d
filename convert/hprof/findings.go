package hprof

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// The ids of the rules.
const (
	ruleTruncated = "hprof-truncated"
	ruleHeader    = "hprof-header"
	ruleLength    = "hprof-length"
	ruleRecord    = "hprof-record"
	ruleSubRecord = "hprof-sub-record"
	ruleInstance  = "hprof-instance"
	ruleClass     = "hprof-class"
	ruleThread    = "hprof-thread"
	ruleUndefined = "hprof-undefined"
	ruleLimit     = "hprof-limit"
	ruleLine      = "hprof-line"

	ruleAnotherLog = "hprof-another-log"
)

// maxPerRule limits the findings reported for a rule; the last one has the number of all.
const maxPerRule = 100

// findings reports findings and information that the log does not have.
type findings struct {
	options             builder.Options
	counts              map[string]*ruleCount
	reportedUnsupported []string
}

// ruleCount counts the findings of a rule.
type ruleCount struct {
	n    int
	last trace.Finding
}

// add reports a finding, unless its rule has exceeded maxPerRule.
func (f *findings) add(rule string, severity trace.Severity, place trace.Place, format string, arguments ...any) {
	t := f.counts[rule]
	if t == nil {
		t = &ruleCount{}
		f.counts[rule] = t
	}
	switch rule {
	case ruleHeader, ruleLength, ruleRecord, ruleSubRecord, ruleInstance:
		f.whole(false)
	}
	t.n++
	t.last = trace.Finding{Rule: rule, Severity: severity, Place: place}
	if t.n <= maxPerRule {
		t.last.Message = fmt.Sprintf(format, arguments...)
		f.options.Add(t.last)
	}
}

// whole tells the caller whether the log is a binary heap dump whose records are whole so far.
func (f *findings) whole(is bool) {
	if f.options.Whole != nil {
		f.options.Whole(is)
	}
}

func (f *findings) error(rule string, offset int64, format string, arguments ...any) {
	f.add(rule, trace.Error, trace.Place{Offset: offset}, format, arguments...)
}

func (f *findings) warning(rule string, offset int64, format string, arguments ...any) {
	f.add(rule, trace.Warning, trace.Place{Offset: offset}, format, arguments...)
}

// unsupported reports, once, information that the log does not have.
func (f *findings) unsupported(what, means string) { f.lacks(trace.Lack{What: what, Means: means}) }

// lacks is unsupported for a whole Lack.
func (f *findings) lacks(lack trace.Lack) {
	if !slices.Contains(f.reportedUnsupported, lack.What) {
		f.reportedUnsupported = append(f.reportedUnsupported, lack.What)
		f.options.Lacks(true, lack)
	}
}

// finish reports the last finding of each rule that exceeded maxPerRule.
func (f *findings) finish() {
	for _, rule := range []string{ruleLength, ruleRecord, ruleSubRecord, ruleInstance, ruleClass, ruleThread,
		ruleUndefined, ruleLimit, ruleLine} {
		if t := f.counts[rule]; t != nil && t.n > maxPerRule {
			t.last.Message = fmt.Sprintf(
				"this is the last of %d findings of this rule; the first %d are reported", t.n, maxPerRule)
			f.options.Add(t.last)
		}
	}
}

//go:embed rules.txt
var rules string

// Rules describes the findings of Read.
func Rules() []trace.ReaderRule { return builder.Rules(rules) }
