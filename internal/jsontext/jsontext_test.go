package jsontext_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/trace"
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

// unescape decodes a JSON string that Append has written.
func unescape(t *testing.T, quoted string) string {
	t.Helper()
	var text []byte
	for rest := []byte(quoted[1 : len(quoted)-1]); len(rest) > 0; {
		if rest[0] != '\\' {
			text, rest = append(text, rest[0]), rest[1:]
			continue
		}
		c, size, ok := jsontext.Unescape(rest[:min(len(rest), jsontext.MaxEscape)])
		if !ok {
			t.Fatalf("%s: the escape at %q is invalid", quoted, rest)
		}
		text, rest = jsontext.AppendRune(text, c), rest[size:]
	}
	return string(text)
}

func TestUnescape(t *testing.T) {
	for _, c := range []struct {
		escape string
		want   rune
		size   int
		ok     bool
	}{
		{`\n rest`, '\n', 2, true}, {`\/`, '/', 2, true}, {`\u0041`, 'A', 6, true}, {`\u00eFf`, 0xEF, 6, true},
		{`\ud83d\ude00`, 0x1F600, 12, true}, {`\ud83d\ud83d`, 0xD83D, 6, true}, {`\ude00\ud83d`, 0xDE00, 6, true},
		{`\ud83d\ude0`, 0xD83D, 6, true}, {`\ud83d\ude0x`, 0xD83D, 6, true}, {`\ud83d`, 0xD83D, 6, true},
		{`\`, 0, 1, false}, {`\x`, 0, 1, false}, {`\u`, 0, 2, false}, {`\u12`, 0, 4, false}, {`\u12 4`, 0, 4, false},
		{`\u123g`, 0, 5, false}, {"\\u123\x10", 0, 5, false}, {`\U0041`, 0, 1, false},
	} {
		if got, size, ok := jsontext.Unescape([]byte(c.escape)); got != c.want || size != c.size || ok != c.ok {
			t.Errorf("%s: got %U, %d, %v, want %U, %d, %v", c.escape, got, size, ok, c.want, c.size, c.ok)
		}
	}
}

// FuzzUnescape: any input is decoded like by encoding/json, or refused by both.
func FuzzUnescape(f *testing.F) {
	for _, escape := range []string{`\n`, `\u0041`, `\ud83d\ude00`, `\ud83d\ud83d`, `\u12x4`, `\x`, `\`} {
		f.Add([]byte(escape))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 || b[0] != '\\' {
			return
		}
		c, size, ok := jsontext.Unescape(b[:min(len(b), jsontext.MaxEscape)])
		if !ok {
			if size > len(b) || json.Valid([]byte(`"`+string(b[:min(len(b), size+1)])+`"`)) {
				t.Fatalf("%q is refused at %d", b, size)
			}
			return
		}
		var read string
		if err := json.Unmarshal([]byte(`"`+string(b[:size])+`"`), &read); err != nil || read != string(c) {
			t.Fatalf("%q is %U, as encoding/json has it %q (%v)", b[:size], c, read, err)
		}
	})
}

func TestFrameOf(t *testing.T) {
	if jsontext.FrameOf(trace.Frame{}) != nil {
		t.Error("a frame without a method is something")
	}
	for want, f := range map[string]trace.Frame{
		`{"class":"app/Main","method":"-init-","file":"Main.java","line":0}`: {
			Method: &trace.ModelMethod{Class: "app/Main", Name: "-init-", File: "Main.java"}},
		`{"class":"","method":"run"}`: {Method: &trace.ModelMethod{Name: "run"}, Line: trace.NoLine},
	} {
		if got, err := json.Marshal(jsontext.FrameOf(f)); err != nil || string(got) != want {
			t.Errorf("got %s (%v), want %s", got, err, want)
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
		if utf8.ValidString(text) && (read != text || unescape(t, string(written)) != text) {
			t.Errorf("%q is read as %q", text, read)
		}
		if got := string(jsontext.Append(nil, []byte(text))); got != string(written) {
			t.Errorf("%q is written as %s, and its bytes as %s", text, written, got)
		}
	})
}
