package query

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trcx/trcx/trace"
)

// Error is an error in an expression.
type Error struct {
	Expression string
	At         int // offset in bytes
	Message    string
}

func (e *Error) Error() string { return e.Message + "; " + Supported }

// Column returns the error's place in characters, from 1.
func (e *Error) Column() int { return utf8.RuneCountInString(e.Expression[:e.At]) + 1 }

// Supported says which part of XPath is supported: the library evaluates it as the standard says.
const Supported = "supported are paths of names, *, @name and text() with /, // and |, and in [ ] a number, last(), " +
	"and conditions: paths, comparisons with a text or a number, and, or, not(…), contains, starts-with, ends-with, " +
	"matches, count, string-length, name, lower-case, substring-before, substring-after, true, false"

// advice says what to write instead of something that is not supported.
var advice = map[string]string{
	"==": "XPath compares by one =", "<>": "write !=", "!": "write != or not(…)", "&": "write and", "AND": "write and",
	"OR": "write or", "|": "in conditions write or", "“": `write quotes as " or '`, "'": "the text has no end",
	`"`: "the text has no end", ":": "write *[name() = 'a:b']", "position": "write [3] or [last()]",
	"count": "the format count counts what a path selects",
	"..":    "write a condition in [ ], such as //*[annotation/@name = 'stack']",
}

// token is a token of an expression. Its kind is its group of tokenPattern; 0 is the end.
type token struct {
	kind int
	text string
	at   int
}

const (
	literalToken = 1 + iota
	numberToken
	signToken
	nameToken
)

var tokenPattern = regexp.MustCompile(`("[^"]*"|'[^']*')|(-?(?:\d+\.?\d*|\.\d+))|` +
	`(text\(\)|last\(\)|//|::|\.\.|[!<>]=|==|<>|[^\sA-Za-z_])|([A-Za-z_][\w.-]*)`)

// kind is the type of a value.
type kind uint8

const (
	nothing kind = iota
	nodes
	truth
	numeric
	textual
)

// value is what is known of a part of an expression.
type value struct {
	kind
	begin     token
	constant  bool      // it is a text in quotes, or a number
	descents  int       // number of // in a path
	ends      bool      // it is a path to attributes or texts
	attribute string    // it is this attribute of the context node
	needs     condition // what an element must meet for it to be true or have a node
}

// parser checks that an expression is supported, and writes it for the library. Its errors are panics.
type parser struct {
	text                 string
	tokens               []token
	written              []string
	brackets             int      // number of open [ ]; outside of them paths begin at TRACE
	elements, attributes []string // the names in the expression
}

// fail ends the parsing with an error at a token.
func (p *parser) fail(t token, format string, arguments ...any) {
	message := fmt.Sprintf(format, arguments...)
	if instead := advice[t.text]; instead != "" {
		message += ": " + instead
	}
	panic(&Error{p.text, t.at, message})
}

// split splits the expression into tokens.
func (p *parser) split() {
	if len(p.text) > 16<<10 {
		p.fail(token{}, "the expression has more than 16 KiB")
	}
	for _, m := range tokenPattern.FindAllStringSubmatchIndex(p.text, -1) {
		for kind := literalToken; kind <= nameToken; kind++ {
			if from := m[2*kind]; from >= 0 {
				p.tokens = append(p.tokens, token{kind, p.text[from:m[2*kind+1]], from})
			}
		}
	}
	p.tokens = append(p.tokens, token{at: len(p.text)})
}

// take takes the next token, and writes it for the library.
func (p *parser) take() token {
	t := p.tokens[0]
	p.written = append(p.written, t.text)
	if t.kind != 0 {
		p.tokens = p.tokens[1:]
	}
	return t
}

// next reports whether the next tokens have these texts.
func (p *parser) next(texts ...string) bool {
	for i, text := range texts {
		if i >= len(p.tokens) || p.tokens[i].text != text {
			return false
		}
	}
	return true
}

// sees takes the next token and reports true if it has one of these texts.
func (p *parser) sees(texts ...string) bool {
	if !slices.Contains(texts, p.tokens[0].text) {
		return false
	}
	p.take()
	return true
}

// want takes the token of the text, which must be the next one.
func (p *parser) want(text string) {
	if !p.sees(text) {
		p.fail(p.tokens[0], "a %s is missing here", text)
	}
}

// alternatives parses conditions joined by or, whose parts are joined by and; or one value of any kind.
func (p *parser) alternatives() value {
	return p.joined("or", func() value { return p.joined("and", p.comparison, both) }, either)
}

func (p *parser) joined(word string, operand func() value, join func(a, b condition) condition) value {
	v := operand()
	for p.sees(word) {
		left, right := p.condition(v), p.condition(operand())
		v = value{kind: truth, begin: left.begin, needs: join(left.needs, right.needs)}
	}
	return v
}

// condition refuses texts and numbers, which the library does not convert as XPath does.
func (p *parser) condition(v value) value {
	if v.kind != truth && v.kind != nodes {
		p.fail(v.begin, "a condition is wanted here: compare the text or number")
	}
	return v
}

func (p *parser) comparison() value {
	at := len(p.written)
	left := p.operand()
	path, sign := strings.Join(p.written[at:], " "), p.tokens[0]
	if !p.sees("=", "!=", "<", "<=", ">", ">=") {
		return left
	}
	right := p.operand()
	v := value{kind: truth, begin: left.begin, needs: both(left.needs, right.needs)}
	switch equals := sign.text == "=" || sign.text == "!="; {
	case equals && left.attribute != "" && right.attribute != "":
	case !right.constant || left.kind != nodes && left.kind != right.kind || right.kind == textual && !equals:
		p.fail(sign, "want a path or a function before %s, and after it a number; or for = and != a text or attribute",
			sign.text)
	case left.kind != nodes || right.kind == textual:
		if left.attribute != "" && sign.text == "=" {
			v.needs = attributeThat(left.attribute, func(b []byte) bool { return string(b) == right.begin.quoted() })
		}
	case sign.text == "!=":
		p.written = append(p.written[:at], path, "[ . !=", right.begin.text, "or", noNumber, "]")
	default:
		p.written = append(p.written[:at], path, "[ .", sign.text, right.begin.text, "and not(", noNumber, ") ]")
		if n, err := strconv.ParseFloat(right.begin.text, 64); left.attribute != "" && err == nil {
			v.needs = attributeThat(left.attribute, func(value []byte) bool {
				x, err := strconv.ParseFloat(string(bytes.TrimSpace(value)), 64)
				return err == nil && strings.Contains(sign.text, "<=>"[1+cmp.Compare(x, n):][:1])
			})
		}
	}
	return v
}

// noNumber is true of a text that is no number in XPath. The library reads some as numbers, such as 1e3.
const noNumber = `matches(., "[^-.0-9\s]")`

// quoted returns the text of a literal.
func (t token) quoted() string { return t.text[1 : len(t.text)-1] }

func (p *parser) operand() value {
	switch t := p.tokens[0]; {
	case t.kind == literalToken:
		return value{kind: textual, begin: p.take(), constant: true}
	case t.kind == numberToken:
		return value{kind: numeric, begin: p.take(), constant: true}
	case p.sees("("):
		v := p.alternatives()
		p.want(")")
		return v
	case t.kind == nameToken && p.next(t.text, "("):
		return p.call()
	}
	return p.path()
}

// functions are the supported functions.
var functions = map[string]struct {
	gives, takes kind                            // takes is the kind of the first argument
	quoted       bool                            // the second one is a text in quotes: the library panics at others
	finds        func(value, wanted []byte) bool // tests an attribute before the evaluation
}{
	"contains": {truth, textual, true, bytes.Contains}, "starts-with": {truth, textual, true, bytes.HasPrefix},
	"ends-with": {truth, textual, true, bytes.HasSuffix}, "matches": {truth, textual, true, nil},
	"count": {numeric, nodes, false, nil}, "string-length": {numeric, textual, false, nil},
	"name": {textual, nothing, false, nil}, "lower-case": {textual, textual, false, nil},
	"substring-after": {textual, textual, true, nil}, "substring-before": {textual, textual, true, nil},
	"not": {truth, truth, false, nil}, "true": {truth, nothing, false, nil}, "false": {truth, nothing, false, nil},
}

// call parses the call of a function.
func (p *parser) call() value {
	name := p.take()
	f, known := functions[name.text]
	if !known {
		p.fail(name, "the function %s is not supported", name.text)
	}
	p.take()
	v, first := value{kind: f.gives, begin: name}, value{}
	if f.takes != nothing {
		first = p.argument(f.takes)
	}
	if f.quoted {
		p.want(",")
		text := p.take()
		if text.kind != literalToken || text.quoted() == "" {
			p.fail(text, "want a text in quotes here")
		}
		if wanted := []byte(text.quoted()); f.finds != nil && first.attribute != "" {
			v.needs = attributeThat(first.attribute, func(value []byte) bool { return f.finds(value, wanted) })
		}
	}
	p.want(")")
	return v
}

// argument parses the first argument of a function.
func (p *parser) argument(takes kind) value {
	at := len(p.written)
	p.written = append(p.written, "")
	v := p.alternatives()
	switch {
	case takes == truth:
		return p.condition(v)
	case v.kind != nodes && v.kind != takes:
		p.fail(v.begin, "want a path here")
	case v.descents > 1 || v.descents == 1 && takes == textual:
		p.fail(v.begin, "want a path without // here: the library does not return its nodes once, and in order")
	case v.kind == nodes && takes == textual: // the library does not convert it everywhere
		p.written[at] = "string("
		p.written = append(p.written, ")")
	}
	return v
}

// path parses a path. The library evaluates those outside of [ ] from TRACE, and never selects TRACE.
func (p *parser) path() value {
	v, at, top, root := value{kind: nodes, begin: p.tokens[0]}, len(p.written), p.brackets == 0, trace.Root.String()
	here := !top && p.sees(".")
	if top && (p.next(root) || p.next("/", root) || p.next("/", "*")) {
		p.sees("/")
		p.take()
		here, p.written = true, p.written[:at]
	}
	if top && (here || p.next("//")) {
		p.written = append(p.written, ".")
	}
	for first, all := true, false; ; first = false {
		t := p.tokens[0]
		deep := p.sees("//")
		switch more := deep || p.sees("/"); {
		case !more && here && first && top:
			p.fail(v.begin, "this selects TRACE itself: write /TRACE/*")
		case !more && (here || !first):
			if len(p.written) == at+2 && p.written[at] == "@" && p.written[at+1] != "*" {
				v.attribute = p.written[at+1]
				v.needs = attributeThat(v.attribute, func([]byte) bool { return true })
			}
			return v
		case more && first && !here && !(top && deep):
			p.fail(t, "a path begins with //, /TRACE/ or a name, and in [ ] with a name, @ or .//")
		case more && (v.ends || all && (deep || !p.next("@") && !p.next("text()"))): // TRACE, too, is one of //*
			p.fail(t, "no other step can follow here")
		case deep:
			v.descents++
		}
		all = top && first && deep && !here && p.next("*")
		p.step(&v, top && first, deep)
	}
}

// step parses a step of a path. A top step is the first one from TRACE; a deep one follows //.
func (p *parser) step(v *value, top, deep bool) {
	switch v.ends = p.next("text()") || p.next("@"); {
	case v.ends && top && !deep:
		p.fail(p.tokens[0], "this belongs to TRACE itself: begin with a name or //")
	case p.sees("@"):
		p.name(&p.attributes)
	case p.sees("text()"):
	default:
		name := p.name(&p.elements)
		needs := p.predicates(!top || deep && name == trace.Annotation.String())
		if p.brackets == 0 && name != "*" {
			v.needs = both(v.needs, named(name, top && !deep))
		}
		if top {
			v.needs = both(v.needs, ofOwn(needs, !deep))
		}
	}
}

// name parses a name or *, and adds the name to the others.
func (p *parser) name(names *[]string) string {
	t := p.take()
	switch {
	case t.kind == nameToken && (p.next("::") || p.next("(")):
		p.fail(t, "%s%s cannot be a step", t.text, p.tokens[0].text)
	case t.kind == nameToken && t.text != trace.Root.String():
		*names = append(*names, t.text)
	case t.text != "*":
		p.fail(t, "want the name of an element or an attribute here")
	}
	return t.text
}

// predicates parses the [ ] after the name of an element, and returns what the element must meet. Positions
// need siblings in the tree: they are allowed if countable is set.
func (p *parser) predicates(countable bool) (needs condition) {
	for i := 0; p.sees("["); i++ {
		p.brackets++
		if t := p.tokens[0]; p.next("last()", "]") || t.kind == numberToken && p.next(t.text, "]") {
			if n, _ := strconv.Atoi(t.text); i > 0 || !countable || n < 1 && t.kind == numberToken {
				p.fail(t, "want a position from 1, in the first [ ] of an element inside of another one: elements of "+
					"TRACE are searched one by one; a limit of 1 gives the first result")
			}
			p.take()
		} else {
			needs = both(needs, p.condition(p.alternatives()).needs)
		}
		p.brackets--
		p.want("]")
	}
	return needs
}
