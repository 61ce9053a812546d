package answers

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// ellipsis stands for what is left out of a text.
const ellipsis = "…"

// place finds a call in a text as stack traces of Java have it: what is before it, its class, its method, its file, its
// line with the colon, and what follows.
var place = regexp.MustCompile(`^(.*?)((?:[^\s().]+\.)*)([^\s().]+)\(([^\s():]*)(:\d+| \d+|)\)(.*)$`)

// inLibrary is the method of a library that a call names in brackets.
var inLibrary = regexp.MustCompile(` \(in [^()]*\)`)

// shortened returns the text with at most limit columns of a terminal. A call loses its packages first, then the
// library's method, its class and its file; its method and its line stay. Other texts lose their middle.
func shortened(text string, limit int) string {
	if width(text) <= limit {
		return text
	}
	body := strings.TrimLeft(text, " ")
	if indent := min(len(text)-len(body), limit/2); indent > 0 {
		return text[:indent] + shortened(body, limit-indent)
	}
	if len(text) <= maxPlace && limit > narrow {
		for _, form := range forms(text) {
			if width(form) <= limit {
				return form
			}
		}
		if p := place.FindStringSubmatch(text); p != nil {
			end := bareCall(p)
			if before := limit - width(end); before >= narrow && p[1] != "" {
				return withoutMiddle(p[1], before) + end
			} else if before >= 0 {
				return end
			}
			at := "(…" + p[5] + ")"
			return withoutMiddle(p[3], limit-width(at)) + at
		}
	}
	return withoutMiddle(text, limit)
}

// maxPlace limits the text in which a call is looked for, in bytes.
const maxPlace = 4096

// forms returns shorter and shorter forms of a text with a call; none of another text.
func forms(text string) (all []string) {
	p := place.FindStringSubmatch(text)
	if p == nil {
		return nil
	}
	classes := strings.Split(strings.TrimSuffix(p[2], "."), ".")
	class := classes[len(classes)-1] + "."
	if len(classes) > 1 {
		class = ellipsis + class
	}
	call := p[3] + "(" + p[4] + p[5] + ")"
	after := inLibrary.ReplaceAllString(p[6], "")
	return []string{p[1] + class + call + p[6], p[1] + class + call + after, p[1] + ellipsis + call + after,
		p[1] + bareCall(p) + after, p[1] + bareCall(p)}
}

// bareCall is the method and the line of a call.
func bareCall(p []string) string { return ellipsis + p[3] + "(" + ellipsis + p[5] + ")" }

// core returns how many columns a text needs to be understood: those of a call's method and line.
func core(text string) int {
	if p := place.FindStringSubmatch(text[:min(len(text), maxPlace)]); p != nil {
		return width(bareCall(p)) + min(width(p[1]), readable)
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

// isLatin reports whether all characters are below U+0300. For the first one from there on, runewidth fills tables of
// 2 MB, which takes longer than to read a small trace.
func isLatin(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= 0x300 }) < 0
}

// width returns how many columns of a terminal the text takes.
func width(text string) int {
	if rest := strings.ReplaceAll(text, ellipsis, ""); len(rest) < len(text) && isLatin(rest) &&
		!runewidth.DefaultCondition.EastAsianWidth {
		return runewidth.StringWidth(rest) + (len(text)-len(rest))/len(ellipsis)
	}
	return runewidth.StringWidth(text)
}
