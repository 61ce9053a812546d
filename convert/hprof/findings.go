package hprof

import (
	"fmt"
	"slices"

	"github.com/trcx/trcx/trace"
)

// The rules that the reader applies.
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

// mostOfRule is how many findings of a rule are reported one by one; of the others it is said how many there are.
const mostOfRule = 100

// findings report what is wrong, and what the log cannot tell.
type findings struct {
	report func(trace.Finding)
	lack   func(trace.Lack)
	counts map[string]*tallied
	lacks  []string
}

// tallied are the findings of a rule.
type tallied struct {
	n    int
	last trace.Finding
}

func newFindings(report func(trace.Finding), lack func(trace.Lack)) *findings {
	if report == nil {
		report = func(trace.Finding) {}
	}
	if lack == nil {
		lack = func(trace.Lack) {}
	}
	return &findings{report: report, lack: lack, counts: map[string]*tallied{}}
}

// add reports a finding, unless there were too many of its rule.
func (f *findings) add(rule string, severity trace.Severity, place trace.Place, format string, arguments ...any) {
	t := f.counts[rule]
	if t == nil {
		t = &tallied{}
		f.counts[rule] = t
	}
	t.n++
	t.last = trace.Finding{Rule: rule, Severity: severity, Place: place}
	if t.n <= mostOfRule {
		t.last.Message = fmt.Sprintf(format, arguments...)
		f.report(t.last)
	}
}

func (f *findings) error(rule string, offset int64, format string, arguments ...any) {
	f.add(rule, trace.Error, trace.Place{Offset: offset}, format, arguments...)
}

func (f *findings) warning(rule string, offset int64, format string, arguments ...any) {
	f.add(rule, trace.Warning, trace.Place{Offset: offset}, format, arguments...)
}

// without says, once, what the log cannot tell.
func (f *findings) without(what, means string) {
	if !slices.Contains(f.lacks, what) {
		f.lacks = append(f.lacks, what)
		f.lack(trace.Lack{What: what, Means: means})
	}
}

// finish says of which rules there were more findings than reported.
func (f *findings) finish() {
	for _, rule := range []string{ruleLength, ruleRecord, ruleSubRecord, ruleInstance, ruleClass, ruleThread,
		ruleUndefined, ruleLimit, ruleLine} {
		if t := f.counts[rule]; t != nil && t.n > mostOfRule {
			t.last.Message = fmt.Sprintf(
				"this is the last of %d findings of this kind, of which the first %d were reported", t.n, mostOfRule)
			f.report(t.last)
		}
	}
}
