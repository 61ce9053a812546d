package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/suggest"
	"github.com/trcx/trcx/trace"
)

// RuleSelection has the rules that are switched off. The zero Selection has none.
type RuleSelection struct {
	off map[string]bool
}

// mandatory reports whether the rule cannot be switched off, because its findings are about parts of the input that
// were not read.
func mandatory(rule *Rule) bool {
	return rule.Severity == trace.Error && (rule.Layer == Syntax || rule.Layer == Log && !rule.Whole) ||
		rule.ID == convert.RuleDamaged || rule.ID == convert.RuleNotTrace
}

// ParseSelection parses a selection of rules: all; none, which switches off the rules of Meaning; -id,-id, which
// switches off these; id,id, which switches off all other rules of Meaning. The empty text is all. The ids are from
// Rules and others.
func ParseSelection(text string, others ...*Rule) (RuleSelection, error) {
	s := RuleSelection{off: map[string]bool{}}
	if strings.TrimSpace(text) == "" {
		return s, nil
	}
	wanted := map[string]bool{}
	for item := range strings.SplitSeq(text, ",") {
		item = strings.TrimSpace(item)
		id, without := strings.CutPrefix(item, "-")
		rule := Lookup(id, others...)
		switch {
		case item == "all" || item == "none":
			wanted[item] = true
			continue
		case rule == nil:
			return RuleSelection{}, UnknownRule(id, others...)
		case without && mandatory(rule):
			return RuleSelection{},
				fmt.Errorf(
					"the rule %s cannot be switched off: it reports text that could not be read",
					id)
		case without:
			s.off[id] = true
		case rule.Layer != Meaning:
			return RuleSelection{},
				fmt.Errorf(
					"%s is not a semantic rule: ID,ID chooses among these only", id)
		default:
			wanted[id] = true
		}
	}
	if wanted["all"] && wanted["none"] {
		return RuleSelection{}, fmt.Errorf("all and none contradict each other")
	}
	for id := range wanted {
		if s.off[id] {
			return RuleSelection{}, fmt.Errorf("the rule %s is both switched on and switched off", id)
		}
	}
	if len(wanted) > 0 && !wanted["all"] {
		s.keepOnly(wanted, others)
	}
	return s, nil
}

// keepOnly switches off the rules of Meaning that are not wanted.
func (s RuleSelection) keepOnly(wanted map[string]bool, others []*Rule) {
	for _, rule := range slices.Concat(rules, others) {
		if rule.Layer == Meaning && !wanted[rule.ID] {
			s.off[rule.ID] = true
		}
	}
}

// Enabled reports whether the rule of the id is on.
func (s RuleSelection) Enabled(id string) bool { return !s.off[id] }

// Any reports whether a rule of the layer is on. If none of Meaning is, no Checker is needed.
func (s RuleSelection) Any(layer Layer) bool {
	return slices.ContainsFunc(rules, func(rule *Rule) bool { return rule.Layer == layer && s.Enabled(rule.ID) })
}

// UnknownRule returns the error for an id that is neither in Rules nor in others. It suggests similar ids.
func UnknownRule(id string, others ...*Rule) error {
	near := nearest(id, slices.Concat(rules, others))
	if len(near) == 0 {
		return noRule(fmt.Sprintf("there is no rule %q; %s lists them", sanitize.Clip(id, maxQuoted), noRule("").OptionName()))
	}
	return fmt.Errorf("there is no rule %q; did you mean %s?", sanitize.Clip(id, maxQuoted), strings.Join(near, " or "))
}

// noRule is the error for an id that resembles no rule's.
type noRule string

func (e noRule) Error() string { return string(e) }

// OptionName returns what lists the rules, as the error's text names it.
func (noRule) OptionName() string { return "validate.Rules" }

// nearest returns the ids of up to three rules that are similar to the id, the most similar first.
func nearest(id string, rules []*Rule) []string {
	const most, longest = 3, 64
	if id == "" || len(id) > longest {
		return nil
	}
	type candidate struct {
		id   string
		away int
	}
	var candidates []candidate
	for _, rule := range rules {
		away := suggest.Edits(id, rule.ID)
		if strings.HasPrefix(rule.ID, id) || strings.HasSuffix(rule.ID, id) {
			away = 1
		}
		if away <= len(rule.ID)/3 {
			candidates = append(candidates, candidate{rule.ID, away})
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return a.away - b.away })
	var ids []string
	for _, near := range candidates[:min(most, len(candidates))] {
		ids = append(ids, near.id)
	}
	return ids
}
