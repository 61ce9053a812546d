package transcript

import (
	"strings"
	"unicode/utf8"
)

// DecodeModified reads the modified UTF-8 of the JVM, in which a NUL is the two bytes C0 80, and a character beyond the first plane two surrogates of three
// bytes each. A surrogate without its partner, and what is no UTF-8 at all, keep their bytes, as trace.EscapeJava expects them. Other UTF-8 stays as it is.
// The form is that of the Java Virtual Machine Specification, 4.4.7.
func DecodeModified(text []byte) string {
	plain := true
	for _, c := range text {
		plain = plain && c != 0xC0 && c != 0xED
	}
	if plain {
		return string(text)
	}
	var b strings.Builder
	for len(text) > 0 {
		switch high, low := surrogate(text, 0xA0), surrogate(text[min(3, len(text)):], 0xB0); {
		case high >= 0 && low >= 0:
			b.WriteRune(0x10000 + high<<10 + low)
			text = text[6:]
		case len(text) >= 2 && text[0] == 0xC0 && text[1] == 0x80:
			b.WriteByte(0)
			text = text[2:]
		default:
			_, size := utf8.DecodeRune(text)
			b.Write(text[:size])
			text = text[size:]
		}
	}
	return b.String()
}

// surrogate is the ten bits of the surrogate that the text begins with, whose second byte is from first on; or -1.
func surrogate(text []byte, first byte) rune {
	if len(text) < 3 || text[0] != 0xED || text[1]&0xF0 != first || text[2]&0xC0 != 0x80 {
		return -1
	}
	return rune(text[1]&0x0F)<<6 | rune(text[2]&0x3F)
}
