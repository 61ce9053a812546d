package validate

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

const (
	maxQuoted   = 40  // code points that a message shows of an id or value
	quoteLength = 120 // code points of a quote, without the two … at its ends
	quoteBefore = 40  // code points before the caret, if the text is longer
)

// NewQuote quotes a tag of the input on one line of about 120 code points. The caret is before the first of the named
// attributes that the tag has, or before the tag if it has none of them. The tag can be any bytes, and cut off.
func NewQuote(tag []byte, attributes ...string) trace.Quote {
	for _, name := range attributes {
		if at := findAttribute(tag, name); at >= 0 {
			return QuoteAt(tag, at)
		}
	}
	return QuoteAt(tag, 0)
}

// QuoteAt quotes a text of the input like NewQuote. The caret is before the byte at the offset, from 0 to the length of
// the text.
func QuoteAt(text []byte, at int) trace.Quote {
	begin := back(text, at, quoteBefore)
	end := begin + sanitize.Bytes(text[begin:], quoteLength)
	if end == len(text) { // code points that are not needed after the caret are shown before it
		begin = min(at, back(text, end, quoteLength))
	}
	var line strings.Builder
	if begin > 0 {
		line.WriteRune('…')
	}
	line.WriteString(oneLine(text[begin:at]))
	caret := utf8.RuneCountInString(line.String())
	line.WriteString(oneLine(text[at:end]))
	if end < len(text) {
		line.WriteRune('…')
	}
	return trace.Quote{Text: line.String(), Caret: caret}
}

// back returns the offset that is count code points before a place.
func back(text []byte, place, count int) int {
	for ; count > 0 && place > 0; count-- {
		_, size := utf8.DecodeLastRune(text[:place])
		place -= size
	}
	return place
}

// findAttribute returns the offset of the attribute in the tag, or -1. Text in quotes is skipped.
func findAttribute(tag []byte, name string) int {
	if name == "" {
		return -1
	}
	for i := 0; i < len(tag); {
		switch c := tag[i]; {
		case c == '"' || c == '\'':
			end := bytes.IndexByte(tag[i+1:], c)
			if end < 0 {
				return -1
			}
			i += end + 2
		case isBlank(c):
			i++
			if rest := tag[i:]; bytes.HasPrefix(rest, []byte(name)) && endsName(rest[len(name):]) {
				return i
			}
		default:
			i++
		}
	}
	return -1
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// endsName reports whether a name ends where the text begins.
func endsName(text []byte) bool {
	return len(text) == 0 || text[0] == '=' || isBlank(text[0])
}

// oneLine replaces code points so that the text fits on one line. White space and line ends become a space. Bytes that
// are not UTF-8, control characters and changes of the text's direction become U+FFFD.
func oneLine(text []byte) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return utf8.RuneError
		}
		return r
	}, string(text))
}
