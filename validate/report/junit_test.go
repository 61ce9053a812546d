package report_test

import (
	"bytes"
	"encoding/xml"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

type junitSuites struct {
	Suites []struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Cases    []struct {
			Name    string `xml:"name,attr"`
			Failure *struct {
				Message string `xml:"message,attr"`
				Type    string `xml:"type,attr"`
				Text    string `xml:",chardata"`
			} `xml:"failure"`
		} `xml:"testcase"`
		Out string `xml:"system-out"`
	} `xml:"testsuite"`
}

// readJUnit reads a report and compares its numbers with what they count.
func readJUnit(t testing.TB, content []byte) junitSuites {
	t.Helper()
	var report junitSuites
	if err := xml.Unmarshal(content, &report); err != nil {
		t.Fatalf("%v in %.300s", err, content)
	}
	for _, suite := range report.Suites {
		failures := 0
		for _, c := range suite.Cases {
			if c.Failure == nil {
				continue
			}
			failures++
			if c.Failure.Type != c.Name || c.Failure.Message == "" {
				t.Errorf("the failure of %s is %+v", c.Name, c.Failure)
			}
		}
		if suite.Tests != len(suite.Cases) || suite.Failures != failures || suite.Errors != 0 || suite.Tests == 0 {
			t.Errorf("%s says %d tests, %d failures, %d errors; there are %d and %d", suite.Name, suite.Tests,
				suite.Failures, suite.Errors, len(suite.Cases), failures)
		}
	}
	return report
}

// TestJUnitCases says which rules pass and which fail.
func TestJUnitCases(t *testing.T) {
	mixed := trace.Finding{Rule: "wait-twice", Severity: trace.Warning, Message: "mild"}
	bad := trace.Finding{Rule: "wait-twice", Message: "bad"}
	strict := trace.Finding{Rule: "time-backwards", Message: "an error on request"}
	for name, test := range map[string]struct {
		result *validate.Result
		want   string // the cases; what fails in capitals
	}{
		"nothing found":                    {result("a"), "valid"},
		"a warning":                        {result("a", mixed), "wait-twice"},
		"an error":                         {result("a", bad), "WAIT-TWICE"},
		"an error and a warning of a rule": {result("a", mixed, bad), "WAIT-TWICE"},
		"warnings as errors":               {result("a", strict), "TIME-BACKWARDS"},
		"hidden warnings": {hide(result("a", bad), "time-backwards", 0, 7),
			"time-backwards WAIT-TWICE"},
		"hidden errors": {hide(result("a", bad), "thread-dead", 7, 0), "THREAD-DEAD WAIT-TWICE"},
		"hidden errors of a warning": {hide(result("a", bad), "time-backwards", 7, 0),
			"TIME-BACKWARDS WAIT-TWICE"},
		"a warning is shown, so no error hid": {hide(result("a", bad, mixed), "thread-dead", 0, 7),
			"thread-dead WAIT-TWICE"},
		"nothing shown": {hide(result("a"), "thread-dead", 1, 0), "THREAD-DEAD"},
	} {
		suite := readJUnit(t, printed(t, "junit", options, test.result)).Suites[0]
		var cases []string
		for _, c := range suite.Cases {
			if c.Failure != nil {
				c.Name = strings.ToUpper(c.Name)
			}
			cases = append(cases, c.Name)
		}
		if got := strings.Join(cases, " "); got != test.want {
			t.Errorf("%s: the cases are %s, want %s", name, got, test.want)
		}
		if shown := strings.Count(suite.Out, "warning: "); shown != strings.Count(string(printed(t, "text", options,
			test.result)), "warning: ") {
			t.Errorf("%s: the output has %d warnings:\n%s", name, shown, suite.Out)
		}
	}
}

// TestJUnitSchema checks reports, among them many of random hostile text, against the schema in testdata.
func TestJUnitSchema(t *testing.T) {
	xmllint := testtool.Need(t, "xmllint")
	random := rand.New(rand.NewPCG(1, 2))
	results := append(golden["usual"], golden["hostile"]...)
	for range 300 {
		results = append(results, randomResult(random))
	}
	lint := exec.Command(xmllint, "--noout", "--relaxng", "testdata/junit.rng", "-")
	lint.Stdin = bytes.NewReader(printed(t, "junit", options, results...))
	if said, err := lint.CombinedOutput(); err != nil {
		t.Errorf("xmllint: %v\n%.2000s", err, said)
	}
}

// randomResult has findings whose texts are put together from pieces of hostile ones.
func randomResult(random *rand.Rand) *validate.Result {
	text := func() string {
		var b strings.Builder
		for range 1 + random.IntN(4) {
			piece := hostile[random.IntN(len(hostile))].Element + "x"
			from := random.IntN(len(piece))
			b.WriteString(piece[from:min(len(piece), from+random.IntN(20)+1)])
		}
		return b.String()
	}
	found := make([]trace.Finding, random.IntN(4))
	for i := range found {
		found[i] = trace.Finding{
			Rule: text(), Severity: trace.Severity(random.IntN(2)), Place: trace.Place{Line: random.IntN(3), Column: 1},
			Element: text(),
			Message: text(), Quote: trace.Quote{Text: text(), Caret: random.IntN(30)},
		}
	}
	return result(text(), found...)
}
