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

// junit prints a test report: a suite for each document with a case for each rule that found something. There is no
// standard, but two schemas, Ant's and Jenkins'; the output is valid by both. That is why some attributes are constant,
// and warnings are in the suite's output: by Ant's schema a case has none.
type junit struct {
	out     *bufio.Writer
	options Options
	own     map[string]trace.Severity // of each rule
	suites  int
}

func newJUnit(out io.Writer, options Options) Printer {
	j := &junit{out: bufio.NewWriter(out), options: options, own: make(map[string]trace.Severity, len(options.Rules))}
	for _, rule := range options.Rules {
		j.own[rule.ID] = rule.Severity
	}
	j.out.WriteString(xml.Header + "<testsuites>\n")
	return j
}

// testSuite is a document. Its fields have the order of Ant's schema.
type testSuite struct {
	XMLName    xml.Name        `xml:"testsuite"`
	ID         int             `xml:"id,attr"`
	Name       string          `xml:"name,attr"`
	Package    string          `xml:"package,attr"`
	Timestamp  string          `xml:"timestamp,attr"` // of the whole check, without a zone
	Hostname   string          `xml:"hostname,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"` // tests that could not be run: 0
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
	Failure *failure `xml:"failure"` // nil if all findings are warnings
}

type failure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

// lines is printable text. A CDATA section can hold any of it but "]]>", which encoding/xml splits.
type lines struct {
	Text string `xml:",cdata"`
}

// noTime is written where the schemas want a duration: all rules are applied in one pass, so no rule has its own time.
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
		ID: j.suites, Name: presentable(r.Input, maxName), Package: "trcx",
		Timestamp: j.options.Started.Format("2006-01-02T15:04:05"),
		Hostname:  "localhost", Time: noTime, Properties: []suiteProperty{
			{"trcx.version", presentable(j.options.Version, maxName)}},
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

// cases returns the rules with findings, sorted by name, or one case that passes: a suite without cases would look like
// one that was not run.
func (j *junit) cases(r *validate.Result) []testCase {
	class := presentable(r.Input, maxName)
	if len(r.Counts) == 0 {
		return []testCase{{Class: class, Name: "valid", Time: noTime}}
	}
	errors := errorsByRule(r)
	cases := make([]testCase, 0, len(r.Counts))
	for _, rule := range slices.Sorted(maps.Keys(r.Counts)) {
		c := testCase{Class: class, Name: presentable(rule, maxName), Time: noTime}
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

// hidesErrors reports whether a rule has errors that were counted and not kept. The counts of rules do not distinguish
// errors and warnings. Errors are kept first, so a rule with a kept warning hides no errors. Otherwise the rule's own
// severity decides.
func (j *junit) hidesErrors(r *validate.Result, rule string) bool {
	kept := func(f trace.Finding) bool { return f.Severity == trace.Warning }
	if r.Hidden() <= 0 || r.Errors == 0 || slices.ContainsFunc(r.Findings, kept) {
		return false
	}
	return r.Warnings == 0 || j.own[rule] == trace.Error
}

// failureOf returns the errors of a rule.
func failureOf(r *validate.Result, rule string, errors []*trace.Finding) *failure {
	f := &failure{Type: presentable(rule, maxName), Message: phrase.Count(r.Counts[rule], "finding")}
	if len(errors) > 0 {
		f.Message = presentable(errors[0].Message, maxMessage)
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

// output returns the warnings, and the numbers of findings.
func output(r *validate.Result) string {
	var b strings.Builder
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Severity == trace.Warning {
			fmt.Fprintln(&b, sentence(r.Input, f, colorless))
		}
	}
	fmt.Fprintf(&b, "%s: %s\n", presentable(r.Input, maxName), tally(r))
	return b.String()
}
