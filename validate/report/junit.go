package report

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// junit prints what test runners print: a suite for each document, and in it a case for each rule that found something.
// There is no standard, but there are two schemas, Ant's and Jenkins'; what is written keeps to both. Hence some
// attributes that say little, and warnings in the suite's output, because a case has none with Ant.
type junit struct {
	out     *bufio.Writer
	options Options
	usual   map[string]trace.Severity
	suites  int
}

func newJUnit(out io.Writer, options Options) Printer {
	j := &junit{out: bufio.NewWriter(out), options: options, usual: make(map[string]trace.Severity, len(options.Rules))}
	for _, rule := range options.Rules {
		j.usual[rule.ID] = rule.Severity
	}
	j.out.WriteString(xml.Header + "<testsuites>\n")
	return j
}

// testSuite is a document. The order of its fields is the one that Ant's schema wants.
type testSuite struct {
	XMLName    xml.Name        `xml:"testsuite"`
	ID         int             `xml:"id,attr"`
	Name       string          `xml:"name,attr"`
	Package    string          `xml:"package,attr"`
	Timestamp  string          `xml:"timestamp,attr"` // of the whole check, without a zone
	Hostname   string          `xml:"hostname,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"` // tests that could not be run; there are none
	Time       string          `xml:"time,attr"`
	Properties []suiteProperty `xml:"properties>property"`
	Cases      []testCase      `xml:"testcase"`
	Out        lines           `xml:"system-out"`
	Err        lines           `xml:"system-err"`
}

type suiteProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// testCase is a rule, applied to a document.
type testCase struct {
	Class   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	Time    string   `xml:"time,attr"`
	Failure *failure `xml:"failure"` // nil if all that was found is warnings
}

type failure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

// lines are printable text, so they hold nothing that may not be in a CDATA section but its end, of which encoding/xml
// takes care.
type lines struct {
	Text string `xml:",cdata"`
}

// noTime is written where the schemas want a duration: all rules are applied in one pass, so none has a time of its
// own.
const noTime = "0"

func (j *junit) Print(r *validate.Result) error {
	content, err := xml.MarshalIndent(j.suite(r), "  ", "  ")
	if err != nil {
		return err
	}
	j.out.Write(content)
	j.out.WriteByte('\n')
	return j.out.Flush()
}

func (j *junit) Close() error {
	j.out.WriteString("</testsuites>\n")
	return j.out.Flush()
}

func (j *junit) suite(r *validate.Result) *testSuite {
	suite := &testSuite{
		ID: j.suites, Name: presentable(r.Input, longestName), Package: "trcx",
		Timestamp: j.options.Started.Format("2006-01-02T15:04:05"),
		Hostname:  "localhost", Time: noTime, Properties: []suiteProperty{
			{"trcx.version", presentable(j.options.Version, longestName)}},
		Cases: j.cases(r), Out: lines{output(r)},
	}
	j.suites++
	suite.Tests = len(suite.Cases)
	for _, c := range suite.Cases {
		if c.Failure != nil {
			suite.Failures++
		}
	}
	return suite
}

// cases are the rules that found something, sorted by name; or one case that passes, since a suite without any looks as
// if nothing had been checked.
func (j *junit) cases(r *validate.Result) []testCase {
	class := presentable(r.Input, longestName)
	if len(r.Counts) == 0 {
		return []testCase{{Class: class, Name: "valid", Time: noTime}}
	}
	errors := errorsByRule(r)
	cases := make([]testCase, 0, len(r.Counts))
	for _, rule := range slices.Sorted(maps.Keys(r.Counts)) {
		c := testCase{Class: class, Name: presentable(rule, longestName), Time: noTime}
		if found := errors[rule]; len(found) > 0 || j.hidesErrors(r, rule) {
			c.Failure = failureOf(r, rule, found)
		}
		cases = append(cases, c)
	}
	return cases
}

func errorsByRule(r *validate.Result) map[string][]*trace.Finding {
	found := make(map[string][]*trace.Finding)
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Severity == trace.Error {
			found[f.Rule] = append(found[f.Rule], f)
		}
	}
	return found
}

// hidesErrors says whether errors of a rule were counted of which none was kept. Counts do not tell errors from
// warnings, but as errors are kept first, there are none if a warning was kept; otherwise the rule's usual severity
// decides.
func (j *junit) hidesErrors(r *validate.Result, rule string) bool {
	kept := func(f trace.Finding) bool { return f.Severity == trace.Warning }
	if r.Hidden() <= 0 || r.Errors == 0 || slices.ContainsFunc(r.Findings, kept) {
		return false
	}
	return r.Warnings == 0 || j.usual[rule] == trace.Error
}

// failureOf lists the errors of a rule.
func failureOf(r *validate.Result, rule string, errors []*trace.Finding) *failure {
	f := &failure{Type: presentable(rule, longestName), Message: phrase.Count(r.Counts[rule], "finding")}
	if len(errors) > 0 {
		f.Message = presentable(errors[0].Message, longestMessage)
	}
	if more := r.Counts[rule] - 1; more > 0 && len(errors) > 0 {
		f.Message += fmt.Sprintf(" (and %d more)", more)
	}
	var b strings.Builder
	for _, found := range errors {
		fmt.Fprintln(&b, sentence(r.Input, found, colorless))
	}
	f.Text = b.String()
	return f
}

// output lists the warnings, and counts.
func output(r *validate.Result) string {
	var b strings.Builder
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Severity == trace.Warning {
			fmt.Fprintln(&b, sentence(r.Input, f, colorless))
		}
	}
	fmt.Fprintf(&b, "%s: %s\n", presentable(r.Input, longestName), tally(r))
	return b.String()
}
