package phrase_test

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trcx/trcx/internal/phrase"
)

func TestPhrases(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{phrase.Call("", "Main.java", 7), ""},
		{phrase.Call("app.Main.run", "Main.java", 7), "app.Main.run(Main.java:7)"},
		{phrase.Call("app.Main.run", "Main.java", -1), "app.Main.run(Main.java)"},
		{phrase.Call("app.Main.run", "", 7), "app.Main.run(line 7)"},
		{phrase.Call("app.Main.run", "", -1), "app.Main.run"},
		{phrase.Count(0, "thread"), "0 threads"},
		{phrase.Count(1, "thread"), "1 thread"},
		{phrase.Count(2, "more lock"), "2 more locks"},
		{phrase.Count(uint64(1), "arrow is", "arrows are"), "1 arrow is"},
		{phrase.Count(uint64(math.MaxUint64), "arrow is", "arrows are"), "18446744073709551615 arrows are"},
		{phrase.Number(999), "999"},
		{phrase.Number(uint64(1_234_567)), "1,234,567"},
		{phrase.List(nil, "and"), ""},
		{phrase.List([]string{"a"}, "and"), "a"},
		{phrase.List([]string{"a", "b"}, "and"), "a and b"},
		{phrase.List([]string{"a", "b", "c"}, "or"), "a, b or c"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

// TestLongNames: what is longer than a line has its beginning and its end.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("ä", 10_000)
	for _, title := range []string{phrase.Name(long), phrase.Call(long, "M.java", 1), phrase.Call("M.run", long, 1)} {
		if n := utf8.RuneCountInString(title); n < 60 || n > 100 || !strings.Contains(title, "ä…ä") {
			t.Errorf("%q has %d characters", title, n)
		}
	}
	if exact := strings.Repeat("ä", 60); phrase.Name(exact) != exact {
		t.Error("a name of 60 characters is shortened")
	}
	if exact := strings.Repeat("ä", 40); phrase.Call(exact+"."+exact[2:], "", -1) != exact+"."+exact[2:] {
		t.Error("a method of 80 characters is shortened")
	}
}
