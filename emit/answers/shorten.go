package answers

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// ellipsis marks where text is left out.
const ellipsis = "…"

// place finds a call in a text as in Java's stack traces: the text before it, its classes, its method, its file and its
// line, and the text after it.
var place = regexp.MustCompile(`^(.*?)((?:[^\s().]+\.)*)([^\s().]+)(\([^\s():]*(:\d+| \d+|)\))(.*)$`)

// inLibrary finds the method of a library that a call names in parentheses.
var inLibrary = regexp.MustCompile(` \(in [^()]*\)`)

// call is a text with a call.
type call struct{ before, class, method, at, line, after string }

// callIn returns the call in a text. Very long texts are not searched.
func callIn(text string) (c call, ok bool) {
	if len(text) > maxPlace {
		return c, false
	}
	p := place.FindStringSubmatch(text)
	if p == nil {
		return c, false
	}
	c = call{p[1], p[2], p[3], p[4], p[4], p[6]}
	if strings.HasPrefix(p[5], ":") {
		c.line = "(" + ellipsis + p[5] + ")"
	}
	return c, true
}

// maxPlace limits the text that is searched for a call, in bytes.
const maxPlace = 4096

// bare returns the method and the line.
func (c *call) bare() string { return ellipsis + c.method + c.line }

// below precedes a call below another one.
const below = " ← "

// shortened drops the calls below, the outermost first; then the packages, the library's method, the file, the class,
// and at last the text around the call.
func (c *call) shortened(limit int) string {
	for rest := c.after; ; {
		last := strings.LastIndex(rest, below)
		if last < 0 {
			c.after = rest
			break
		}
		rest = rest[:last]
		if text := c.before + c.class + c.method + c.at + rest; width(text) <= limit {
			return text
		}
	}
	class := c.class
	if last := strings.LastIndexByte(strings.TrimSuffix(class, "."), '.'); last >= 0 {
		class = ellipsis + class[last+1:]
	}
	after := inLibrary.ReplaceAllString(c.after, "")
	for _, form := range []string{class + c.method + c.at + c.after, class + c.method + c.at + after,
		class + c.method + c.line + after, ellipsis + c.method + c.at + after, c.bare() + after, c.bare()} {
		if width(c.before+form) <= limit {
			return c.before + form
		}
	}
	switch rest := limit - width(c.bare()); {
	case rest >= narrow && c.before != "":
		return withoutMiddle(c.before, rest) + c.bare()
	case rest >= 0:
		return c.bare()
	}
	return withoutMiddle(c.method, max(limit-width(c.line), 2)) + c.line
}

// shortened returns the text with at most limit columns of a terminal. Threads lose the word before their ids. Calls
// keep the method and the line. Other texts lose their middle.
func shortened(text string, limit int) string {
	if width(text) <= limit {
		return text
	}
	if text = strings.ReplaceAll(text, "(thread ", "("); width(text) <= limit {
		return text
	}
	body := strings.TrimLeft(text, " ")
	if indent := min(len(text)-len(body), limit/2); indent > 0 {
		return text[:indent] + shortened(body, limit-indent)
	}
	if c, ok := callIn(text); ok {
		if short := c.shortened(limit); width(short) <= limit {
			return short
		}
	}
	return withoutMiddle(text, limit)
}

// core returns how many columns the method and line of a call need; 0 for other texts.
func core(text string) int {
	if c, ok := callIn(text); ok {
		return width(c.bare()) + min(width(c.before), readable)
	}
	return 0
}

// withoutMiddle returns the text without its middle, so that it has at most limit columns.
func withoutMiddle(text string, limit int) string {
	if width(text) <= limit {
		return text
	}
	room := limit - width(ellipsis)
	if room < 2 {
		return runewidth.Truncate(text, limit, "")
	}
	tail, at := 0, len(text)
	for at > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		if tail += runewidth.RuneWidth(r); tail > room*2/5 {
			break
		}
		at -= size
	}
	head := runewidth.Truncate(text[:at], room-width(text[at:]), "")
	return head + ellipsis + text[at:]
}

// isLatin reports whether all characters are below U+0300. For others, runewidth first fills tables of 2 MB, which
// takes longer than reading a small trace.
func isLatin(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= 0x300 }) < 0
}

// width returns the number of terminal columns that the text takes.
func width(text string) int {
	if rest := strings.ReplaceAll(text, ellipsis, ""); len(rest) < len(text) && isLatin(rest) &&
		!runewidth.DefaultCondition.EastAsianWidth {
		return runewidth.StringWidth(rest) + (len(text)-len(rest))/len(ellipsis)
	}
	return runewidth.StringWidth(text)
}
