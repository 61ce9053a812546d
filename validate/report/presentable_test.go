package report_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trcx/trcx/trace"
)

// TestQuote proves that the caret is below the quoted place.
func TestQuote(t *testing.T) {
	long := strings.Repeat("0123456789", 30)
	for name, test := range map[string]struct {
		text  string
		caret int
		want  string
	}{
		"at the beginning":       {`<a b=""/>`, 0, "<a b=\"\"/>\n^"},
		"inside":                 {`<a b=""/>`, 3, "<a b=\"\"/>\n   ^"},
		"after the end":          {`<a`, 2, "<a\n  ^"},
		"far after the end":      {`<a`, 99, "<a\n  ^"},
		"before the beginning":   {`<a`, -1, "<a\n^"},
		"letters beyond ASCII":   {`<é b=""/>`, 3, "<é b=\"\"/>\n   ^"},
		"ideographs":             {`<店店 b=""/>`, 4, "<店店 b=\"\"/>\n      ^"},
		"half-width katakana":    {`<ﾃｽ b=""/>`, 4, "<ﾃｽ b=\"\"/>\n    ^"},
		"pictographs":            {`<a b="🧵"c`, 8, "<a b=\"🧵\"c\n         ^"},
		"a combining accent":     {"<a\u0301 b", 4, "<a\u0301 b\n   ^"},
		"a joiner":               {"<a\u200db", 3, "<a\u200db\n  ^"},
		"tabs":                   {"<a\tb\tc", 5, "<a b c\n     ^"},
		"an escape sequence":     {"<\x1b[1m b", 5, "<\\u001B[1m b\n          ^"},
		"bytes that are no text": {"\xff\xfe b", 2, "\\xFF\\xFE b\n        ^"},
		"a long one, early":      {long, 10, long[:130] + "…\n" + strings.Repeat(" ", 10) + "^"},
		"a long one, late":       {long, 290, "…" + long[210:] + "\n" + strings.Repeat(" ", 81) + "^"},
		"a long one, amid":       {long, 150, "…" + long[70:270] + "…\n" + strings.Repeat(" ", 81) + "^"},
	} {
		f := trace.Finding{Rule: "wait-twice", Message: "m", Quote: trace.Quote{Text: test.text, Caret: test.caret}}
		lines := strings.Split(string(printed(t, "text", options, result("x", f))), "\n")
		if got := strings.TrimPrefix(lines[1], "    ") + "\n" + strings.TrimPrefix(lines[2], "    "); got != test.want {
			t.Errorf("%s: printed\n%s\nwant\n%s", name, got, test.want)
		}
	}
}

// TestLongMessage proves that the beginning and the end of a long message are shown, and that no character is cut in
// two.
func TestLongMessage(t *testing.T) {
	for _, padding := range []string{"", "x", "xx"} {
		f := trace.Finding{Rule: "wait-twice", Message: "what is wrong " + padding + strings.Repeat("店", 5000) +
			padding + " what is right"}
		line, _, _ := strings.Cut(string(printed(t, "text", options, result("a", f))), "\n")
		if utf8.RuneCountInString(line) > 1100 || !strings.HasPrefix(line, "a: error: what is wrong ") ||
			!strings.HasSuffix(line, "店"+padding+" what is right [wait-twice]") ||
			!strings.Contains(line, "店…店") || strings.Contains(line, `\x`) {
			t.Errorf("a long message is printed as %s", line)
		}
	}
}
