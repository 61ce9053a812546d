package query

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
)

// functions are those of XPath 1.0 that one element can answer, and some of XPath 2.0.
var functions = map[string]struct {
	gives    kind
	least    int
	takes    []kind // of the arguments; the last one repeats if the function has any number
	anyCount bool
}{
	"boolean":          {truth, 1, []kind{anything}, false},
	"ceiling":          {numeric, 1, []kind{numeric}, false},
	"concat":           {textual, 2, []kind{textual, textual}, true},
	"contains":         {truth, 2, []kind{textual, textual}, false},
	"count":            {numeric, 1, []kind{nodes}, false},
	"ends-with":        {truth, 2, []kind{textual, textual}, false},
	"false":            {truth, 0, nil, false},
	"floor":            {numeric, 1, []kind{numeric}, false},
	"last":             {numeric, 0, nil, false},
	"local-name":       {textual, 0, []kind{nodes}, false},
	"lower-case":       {textual, 1, []kind{textual}, false},
	"matches":          {truth, 2, []kind{textual, textual}, false},
	"name":             {textual, 0, []kind{nodes}, false},
	"normalize-space":  {textual, 0, []kind{textual}, false},
	"not":              {truth, 1, []kind{truth}, false},
	"number":           {numeric, 0, []kind{anything}, false},
	"position":         {numeric, 0, nil, false},
	"round":            {numeric, 1, []kind{numeric}, false},
	"starts-with":      {truth, 2, []kind{textual, textual}, false},
	"string":           {textual, 0, []kind{anything}, false},
	"string-length":    {numeric, 0, []kind{textual}, false},
	"substring":        {textual, 2, []kind{textual, numeric, numeric}, false},
	"substring-after":  {textual, 2, []kind{textual, textual}, false},
	"substring-before": {textual, 2, []kind{textual, textual}, false},
	"translate":        {textual, 3, []kind{textual, textual, textual}, false},
	"true":             {truth, 0, nil, false},
}

func (c *checker) checkCall(n *node, context levels, inPredicate bool) error {
	f, known := functions[n.text]
	switch {
	case !known:
		return c.failAt(n.at, "unknown function %s%s", n.text, meant(n.text))
	case len(n.operands) < f.least:
		return c.failAt(n.at, "%s needs %s", n.text, counted(f.least))
	case len(n.operands) > len(f.takes) && !f.anyCount:
		return c.failAt(n.operands[len(f.takes)].at, "%s accepts at most %s", n.text, counted(len(f.takes)))
	case (n.text == "position" || n.text == "last") && !inPredicate:
		return c.failAt(n.at, "%s() has a meaning in [ ] only", n.text)
	}
	if len(n.operands) == 0 && len(f.takes) > 0 && f.takes[0] != nodes {
		if err := c.noText(n, context, inPredicate); err != nil {
			return err
		}
	}
	for i, operand := range n.operands {
		at, err := c.check(operand, context, inPredicate)
		takes := f.takes[min(i, len(f.takes)-1)]
		switch {
		case err != nil:
			return err
		case takes == nodes && operand.kind != nodes:
			return c.failAt(operand.at, "%s needs a path", n.text)
		case takes != truth && n.text != "boolean" && !operand.isOrderly(n.text == "count"):
			return c.failAt(operand.begin(), disorder)
		case takes != nodes && takes != truth && n.text != "boolean":
			if err := c.noText(operand, at, inPredicate); err != nil {
				return err
			}
		}
	}
	switch n.text {
	case "matches":
		return c.checkPattern(n.operands[1])
	case "substring-before", "substring-after":
		if mark := n.operands[1]; mark.form != literal || mark.text == "" {
			return c.failAt(mark.begin(), "the second argument of %s must be a text in quotes", n.text)
		}
	}
	return c.independent(n.operands)
}

// counted returns a number of arguments in words.
func counted(n int) string {
	switch n {
	case 0:
		return "no arguments"
	case 1:
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

// replacements maps functions of other languages to those of XPath.
var replacements = map[string]string{
	"upper-case": "lower-case", "exists": "boolean", "empty": "not", "length": "string-length", "str": "string",
	"int": "number", "like": "matches",
	"regexp": "matches", "max": "", "min": "", "sum": "", "id": "", "lang": "",
}

// meant returns a suggestion for an unknown function.
func meant(name string) string {
	other, known := replacements[name]
	switch {
	case other != "":
		return "; did you mean " + other + "?"
	case known:
		return ""
	}
	if near := nearest(name, slices.Sorted(maps.Keys(functions))); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// checkPattern checks that a pattern is a literal and compiles.
func (c *checker) checkPattern(n *node) error {
	if n.form != literal {
		return c.failAt(n.at, "the pattern of matches must be a text in quotes")
	}
	if _, err := regexp.Compile(n.text); err != nil {
		return c.failAt(n.at, "invalid regular expression: %v", err)
	}
	return nil
}
