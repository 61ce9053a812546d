// Package sanitize makes text that comes from traces fit for being looked at: names and whatever else an input says of
// itself. It stands beneath the rooms that print for people, and beneath those of emit whose formats let any text pass,
// so that a hostile name looks the same everywhere.
package sanitize

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is the text on one line, as valid UTF-8, without what a terminal would obey or what makes text look other than
// it is: such characters are shown as \uXXXX, and bytes that are no UTF-8 as \xXX. Other text is returned as it is. The
// result has no character that XML forbids.
func Text(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, Hides) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02X`, text[0])
		case Hides(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

// Hides says whether Text shows the character as an escape.
func Hides(r rune) bool { return r >= 0x7F && unicode.Is(hidden, r) || r < ' ' }

// hidden are controls, and characters that turn the direction of text, break lines, or are none.
var hidden = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x007F, Hi: 0x009F, Stride: 1}, // delete and the controls behind it
	{Lo: 0x061C, Hi: 0x061C, Stride: 1}, // Arabic letter mark
	{Lo: 0x200E, Hi: 0x200F, Stride: 1}, // left-to-right and right-to-left mark
	{Lo: 0x2028, Hi: 0x202E, Stride: 1}, // separators of lines and paragraphs, embeddings and overrides
	{Lo: 0x2066, Hi: 0x2069, Stride: 1}, // isolates
	{Lo: 0xFFFE, Hi: 0xFFFF, Stride: 1}, // no characters
}}

// Short is the text without its middle, if it has more than the given number of characters, which is to be at least 8.
func Short(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	runes := []rune(text)
	if len(runes) <= longest {
		return text
	}
	tail := longest / 3
	return string(runes[:longest-tail-1]) + "…" + string(runes[len(runes)-tail:])
}
