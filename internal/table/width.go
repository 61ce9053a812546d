package table

import (
	"strings"

	"github.com/mattn/go-runewidth"
)

// ellipsis ends a text that is cut off.
const ellipsis = "…"

// isLatin reports whether all characters are below U+0300. For the first one from there on, runewidth fills tables of
// 2 MB, which takes longer than to read a small trace.
func isLatin(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= 0x300 }) < 0
}

// width returns how many columns of a terminal the text takes.
func width(text string) int {
	rest, cut := strings.CutSuffix(text, ellipsis)
	if cut && isLatin(rest) && !runewidth.DefaultCondition.EastAsianWidth {
		return runewidth.StringWidth(rest) + 1
	}
	return runewidth.StringWidth(text)
}

// truncated returns the text, or its beginning and an ellipsis if it takes more than maxWidth columns.
func truncated(text string) string {
	switch {
	case width(text) <= maxWidth:
		return text
	case isLatin(text) && !runewidth.DefaultCondition.EastAsianWidth:
		return runewidth.Truncate(text, maxWidth-1, "") + ellipsis
	}
	return runewidth.Truncate(text, maxWidth, ellipsis)
}
