package schema

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/trcx/trcx/trace"
)

// The limits. They bound what is kept at one time, and none of them is near to anything that trcx writes.
const (
	maxDepth    = 256     // values inside each other
	maxPiece    = 1 << 20 // bytes of a piece: an event, a thread without its events, a line
	maxValues   = 1 << 16 // values in a piece
	maxDigits   = 64      // characters of a number in a piece
	maxExponent = 308     // of a number in a piece, in either direction
	maxPassed   = 256     // bytes that are kept of a name outside of a piece
)

// reader reads JSON as RFC 8259 has it: any value, but no byte that is not UTF-8.
type reader struct {
	source
	// lines says that a value must not go on in the next line.
	lines bool
	path  path // of the value at hand
	// twice is called where a name stands in an object for the second time, with the place of the name.
	twice   func(trace.Place)
	scratch []byte
}

// fault is what makes it impossible to read on.
type fault struct {
	rule    string
	place   trace.Place
	path    string
	message string
}

func (f *fault) Error() string { return f.message }

// room is how much may be kept of a piece. Of what does not fit, nothing is kept any more; it is still read. No room at
// all (nil) is for what nobody wants to keep.
type room struct {
	end    int64 // the offset at which the piece must have ended
	values int
	full   string // what there is too much of
}

func (r *reader) newRoom() *room { return &room{end: r.offset() + maxPiece, values: maxValues} }

// open says whether there is still something to be kept.
func (m *room) open() bool { return m != nil && m.full == "" }

// wrong is the error for something else than what should stand here.
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
		return r.fault(RuleSyntax, "the control character U+%04X stands where %s should be", c, should)
	}
	found, size := utf8.DecodeRune(r.ahead(utf8.UTFMax))
	if found == utf8.RuneError && size <= 1 {
		return r.fault(RuleSyntax, "the byte 0x%02X stands where %s should be", c, should)
	}
	return r.fault(RuleSyntax, "%q stands where %s should be", found, should)
}

func (r *reader) fault(rule, format string, arguments ...any) error {
	return &fault{rule: rule, place: r.here(), path: r.path.String(), message: fmt.Sprintf(format, arguments...)}
}

// space passes over white space.
func (r *reader) space() {
	for {
		c, ok := r.peek()
		if !ok || c != ' ' && c != '\t' && c != '\r' && (c != '\n' || r.lines) {
			return
		}
		r.at++
	}
}

// next says whether this byte is next.
func (r *reader) next(c byte) bool {
	found, ok := r.peek()
	return ok && found == c
}

// take passes over one of the bytes, if one is next.
func (r *reader) take(bytes string) bool {
	c, ok := r.peek()
	if !ok || strings.IndexByte(bytes, c) < 0 {
		return false
	}
	r.at++
	return true
}

// value reads a value. Where the room is too small, the value is unread.
func (r *reader) value(m *room) (value, error) {
	r.space()
	v := value{place: r.here()}
	if m.open() {
		m.values--
		r.measure(m)
	}
	c, _ := r.peek()
	var err error
	switch {
	case c == '{':
		err = r.object(&v, m)
	case c == '[':
		err = r.list(&v, m)
	case c == '"':
		v.kind = text
		v.text, err = r.string(m)
	case c == '-' || '0' <= c && c <= '9':
		v.kind = number
		v.text, err = r.number(m)
	default:
		v.kind, err = r.literal()
	}
	if !m.open() {
		v = value{place: v.place}
	}
	return v, err
}

// measure finds out whether the room is too small for what was read.
func (r *reader) measure(m *room) {
	switch {
	case r.offset() > m.end:
		m.full = fmt.Sprintf("more than %d bytes", maxPiece)
	case m.values < 0:
		m.full = fmt.Sprintf("more than %d values", maxValues)
	}
}

func (r *reader) object(v *value, m *room) error {
	v.kind, v.members = object, map[string]value{}
	return r.members(m, func(name string, at trace.Place) error {
		member, err := r.value(m)
		if !m.open() {
			v.members = nil
			return err
		}
		if _, twice := v.members[name]; twice {
			r.twice(at)
		}
		v.members[name] = member
		return err
	})
}

func (r *reader) list(v *value, m *room) error {
	v.kind = list
	return r.items(func() error {
		item, err := r.value(m)
		if !m.open() {
			v.items = nil
			return err
		}
		v.items = append(v.items, item)
		return err
	})
}

// members reads an object that begins here. It calls member behind each name, with the place of the name, for the value
// to be read.
func (r *reader) members(m *room, member func(name string, at trace.Place) error) error {
	r.at++
	if r.space(); r.take("}") {
		return nil
	}
	for {
		name, at, err := r.name(m)
		if err != nil {
			return err
		}
		if err := r.inside(step{name: name}, func() error { return member(name, at) }); err != nil {
			return err
		}
		if r.space(); r.take("}") {
			return nil
		}
		if !r.take(",") {
			return r.wrong("a comma or }")
		}
	}
}

// name reads the name of a member and the colon behind it.
func (r *reader) name(m *room) (name string, at trace.Place, err error) {
	r.space()
	if c, _ := r.peek(); c != '"' {
		return "", at, r.wrong("a name in double quotes")
	}
	at = r.here()
	if !m.open() {
		m = &room{end: r.offset() + maxPassed}
	}
	if name, err = r.string(m); err != nil {
		return "", at, err
	}
	if r.space(); !r.take(":") {
		return "", at, r.wrong("a colon")
	}
	return name, at, nil
}

// items reads a list that begins here. It calls item for each of its values to be read.
func (r *reader) items(item func() error) error {
	r.at++
	if r.space(); r.take("]") {
		return nil
	}
	for i := 0; ; i++ {
		if err := r.inside(step{index: i, item: true}, item); err != nil {
			return err
		}
		if r.space(); r.take("]") {
			return nil
		}
		if !r.take(",") {
			return r.wrong("a comma or ]")
		}
	}
}

// inside reads what is one step further in.
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

// literals are the values that are words.
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
		if !r.take(l.word[i : i+1]) {
			return unread, r.wrong("the rest of " + l.word)
		}
	}
	return l.kind, nil
}

// number reads a number. One that a program could only hold with effort, or not at all, fills the room.
func (r *reader) number(m *room) (string, error) {
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
	if !m.open() {
		return "", nil
	}
	if len(r.scratch) > maxDigits {
		m.full = fmt.Sprintf("a number of more than %d characters", maxDigits)
		// Atoi gives the largest int for what is larger
	} else if n, _ := strconv.Atoi(exponent); n > maxExponent || n < -maxExponent {
		m.full = fmt.Sprintf("a number with an exponent beyond %d", maxExponent)
	}
	return string(r.scratch), nil
}

// sign passes over one of the characters of a number, if one is next.
func (r *reader) sign(characters string) bool {
	if !r.take(characters) {
		return false
	}
	if len(r.scratch) <= maxDigits {
		r.scratch = append(r.scratch, r.buf[r.at-1])
	}
	return true
}

// digits passes over one or more digits.
func (r *reader) digits() bool {
	found := false
	for r.sign("0123456789") {
		found = true
	}
	return found
}

// string reads a string that begins here. What does not fit into the room is read and replaced by three dots.
func (r *reader) string(m *room) (string, error) {
	r.at++
	r.scratch = r.scratch[:0]
	for {
		r.keep(m, plainBytes(r.buf[r.at:]))
		c, ok := r.peek()
		var err error
		switch {
		case ok && c == '"':
			r.at++
			if m != nil && m.full != "" {
				r.scratch = append(r.scratch, "…"...)
			}
			return string(r.scratch), nil
		case ok && c == '\\':
			err = r.escape(m)
		case ok && c >= utf8.RuneSelf:
			err = r.character(m)
		case !ok || c < ' ':
			err = r.wrong("the rest of a string")
		}
		if err != nil {
			return "", err
		}
	}
}

// plainBytes is how many bytes of a string stand for themselves before the first that needs a closer look.
func plainBytes(b []byte) int {
	for i, c := range b {
		if c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return i
		}
	}
	return len(b)
}

// keep passes over the next n bytes, which stand for themselves, and keeps them if there is room.
func (r *reader) keep(m *room, n int) {
	b := r.buf[r.at : r.at+n]
	r.at += n
	r.add(m, b)
}

func (r *reader) add(m *room, b []byte) {
	if !m.open() {
		return
	}
	if r.measure(m); m.full == "" {
		r.scratch = append(r.scratch, b...)
	}
}

// character passes over a character outside of ASCII.
func (r *reader) character(m *room) error {
	b := r.ahead(utf8.UTFMax)
	c, size := utf8.DecodeRune(b)
	switch {
	case c != utf8.RuneError || size > 1:
		r.keep(m, size)
		return nil
	case !utf8.FullRune(b):
		r.at += len(b)
		return r.wrong("the rest of a character")
	}
	return r.fault(RuleSyntax, "the byte 0x%02X is no UTF-8", b[0])
}

// escapes and escaped are the characters behind a backslash, and what they stand for.
const (
	escapes = `"\/bfnrt`
	escaped = "\"\\/\b\f\n\r\t"
)

// escape passes over a backslash and what it escapes. Half of a surrogate pair, which trcx writes where a Java string
// has one, is U+FFFD to those who read it.
func (r *reader) escape(m *room) error {
	const unit = len(`\u0000`)
	b := r.ahead(2 * unit)
	if len(b) > 1 {
		if i := strings.IndexByte(escapes, b[1]); i >= 0 {
			r.at += 2
			r.add(m, []byte{escaped[i]})
			return nil
		}
	}
	if len(b) < 2 || b[1] != 'u' {
		r.at++
		return r.wrong(`one of " \ / b f n r t u`)
	}
	first, digits := hexadecimal(b[2:min(unit, len(b))])
	if digits < 4 {
		r.at += 2 + digits
		return r.wrong("a hexadecimal digit")
	}
	size := unit
	if utf16.IsSurrogate(first) {
		first, size = pair(first, b[unit:])
	}
	r.at += size
	r.add(m, utf8.AppendRune(nil, first))
	return nil
}

// pair joins the half of a surrogate pair with what follows, and says how long the escapes are together.
func pair(first rune, rest []byte) (c rune, size int) {
	const unit = len(`\u0000`)
	if digits, ok := bytes.CutPrefix(rest[:min(unit, len(rest))], []byte(`\u`)); ok {
		second, found := hexadecimal(digits)
		if c := utf16.DecodeRune(first, second); found == 4 && c != utf8.RuneError {
			return c, 2 * unit
		}
	}
	return utf8.RuneError, unit
}

// hexadecimal reads the digits at the beginning of b, and says how many they are.
func hexadecimal(b []byte) (n rune, digits int) {
	for i, c := range b {
		d := strings.IndexByte("0123456789abcdef", c|0x20)
		if d < 0 || c < '0' {
			return n, i
		}
		n = n<<4 | rune(d)
	}
	return n, len(b)
}
