package docs

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
	"github.com/trcx/trcx/validate/schema"
)

// TestRules proves that rules.md says what the rules say of themselves.
func TestRules(t *testing.T) {
	want := rulesPage()
	if *update {
		if err := os.WriteFile("rules.md", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile("rules.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("rules.md is not current; write it with: go test ./docs -update")
	}
}

func rulesPage() []byte {
	p := &page{}
	p.WriteString("<!-- Written by the tests from the rules in validate: go test ./docs -update -->\n\n")
	p.line("# The rules\n")
	p.line(
		"These rules find what is wrong with a trace, or unusual in it. An input with an error is not valid; " +
			"warnings")
	p.line("alone leave it valid.\n")
	p.line(
		"The rules are in the order of their layers: the data as it was stored, XML, the grammar, and what can have " +
			"happened")
	p.line(
		"in a JVM. Rules about models, which trcx writes as JSON, and about [other logs](formats/README.md) come " +
			"last. One defect is one finding where that is possible: after a finding, the newer event is taken for " +
			"true.\n")
	p.line("| rule | severity | concerns | it finds |")
	p.line("|---|---|---|---|")
	rules := slices.Concat(validate.Rules(), schema.Rules(), validate.OfLogs(convert.Rules()))
	for _, rule := range rules {
		p.line("| [%s](#%s) | %s | %s | %s |", rule.ID, rule.ID, rule.Severity, rule.Layer, cell(prose(rule.Summary)))
	}
	for _, rule := range rules {
		p.line("\n## %s\n", rule.ID)
		p.line("%s; it finds: %s.\n", article[rule.Severity], prose(rule.Summary))
		p.line("%s", prose(rule.Explanation))
		if rule.Example != "" {
			p.line("\n```xml\n%s\n```", strings.TrimSuffix(rule.Example, "\n"))
		}
	}
	return p.Bytes()
}

var article = map[trace.Severity]string{trace.Error: "An error", trace.Warning: "A warning"}

// prose makes a text fit for a page, on which < begins a tag.
func prose(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}
