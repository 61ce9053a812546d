package trace

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// XML 1.0 cannot carry every string that a JVM has: control characters, lone surrogates, U+FFFE and U+FFFF are not
// allowed in a document, not even as references. trcx writes such a character as \uXXXX (four upper-case hexadecimal
// digits), a byte that is no UTF-8 at all as \xXX, and a backslash that would otherwise look like the beginning of one
// of these as \u005C. Reading undoes exactly what writing does and nothing else, so every string comes back as it was,
// and a name in which some other program wrote \u0041 keeps its six characters.

const upperHex = "0123456789ABCDEF"

// EscapeJava appends the string as XML text. Lone surrogates are expected in the three-byte form
// that UTF-8 would give them.
func EscapeJava(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst, size = appendBroken(dst, s[i:])
		case r == '\\' && looksEscaped(s[i:]):
			dst = append(dst, `\u005C`...)
		case isXMLChar(r):
			dst = append(dst, s[i:i+size]...)
		default:
			dst = appendUnicodeEscape(dst, r)
		}
		i += size
	}
	return dst
}

// unescapeJava returns the string that EscapeJava escaped.
func unescapeJava(text []byte) string {
	if bytes.IndexByte(text, '\\') < 0 {
		return string(text)
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] == '\\' {
			if r, size := readEscape(string(text[i:min(i+6, len(text))])); size > 0 {
				writeDecoded(&b, r, size)
				i += size
				continue
			}
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String()
}

// appendBroken escapes the invalid UTF-8 at the beginning of s: a lone surrogate of three bytes, or a single byte.
func appendBroken(dst []byte, s string) ([]byte, int) {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && s[2]&0xC0 == 0x80 {
		return appendUnicodeEscape(dst, 0xD000|rune(s[1]&0x3F)<<6|rune(s[2]&0x3F)), 3
	}
	return append(dst, '\\', 'x', upperHex[s[0]>>4], upperHex[s[0]&15]), 1
}

func appendUnicodeEscape(dst []byte, r rune) []byte {
	return append(dst, '\\', 'u', upperHex[r>>12&15], upperHex[r>>8&15], upperHex[r>>4&15], upperHex[r&15])
}

// looksEscaped reports whether s begins with text that reading would take for an escape.
func looksEscaped(s string) bool {
	_, size := readEscape(s[:min(6, len(s))])
	return size > 0
}

// readEscape reads an escape that writing can produce. The size is 0 if s does not begin with one.
func readEscape(s string) (r rune, size int) {
	switch {
	case len(s) == 6 && s[1] == 'u':
		r, ok := hexadecimal(s[2:])
		if ok && (r == '\\' || !isXMLChar(r)) {
			return r, 6
		}
	case len(s) >= 4 && s[1] == 'x':
		if r, ok := hexadecimal(s[2:4]); ok && r >= utf8.RuneSelf {
			return r, 4
		}
	}
	return 0, 0
}

func writeDecoded(b *strings.Builder, r rune, size int) {
	switch {
	case size == 4:
		b.WriteByte(byte(r))
	case r >= 0xD800 && r <= 0xDFFF:
		b.Write([]byte{0xED, 0x80 | byte(r>>6&0x3F), 0x80 | byte(r&0x3F)})
	default:
		b.WriteRune(r)
	}
}

func hexadecimal(s string) (value rune, ok bool) {
	for i := range len(s) {
		digit := strings.IndexByte(upperHex, s[i])
		if digit < 0 {
			return 0, false
		}
		value = value<<4 | rune(digit)
	}
	return value, true
}

// isXMLChar is the production Char of XML 1.0.
func isXMLChar(r rune) bool {
	return r >= 0x20 && r <= 0xD7FF || r == '\t' || r == '\n' || r == '\r' || r >= 0xE000 && r <= 0xFFFD || r >= 0x10000
}
