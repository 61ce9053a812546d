package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/trcx/trcx/validate/report"
)

// findingsSchema compiles the schema that the package ships.
func findingsSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat = true
	compiler.LoadURL = func(url string) (io.ReadCloser, error) { return nil, fmt.Errorf("%s is not fetched", url) }
	if err := compiler.AddResource("findings.json", strings.NewReader(report.Schema())); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("findings.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

type jsonResult struct {
	Input    string
	Valid    bool
	Findings []struct {
		Rule, Severity, Element, Message string
		Line, Column                     int
		Offset                           int64
	}
	Counts                   map[string]int
	Errors, Warnings, Hidden int
}

func readJSON(t testing.TB, line []byte) (result jsonResult) {
	t.Helper()
	if err := json.Unmarshal(line, &result); err != nil {
		t.Fatalf("%v in %.300s", err, line)
	}
	return result
}

func TestJSONSchema(t *testing.T) {
	schema := findingsSchema(t)
	for name, results := range golden {
		lines := bytes.SplitAfter(printed(t, "json", options, results...), []byte("\n"))
		if len(lines) != len(results)+1 {
			t.Errorf("%s: %d results are %d lines", name, len(results), len(lines)-1)
		}
		for _, line := range lines[:len(results)] {
			if err := schema.Validate(decode(t, line)); err != nil {
				t.Errorf("%s: %#v", name, err)
			}
		}
	}
	for _, wrong := range []string{
		`{}`, `{"input":"a","valid":true,"findings":[],"counts":{"x":0},"errors":0,"warnings":0,"hidden":0}`} {
		if schema.Validate(decode(t, []byte(wrong))) == nil {
			t.Errorf("the schema takes %s", wrong)
		}
	}
}
