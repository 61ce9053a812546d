package jsonscan_test

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

	"github.com/trcx/trcx/convert/threaddump/internal/jsonscan"
	"github.com/trcx/trcx/trace"
)

// scanner returns a scanner of a text that comes byte by byte.
func scanner(text string) *jsonscan.Scanner {
	in := bufio.NewReaderSize(iotest.OneByteReader(strings.NewReader(text)), 64)
	return jsonscan.NewScanner(in, trace.Place{Line: 1, Column: 1})
}

// TestScalar reads a value, its text within a limit of 8 bytes, and the place after it.
func TestScalar(t *testing.T) {
	for text, want := range map[string]struct {
		text   string
		cut    bool
		column int
	}{
		`"abc" `: {"abc", false, 6}, `"é\n\u0041"`: {"é\nA", false, 12}, `"123456789"`: {"12345678", true, 12},
		`"\ud83d\ude00"`: {"😀", false, 15}, `"\ud83d"`: {"\xED\xA0\xBD", false, 9},
		`-0.5e+1,`: {"-0.5e+1", false, 8}, `0123`: {"0", false, 2}, `123456789.25`: {"12345678", true, 13},
		`true`: {"true", false, 5}, `nulls`: {"null", false, 5},
	} {
		s := scanner(text)
		first, err := s.Scalar(8)
		if err != nil || first != text[0] || string(s.Text()) != want.text || s.Cut() != want.cut ||
			s.Place().Column != want.column {
			t.Errorf("%s: %c %q, cut: %v, %v, %v; want %+v", text, first, s.Text(), s.Cut(), s.Place(), err, want)
		}
	}
}

// TestSyntaxErrors: an error names what is found and what would be right, at the place of the first wrong byte.
func TestSyntaxErrors(t *testing.T) {
	for text, want := range map[string]string{
		`"a`: "1:3: the input ends where the rest of a string should be", `+1`: "1:1: '+' is where a value should be",
		"\n\n tru!":  "3:5: '!' is where the rest of true should be",
		"\"a\nb\"":   "1:3: the line ends where the rest of a string should be",
		`"ä\x"`:      "1:4: 'x' is where one of \" \\ / b f n r t u should be",
		`"\u00g0"`:   "1:6: 'g' is where a hexadecimal digit should be",
		`-`:          "1:2: the input ends where a digit should be",
		"\"\xE2\x82": "1:3: the input ends where the rest of a string should be",
		"":           "1:1: the input ends where a value should be",
	} {
		s := scanner(text)
		s.Space()
		_, err := s.Scalar(100)
		var syntax *jsonscan.SyntaxError
		if !errors.As(err, &syntax) || syntax.Place.String()+": "+syntax.Message != want ||
			syntax.Truncated != strings.Contains(want, "the input ends") {
			t.Errorf("%q: got %+v, want %s", text, err, want)
		}
	}
}

// TestReadError: an error of reading is no error of syntax.
func TestReadError(t *testing.T) {
	in := bufio.NewReader(io.MultiReader(strings.NewReader(`"abc`), iotest.ErrReader(io.ErrClosedPipe)))
	s := jsonscan.NewScanner(in, trace.Place{Line: 1, Column: 1})
	if _, err := s.Scalar(100); err != io.ErrClosedPipe || s.Err() != err {
		t.Errorf("the error is %v", err)
	}
}

// TestRelease: after Release the buffered reader continues at the next byte.
func TestRelease(t *testing.T) {
	in := bufio.NewReader(strings.NewReader(" {\n}rest"))
	s := jsonscan.NewScanner(in, trace.Place{Line: 1, Column: 1})
	s.Space()
	s.Skip(1)
	s.Space()
	s.Accept("}")
	s.Release()
	rest, err := io.ReadAll(in)
	if want := (trace.Place{Offset: 4, Line: 2, Column: 2}); string(rest) != "rest" || err != nil || s.Place() != want {
		t.Errorf("%q is left at %v (%v)", rest, s.Place(), err)
	}
}

// FuzzScalar: a value that encoding/json accepts is decoded as it does. Beyond that only strings with control
// characters are accepted.
func FuzzScalar(f *testing.F) {
	for _, text := range []string{`"a\u00e9\ud83d\ude00\ud83dx\ud83d\u0041"`, `-0.50e+17`, `true`, `nul`, `"\x"`, `01`, "\"\xff\""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := scanner(text)
		first, err := s.Scalar(len(text))
		valid := json.Valid([]byte(text))
		if text == "" || !strings.ContainsRune("\"-0123456789tfn", rune(text[0])) || strings.TrimSpace(text) != text {
			return // an object, a list, or white space
		}
		_, more := s.Peek()
		if accepted := err == nil && !more; accepted != valid && (valid || !strings.ContainsFunc(text, unicode.IsControl)) {
			t.Fatalf("%q is accepted: %v (%v)", text, accepted, err)
		}
		want := text
		if first == '"' {
			json.Unmarshal([]byte(text), &want)
		}
		if valid && string(s.Text()) != want && !strings.ContainsRune(want, utf8.RuneError) {
			t.Fatalf("%q is %q, as encoding/json has it %q", text, s.Text(), want)
		}
	})
}
