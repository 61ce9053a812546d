// Package modified decodes the modified UTF-8 of the JVM.
package modified

import (
	"bytes"
	"unicode/utf8"
)

// Decode returns the text in UTF-8; see Append.
func Decode(text []byte) string {
	if bytes.IndexByte(text, 0xC0) < 0 && bytes.IndexByte(text, 0xED) < 0 {
		return string(text)
	}
	return string(Append(nil, text))
}

// Append appends a text in the modified UTF-8 of the JVM as UTF-8. A NUL, the bytes C0 80, becomes one byte, and two
// surrogates of three bytes each become one character. A surrogate without its partner and invalid UTF-8 keep their
// bytes, as trace.EscapeJava expects them. The Java Virtual Machine Specification, 4.4.7, defines the form.
func Append(dst, text []byte) []byte {
	for len(text) > 0 {
		switch {
		case len(text) >= 2 && text[0] == 0xC0 && text[1] == 0x80:
			dst, text = append(dst, 0), text[2:]
		case surrogate(text, 0xA0) && surrogate(text[3:], 0xB0):
			dst = utf8.AppendRune(dst, 0x10000+half(text)<<10+half(text[3:]))
			text = text[6:]
		default:
			dst, text = append(dst, text[0]), text[1:]
		}
	}
	return dst
}

// surrogate reports whether the text begins with a surrogate of one half: second is A0 for high ones, B0 for low ones.
func surrogate(text []byte, second byte) bool {
	return len(text) >= 3 && text[0] == 0xED && text[1]&0xF0 == second && text[2]&0xC0 == 0x80
}

// half returns the ten bits that a surrogate contributes.
func half(text []byte) rune { return rune(text[1]&0x0F)<<6 | rune(text[2]&0x3F) }
