package sanitize_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trcx/trcx/internal/sanitize"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "",
		"pool-1-thread-1":      "pool-1-thread-1",
		"größer 😀 שלום":        "größer 😀 שלום",
		"a\nb\tc\r":            `a\u000Ab\u0009c\u000D`,
		"\x1b[31mred":          `\u001B[31mred`,
		"\u009b31m\x7f":        `\u009B31m\u007F`,
		"\x00":                 `\u0000`,
		"\u202Eevil":           `\u202Eevil`,
		"\xED\xA0\x80":         `\xED\xA0\x80`,
		"broken \xFF":          `broken \xFF`,
		"\uFFFD stays, \uFFFF": `` + "\uFFFD stays, " + `\uFFFF`,

		"Bücher 店 🧵 a\u0301":     "Bücher 店 🧵 a\u0301",
		"\u0080\u009f\u00a0":     `\u0080\u009F` + "\u00a0",
		"\u202a\u2066\u2069":     `\u202A\u2066\u2069`,
		"\u200e\u200f\u061c":     `\u200E\u200F\u061C`,
		"a joiner \u200d":        "a joiner \u200d",
		"\u2028\u2029\ufffe":     `\u2028\u2029\uFFFE`,
		`escaped \u202E already`: `escaped \u202E already`,
	} {
		if got := sanitize.Text(text); got != want {
			t.Errorf("Text(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for text, want := range map[string]string{
		"":             "",
		"123456789":    "123456789",
		"1234567890":   "1234567890",
		"12345678901":  "123456…901",
		"ααααααααααα":  "αααααα…ααα",
		"αααααααααα":   "αααααααααα",
		"a\xFFbbbbbbb": "a\xFFbbbbbbb",
	} {
		if got := sanitize.Short(text, 10); got != want {
			t.Errorf("Short(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct{ text, clipped, quoted string }{
		{"", "", `""`},
		{"12345678", "12345678", `"12345678"`},
		{"123456789", "12345678…", `"123456789"`},
		{"αααααααα", "αααααααα", `"αααααααα"`},
		{"ααααααααα", "αααααααα…", `"ααααααααα"`},
		{"\xff\xff\xff\n\xce", "\xff\xff\xff\n\xce", `"\xFF\xFF\xFF\u000A\xCE"`},
		{`a "name"`, `a "name"`, `"a "name""`},
		{strings.Repeat("α", 41), "αααααααα…", `"` + strings.Repeat("α", 40) + `…"`},
	} {
		if got := sanitize.Clip(c.text, 8); got != c.clipped {
			t.Errorf("Clip(%q) = %q, want %q", c.text, got, c.clipped)
		}
		if got := sanitize.Clip([]byte(c.text), 8); got != c.clipped {
			t.Errorf("Clip of the bytes %q = %q, want %q", c.text, got, c.clipped)
		}
		if got := sanitize.Quote(c.text); got != c.quoted {
			t.Errorf("Quote(%q) = %s, want %s", c.text, got, c.quoted)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("main")
	f.Add("\xED\xA0\x80\x1b]0;title\x07\u202E")
	f.Fuzz(func(t *testing.T, text string) {
		shown := sanitize.Text(text)
		if !utf8.ValidString(shown) || strings.ContainsAny(shown, "\x00\x1b\n\r\u202E\u009b") {
			t.Errorf("%q is shown as %q", text, shown)
		}
		if sanitize.Text(shown) != shown {
			t.Errorf("%q is shown as %q, and that as something else", text, shown)
		}
		if short := sanitize.Short(shown, 12); utf8.RuneCountInString(short) > 12 || !utf8.ValidString(short) {
			t.Errorf("%q is shortened to %q", shown, short)
		}
	})
}

func TestHarmless(t *testing.T) {
	for text, want := range map[string]string{"": "", "main": "main", "=1+1": "'=1+1", "\t=1": "'\t=1",
		"a\n\tb": "a\n\tb", "\n=1": "'\n=1", "＝1": "'＝1", "\x1b[31mred": "\uFFFD[31mred",
		"\x00\x7f\u009b": "\uFFFD\uFFFD\uFFFD", "\xED\xA0\x80 half": "\uFFFD half", "größer 😀 שלום": "größer 😀 שלום"} {
		if got := sanitize.Harmless(text); got != want {
			t.Errorf("Harmless(%q) = %q, want %q", text, got, want)
		}
	}
}
