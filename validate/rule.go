package validate

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// Rule describes one defect of an input, for outputs and documentation.
type Rule struct {
	// ID is the rule's name in outputs and on the command line, such as thread-dead.
	ID string
	// Severity is the severity of most findings. The Summary names the milder ones.
	Severity trace.Severity
	Layer    Layer
	// Whole reports that findings of a rule of Log lose no data, so that the rule can be switched off.
	Whole bool
	// Summary completes the sentence "found when …", in one line without a period.
	Summary string
	// Explanation has the meaning, the usual cause and the remedy: paragraphs with a blank line between.
	Explanation string
	// Example is a short input with findings of this rule and of no other rule of severity error; "" for none.
	Example string
}

// Layer is the part of the input that a rule checks.
type Layer uint8

// The layers, from bytes to events. Rules about text that could not be read cannot be switched off; a selection of
// rules that are to be on is of Meaning.
const (
	Input   Layer = iota // the data as it was stored
	Syntax               // XML
	Grammar              // the DTD
	Meaning              // the events of a JVM
	Log                  // a log that is not XML
)

var layerNames = [...]string{Input: "the data", Syntax: "XML", Grammar: "the grammar", Meaning: "what happened",
	Log: "another log"}

// String returns the layer in words.
func (l Layer) String() string { return layerNames[l] }

// Rules returns all rules in the order of their layers.
func Rules() []*Rule { return slices.Clone(rules) }

//go:embed rules.txt
var rulesText string

var rules = ParseRules(rulesText)

// ParseRules returns the described rules. The text has a chapter for each layer, which begins with a line such as
// "## XML"; builder.Rules defines the form of the rules in it.
func ParseRules(text string) (rules []*Rule) {
	for chapter := range strings.SplitSeq(strings.TrimPrefix(text, "## "), "\n## ") {
		name, text, _ := strings.Cut(chapter, "\n")
		layer := Layer(slices.Index(layerNames[:], name))
		rules = append(rules, ofLayer(layer, builder.Rules(strings.TrimLeft(text, "\n")))...)
	}
	return rules
}

// ruleOf returns the rule of the id, which rules.txt describes.
func ruleOf(id string) *Rule {
	rule := Lookup(id)
	if rule == nil {
		panic("rules.txt has no rule " + id)
	}
	return rule
}

// OfLogs returns the rules that readers of logs describe.
func OfLogs(described []trace.ReaderRule) []*Rule { return ofLayer(Log, described) }

func ofLayer(layer Layer, described []trace.ReaderRule) []*Rule {
	rules, all := make([]*Rule, len(described)), make([]Rule, len(described))
	for i, rule := range described {
		rules[i] = &all[i]
		all[i] = Rule{ID: rule.ID, Severity: rule.Severity, Layer: layer, Whole: rule.Whole, Summary: rule.Summary,
			Explanation: rule.Explanation, Example: rule.Example}
	}
	return rules
}

// Lookup returns the rule of the id, among Rules and others, or nil.
func Lookup(id string, others ...*Rule) *Rule {
	for _, described := range [][]*Rule{rules, others} {
		for _, rule := range described {
			if rule.ID == id {
				return rule
			}
		}
	}
	return nil
}

// OwnRule is a rule that a program adds to Rules; see Options.OwnRules.
type OwnRule struct {
	// Rule describes it. Its ID must differ from the IDs in Rules, and its Layer be Meaning.
	Rule *Rule
	// NewCheck returns the check of one recording. The check is called for each event, in the order of the input, and
	// calls report for a defect of the event: with the attribute that a quote marks, or NoAttr, and the message. Of an
	// attribute that is absent, the quote marks the beginning of the tag.
	NewCheck func(report func(trace.Attr, string)) func(*trace.Event)
}

// addOwn adds the checks of the own rules for a recording.
func (c *Checker) addOwn() {
	for _, own := range c.ownRules {
		if c.findings.selection.Enabled(own.Rule.ID) {
			c.ownChecks = append(c.ownChecks, own.NewCheck(func(attribute trace.Attr, message string) {
				c.report(own.Rule, attribute, func() string { return message })
			}))
		}
	}
}

// checkOwn checks an event by the own rules.
func (c *Checker) checkOwn(e *trace.Event) {
	c.event = e
	for _, check := range c.ownChecks {
		check(e)
	}
}
