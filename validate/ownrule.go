package validate

import "github.com/trcx/trcx/trace"

// OwnRule is a rule that a program adds to those of this package; see Options.OwnRules.
type OwnRule struct {
	// Rule describes it. Its ID differs from those of Rules.
	Rule *Rule
	// NewCheck returns the check of one recording. The check is called for each event, in the order of the input, and
	// calls report for a defect of the event: with the attribute that a quote marks, NoAttr for none, and the message.
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
