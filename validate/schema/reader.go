package schema

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/trace"
)

// The limits of a piece. What trcx writes is far from all of them.
const (
	maxDepth    = 256     // of nested values
	maxPiece    = 1 << 20 // bytes of a piece: an event, a thread without its events, a line
	maxValues   = 1 << 16 // values in a piece
	maxDigits   = 64      // characters of a number in a piece
	maxExponent = 308     // of a number in a piece, in either direction
	maxSkipped  = 256     // bytes of a name outside of a piece
)

// reader reads JSON values (RFC 8259). Invalid UTF-8 is a fault.
type reader struct {
	source
	lines     bool              // a value must end in its line
	path      path              // of the current value
	duplicate func(trace.Place) // called with the place of a name that its object has already
	scratch   []byte
}

// fault is an error of the input after which reading cannot continue.
type fault struct {
	rule    string
	place   trace.Place
	path    string
	message string
}

func (f *fault) Error() string { return f.message }

// budget limits a piece. Beyond it the piece is still read, but not kept. A nil budget keeps nothing.
type budget struct {
	end      int64  // the offset at which the piece must have ended
	values   int    // still allowed
	exceeded string // the exceeded limit, for a message
}

func (r *reader) newBudget() *budget { return &budget{end: r.offset() + maxPiece, values: maxValues} }

// open reports whether values are kept.
func (b *budget) open() bool { return b != nil && b.exceeded == "" }

// wrong returns the fault of an unexpected character or end of the input.
func (r *reader) wrong(should string) error {
	c, ok := r.peek()
	switch {
	case r.failure() != nil && !ok:
		return r.failure()
	case !ok:
		return r.fault(trace.RuleTruncated, "the input ends where %s should be", should)
	case c == '\n' && r.lines:
		return r.fault(RuleSyntax, "the line ends where %s should be", should)
	case c < ' ' || c == 0x7F:
		return r.fault(RuleSyntax, "the control character U+%04X is where %s should be", c, should)
	}
	found, size := utf8.DecodeRune(r.ahead(utf8.UTFMax))
	if found == utf8.RuneError && size <= 1 {
		return r.fault(RuleSyntax, "the byte 0x%02X is where %s should be", c, should)
	}
	return r.fault(RuleSyntax, "%q is where %s should be", found, should)
}

func (r *reader) fault(rule, format string, arguments ...any) error {
	return &fault{rule: rule, place: r.here(), path: r.path.String(), message: fmt.Sprintf(format, arguments...)}
}

// space skips white space.
func (r *reader) space() {
	for {
		c, ok := r.peek()
		if !ok || c != ' ' && c != '\t' && c != '\r' && (c != '\n' || r.lines) {
			return
		}
		r.at++
	}
}

// next reports whether the next byte is c.
func (r *reader) next(c byte) bool {
	found, ok := r.peek()
	return ok && found == c
}

// accept skips the next byte if it is one of these. It reports whether it is.
func (r *reader) accept(bytes string) bool {
	c, ok := r.peek()
	if !ok || strings.IndexByte(bytes, c) < 0 {
		return false
	}
	r.at++
	return true
}

// value reads a value. Beyond the budget the value is unread.
func (r *reader) value(b *budget) (value, error) {
	r.space()
	v := value{place: r.here()}
	if b.open() {
		b.values--
		r.measure(b)
	}
	c, _ := r.peek()
	var err error
	switch {
	case c == '{':
		err = r.object(&v, b)
	case c == '[':
		err = r.list(&v, b)
	case c == '"':
		v.kind = text
		v.text, err = r.string(b)
	case c == '-' || '0' <= c && c <= '9':
		v.kind = number
		v.text, err = r.number(b)
	default:
		v.kind, err = r.literal()
	}
	if !b.open() {
		v = value{place: v.place}
	}
	return v, err
}

// measure updates the budget with what was read.
func (r *reader) measure(b *budget) {
	switch {
	case r.offset() > b.end:
		b.exceeded = fmt.Sprintf("more than %d bytes", maxPiece)
	case b.values < 0:
		b.exceeded = fmt.Sprintf("more than %d values", maxValues)
	}
}

func (r *reader) object(v *value, b *budget) error {
	v.kind, v.members = object, map[string]value{}
	return r.members(b, func(name string, at trace.Place) error {
		member, err := r.value(b)
		if !b.open() {
			v.members = nil
			return err
		}
		if _, duplicate := v.members[name]; duplicate {
			r.duplicate(at)
		}
		v.members[name] = member
		return err
	})
}

func (r *reader) list(v *value, b *budget) error {
	v.kind = list
	return r.items(func() error {
		item, err := r.value(b)
		if !b.open() {
			v.items = nil
			return err
		}
		v.items = append(v.items, item)
		return err
	})
}

// members reads an object. After each name it calls member, with the place of the name, to read the value.
func (r *reader) members(b *budget, member func(name string, at trace.Place) error) error {
	r.at++
	if r.space(); r.accept("}") {
		return nil
	}
	for {
		name, at, err := r.name(b)
		if err != nil {
			return err
		}
		if err := r.inside(step{name: name}, func() error { return member(name, at) }); err != nil {
			return err
		}
		if r.space(); r.accept("}") {
			return nil
		}
		if !r.accept(",") {
			return r.wrong("a comma or }")
		}
	}
}

// name reads the name of a member and the colon after it.
func (r *reader) name(b *budget) (name string, at trace.Place, err error) {
	r.space()
	if c, _ := r.peek(); c != '"' {
		return "", at, r.wrong("a name in double quotes")
	}
	at = r.here()
	if !b.open() {
		b = &budget{end: r.offset() + maxSkipped}
	}
	if name, err = r.string(b); err != nil {
		return "", at, err
	}
	if r.space(); !r.accept(":") {
		return "", at, r.wrong("a colon")
	}
	return name, at, nil
}

// items reads a list. It calls item to read each of its values.
func (r *reader) items(item func() error) error {
	r.at++
	if r.space(); r.accept("]") {
		return nil
	}
	for i := 0; ; i++ {
		if err := r.inside(step{index: i, item: true}, item); err != nil {
			return err
		}
		if r.space(); r.accept("]") {
			return nil
		}
		if !r.accept(",") {
			return r.wrong("a comma or ]")
		}
	}
}

// inside calls read with the step appended to the path.
func (r *reader) inside(s step, read func() error) error {
	if len(r.path) == maxDepth {
		return r.fault(RuleLimit, "more than %d values inside each other", maxDepth)
	}
	r.path = append(r.path, s)
	if err := read(); err != nil {
		return err
	}
	r.path = r.path[:len(r.path)-1]
	return nil
}

// literals are the literal names by their first letters.
var literals = map[byte]struct {
	word string
	kind kind
}{'t': {"true", yes}, 'f': {"false", no}, 'n': {"null", null}}

func (r *reader) literal() (kind, error) {
	c, _ := r.peek()
	l, ok := literals[c]
	if !ok {
		return unread, r.wrong("a value")
	}
	for i := range l.word {
		if !r.accept(l.word[i : i+1]) {
			return unread, r.wrong("the rest of " + l.word)
		}
	}
	return l.kind, nil
}

// number reads a number. One beyond maxDigits or maxExponent exceeds the budget: programs cannot hold it, or only with
// effort.
func (r *reader) number(b *budget) (string, error) {
	r.scratch = r.scratch[:0]
	r.sign("-")
	if !r.sign("0") && !r.digits() {
		return "", r.wrong("a digit")
	}
	if r.sign(".") && !r.digits() {
		return "", r.wrong("a digit")
	}
	exponent := ""
	if r.sign("eE") {
		begin := len(r.scratch)
		r.sign("+-")
		if !r.digits() {
			return "", r.wrong("a digit")
		}
		exponent = string(r.scratch[begin:])
	}
	if !b.open() {
		return "", nil
	}
	if len(r.scratch) > maxDigits {
		b.exceeded = fmt.Sprintf("a number of more than %d characters", maxDigits)
		// Atoi saturates
	} else if n, _ := strconv.Atoi(exponent); n > maxExponent || n < -maxExponent {
		b.exceeded = fmt.Sprintf("a number with an exponent beyond %d", maxExponent)
	}
	return string(r.scratch), nil
}

// sign reads the next character of a number if it is one of these. It reports whether it is.
func (r *reader) sign(characters string) bool {
	if !r.accept(characters) {
		return false
	}
	if len(r.scratch) <= maxDigits {
		r.scratch = append(r.scratch, r.buf[r.at-1])
	}
	return true
}

// digits reads digits. It reports whether there are any.
func (r *reader) digits() bool {
	found := false
	for r.sign("0123456789") {
		found = true
	}
	return found
}

// string reads a string. What exceeds the budget is replaced by an ellipsis.
func (r *reader) string(b *budget) (string, error) {
	r.at++
	r.scratch = r.scratch[:0]
	for {
		r.keep(b, plainBytes(r.buf[r.at:]))
		c, ok := r.peek()
		var err error
		switch {
		case ok && c == '"':
			r.at++
			if b != nil && b.exceeded != "" {
				r.scratch = append(r.scratch, "…"...)
			}
			return string(r.scratch), nil
		case ok && c == '\\':
			err = r.escape(b)
		case ok && c >= utf8.RuneSelf:
			err = r.character(b)
		case !ok || c < ' ':
			err = r.wrong("the rest of a string")
		}
		if err != nil {
			return "", err
		}
	}
}

// plainBytes returns the length of the prefix that needs neither decoding nor checking.
func plainBytes(b []byte) int {
	for i, c := range b {
		if c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return i
		}
	}
	return len(b)
}

// keep reads the next n bytes of a string unchanged.
func (r *reader) keep(b *budget, n int) {
	text := r.buf[r.at : r.at+n]
	r.at += n
	r.add(b, text)
}

// add appends to the string, within the budget.
func (r *reader) add(b *budget, text []byte) {
	if !b.open() {
		return
	}
	if r.measure(b); b.exceeded == "" {
		r.scratch = append(r.scratch, text...)
	}
}

// character reads a character outside of ASCII.
func (r *reader) character(b *budget) error {
	ahead := r.ahead(utf8.UTFMax)
	c, size := utf8.DecodeRune(ahead)
	switch {
	case c != utf8.RuneError || size > 1:
		r.keep(b, size)
		return nil
	case !utf8.FullRune(ahead):
		r.at += len(ahead)
		return r.wrong("the rest of a character")
	}
	return r.fault(RuleSyntax, "the byte 0x%02X is no UTF-8", ahead[0])
}

// escape reads an escape. A lone surrogate, which trcx writes where a Java string has one, becomes U+FFFD.
func (r *reader) escape(b *budget) error {
	c, size, ok := jsontext.Unescape(r.ahead(jsontext.MaxEscape))
	r.at += size
	switch {
	case !ok && size == 1:
		return r.wrong(`one of " \ / b f n r t u`)
	case !ok:
		return r.wrong("a hexadecimal digit")
	}
	r.add(b, utf8.AppendRune(nil, c))
	return nil
}
