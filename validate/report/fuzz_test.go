package report_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
	"github.com/trcx/trcx/validate/report"
)

// FuzzPrint prints one finding in each format and reads it like the format's consumers. Whatever the text, they find
// this finding and nothing else, and the output does not control a terminal.
func FuzzPrint(f *testing.F) {
	schema := findingsSchema(f)
	f.Fuzz(func(t *testing.T, input, rule, element, message, quote string, caret, line, column int, warning bool) {
		if input == "" || rule == "" || message == "" || line < 0 || column < 1 {
			return // no such finding exists
		}
		finding := trace.Finding{
			Rule: rule, Place: trace.Place{Line: line, Column: column, Offset: int64(line)}, Element: element,
			Message: message,
			Quote:   trace.Quote{Text: quote, Caret: caret},
		}
		if warning {
			finding.Severity = trace.Warning
		}
		r := result(input, finding)
		for _, format := range report.Formats() {
			harmless(t, format, printed(t, format, options, r))
		}
		object := printed(t, "json", options, r)
		if err := schema.Validate(decode(t, object)); err != nil {
			t.Errorf("json: %#v", err)
		}
		checkJSON(t, readJSON(t, object), r)
		checkOthers(t, r)
	})
}

// harmless reports characters that a terminal would act upon.
func harmless(t *testing.T, format string, content []byte) {
	t.Helper()
	if !utf8.Valid(content) {
		t.Errorf("%s is not UTF-8: %.300q", format, content)
	}
	for _, r := range string(content) {
		if r != '\n' && unicode.IsControl(r) ||
			strings.ContainsRune("\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
				r) {
			t.Fatalf("%s has %U: %.300q", format, r, content)
		}
	}
}

// checkJSON compares a line with the result: it is exact, but for bytes that JSON cannot hold.
func checkJSON(t *testing.T, got jsonResult, r *validate.Result) {
	t.Helper()
	held := func(text string) string { return string([]rune(text)) }
	want, found := r.Findings[0], got.Findings[0]
	if got.Input != held(r.Input) || got.Valid != r.Valid() || len(got.Findings) != 1 ||
		got.Counts[held(want.Rule)] != 1 {
		t.Errorf("json says %+v", got)
	}
	if found.Rule != held(want.Rule) || found.Element != held(want.Element) || found.Message != held(want.Message) ||
		found.Severity != want.Severity.String() || found.Line != want.Place.Line || want.Place.Line > 0 &&
		found.Column != want.Place.Column {
		t.Errorf("json says %+v of %+v", found, want)
	}
}

func checkOthers(t *testing.T, r *validate.Result) {
	t.Helper()
	f := r.Findings[0]
	if n := bytes.Count(printed(t, "text", options, r), []byte("\n")); n != 2 && f.Quote.Text == "" || n != 4 &&
		f.Quote.Text != "" {
		t.Errorf("text has %d lines", n)
	}
	if results := readSARIF(t, printed(t, "sarif", options, r)); len(results) != 1 ||
		results[0].Level != f.Severity.String() {
		t.Errorf("sarif has %+v", results)
	}
	suite := readJUnit(t, printed(t, "junit", options, r)).Suites[0]
	if suite.Tests != 1 || suite.Failures != r.Errors || strings.Count(suite.Out, "\n") != 1+r.Warnings {
		t.Errorf("junit has %+v", suite)
	}
	if commands := readGitHub(t, printed(t, "github", options, r)); len(commands) != 2 ||
		commands[0].command != f.Severity.String() {
		t.Errorf("github has %+v", commands)
	}
}
