package query

import (
	"strings"
)

// form is the kind of a node's syntax.
type form uint8

const (
	literal  form = iota // text is the string
	number               // text is as it was written
	call                 // text is the function, operands its arguments
	binary               // text is the operator, with two operands; also |
	negative             // of one operand
	path                 // steps from a beginning
	group                // ( one operand ), which may have predicates
)

// node is a node of an expression's syntax tree.
type node struct {
	form     form
	text     string
	at       int
	operands []*node
	// A path begins at its one operand, if it has one; at the root, if it is absolute; else at the context node.
	absolute   bool
	steps      []step
	predicates []*node // of a group
	kind       kind    // of its value
	final      bool    // its value is the result, without further steps
}

// begin returns the offset at which the part begins.
func (n *node) begin() int {
	if n.form == binary {
		return n.operands[0].begin()
	}
	return n.at
}

// finish marks the parts whose values are results.
func (n *node) finish() {
	n.final = true
	if n.form == group || n.form == binary && n.text == "|" {
		for _, operand := range n.operands {
			operand.finish()
		}
	}
}

// step is one step of a path.
type step struct {
	axis       string
	test       string // a name, *, node() or text()
	at         int
	predicates []*node
}

// parser parses XPath 1.0.
type parser struct {
	lexer
	tokens []token
	depth  int
}

// maxNesting limits the nesting of an expression's parts.
const maxNesting = 50

// parse parses an expression. The error is an *Error.
func parse(text string) (*node, error) {
	p := &parser{lexer: lexer{text: text}}
	tokens, err := p.lexer.tokens()
	if err != nil {
		return nil, err
	}
	p.tokens = tokens
	if p.peek().kind == endToken {
		return nil, p.failAt(0, "the expression is empty; //monWait, for example, selects all elements of that name")
	}
	n, err := p.expression()
	if err != nil {
		return nil, err
	}
	if p.peek().kind != endToken {
		return nil, p.unexpected()
	}
	return n, nil
}

func (p *parser) peek() token { return p.tokens[0] }

func (p *parser) take() token {
	t := p.tokens[0]
	if len(p.tokens) > 1 {
		p.tokens = p.tokens[1:]
	}
	return t
}

// sees consumes the sign if it is the next token. It reports whether it is.
func (p *parser) sees(sign string) bool {
	if t := p.peek(); t.kind == signToken && t.text == sign {
		p.take()
		return true
	}
	return false
}

// unexpected returns the error for a token that is not allowed here.
func (p *parser) unexpected() error {
	switch t := p.peek(); {
	case t.kind == endToken:
		return p.failAt(t.at, "the expression ends too early")
	case t.text == ")" || t.text == "]":
		return p.failAt(t.at, "this %s closes nothing", t.text)
	case t.kind == literalToken:
		return p.failAt(t.at, "a text is not allowed here; is an operator missing before it?")
	case t.kind == nameToken && (strings.EqualFold(t.text, "and") || strings.EqualFold(t.text, "or")):
		return p.failAt(t.at, "write %s in small letters, between two operands", strings.ToLower(t.text))
	default:
		return p.failAt(t.at, "%s is not allowed here; is an operator or a bracket missing before it?", t.text)
	}
}

// expect consumes the sign. It is an error if another token is next.
func (p *parser) expect(sign string, opened int) error {
	if p.sees(sign) {
		return nil
	}
	if t := p.peek(); t.kind != endToken {
		return p.failAt(t.at, "a %s is missing before this; the bracket was opened at character %d", sign,
			(&Error{Expression: p.text, At: opened}).Column())
	}
	return p.failAt(len(p.text), "a %s is missing here; the bracket was opened at character %d", sign,
		(&Error{Expression: p.text, At: opened}).Column())
}

// precedence lists the binary operators, those that bind least first.
var precedence = [][]string{{"or"}, {"and"}, {"=", "!="}, {"<", "<=", ">", ">="}, {"+", "-"}, {"*", "div", "mod"}}

// arithmetic is the level from which on operators give numbers; the others give booleans.
const arithmetic = 4

// expression parses an expression, which may be nested in another one.
func (p *parser) expression() (*node, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, p.failAt(p.peek().at, "more than %d brackets are nested", maxNesting)
	}
	defer func() { p.depth-- }()
	return p.operation(0)
}

// operation parses operands joined by operators of the level or of higher precedence.
func (p *parser) operation(level int) (*node, error) {
	if level == len(precedence) {
		return p.unary()
	}
	gives := truth
	if level >= arithmetic {
		gives = numeric
	}
	left, err := p.operation(level + 1)
	for err == nil && p.isOperator(precedence[level]) {
		operator := p.take()
		var right *node
		if right, err = p.operation(level + 1); err == nil {
			left = &node{form: binary, text: operator.text, at: operator.at, operands: []*node{left, right},
				kind: gives}
		}
	}
	return left, err
}

func (p *parser) isOperator(texts []string) bool {
	t := p.peek()
	if t.kind != operatorToken {
		return false
	}
	for _, text := range texts {
		if t.text == text {
			return true
		}
	}
	return false
}

func (p *parser) unary() (*node, error) {
	minus, at := false, p.peek().at
	for p.isOperator([]string{"-"}) {
		p.take()
		minus = !minus
	}
	n, err := p.union()
	if err == nil && minus {
		n = &node{form: negative, at: at, operands: []*node{n}, kind: numeric}
	}
	return n, err
}

func (p *parser) union() (*node, error) {
	left, err := p.path()
	for err == nil && p.isOperator([]string{"|"}) {
		operator := p.take()
		var right *node
		if right, err = p.path(); err == nil {
			left = &node{form: binary, text: "|", at: operator.at, operands: []*node{left, right}}
		}
	}
	return left, err
}

// nodeTypes are the tests that look like functions.
var nodeTypes = map[string]bool{"node": true, "text": true, "comment": true, "processing-instruction": true}

// path parses a location path, or a primary expression with its steps.
func (p *parser) path() (*node, error) {
	t := p.peek()
	switch {
	case t.kind == literalToken:
		p.take()
		return &node{form: literal, text: t.text, at: t.at, kind: textual}, nil
	case t.kind == numberToken:
		p.take()
		return &node{form: number, text: t.text, at: t.at, kind: numeric}, nil
	case t.kind == signToken && t.text == "(":
		return p.grouped()
	case t.kind == nameToken && p.tokens[1].text == "(" && p.tokens[1].kind == signToken && !nodeTypes[t.text]:
		return p.function()
	}
	return p.location()
}

// grouped parses an expression in parentheses, its predicates, and the steps after it.
func (p *parser) grouped() (*node, error) {
	opened := p.take()
	inner, err := p.expression()
	if err == nil {
		err = p.expect(")", opened.at)
	}
	if err != nil {
		return nil, err
	}
	g := &node{form: group, at: opened.at, operands: []*node{inner}, kind: inner.kind}
	if g.predicates, err = p.predicates(); err != nil {
		return nil, err
	}
	return p.continued(g)
}

// function parses a function call.
func (p *parser) function() (*node, error) {
	name := p.take()
	opened := p.take()
	n := &node{form: call, text: name.text, at: name.at, kind: functions[name.text].gives}
	for !p.sees(")") {
		if len(n.operands) > 0 && !p.sees(",") {
			return nil, p.expect(")", opened.at)
		}
		argument, err := p.expression()
		if err != nil {
			return nil, err
		}
		n.operands = append(n.operands, argument)
	}
	return n, nil
}

// continued parses the steps after a group.
func (p *parser) continued(from *node) (*node, error) {
	n := &node{form: path, at: from.at, operands: []*node{from}}
	switch {
	case p.sees("//"):
		n.steps = append(n.steps, anywhere(from.at))
	case !p.sees("/"):
		return from, nil
	}
	return n, p.relative(n)
}

// anywhere returns the step that // abbreviates.
func anywhere(at int) step { return step{axis: "descendant-or-self", test: "node()", at: at} }

// location parses a location path.
func (p *parser) location() (*node, error) {
	t := p.peek()
	n := &node{form: path, at: t.at}
	switch {
	case p.sees("//"):
		n.absolute = true
		n.steps = append(n.steps, anywhere(t.at))
	case p.sees("/"):
		n.absolute = true
		if !p.beginsStep() {
			return n, nil
		}
	case !p.beginsStep():
		return nil, p.unexpected()
	}
	return n, p.relative(n)
}

func (p *parser) beginsStep() bool {
	t := p.peek()
	return t.kind == nameToken || t.kind == starToken || t.kind == signToken && (t.text == "." || t.text == ".." ||
		t.text == "@")
}

// relative parses steps separated by / or //.
func (p *parser) relative(n *node) error {
	for {
		s, err := p.step()
		if err != nil {
			return err
		}
		n.steps = append(n.steps, s)
		at := p.peek().at
		switch {
		case p.sees("//"):
			n.steps = append(n.steps, anywhere(at))
		case !p.sees("/"):
			return nil
		}
	}
}

// axes are the axes of XPath.
var axes = map[string]bool{
	"ancestor": true, "ancestor-or-self": true, "attribute": true, "child": true, "descendant": true,
	"descendant-or-self": true, "following": true,
	"following-sibling": true, "namespace": true, "parent": true, "preceding": true, "preceding-sibling": true,
	"self": true,
}

func (p *parser) step() (step, error) {
	t := p.peek()
	s := step{axis: "child", at: t.at}
	switch {
	case p.sees("."):
		return p.abbreviated("self", t)
	case p.sees(".."):
		return p.abbreviated("parent", t)
	case p.sees("@"):
		s.axis = "attribute"
	case t.kind == nameToken && p.tokens[1].kind == signToken && p.tokens[1].text == "::":
		if s.axis = t.text; !axes[s.axis] {
			return s, p.failAt(t.at, "unknown axis %s", t.text)
		}
		p.take()
		p.take()
	}
	var err error
	if s.test, err = p.test(); err == nil {
		s.predicates, err = p.predicates()
	}
	return s, err
}

// abbreviated returns the step for . or .., which has no predicates.
func (p *parser) abbreviated(axis string, t token) (step, error) {
	if next := p.peek(); next.kind == signToken && next.text == "[" {
		return step{}, p.failAt(next.at, "a [ cannot follow %s; write %s::node()[…]", t.text, axis)
	}
	return step{axis: axis, test: "node()", at: t.at}, nil
}

// test parses a node test.
func (p *parser) test() (string, error) {
	t := p.peek()
	if t.kind != nameToken && t.kind != starToken {
		if t.kind == endToken {
			return "", p.failAt(t.at, "the name of an element or an attribute is missing here")
		}
		return "", p.failAt(t.at, "the name of an element or an attribute is missing before this %s", t.text)
	}
	p.take()
	if next := p.peek(); next.kind != signToken || next.text != "(" || t.kind == starToken {
		return t.text, nil
	}
	if !nodeTypes[t.text] {
		return "", p.failAt(t.at, "the function %s(…) cannot be a step of a path", t.text)
	}
	opened := p.take()
	return t.text + "()", p.expect(")", opened.at)
}

func (p *parser) predicates() ([]*node, error) {
	var all []*node
	for {
		opened := p.peek()
		if !p.sees("[") {
			return all, nil
		}
		if p.peek().text == "]" && p.peek().kind == signToken {
			return nil, p.failAt(p.peek().at, "the brackets are empty")
		}
		condition, err := p.expression()
		if err == nil {
			err = p.expect("]", opened.at)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, condition)
	}
}
