package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// How long what people read may become, in bytes. Readers shorten what they quote from an input, so only hostile text gets here.
const (
	longestMessage = 1000
	longestName    = 4096 // as long as a path may be on Linux
)

// Printable makes text from an input fit for a terminal or a page. Control characters, and those that turn the direction of the
// text or break lines, are shown as \uXXXX, and bytes that are not UTF-8 as \xXX. Other text is returned as it is. The result has
// no character that XML forbids.
func Printable(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, unprintable) {
		return text
	}
	printable := make([]byte, 0, len(text)+len(text)/4)
	for len(text) > 0 {
		_, size := utf8.DecodeRuneInString(text)
		printable = appendPrintable(printable, text[:size])
		text = text[size:]
	}
	return string(printable)
}

// appendPrintable appends a character, or a byte that is none, as Printable shows it.
func appendPrintable(dst []byte, character string) []byte {
	r, size := utf8.DecodeRuneInString(character)
	switch {
	case r == utf8.RuneError && size == 1:
		return fmt.Appendf(dst, `\x%02X`, character[0])
	case unprintable(r):
		return fmt.Appendf(dst, `\u%04X`, r)
	default:
		return append(dst, character...)
	}
}

func unprintable(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(deceptive, r)
}

// deceptive are the characters that make text look other than it is, without being controls.
var deceptive = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x061C, Hi: 0x061C, Stride: 1}, // Arabic letter mark
	{Lo: 0x200E, Hi: 0x200F, Stride: 1}, // left-to-right and right-to-left mark
	{Lo: 0x2028, Hi: 0x2029, Stride: 1}, // line and paragraph separator
	{Lo: 0x202A, Hi: 0x202E, Stride: 1}, // embeddings and overrides
	{Lo: 0x2066, Hi: 0x2069, Stride: 1}, // isolates
	{Lo: 0xFFFE, Hi: 0xFFFF, Stride: 1}, // no characters
}}

// presentable is Printable text of at most about the given number of bytes.
func presentable(text string, longest int) string {
	// What is escaped becomes longer, never shorter: so nothing that would have fitted is lost by shortening first.
	return shorten(Printable(shorten(text, longest)), longest)
}

// shorten leaves out the middle of text that is longer than the given number of bytes: a message says at its beginning what is
// wrong, and at its end what would be right.
func shorten(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	head, tail := longest*2/3, len(text)-longest/3
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return text[:head] + "…" + text[tail:]
}

// width is how many columns of a terminal a printable character takes.
func width(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	default:
		return 1
	}
}

// wide are the blocks whose characters take two columns: the scripts of East Asia, their full-width forms, and pictographs. The
// exact list has some hundred ranges and changes with each Unicode; at worst a caret stands beside its place by a column, which
// is not worth a dependency.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115F, Stride: 1}, // Hangul initial consonants
		{Lo: 0x2E80, Hi: 0x303E, Stride: 1}, // radicals and punctuation
		{Lo: 0x3041, Hi: 0x4DBF, Stride: 1}, // kana, Bopomofo, enclosed letters, ideographs
		{Lo: 0x4E00, Hi: 0xA4CF, Stride: 1}, // ideographs and Yi
		{Lo: 0xA960, Hi: 0xA97F, Stride: 1}, // Hangul initial consonants
		{Lo: 0xAC00, Hi: 0xD7A3, Stride: 1}, // Hangul syllables
		{Lo: 0xF900, Hi: 0xFAFF, Stride: 1}, // compatibility ideographs
		{Lo: 0xFE30, Hi: 0xFE6F, Stride: 1}, // compatibility and small forms
		{Lo: 0xFF01, Hi: 0xFF60, Stride: 1}, // full-width forms
		{Lo: 0xFFE0, Hi: 0xFFE6, Stride: 1}, // full-width signs
	},
	R32: []unicode.Range32{
		{Lo: 0x17000, Hi: 0x1B2FF, Stride: 1}, // Tangut, Khitan, kana, Nushu
		{Lo: 0x1F300, Hi: 0x1F64F, Stride: 1}, // pictographs and faces
		{Lo: 0x1F680, Hi: 0x1F6FF, Stride: 1}, // transport
		{Lo: 0x1F900, Hi: 0x1FAFF, Stride: 1}, // more pictographs
		{Lo: 0x20000, Hi: 0x3FFFD, Stride: 1}, // more ideographs
	},
}
