package validate_test

import (
	"strings"
	"testing"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

func TestSelection(t *testing.T) {
	everything := func(*validate.Rule) bool { return true }
	butMeaning := func(rule *validate.Rule) bool { return rule.Layer != validate.Meaning }
	for text, want := range map[string]func(*validate.Rule) bool{
		"":     everything,
		" ":    everything,
		"all":  everything,
		"none": butMeaning,
		"-thread-dead, -dtd-content": func(r *validate.Rule) bool {
			return r.ID != "thread-dead" && r.ID != "dtd-content"
		},
		"thread-dead,wait-twice": func(r *validate.Rule) bool {
			return butMeaning(r) || r.ID == "thread-dead" ||
				r.ID == "wait-twice"
		},
		"none,thread-dead":            func(r *validate.Rule) bool { return butMeaning(r) || r.ID == "thread-dead" },
		"all,thread-dead,-wait-twice": func(r *validate.Rule) bool { return r.ID != "wait-twice" },
		"thread-dead,-dtd-content": func(r *validate.Rule) bool {
			return butMeaning(r) && r.ID != "dtd-content" ||
				r.ID == "thread-dead"
		},
		"none,-unread-entity": func(r *validate.Rule) bool { return butMeaning(r) && r.ID != "unread-entity" },
	} {
		s, err := validate.ParseSelection(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		any := [4]bool{}
		for _, rule := range validate.Rules() {
			if got := s.Enabled(rule.ID); got != want(rule) {
				t.Errorf("%q: %s is on: %v", text, rule.ID, got)
			}
			any[rule.Layer] = any[rule.Layer] || want(rule)
		}
		for layer, want := range any {
			if got := s.Any(validate.Layer(layer)); got != want {
				t.Errorf("%q: a rule of the layer %v is on: %v", text, validate.Layer(layer), got)
			}
		}
	}
	for text, want := range map[string]string{
		"thread-ded":             `there is no rule "thread-ded"; did you mean thread-dead?`,
		"-enter-twise":           `there is no rule "enter-twise"; did you mean enter-twice`,
		"object":                 `did you mean object-undefined or object-size?`,
		"dtd":                    `did you mean dtd-root or dtd-element or dtd-attribute?`,
		"gibberish":              `there is no rule "gibberish"; validate.Rules lists them`,
		"thread-dead,,":          `there is no rule ""`,
		"thread-dead,xml-syntax": "xml-syntax is not a semantic rule",
		"-":                      `there is no rule ""`,
		"-all":                   `there is no rule "all"`,
		"-xml-syntax":            "the rule xml-syntax cannot be switched off",
		"-bad-time,-truncated":   "the rule truncated cannot be switched off",
		"-damaged-input":         "cannot be switched off",
		"all,none":               "all and none contradict each other",
		"bad-time,-bad-time":     "the rule bad-time is both switched on and switched off",
		strings.Repeat("x", 1e6): `there is no rule "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"; validate.Rules`,
	} {
		_, err := validate.ParseSelection(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: the error is %v, want %s", text, err, want)
		}
	}
}

// TestNothingIsCheckedInVain proves that without rules there are no findings, and that a rule alone finds the same as
// among all rules.
func TestNothingIsCheckedInVain(t *testing.T) {
	for _, rules := range []string{"none", "thread-dead", "-thread-dead", "preamble-missing"} {
		selection, err := validate.ParseSelection(rules)
		if err != nil {
			t.Fatal(err)
		}
		findings := validate.NewFindings(selection, 100)
		read(t, validate.NewChecker(func(int) *validate.Findings { return findings }), 0,
			[]byte(validate.Lookup("thread-dead").Example), nil)
		result := findings.Result()
		for _, rule := range []string{"thread-dead", "preamble-missing", "trace-unfinished"} {
			want := 0
			if selection.Enabled(rule) {
				want = 1
			}
			if result.Counts[rule] != want {
				t.Errorf("%s: %d findings of %s, want %d", rules, result.Counts[rule], rule, want)
			}
		}
		if result.Errors+result.Warnings != len(result.Findings) ||
			result.Valid() != (result.Counts["thread-dead"] == 0) {
			t.Errorf("%s: the result does not add up: %+v", rules, result)
		}
	}
}

func finding(rule string, severity trace.Severity, offset int64) trace.Finding {
	return trace.Finding{Rule: rule, Severity: severity, Place: trace.Place{Offset: offset}}
}
