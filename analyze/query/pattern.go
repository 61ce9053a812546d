package query

import "regexp"

// checkPattern sees to it that a pattern can be compiled once.
func (c *checker) checkPattern(n *node) error {
	if n.form != literal {
		return c.failAt(n.at, "the pattern of matches must be a text in quotes")
	}
	if _, err := regexp.Compile(n.text); err != nil {
		return c.failAt(n.at, "this is no regular expression: %v", err)
	}
	return nil
}
