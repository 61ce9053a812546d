package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// sarifLog is what the tests read of a log.
type sarifLog struct {
	Version string
	Runs    []struct {
		Tool struct {
			Driver struct {
				Name  string
				Rules []struct {
					ID                                      string
					ShortDescription, FullDescription, Help struct{ Text string }
				}
			}
		}
		Results []sarifResult
	}
}

type sarifResult struct {
	RuleID    string
	RuleIndex *int
	Level     string
	Message   struct{ Text string }
	Locations []struct {
		PhysicalLocation struct {
			ArtifactLocation struct{ URI string }
			Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
		}
	}
}

// readSARIF reads a log and reports what services would reject.
func readSARIF(t testing.TB, content []byte) []sarifResult {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal(content, &log); err != nil {
		t.Fatalf("%v in %.300s", err, content)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Tool.Driver.Name != "trcx" {
		t.Fatalf("not one run of trcx: %.300s", content)
	}
	driver, results := log.Runs[0].Tool.Driver, log.Runs[0].Results
	for _, rule := range driver.Rules {
		if rule.ShortDescription.Text == "" || rule.FullDescription.Text == "" || rule.Help.Text == "" {
			t.Errorf("rule %s is not described", rule.ID)
		}
	}
	for i, r := range results {
		if r.RuleIndex != nil && driver.Rules[*r.RuleIndex].ID != r.RuleID {
			t.Errorf("result %d is of rule %q, but %d in the table is %q", i, r.RuleID, *r.RuleIndex,
				driver.Rules[*r.RuleIndex].ID)
		}
		if r.Level != "error" && r.Level != "warning" && r.Level != "note" || r.Message.Text == "" {
			t.Errorf("result %d has level %q and message %q", i, r.Level, r.Message.Text)
		}
		if len(r.Locations) != 1 {
			t.Fatalf("result %d has %d locations", i, len(r.Locations))
		}
		place := r.Locations[0].PhysicalLocation
		if region := place.Region; region.StartLine < 1 || region.StartColumn < 1 ||
			region.EndLine != region.StartLine || region.EndColumn != region.StartColumn+1 {
			t.Errorf("result %d has the region %+v", i, region)
		}
		if _, err := url.Parse(place.ArtifactLocation.URI); err != nil {
			t.Errorf("result %d: %v", i, err)
		}
	}
	return results
}

// findings makes n findings of a rule.
func findings(n int, rule *validate.Rule) []trace.Finding {
	found := make([]trace.Finding, n)
	for i := range found {
		found[i] = trace.Finding{Rule: rule.ID, Severity: rule.Severity, Place: trace.Place{Line: i + 1, Column: 1},
			Message: fmt.Sprint("finding ", i)}
	}
	return found
}

func TestSARIFLimit(t *testing.T) {
	failing, warning := rules[0], rules[2]
	for name, test := range map[string]struct {
		results                []*validate.Result
		errors, warnings       int // that are shown
		summary, summaryOfFile string
	}{
		"as many as the limit": {results: []*validate.Result{result("a", findings(5000, failing)...)},
			errors: 5000},
		"one too many": {results: []*validate.Result{result("a", findings(4000, failing)...),
			result("b", findings(1001, failing)...)},
			errors: 4999, summary: "More was found than is shown: 2 errors.", summaryOfFile: "b"},
		"errors after too many warnings": {results: []*validate.Result{result("a", findings(6000, warning)...),
			result("b", findings(10, failing)...)},
			errors: 10, warnings: 4989, summary: "More was found than is shown: 1011 warnings.", summaryOfFile: "a"},
		"warnings after too many errors": {results: []*validate.Result{result("a", findings(6000, failing)...),
			result("b", findings(2, warning)...)},
			errors: 4999, summary: "More was found than is shown: 1001 errors, 2 warnings.", summaryOfFile: "a"},
		"some that validate hid": {results: []*validate.Result{result("a", findings(1, failing)...),
			hide(result("b"), failing.ID, 1, 7)},
			errors: 1, summary: "More was found than is shown: 1 error, 7 warnings.", summaryOfFile: "b"},
		"a full log and some that validate hid": {results: []*validate.Result{result("a", findings(5000, failing)...),
			hide(result("b"), failing.ID, 1, 0)},
			errors: 4999, summary: "More was found than is shown: 2 errors.", summaryOfFile: "b"},
	} {
		levels := map[string]int{}
		var last sarifResult
		shown := readSARIF(t, printed(t, "sarif", options, test.results...))
		for _, last = range shown {
			levels[last.Level]++
		}
		if levels["error"] != test.errors || levels["warning"] != test.warnings || len(shown) > 5000 {
			t.Errorf("%s: shown are %v", name, levels)
		}
		switch place := last.Locations[0].PhysicalLocation; {
		case test.summary == "" && levels["note"] == 0:
		case levels["note"] != 1 || last.Message.Text != test.summary ||
			place.ArtifactLocation.URI != test.summaryOfFile || place.Region.StartLine != 1:
			t.Errorf("%s: the summary is %+v", name, last)
		}
	}
}

func TestSARIFAddress(t *testing.T) {
	for input, want := range map[string]string{
		"app.trcxml":               "app.trcxml",
		"./traces/app 1.trcxml":    "traces/app%201.trcxml",
		"../app.trcxml":            "../app.trcxml",
		"100%?#.trcxml":            "100%25%3F%23.trcxml",
		"Bücher.trcxml":            "B%C3%BCcher.trcxml",
		"\xff\n.trcxml":            "%FF%0A.trcxml",
		"http:a.trcxml":            "./http:a.trcxml",
		"-":                        "-",
		"old.zip!a/b c.trcxml":     "old.zip%21a/b%20c.trcxml",
		"old.zip!/a.trcxml":        "old.zip%21/a.trcxml",
		"old.zip!x/../../ci.yml":   "old.zip%21x%2F..%2F..%2Fci.yml",
		"wow!/a.trcxml":            "wow%21/a.trcxml",
		"https://example.org/a.b!": "./https://example.org/a.b%21",
	} {
		shown := readSARIF(t, printed(t, "sarif", options, result(input, findings(1, rules[0])...)))
		if got := shown[0].Locations[0].PhysicalLocation.ArtifactLocation.URI; got != want {
			t.Errorf("%q has the address %q, want %q", input, got, want)
		}
	}
	folder := t.TempDir() // an absolute path, in the system's own form
	shown := readSARIF(t, printed(t, "sarif", options, result(filepath.Join(folder, "a b.zip")+"!../x",
		findings(1, rules[0])...)))
	want := "file:///" + strings.TrimPrefix(filepath.ToSlash(folder), "/") + "/a%20b.zip%21..%2Fx"
	if got := shown[0].Locations[0].PhysicalLocation.ArtifactLocation.URI; got != want {
		t.Errorf("an absolute name has the address %q, want %q", got, want)
	}
}

// TestSARIFSchema checks the golden logs against the schema that OASIS publishes, which is not part of the project.
func TestSARIFSchema(t *testing.T) {
	const variable = "SARIF_SCHEMA"
	file := os.Getenv(variable)
	if file == "" {
		t.Skipf("SKIPPED: %s names no copy of the schema of SARIF 2.1.0; sarif-validate.sh gets one", variable)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat = true
	compiler.LoadURL = func(url string) (io.ReadCloser, error) { return nil, fmt.Errorf("%s is not fetched", url) }
	if err := compiler.AddResource("sarif.json", bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, results := range golden {
		if err := schema.Validate(decode(t, printed(t, "sarif", options, results...))); err != nil {
			t.Errorf("%s: %#v", name, err)
		}
	}
}

// decode reads JSON as the schema's validator wants it: numbers exactly as written.
func decode(t testing.TB, text []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return value
}
