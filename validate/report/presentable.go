package report

import (
	"unicode"

	"github.com/trcx/trcx/internal/sanitize"
)

// The limits of text for people, in characters. Readers clip text that they quote, so only hostile text is longer.
const (
	maxMessage = 1000
	maxName    = 4096 // as long as a path may be on Linux
)

// presentable returns printable text of at most limit characters.
func presentable(text string, limit int) string {
	// Escapes are longer than characters, so text that fits is not lost by clipping first.
	return sanitize.Short(sanitize.Text(sanitize.Short(text, limit)), limit)
}

// width returns the width of a printable character in columns of a terminal.
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

// wide are the blocks whose characters take two columns: the scripts of East Asia, their full-width forms, and
// pictographs. The exact list has some hundred ranges and changes with each Unicode; at worst a caret is off by a
// column, which is not worth a dependency.
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
