package xmlscan

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"github.com/trcx/trcx/internal/digits"
)

// isChar is the production Char of XML 1.0.
func isChar(r rune) bool {
	return r >= 0x20 && r <= 0xD7FF || r == '\t' || r == '\n' || r == '\r' || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// nameStarts holds the ranges of NameStartChar beyond ASCII (fifth edition), nameParts the ranges that NameChar adds.
var (
	nameStarts = [][2]rune{{0xC0, 0xD6}, {0xD8, 0xF6}, {0xF8, 0x2FF}, {0x370, 0x37D}, {0x37F, 0x1FFF}, {0x200C, 0x200D},
		{0x2070, 0x218F}, {0x2C00, 0x2FEF}, {0x3001, 0xD7FF}, {0xF900, 0xFDCF}, {0xFDF0, 0xFFFD}, {0x10000, 0xEFFFF}}
	nameParts = [][2]rune{{0xB7, 0xB7}, {0x300, 0x36F}, {0x203F, 0x2040}}
)

func isNameStart(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z' || r == '_' || r == ':'
	}
	return within(nameStarts, r)
}

func isNameChar(r rune) bool {
	if r < utf8.RuneSelf {
		return isNameStart(r) || r >= '0' && r <= '9' || r == '-' || r == '.'
	}
	return within(nameStarts, r) || within(nameParts, r)
}

func within(ranges [][2]rune, r rune) bool {
	for _, bounds := range ranges {
		if r >= bounds[0] && r <= bounds[1] {
			return true
		}
	}
	return false
}

// char decodes the character at p, which must be before the end, and checks that XML allows it. The
// scanner's encoding decides what its bytes may be.
func (s *Scanner) char(p int) (r rune, size int, err error) {
	c := s.buf[p]
	if c < utf8.RuneSelf {
		if c < ' ' && !isSpace(c) {
			return 0, 0, s.failAt(p, "the control character U+%04X is not allowed in XML", c)
		}
		return rune(c), 1, nil
	}
	if s.input.asciiOnly {
		return 0, 0, s.failAt(p, "byte 0x%02X in a document that says it is US-ASCII", c)
	}
	r, size = utf8.DecodeRune(s.buf[p:s.end])
	if r == utf8.RuneError && size <= 1 {
		if !utf8.FullRune(s.buf[p:s.end]) && !s.whole {
			return 0, 0, errMore
		}
		return 0, 0, s.failAt(p, "not valid %s", s.input.encoding())
	}
	if !isChar(r) {
		return 0, 0, s.failAt(p, "the character U+%04X is not allowed in XML", r)
	}
	return r, size, nil
}

// checkChars checks that XML allows all characters from p to q.
func (s *Scanner) checkChars(p, q int) error {
	for p < q {
		if w := word(s.buf, p); below(w, ' ')|w&highs == 0 {
			p += 8
			continue
		}
		_, size, err := s.char(p)
		if err != nil {
			return err
		}
		p += size
	}
	return nil
}

// IsName reports whether the text is a Name of XML 1.0.
func IsName(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return text != "" && isNameStart(r) && IsNameToken(text)
}

// IsNameToken reports whether the text is a Nmtoken of XML 1.0.
func IsNameToken(text string) bool {
	for _, r := range text {
		if !isNameChar(r) {
			return false
		}
	}
	return text != ""
}

// Eight bytes at a time: the functions below set the highest bit of each byte of a class. Bytes above the first flagged
// one may be flagged without reason, so only the first counts.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// Padding is the number of zero bytes after the input in every buffer, so that whole words can be read anywhere in it.
const Padding = padding

const padding = 40

func word(b []byte, p int) uint64 { return binary.LittleEndian.Uint64(b[p:]) }

// equal flags the bytes of w that equal the byte in pattern. pattern has eight copies of it.
func equal(w, pattern uint64) uint64 {
	d := w ^ pattern
	return (d - ones) &^ d & highs
}

// below flags the bytes of w that are smaller than limit, which is at most 128.
func below(w uint64, limit byte) uint64 { return (w - ones*uint64(limit)) &^ w & highs }

// first is the index of the first flagged byte.
func first(flags uint64) int { return bits.TrailingZeros64(flags) >> 3 }

// noDigits flags the bytes of w that are not digits.
func noDigits(w uint64) uint64 { return digits.Others(w ^ digits.Zeros) }

// digitsEnd returns the position of the first of the eight bytes from p on that is not a digit, or p+8.
func digitsEnd(b []byte, p int) int {
	if stop := noDigits(word(b, p)); stop != 0 {
		return p + first(stop)
	}
	return p + 8
}

// plainEnd returns the first position from p on at which a quoted value ends or needs a closer look: a quote, markup, a
// control character, or a byte outside ASCII. quote has eight copies of the quote. The zeros after the input end the
// value at the latest. A quote and an ampersand differ in one bit, so they are searched together.
func plainEnd(b []byte, p int, quote uint64) int {
	differ := quote ^ ones*'&'
	for {
		w := word(b, p)
		if stop := equal(w|differ, quote|differ) | equal(w, ones*'<') | below(w, ' ') | w&highs; stop != 0 {
			return p + first(stop)
		}
		p += 8
	}
}

// nameEnd returns the first position from p on that cannot belong to an ASCII name of a tag or an attribute.
func nameEnd(b []byte, p int) int {
	for {
		w := word(b, p)
		// < and > differ in one bit
		if stop := below(w, '!') | equal(w|ones*2, ones*'>') | equal(w, ones*'=') | equal(w, ones*'/') |
			w&highs; stop != 0 {
			return p + first(stop)
		}
		p += 8
	}
}

// literal is a text of at most 24 bytes, compared by words.
type literal struct {
	words, masks [3]uint64
	size         int
}

const maxLiteral = 24

// literalOf needs a text of at most maxLiteral bytes.
func literalOf(text string) literal {
	var l literal
	l.size = len(text)
	for i := range len(text) {
		l.words[i/8] |= uint64(text[i]) << (i % 8 * 8)
		l.masks[i/8] |= 0xFF << (i % 8 * 8)
	}
	return l
}

// at reports whether b has the literal at p.
func (l *literal) at(b []byte, p int) bool {
	b = b[p : p+maxLiteral]
	return (word(b, 0)^l.words[0])&l.masks[0]|
		(word(b, 8)^l.words[1])&l.masks[1]|
		(word(b, 16)^l.words[2])&l.masks[2] == 0
}
