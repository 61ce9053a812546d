package threaddump

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxEscape is the length in bytes of the longest escape: a surrogate pair.
const maxEscape = len(`\ud83d\ude00`)

// The characters after the backslash of short escapes, and what they are decoded to.
const (
	shortEscapes = `"\/bfnrt`
	unescaped    = "\"\\/\b\f\n\r\t"
)

// unescape decodes the escape at the beginning of b, which begins with a backslash and has maxEscape bytes unless the
// input ends. It returns the character and the length of its escape. A surrogate without its other half is returned as
// it is. If the escape is invalid (ok is false), size is the offset of the first wrong byte, or len(b) at the end.
func unescape(b []byte) (c rune, size int, ok bool) {
	const unit = len(`\u0000`)
	if len(b) < 2 {
		return 0, 1, false
	}
	if i := strings.IndexByte(shortEscapes, b[1]); i >= 0 {
		return rune(unescaped[i]), 2, true
	}
	if b[1] != 'u' {
		return 0, 1, false
	}
	c, digits := hexadecimal(b[2:min(unit, len(b))])
	if digits < 4 {
		return 0, 2 + digits, false
	}
	if rest := b[unit:]; utf16.IsSurrogate(c) && len(rest) >= unit && rest[0] == '\\' && rest[1] == 'u' {
		low, digits := hexadecimal(rest[2:unit])
		if pair := utf16.DecodeRune(c, low); digits == 4 && pair != utf8.RuneError {
			return pair, 2 * unit, true
		}
	}
	return c, unit, true
}

// hexadecimal decodes the hexadecimal digits at the beginning of b, and returns their number.
func hexadecimal(b []byte) (n rune, digits int) {
	for i, c := range b {
		switch {
		case '0' <= c && c <= '9':
			n = n<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			n = n<<4 | rune(c|0x20-'a'+10)
		default:
			return n, i
		}
	}
	return n, len(b)
}

// appendRune appends a character as UTF-8. A lone surrogate is encoded in the same way, as package trace expects it.
func appendRune(dst []byte, c rune) []byte {
	if utf16.IsSurrogate(c) {
		return append(dst, 0xE0|byte(c>>12), 0x80|byte(c>>6&0x3F), 0x80|byte(c&0x3F))
	}
	return utf8.AppendRune(dst, c)
}
