package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/internal/likeness"
	"github.com/trcx/trcx/trace"
)

// kind is the type of an expression's value.
type kind uint8

const (
	nodes kind = iota
	truth
	numeric
	textual
	anything // as an argument: whatever it is, it is converted
)

// functions are those of XPath 1.0 that can be answered here, and some that people miss.
var functions = map[string]struct {
	gives    kind
	least    int
	takes    []kind // of the arguments; those beyond are like the last one, if the function takes any number
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

// levels says where in a trace nodes can be: a set.
type levels uint16

// The root is what an element's tree has in common with those of the others. Who comes to it from an element must not go down again: there it would be alone,
// while in the trace all the others are.
const (
	document      levels = 1 << iota // above the root
	root                             // TRACE
	event                            // a child of TRACE
	inside                           // an element or a text in one of those
	rootValue                        // an attribute of TRACE
	eventValue                       // an attribute of a child of TRACE
	insideValue                      // an attribute further inside
	documentAbove                    // as document and root, but come to from below
	rootAbove
	levelsEnd
)

const (
	above  = document | root | rootValue | documentAbove | rootAbove
	within = event | inside | eventValue | insideValue
	beside = levelsEnd // of what cannot be answered
)

// leads says where an axis leads to from each level.
var leads = map[string]map[levels]levels{
	"child": {document: root, root: event, event: inside, inside: inside, documentAbove: rootAbove, rootAbove: beside},
	"descendant": {document: root | event | inside, root: event | inside, event: inside, inside: inside,
		documentAbove: beside, rootAbove: beside},
	"descendant-or-self": {document: document | root | event | inside, root: root | event | inside, event: event | inside, inside: inside,
		documentAbove: beside, rootAbove: beside, rootValue: rootValue, eventValue: eventValue, insideValue: insideValue},
	"self": {document: document, root: root, event: event, inside: inside, rootValue: rootValue, eventValue: eventValue, insideValue: insideValue,
		documentAbove: documentAbove, rootAbove: rootAbove},
	"parent": {root: documentAbove, event: rootAbove, inside: event | inside, rootValue: rootAbove, eventValue: event, insideValue: inside, rootAbove: documentAbove},
	"ancestor": {root: documentAbove, event: rootAbove | documentAbove, inside: event | inside | rootAbove | documentAbove, rootValue: rootAbove | documentAbove,
		eventValue: event | rootAbove | documentAbove, insideValue: event | inside | rootAbove | documentAbove, rootAbove: documentAbove},
	"attribute":         {root: rootValue, event: eventValue, inside: insideValue, rootAbove: rootValue},
	"following-sibling": {event: beside, inside: inside},
	"preceding-sibling": {event: beside, inside: inside},
	"following":         {event: beside, inside: beside, eventValue: beside, insideValue: beside},
	"preceding":         {event: beside, inside: beside, eventValue: beside, insideValue: beside},
}

// reached is where the axis leads to from the levels.
func reached(axis string, from levels) levels {
	if axis == "ancestor-or-self" {
		return from | reached("ancestor", from)
	}
	var to levels
	for level := document; level < levelsEnd; level <<= 1 {
		if from&level != 0 {
			to |= leads[axis][level]
		}
	}
	return to
}

// passing is which of the levels nodes can have that pass the test. TRACE is the root's name alone, and annotations stand in other elements.
func passing(test string, from levels) levels {
	switch test {
	case "node()":
		return from
	case "*":
		return from &^ (document | documentAbove)
	case "text()":
		return from & (inside | beside)
	case trace.Root.String():
		return from & (root | rootAbove | inside | beside)
	case trace.Annotation.String():
		return from &^ (above | event)
	}
	return from &^ (document | root | documentAbove | rootAbove)
}

// checker finds the types of an expression's parts, and refuses what one element at a time cannot answer.
type checker struct {
	text  string
	start levels // of relative paths outside of predicates
}

func (c *checker) failAt(at int, format string, arguments ...any) error {
	return &Error{c.text, at, fmt.Sprintf(format, arguments...)}
}

const (
	oneByOne = "the elements of TRACE are looked at one by one, for a trace may be of any length; "
	advice   = "trcx convert --to trcxml and an XPath tool that loads it whole can do it for small traces"
)

// check checks an expression for nodes of the levels, and says on which levels the nodes are that it gives, if it gives nodes.
func (c *checker) check(n *node, context levels, inPredicate bool) (levels, error) {
	switch n.form {
	case literal:
		n.kind = textual
	case number:
		n.kind = numeric
	case negative:
		n.kind = numeric
		if !n.operands[0].isOrderly(false) {
			return 0, c.failAt(n.operands[0].begin(), disorder)
		}
		return 0, c.checkAll(n.operands, context, inPredicate)
	case binary:
		return c.checkBinary(n, context, inPredicate)
	case call:
		n.kind = functions[n.text].gives
		return 0, c.checkCall(n, context, inPredicate)
	case group:
		return c.checkGroup(n, context, inPredicate)
	default:
		n.kind = nodes
		return c.checkPath(n, context, inPredicate)
	}
	return 0, nil
}

func (c *checker) checkAll(all []*node, context levels, inPredicate bool) error {
	for _, n := range all {
		if _, err := c.check(n, context, inPredicate); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) checkBinary(n *node, context levels, inPredicate bool) (levels, error) {
	left, err := c.check(n.operands[0], context, inPredicate)
	if err != nil {
		return 0, err
	}
	right, err := c.check(n.operands[1], context, inPredicate)
	if err != nil {
		return 0, err
	}
	if n.text != "|" && n.text != "and" && n.text != "or" {
		if err := c.noText(n.operands[0], left, inPredicate); err != nil {
			return 0, err
		}
		if err := c.noText(n.operands[1], right, inPredicate); err != nil {
			return 0, err
		}
	}
	switch n.text {
	case "+", "-", "*", "div", "mod":
		n.kind = numeric
		for _, operand := range n.operands {
			if !operand.isOrderly(false) {
				return 0, c.failAt(operand.begin(), disorder)
			}
		}
	case "|":
		n.kind = nodes
		for _, operand := range n.operands {
			if operand.kind != nodes {
				return 0, c.failAt(operand.at, "on both sides of | there must be paths; for conditions write or")
			}
		}
		return left | right, nil
	default:
		n.kind = truth
		if n.text != "and" && n.text != "or" {
			return 0, c.independent(inOrder(n.operands[0], n.operands[1]))
		}
	}
	return 0, nil
}

// noText refuses the text of what is above the element: it is that of all elements.
func (c *checker) noText(n *node, at levels, inPredicate bool) error {
	if inPredicate && at&(document|root|documentAbove|rootAbove) != 0 {
		return c.failAt(n.begin(), "the text of TRACE is that of all its elements: "+oneByOne+advice)
	}
	return nil
}

// inOrder are the sides of a comparison in the order in which the library evaluates them: nodes only when they are compared, unless they are made a truth value.
func inOrder(left, right *node) []*node {
	if left.kind == nodes && (right.kind == numeric || right.kind == textual) {
		return []*node{right, left}
	}
	return []*node{left, right}
}

const disorder = "which node comes first, or how many there are, cannot be told where a path goes up, sideways, or more than once by //; write a condition in [ ] instead"

// isOrderly says whether the library gives each node of a path once, and the first one first; of a union each node, at least, if only their number matters. Where it
// does not matter, as in the results, which are put in order, every path will do.
func (n *node) isOrderly(union bool) bool {
	switch {
	case n.form == group:
		return len(n.predicates) == 0 && n.operands[0].isOrderly(union)
	case n.form == binary && n.text == "|":
		return union && n.operands[0].isOrderly(true) && n.operands[1].isOrderly(true)
	case n.form != path:
		return true
	case len(n.operands) > 0:
		return false
	}
	down, deep := false, 0
	for _, s := range n.steps {
		switch {
		case s.axis == "parent" && !down || s.axis == "self" || s.axis == "attribute":
		case s.axis == "child" && deep < 2, s.axis == "descendant" && deep == 0, s.axis == "descendant-or-self" && deep == 0:
			down = true
			if deep > 0 || s.axis != "child" {
				deep++
			}
		default:
			return false
		}
	}
	return true
}

// independent refuses operands of which an earlier one makes the library lose its place, so that a later one would begin elsewhere.
func (c *checker) independent(operands []*node) error {
	for i, n := range operands[:max(len(operands)-1, 0)] {
		if !n.hasPredicate() {
			continue
		}
		if later := slices.IndexFunc(operands[i+1:], (*node).isRelative); later >= 0 {
			return c.failAt(n.at, "a path with [ ] cannot be evaluated before another path, at character %d; exchange them, or write this condition as one of its own",
				(&Error{Expression: c.text, At: operands[i+1+later].at}).Column())
		}
	}
	return nil
}

// some says whether the condition holds for the node or for one inside it, those in predicates of steps not included.
func (n *node) some(holds func(*node) bool) bool {
	return holds(n) || slices.ContainsFunc(n.operands, func(operand *node) bool { return operand.some(holds) })
}

func (n *node) hasPredicate() bool {
	return n.some(func(n *node) bool {
		return len(n.predicates) > 0 || slices.ContainsFunc(n.steps, func(s step) bool { return len(s.predicates) > 0 })
	})
}

// isRelative says whether the value depends on the node at hand.
func (n *node) isRelative() bool {
	return n.some(func(n *node) bool {
		return n.form == path && !n.absolute && len(n.operands) == 0 || n.form == call && len(n.operands) == 0 && functions[n.text].gives > truth
	})
}

func (c *checker) checkCall(n *node, context levels, inPredicate bool) error {
	f, known := functions[n.text]
	switch {
	case !known:
		return c.failAt(n.at, "there is no function %s here%s", n.text, meant(n.text))
	case len(n.operands) < f.least:
		return c.failAt(n.at, "%s needs %s", n.text, counted(f.least))
	case len(n.operands) > len(f.takes) && !f.anyCount:
		return c.failAt(n.operands[len(f.takes)].at, "%s takes at most %s", n.text, counted(len(f.takes)))
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
			return c.failAt(operand.at, "%s takes a path", n.text)
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
			return c.failAt(mark.begin(), "what %s looks for must be a text in quotes", n.text)
		}
	}
	return c.independent(n.operands)
}

// counted is a number of arguments.
func counted(n int) string {
	switch n {
	case 0:
		return "no arguments"
	case 1:
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

// replacements are functions of other languages.
var replacements = map[string]string{
	"upper-case": "lower-case", "exists": "boolean", "empty": "not", "length": "string-length", "str": "string", "int": "number", "like": "matches",
	"regexp": "matches", "max": "", "min": "", "sum": "", "id": "", "lang": "",
}

// meant says which function may have been meant.
func meant(name string) string {
	other, known := replacements[name]
	switch {
	case other != "":
		return "; did you mean " + other + "?"
	case known:
		return ""
	}
	best, distance := "", 3
	for other := range functions {
		if edits := likeness.Edits(name, other); edits < distance || edits == distance && other < best {
			best, distance = other, edits
		}
	}
	if best != "" && distance < 3 {
		return "; did you mean " + best + "?"
	}
	return ""
}

func (c *checker) checkGroup(n *node, context levels, inPredicate bool) (levels, error) {
	at, err := c.check(n.operands[0], context, inPredicate)
	n.kind = n.operands[0].kind
	if err != nil || len(n.predicates) == 0 {
		return at, err
	}
	if n.kind != nodes {
		return 0, c.failAt(n.predicates[0].at, "a [ ] can stand behind a path only")
	}
	if n.final {
		at &^= document | root // which are no results
	}
	for i, predicate := range n.predicates {
		if positional(predicate) && (!inPredicate || at&(event|above) != 0) {
			return 0, c.failAt(predicate.begin(), "it cannot be counted which of all results this is: "+oneByOne+"for the first ones, say --max 1")
		}
		if usesPosition(predicate) && i > 0 {
			return 0, c.failAt(predicate.begin(), "position() and last() are understood in the first [ ] only")
		}
	}
	return at, c.checkAllPredicates(n.predicates, at)
}

func (c *checker) checkAllPredicates(predicates []*node, at levels) error {
	// What is above is looked at from below here: its other children are not there.
	if at&document != 0 {
		at = at&^document | documentAbove
	}
	if at&root != 0 {
		at = at&^root | rootAbove
	}
	return c.checkAll(predicates, at, true)
}

// positional says whether a predicate chooses by position.
func positional(n *node) bool { return kindOf(n) == numeric || usesPosition(n) }

// kindOf is the kind of a part that has not been checked yet.
func kindOf(n *node) kind {
	switch n.form {
	case literal:
		return textual
	case number, negative:
		return numeric
	case call:
		return functions[n.text].gives
	case group:
		return kindOf(n.operands[0])
	case binary:
		switch n.text {
		case "+", "-", "*", "div", "mod":
			return numeric
		case "|":
			return nodes
		}
		return truth
	}
	return nodes
}

// usesPosition says whether position() or last() stand in the expression, but for the predicates of its own steps.
func usesPosition(n *node) bool {
	return n.some(func(n *node) bool { return n.form == call && (n.text == "position" || n.text == "last") })
}

func (c *checker) checkPath(n *node, context levels, inPredicate bool) (at levels, err error) {
	switch {
	case len(n.operands) > 0:
		if at, err = c.check(n.operands[0], context, inPredicate); err != nil {
			return 0, err
		}
		if n.operands[0].kind != nodes {
			return 0, c.failAt(n.operands[0].at, "steps can follow on paths only")
		}
	case n.absolute && inPredicate:
		at = documentAbove
	case n.absolute:
		at = document
	default:
		at = context
	}
	for i := range n.steps {
		if at, err = c.checkStep(n, i, at, inPredicate); err != nil {
			return 0, err
		}
	}
	return at, nil
}

func (c *checker) checkStep(n *node, i int, from levels, inPredicate bool) (levels, error) {
	s := &n.steps[i]
	switch {
	case s.axis == "namespace":
		return 0, c.failAt(s.at, "namespaces cannot be selected; traces have none")
	case s.test == "comment()" || s.test == "processing-instruction()":
		return 0, c.failAt(s.at, "%s selects nothing; what stands between the elements of a trace is not kept", s.test)
	case s.axis == "attribute" && from&(rootValue|eventValue|insideValue) != 0:
		return 0, c.failAt(s.at, "attributes have no attributes; write ../@%s", s.test)
	case strings.HasSuffix(s.test, ":*"):
		return 0, c.failAt(s.at, "names cannot be selected by their prefix so; write *[starts-with(name(), '%s')]", strings.TrimSuffix(s.test, "*"))
	}
	to := passing(s.test, reached(s.axis, from))
	if s.axis == "attribute" {
		to = reached(s.axis, from)
	}
	if to&beside != 0 {
		return 0, c.neighbours(n, s, from, inPredicate)
	}
	if to == 0 && !inPredicate {
		return 0, c.nothing(n, s, from)
	}
	judged := to
	if n.final && i == len(n.steps)-1 {
		judged &^= document | root // which are no results
	}
	for j, predicate := range s.predicates {
		switch {
		case positional(predicate) && to&event != 0:
			return 0, c.failAt(predicate.begin(), "it cannot be counted which element this is among its neighbours: "+oneByOne+"for the first results, say --max; "+advice)
		case positional(predicate) && (!countable[s.axis] || !isNameTest(s.test)):
			return 0, c.failAt(predicate.begin(), "only elements that are children or siblings can be counted here; ( )[…] counts what the path in it selects")
		case positional(predicate) && j > 0:
			return 0, c.failAt(predicate.begin(), "only the first [ ] of a step can count")
		case usesPosition(predicate) && s.axis != "child":
			return 0, c.failAt(predicate.begin(), "position() and last() are understood for children only; a number counts from the nearest")
		}
	}
	return to, c.checkAllPredicates(s.predicates, judged)
}

// countable are the axes along which the library counts right.
var countable = map[string]bool{"child": true, "following-sibling": true, "preceding-sibling": true, "ancestor": true, "parent": true, "self": true}

func isNameTest(test string) bool { return !strings.HasSuffix(test, "()") }

// neighbours is the error for a step that leads to other elements.
func (c *checker) neighbours(n *node, s *step, from levels, inPredicate bool) error {
	switch {
	case n.absolute && inPredicate:
		return c.failAt(n.at, "this path looks at other elements than the one at hand: "+oneByOne+"begin it with a name, @, or .//; "+advice)
	case from&(documentAbove|rootAbove) != 0:
		return c.failAt(s.at, "%s:: of what is above leads to the element's neighbours: "+oneByOne+advice, s.axis)
	}
	return c.failAt(s.at, "%s:: leads to the element's neighbours: "+oneByOne+advice, s.axis)
}

// nothing is the error for a step that nothing can take.
func (c *checker) nothing(n *node, s *step, from levels) error {
	switch {
	case from&^document == 0 && s.axis == "child":
		return c.failAt(s.at, "the root of a trace is TRACE; write /TRACE/%s, or //%s", s.test, s.test)
	case from&^above == 0 && s.test == trace.Annotation.String():
		return c.failAt(s.at, "annotations stand inside of other elements; write //annotation")
	case from&^(rootValue|eventValue|insideValue) == 0:
		return c.failAt(s.at, "attributes have nothing inside")
	}
	return c.failAt(s.at, "nothing in a trace can be there")
}

// checkResult checks what the whole expression gives.
func (c *checker) checkResult(n *node) error {
	if kindOf(n) == nodes {
		n.finish()
	}
	at, err := c.check(n, c.start, false)
	if err != nil {
		return err
	}
	switch n.kind {
	case numeric, textual:
		return c.scalar(n)
	case truth:
		return c.checkPaths(n)
	}
	if at&within == 0 {
		return c.aboveAll(n.at)
	}
	return nil
}

// checkPaths refuses conditions about the trace itself.
func (c *checker) checkPaths(n *node) (err error) {
	n.some(func(n *node) bool {
		if n.form == path && len(n.operands) == 0 {
			var at levels
			if at, err = c.check(n, c.start, false); err == nil && at&within == 0 {
				err = c.aboveAll(n.at)
			}
		}
		return err != nil
	})
	return err
}

func (c *checker) aboveAll(at int) error {
	return c.failAt(at, "this is about TRACE itself, not about its elements; write *[…] or */@name for elements of any name, and trcx convert for all of the trace")
}

// scalar is the error for an expression that gives one value for the whole trace.
func (c *checker) scalar(n *node) error {
	what := "the path"
	for n.form == group {
		n = n.operands[0]
	}
	if n.form == call && len(n.operands) > 0 && n.operands[0].kind == nodes {
		argument := n.operands[0]
		switch n.text {
		case "count":
			return c.failAt(n.at, "count(…) would count in each element alone: give the path, and say --format count")
		case "string", "number", "normalize-space":
			return c.failAt(argument.at, "%s(…) would give a value for every element: give the path, which is printed as text if it selects attributes", n.text)
		}
	}
	return c.failAt(n.at, "this gives a value, not elements: give %s whose elements or attributes you want", what)
}
