package xmlscan

import (
	"encoding/binary"
	"math/bits"

	"github.com/trcx/trcx/internal/digits"
)

// Eight bytes at a time: a byte's highest bit in the results below is set where the byte is of the class. Bytes above
// the first such one may be set without reason, so only the first counts.
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

// plainEnd returns the first position from p on at which a value between quotes (quote is eight copies of the quote)
// ends or needs a closer look: a quote, markup, a control character, or a byte outside ASCII. The zeros after the
// input end it at the latest. A quote and an ampersand differ in one bit, so they are looked for together.
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

// nameEnd returns the first position from p on that cannot belong to an ASCII name that a tag begins or an attribute
// has.
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

// literal is a text of at most 24 bytes that is compared by words.
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
