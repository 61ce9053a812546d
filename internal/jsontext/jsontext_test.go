package jsontext_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trcx/trcx/internal/jsontext"
)

// escapes maps texts to their JSON strings.
var escapes = map[string]string{
	"":                              `""`,
	"pool-1-thread-1":               `"pool-1-thread-1"`,
	"größer 😀 שלום":                 `"größer 😀 שלום"`,
	`quo"te\`:                       `"quo\"te\\"`,
	"two\nlines\r\n\t":              `"two\nlines\r\n\t"`,
	"\x00\x1b[31m\b\f\x7f":          `"\u0000\u001b[31m\u0008\u000c` + "\x7f\"",
	"</script>&":                    `"</script>&"`,
	"\xED\xA0\x80":                  `"\ud800"`,
	"a\xED\xBF\xBFb":                `"a\udfffb"`,
	"\xED\xA0\xBD\xED\xB8\x80":      `"\ud83d\ude00"`,
	"\xED\xA0":                      `"\udced\udca0"`,
	"\xED\xA0A":                     `"\udced\udca0A"`,
	"\xED\x9F\xBF":                  "\"\uD7FF\"",
	"\xFF\x80":                      `"\udcff\udc80"`,
	"ends with \xF0\x9F\x98":        `"ends with \udcf0\udc9f\udc98"`,
	"\uFFFD is a character":         "\"\uFFFD is a character\"",
	strings.Repeat("x", 10_000):     `"` + strings.Repeat("x", 10_000) + `"`,
	"\u202Egnol \u2028 \U0010FFFF ": "\"\u202Egnol \u2028 \U0010FFFF \"",
}

func TestAppend(t *testing.T) {
	for text, want := range escapes {
		if got := string(jsontext.Append([]byte("before "), text)); got != "before "+want {
			t.Errorf("%q is written as %s, want %s", text, got, want)
		}
		if got := string(jsontext.Append(nil, []byte(text))); got != want {
			t.Errorf("%q as bytes is written as %s, want %s", text, got, want)
		}
	}
}

// TestString: encoding/json writes the same strings as Append if it does not escape HTML.
func TestString(t *testing.T) {
	for text, want := range escapes {
		if strings.Contains(text, "\u2028") {
			continue // which it escapes
		}
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(jsontext.String(text)); err != nil || out.String() != want+"\n" {
			t.Errorf("%q is written as %s, want %s (%v)", text, out.String(), want, err)
		}
	}
}

// FuzzAppend: the output is valid JSON on one line, and decodes to the text.
func FuzzAppend(f *testing.F) {
	for text := range escapes {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		written := jsontext.Append(nil, text)
		var read string
		if err := json.Unmarshal(written, &read); err != nil || !utf8.Valid(written) ||
			bytes.ContainsAny(written, "\x00\x1b\n\r\t") {
			t.Fatalf("%q is written as %s (%v)", text, written, err)
		}
		if utf8.ValidString(text) && read != text {
			t.Errorf("%q is read as %q", text, read)
		}
		if got := string(jsontext.Append(nil, []byte(text))); got != string(written) {
			t.Errorf("%q is written as %s, and its bytes as %s", text, written, got)
		}
	})
}
