package validate_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// A Checker is a sink of elements.
var _ convert.Sink = (*validate.Checker)(nil)

// documented are the rules of the documented table, in its order.
var documented = []string{
	"xml-syntax", "truncated", "dtd-root", "dtd-element", "dtd-attribute", "dtd-required", "dtd-value", "dtd-content",
	"attribute-missing", "bad-time", "time-backwards", "thread-undefined", "thread-redefined", "thread-dead",
	"class-undefined", "method-undefined", "object-undefined", "again-late", "enter-twice", "entered-without-enter",
	"entered-mismatch",
	"owner-self", "owner-undefined", "wait-twice", "waited-without-wait", "waited-mismatch", "blocked-thread-acts",
	"timed-out-untimed", "stack-unbalanced", "bad-number", "preamble-missing", "trace-unfinished",
}

func TestRules(t *testing.T) {
	var ids []string
	layer := validate.Input
	for _, rule := range validate.Rules() {
		if !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(rule.ID) || slices.Contains(ids, rule.ID) {
			t.Errorf("%q is not an id, or occurs twice", rule.ID)
		}
		ids = append(ids, rule.ID)
		if validate.Lookup(rule.ID) != rule {
			t.Errorf("%s: not found by its id", rule.ID)
		}
		if rule.Layer < layer {
			t.Errorf("%s: its layer comes before that of the rule before", rule.ID)
		}
		layer = rule.Layer
		if rule.Summary == "" || strings.HasSuffix(rule.Summary, ".") || strings.Contains(rule.Summary, "\n") {
			t.Errorf("%s: the summary %q is no part of a sentence", rule.ID, rule.Summary)
		}
		if !strings.Contains(rule.Explanation, "\n\n") || !strings.HasSuffix(rule.Explanation, ".") {
			t.Errorf("%s: the explanation does not have paragraphs: what it means, what brings it about", rule.ID)
		}
		if (rule.Example == "") != slices.Contains([]string{"damaged-input", "content-too-large"}, rule.ID) {
			t.Errorf("%s: the example is missing, or there is one that no short text can be", rule.ID)
		}
	}
	inOrder := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !slices.Contains(documented, id) })
	if !slices.Equal(inOrder, documented) {
		t.Errorf("the rules are not in the documented order:\n%v", inOrder)
	}
	for _, id := range []string{
		trcxml.RuleSyntax, trcxml.RuleTruncated, trcxml.RuleBadTime, trcxml.RuleTimePrecision, trcxml.RuleAttributeMissing,
		trcxml.RuleStrayText,
		trcxml.RuleTooLarge, trcxml.RuleUnreadEntity, trcxml.RuleNestedTrace, convert.RuleDamaged, convert.RuleNotTrace,
		dtd.RuleRoot, dtd.RuleElement, dtd.RuleAttribute, dtd.RuleRequired, dtd.RuleValue, dtd.RuleContent, dtd.RuleEntity,
		dtd.RuleDeclaration, dtd.RuleStandalone, dtd.RuleAmbiguous,
	} {
		if validate.Lookup(id) == nil {
			t.Errorf("%s is reported, and no rule describes it", id)
		}
	}
	if validate.Lookup("thread") != nil || validate.Lookup("") != nil {
		t.Error("a rule is found that does not exist")
	}
}

// TestExamples proves that each example breaks its rule and no other rule of severity error. Examples of grammar rules
// are tested with the grammar.
func TestExamples(t *testing.T) {
	for _, rule := range validate.Rules() {
		if rule.Example == "" || rule.Layer == validate.Grammar || rule.ID == convert.RuleNotTrace {
			continue
		}
		found := false
		for _, f := range judged(t, []byte(rule.Example)).Findings {
			switch {
			case f.Rule == rule.ID:
				found = true
				if f.Severity != rule.Severity {
					t.Errorf("%s: its example has the severity %v", rule.ID, f.Severity)
				}
			case f.Severity == trace.Error:
				t.Errorf("%s: its example also has: %v", rule.ID, f)
			}
		}
		if !found {
			t.Errorf("%s: its example does not show it", rule.ID)
		}
	}
}
