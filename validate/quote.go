package validate

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trcx/trcx/trace"
)

const (
	maxQuoted   = 40  // code points that a message shows of an id or value
	quoteLength = 120 // code points of a quote, besides the two … at its ends
	quoteBefore = 40  // … of which stand before the caret, where there are more than enough
)

// NewQuote quotes a tag, as it stands in the input, on one line of about 120 code points. The caret stands before the
// first of the attributes that the tag has, by name, or before the tag if it has none of them. The tag may be any
// bytes, and be cut off.
func NewQuote(tag []byte, attributes ...string) trace.Quote {
	for _, name := range attributes {
		if at := findAttribute(tag, name); at >= 0 {
			return QuoteAt(tag, at)
		}
	}
	return QuoteAt(tag, 0)
}

// QuoteAt quotes a text, as it stands in the input, like NewQuote. The caret stands before the byte at the place, from
// 0 to the length of the text.
func QuoteAt(text []byte, at int) trace.Quote {
	begin := back(text, at, quoteBefore)
	end := forth(text, begin, quoteLength)
	if end == len(text) { // what is not needed behind the caret is shown before it
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

// back is where so many code points before the place begin.
func back(text []byte, place, count int) int {
	for ; count > 0 && place > 0; count-- {
		_, size := utf8.DecodeLastRune(text[:place])
		place -= size
	}
	return place
}

// forth is where so many code points behind the place end.
func forth(text []byte, place, count int) int {
	for ; count > 0 && place < len(text); count-- {
		_, size := utf8.DecodeRune(text[place:])
		place += size
	}
	return place
}

// findAttribute returns where in the tag the attribute begins, or -1. What stands in quotes is no attribute.
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

// endsName says whether a name is over where the text begins.
func endsName(text []byte) bool {
	return len(text) == 0 || text[0] == '=' || isBlank(text[0])
}

// oneLine makes the text fit for one line, code point by code point: what breaks lines or stands for space becomes a
// space, what is no UTF-8, controls a terminal or turns the direction of the text becomes U+FFFD.
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
