package threaddump

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"
	"unicode/utf8"

	"github.com/trcx/trcx/trace"
)

// tokensOf returns the tokens of a text that is read byte by byte.
func tokensOf(text string) *tokens {
	return newTokens(bufio.NewReaderSize(iotest.OneByteReader(strings.NewReader(text)), 64),
		trace.Place{Line: 1, Column: 1})
}

// TestTokens reads a value and the place after it.
func TestTokens(t *testing.T) {
	for text, want := range map[string]struct {
		text   string
		column int
	}{
		`"abc" `: {"abc", 6}, `"é\n\u0041"`: {"é\nA", 12}, `"\ud83d\ude00"`: {"😀", 15}, `"\ud83d"`: {"\xED\xA0\xBD", 9},
		`-0.5e+1,`: {"-0.5e+1", 8}, `true`: {"true", 5}, `null]`: {"null", 5}, `""`: {"", 3},
	} {
		s := tokensOf(text)
		first, err := s.next()
		if err != nil || first != text[0] || string(s.text) != want.text || s.after.Column != want.column {
			t.Errorf("%s: %c %q, %v, %v; want %+v", text, first, s.text, s.after, err, want)
		}
	}
}

// TestSyntaxErrors: an error names what is found and what would be right.
func TestSyntaxErrors(t *testing.T) {
	for text, want := range map[string]string{
		`"a`: "1:3: the input ends where the rest of a string should be", `+1,`: `1:1: "+1" is where a value should be`,
		"\n\n tru!,": `3:2: "tru!" is where a value should be`, "01 ": `1:1: "01" is where a value should be`,
		"\"a\nb\"": "1:3: the line ends where the rest of a string should be",
		`"ä\x"`:    "1:4: 'x' is where one of \" \\ / b f n r t u should be",
		`"\u00g0"`: "1:6: 'g' is where a hexadecimal digit should be",
		`-`:        "1:2: the input ends where the rest of a value should be",
		`"a\`:      "1:4: the input ends where one of \" \\ / b f n r t u should be",
	} {
		_, err := tokensOf(text).next()
		var syntax *syntaxError
		if !errors.As(err, &syntax) || syntax.place.String()+": "+syntax.message != want ||
			syntax.truncated != strings.Contains(want, "the input ends") {
			t.Errorf("%q: got %+v, want %s", text, err, want)
		}
	}
}

// TestReadError: an error of reading is not a syntax error.
func TestReadError(t *testing.T) {
	in := bufio.NewReader(io.MultiReader(strings.NewReader(`"abc`), iotest.ErrReader(io.ErrClosedPipe)))
	if _, err := newTokens(in, trace.Place{}).next(); err != io.ErrClosedPipe {
		t.Errorf("the error is %v", err)
	}
}

// FuzzTokens: a value that encoding/json accepts is decoded as it does. Beyond that, only strings with control
// characters are accepted.
func FuzzTokens(f *testing.F) {
	for _, text := range []string{`"a\u00e9\ud83d\ude00\ud83dx\ud83d\u0041"`, `-0.50e+17`, `true`, `nul`, `"\x"`, `01`,
		"\"\xff\""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := tokensOf(text)
		first, err := s.next()
		valid := json.Valid([]byte(text))
		if text == "" || !strings.ContainsRune("\"-0123456789tfn", rune(text[0])) || strings.TrimSpace(text) != text ||
			len(text) > maxNumber {
			return // an object, an array, or white space
		}
		more := len(s.ahead(1)) > 0
		if accepted := err == nil && !more; accepted != valid && (valid || !strings.ContainsFunc(text, unicode.IsControl)) {
			t.Fatalf("%q is accepted: %v (%v)", text, accepted, err)
		}
		want := text
		if first == '"' {
			json.Unmarshal([]byte(text), &want)
		}
		if valid && string(s.text) != want && !strings.ContainsRune(want, utf8.RuneError) {
			t.Fatalf("%q is %q, as encoding/json has it %q", text, s.text, want)
		}
	})
}
