// Package sanitize makes text from traces fit for messages, tables and pages: on one line, valid and short.
//
// Names and other text of an input can be hostile. Every package that prints for people, and every output whose format
// allows any text, uses it, so that such text looks the same everywhere.
package sanitize

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns the text on one line, as valid UTF-8, without characters that control a terminal or reorder text. These
// become \uXXXX, and bytes that are not UTF-8 \xXX; other text is returned as it is. The result has no character that
// XML forbids.
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

// Hides reports whether Text escapes the character.
func Hides(r rune) bool { return r >= 0x7F && unicode.Is(hidden, r) || r < ' ' }

// hidden are control characters above the space, characters that reorder text or break lines, and noncharacters.
var hidden = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x007F, Hi: 0x009F, Stride: 1}, // delete and the C1 controls
	{Lo: 0x061C, Hi: 0x061C, Stride: 1}, // Arabic letter mark
	{Lo: 0x200E, Hi: 0x200F, Stride: 1}, // left-to-right and right-to-left mark
	{Lo: 0x2028, Hi: 0x202E, Stride: 1}, // line and paragraph separators, embeddings and overrides
	{Lo: 0x2066, Hi: 0x2069, Stride: 1}, // isolates
	{Lo: 0xFFFE, Hi: 0xFFFF, Stride: 1}, // noncharacters
}}

// Clip returns the first limit characters of the text and "…", or the text itself if it has no more.
func Clip[T string | []byte](text T, limit int) string {
	if end := Bytes(text, limit); end < len(text) {
		return string(text[:end]) + "…"
	}
	return string(text)
}

// Quote returns the text for a message: in quotation marks, as Text returns it, clipped to 40 characters.
func Quote[T string | []byte](text T) string { return `"` + Text(Clip(text, 40)) + `"` }

// Short returns the text without its middle, so that it has at most limit characters. The limit is 8 or more.
func Short(text string, limit int) string {
	if Bytes(text, limit) == len(text) {
		return text
	}
	tail := len(text)
	for range limit / 3 {
		_, size := utf8.DecodeLastRuneInString(text[:tail])
		tail -= size
	}
	return text[:Bytes(text, limit-limit/3-1)] + "…" + text[tail:]
}

// Bytes returns the length in bytes of the first n characters of the text, or of the whole text if it has fewer.
func Bytes[T string | []byte](text T, n int) (end int) {
	if len(text) <= n {
		return len(text)
	}
	for ; n > 0 && end < len(text); n-- {
		_, size := utf8.DecodeRuneInString(string(text[end:min(end+utf8.UTFMax, len(text))]))
		end += size
	}
	return end
}

// formulaSigns are the characters that can begin a formula in a spreadsheet. Some spreadsheets also accept full-width
// signs and skip white space.
const formulaSigns = "=+-@\t\r\n＝＋－＠"

// Harmless returns a text that no spreadsheet evaluates: an apostrophe precedes text that begins like a formula.
// Invalid UTF-8 and control characters other than white space become U+FFFD.
func Harmless(text string) string {
	text = strings.Map(visible, strings.ToValidUTF8(text, "\uFFFD"))
	if first, _ := utf8.DecodeRuneInString(text); text != "" && strings.ContainsRune(formulaSigns, first) {
		return "'" + text
	}
	return text
}

// visible returns the character, or U+FFFD for a control character other than white space: a terminal would obey it.
func visible(r rune) rune {
	if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7F && r < 0xA0 {
		return '\uFFFD'
	}
	return r
}
