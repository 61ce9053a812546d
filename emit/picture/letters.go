package picture

import (
	"fmt"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"github.com/trcx/trcx/internal/sanitize"
)

// letters converts and measures text for a canvas, with the Go fonts. Only one goroutine may use it.
type letters struct {
	kind  kind
	fonts [2]*opentype.Font // regular and bold
	wide  [2]map[rune]float64
	again sfnt.Buffer
}

// kind is how a canvas shows text.
type kind uint8

const (
	asText   kind = iota // characters, in any available font
	asGlyphs             // glyphs of the Go fonts
)

// foreignWidth is the assumed width of a character that the Go fonts lack, in sizes of the font, about the width of an
// emoji.
const foreignWidth = 1.4

const ellipsis = "…"

func newLetters(kind kind) *letters {
	l := &letters{kind: kind}
	for i, file := range [][]byte{goregular.TTF, gobold.TTF} {
		parsed, err := opentype.Parse(file)
		if err != nil {
			panic(err) // the font is part of the program
		}
		l.fonts[i], l.wide[i] = parsed, make(map[rune]float64)
	}
	return l
}

func (s style) font() int {
	if s.bold {
		return 1
	}
	return 0
}

// advance returns the width of a character in sizes of the font, or 0 if the font does not have it.
func (l *letters) advance(r rune, s style) float64 {
	known := l.wide[s.font()]
	if w, ok := known[r]; ok {
		return w
	}
	f, w := l.fonts[s.font()], 0.0
	if glyph, err := f.GlyphIndex(&l.again, r); err == nil && glyph != 0 {
		units := fixed.I(int(f.UnitsPerEm()))
		if a, err := f.GlyphAdvance(&l.again, glyph, units, font.HintingNone); err == nil {
			w = float64(a) / float64(units)
		}
	}
	known[r] = w
	return w
}

// foreign reports whether the fonts lack some character of the text.
func (l *letters) foreign(text string, s style) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return l.advance(r, s) == 0 })
}

// shown returns the text as the canvas shows it: on one line, without misleading characters.
func (l *letters) shown(text string, s style) string {
	text = sanitize.Text(text)
	if l.kind == asText || !l.foreign(text, s) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if l.advance(r, s) == 0 {
			fmt.Fprintf(&b, "U+%04X", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// runeWidth returns the width of a character of a shown text.
func (l *letters) runeWidth(r rune, s style) float64 {
	if w := l.advance(r, s); w > 0 {
		return w * s.size
	}
	return foreignWidth * s.size
}

// width returns the width of a shown text.
func (l *letters) width(text string, s style) (w float64) {
	for _, r := range text {
		w += l.runeWidth(r, s)
	}
	return w
}

// fit removes the middle of a shown text that is wider than the limit.
func (l *letters) fit(text string, s style, limit float64) string {
	if l.width(text, s) <= limit {
		return text
	}
	limit -= l.width(ellipsis, s)
	runes := []rune(text)
	head, tail := l.fitting(runes, s, limit*2/3), 0
	for w := l.width(string(runes[:head]), s); tail < len(runes)-head; tail++ {
		if w += l.runeWidth(runes[len(runes)-1-tail], s); w > limit {
			break
		}
	}
	return string(runes[:head]) + ellipsis + string(runes[len(runes)-tail:])
}

// fitting returns how many characters, from the first on, fit in the limit.
func (l *letters) fitting(runes []rune, s style, limit float64) int {
	for i, r := range runes {
		if limit -= l.runeWidth(r, s); limit < 0 {
			return i
		}
	}
	return len(runes)
}

// wrap returns at most the given number of lines of a shown text, none wider than the limit. A longer text ends in an
// ellipsis.
func (l *letters) wrap(text string, s style, limit float64, most int) (lines []string) {
	rest := []rune(text)
	for len(rest) > 0 {
		if len(lines) == most-1 {
			return append(lines, l.begin(rest, s, limit))
		}
		n := l.fitting(rest, s, limit)
		if n < len(rest) {
			n = max(1, lineEnd(rest, n))
		}
		lines = append(lines, strings.TrimSpace(string(rest[:n])))
		rest = rest[n:]
	}
	return lines
}

// begin returns the beginning of a text, at most as wide as the limit.
func (l *letters) begin(runes []rune, s style, limit float64) string {
	if n := l.fitting(runes, s, limit); n < len(runes) {
		n = l.fitting(runes, s, limit-l.width(ellipsis, s))
		return strings.TrimSpace(string(runes[:n])) + ellipsis
	}
	return strings.TrimSpace(string(runes))
}

// lineEnd returns the end of a line of at most n characters: after a space, if there is one in its second half.
func lineEnd(runes []rune, n int) int {
	if runes[n] == ' ' {
		return n + 1
	}
	for i := n; i > n/2; i-- {
		if runes[i-1] == ' ' {
			return i
		}
	}
	return n
}

// put returns a text, which is not centered, converted for the canvas and fitted to the limit.
func (l *letters) put(words string, s style, colour string, at point, a anchor, limit float64) text {
	shown := l.fit(l.shown(words, s), s, limit)
	t := text{at: at, words: shown, style: s, colour: colour, anchor: a, width: l.width(shown, s)}
	if l.foreign(shown, s) { // its final width is unknown
		t.clip = rect{at.x, at.y - 1.5*s.size, limit, 2.2 * s.size}
		if a == right {
			t.clip.x -= limit
		}
	} else {
		t.squeezed = t.width > 0.85*limit
	}
	return t
}
