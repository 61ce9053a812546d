package query

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Error is an error in an expression.
type Error struct {
	Expression string
	At         int // offset in bytes
	Message    string
}

func (e *Error) Error() string { return e.Message }

// Column returns the error's place in characters, from 1.
func (e *Error) Column() int { return utf8.RuneCountInString(e.Expression[:e.At]) + 1 }

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	endToken      tokenKind = iota
	nameToken               // of an element, an attribute, a function, an axis, a kind of node
	operatorToken           // also and, or, div, mod and * where they are operators
	starToken               // * as a name test
	literalToken            // text is without the quotes
	numberToken
	signToken // ( ) [ ] . .. @ , :: / //
)

// token is a token of an expression.
type token struct {
	kind tokenKind
	text string
	at   int
}

// lexer splits an expression into tokens.
type lexer struct {
	text string
	at   int
	last token
}

// maxExpression limits an expression, in bytes.
const maxExpression = 16 << 10

// failAt returns an error at an offset.
func (l *lexer) failAt(at int, format string, arguments ...any) error {
	return &Error{l.text, min(at, len(l.text)), fmt.Sprintf(format, arguments...)}
}

// tokens returns the tokens of the whole expression.
func (l *lexer) tokens() ([]token, error) {
	if len(l.text) > maxExpression {
		return nil, l.failAt(maxExpression, "the expression has more than %d bytes", maxExpression)
	}
	if bad := strings.IndexFunc(l.text, func(r rune) bool {
		return r == utf8.RuneError || r < ' ' &&
			!strings.ContainsRune("\t\n\r", r)
	}); bad >= 0 {
		return nil, l.failAt(bad, "this character is not allowed in an expression")
	}
	var all []token
	for {
		next, err := l.next()
		if err != nil {
			return nil, err
		}
		all = append(all, next)
		l.last = next
		if next.kind == endToken {
			return all, nil
		}
	}
}

const plainQuotes = `write quotes as " or '`

// signs and operators, the longer ones first.
var (
	signs     = []string{"::", "..", "//", "(", ")", "[", "]", ".", "@", ",", "/"}
	operators = []string{"!=", "<=", ">=", "=", "<", ">", "|", "+", "-"}
	strangers = map[string]string{
		"“": plainQuotes, "”": plainQuotes, "„": plainQuotes, "‘": plainQuotes, "’": plainQuotes,
		"&": "write and for what both must hold", "!": "write != for unequal, and not(…) for the contrary",
		"≠": "write !=", "≥": "write >=", "≤": "write <=", "×": "write *", "÷": "write div",
		"%": "write mod for the remainder",
		"$": "variables are not supported; write the value", ";": "one expression is enough; join them by | or or",
		"{": "XPath 1.0 has no braces", "#": "XPath has no #", "\\": "XPath has no backslashes",
		"^": "XPath has no powers",
		"~": "write contains(…) or matches(…)",
	}
)

func (l *lexer) next() (token, error) {
	for l.at < len(l.text) && strings.IndexByte(" \t\r\n", l.text[l.at]) >= 0 {
		l.at++
	}
	begin, rest := l.at, l.text[l.at:]
	if rest == "" {
		return token{at: begin}, nil
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case rest[0] == '"' || rest[0] == '\'':
		return l.literal()
	case isDigit(rest[0]) || rest[0] == '.' && len(rest) > 1 && isDigit(rest[1]):
		return l.number(), nil
	case startsName(r):
		return l.name(), nil
	case rest[0] == '*':
		l.at++
		if l.operand() {
			return token{operatorToken, "*", begin}, nil
		}
		return token{starToken, "*", begin}, nil
	}
	for _, text := range signs {
		if strings.HasPrefix(rest, text) {
			return l.take(signToken, len(text)), nil
		}
	}
	for _, text := range operators {
		if strings.HasPrefix(rest, text) {
			return l.operator(text)
		}
	}
	what := rest[:size]
	if advice, ok := strangers[what]; ok {
		return token{}, l.failAt(begin, "%s is not allowed here: %s", what, advice)
	}
	if r >= utf8.RuneSelf && unicode.IsLetter(r) {
		return token{},
			l.failAt(begin,
				"names must have plain letters; for others write *[name() = '…'] and @*[name() = '…']")
	}
	return token{}, l.failAt(begin, "%q is not allowed here", what)
}

// take returns a token of the next bytes.
func (l *lexer) take(kind tokenKind, size int) token {
	t := token{kind, l.text[l.at : l.at+size], l.at}
	l.at += size
	return t
}

// operator reads an operator. The error for one of another language names XPath's.
func (l *lexer) operator(text string) (token, error) {
	t := l.take(operatorToken, len(text))
	switch after := l.text[l.at:]; {
	case text == "=" && strings.HasPrefix(after, "="):
		return t, l.failAt(t.at, "XPath compares by one =, not two")
	case text == "|" && strings.HasPrefix(after, "|"):
		return t, l.failAt(t.at, "write or instead of ||")
	case text == "<" && strings.HasPrefix(after, ">"):
		return t, l.failAt(t.at, "write != for unequal")
	case text == "=" && (strings.HasPrefix(after, "<") || strings.HasPrefix(after, ">")):
		return t, l.failAt(t.at, "write %s=", after[:1])
	case text == "=" && strings.HasPrefix(after, "~"):
		return t, l.failAt(t.at, "write matches(…, '…') instead of =~")
	}
	return t, nil
}

// operand reports whether the previous token ends an operand, so that an operator must follow.
func (l *lexer) operand() bool {
	switch l.last.kind {
	case nameToken, starToken, literalToken, numberToken:
		return true
	case signToken:
		return strings.Contains(")].", l.last.text) || l.last.text == ".."
	}
	return false
}

func (l *lexer) literal() (token, error) {
	quote, begin := l.text[l.at:l.at+1], l.at
	end := strings.Index(l.text[begin+1:], quote)
	if end < 0 {
		return token{}, l.failAt(begin, "the text that begins here has no end; a %s is missing", quote)
	}
	l.at = begin + end + 2
	return token{literalToken, l.text[begin+1 : begin+1+end], begin}, nil
}

func (l *lexer) number() token {
	begin := l.at
	for l.at < len(l.text) && isDigit(l.text[l.at]) {
		l.at++
	}
	if strings.HasPrefix(l.text[l.at:], ".") && !strings.HasPrefix(l.text[l.at:], "..") {
		l.at++
	}
	for l.at < len(l.text) && isDigit(l.text[l.at]) {
		l.at++
	}
	return token{numberToken, l.text[begin:l.at], begin}
}

// name reads a name, which may have a prefix. After an operand and, or, div and mod are operators.
func (l *lexer) name() token {
	begin := l.at
	l.skipName()
	if word := l.text[begin:l.at]; l.operand() && (word == "and" || word == "or" || word == "div" || word == "mod") {
		return token{operatorToken, word, begin}
	}
	if rest := l.text[l.at:]; len(rest) > 1 && rest[0] == ':' {
		if r, _ := utf8.DecodeRuneInString(rest[1:]); startsName(r) {
			l.at++
			l.skipName()
		} else if r == '*' {
			l.at += 2
		}
	}
	return token{nameToken, l.text[begin:l.at], begin}
}

func (l *lexer) skipName() {
	for l.at < len(l.text) {
		if c := l.text[l.at]; !startsName(rune(c)) && !isDigit(c) && c != '-' && c != '.' {
			return
		}
		l.at++
	}
}

func startsName(r rune) bool { return r == '_' || r < utf8.RuneSelf && unicode.IsLetter(r) }

func isDigit(c byte) bool { return c-'0' <= 9 }
