package validate_test

import (
	"strings"
	"testing"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// TestOwnRules proves that a caller's rule has its own state for each recording, sees all events whatever other rules
// are on, and can be switched off.
func TestOwnRules(t *testing.T) {
	second := validate.OwnRule{
		Rule: &validate.Rule{ID: "second-gc", Severity: trace.Error, Layer: validate.Meaning},
		NewCheck: func(report func(trace.Attr, string)) func(*trace.Event) {
			n := 0
			return func(e *trace.Event) {
				if e.Kind == trace.GCStart {
					if n++; n == 2 {
						report(trace.NoAttr, "the second collection")
					}
				}
			}
		},
	}
	none, err := validate.ParseSelection("none")
	if err != nil {
		t.Fatal(err)
	}
	off, err := validate.ParseSelection("-second-gc", second.Rule)
	if err != nil {
		t.Fatal(err)
	}
	others, err := validate.ParseSelection("gc-unpaired", second.Rule)
	if err != nil {
		t.Fatal(err)
	}
	document := `<TRACE><gcStart time="1"/><gcStart time="2"/><gcStart time="3"/></TRACE>`
	for name, c := range map[string]struct {
		selection validate.RuleSelection
		want      int
	}{"all": {validate.RuleSelection{}, 1}, "none of the package's": {none, 1}, "switched off": {off, 0},
		"not chosen": {others, 0}} {
		for range 2 {
			result, err := validate.Read(t.Context(), strings.NewReader(document),
				validate.Options{Selection: c.selection, OwnRules: []validate.OwnRule{second}})
			if err != nil || result.Counts["second-gc"] != c.want {
				t.Errorf("%s: %v, want %d; %v", name, result.Counts, c.want, err)
			}
		}
	}
}

// TestOwnRuleTwice proves that an own rule with the id of another one is an error, as selections could not tell them
// apart.
func TestOwnRuleTwice(t *testing.T) {
	rule := func(id string) validate.OwnRule {
		return validate.OwnRule{Rule: &validate.Rule{ID: id, Layer: validate.Meaning},
			NewCheck: func(func(trace.Attr, string)) func(*trace.Event) { return func(*trace.Event) {} }}
	}
	for _, own := range [][]validate.OwnRule{{rule("wait-twice")}, {rule("mine"), rule("mine")}} {
		_, err := validate.Read(t.Context(), strings.NewReader("<TRACE/>"), validate.Options{OwnRules: own})
		if err == nil || !strings.Contains(err.Error(), "has the ID of another rule") {
			t.Errorf("%s: %v", own[0].Rule.ID, err)
		}
	}
}
