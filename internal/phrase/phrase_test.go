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

// TestLongNames: long names keep their beginning and end.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("ä", 10_000)
	for _, title := range []string{phrase.Name(long), phrase.Call(long, "M.java", 1), phrase.Call("M.run", long, 1)} {
		if n := utf8.RuneCountInString(title); n < 300 || n > 320 || !strings.Contains(title, "ä…ä") {
			t.Errorf("%q has %d characters", title, n)
		}
	}
	if exact := strings.Repeat("ä", 300); phrase.Name(exact) != exact {
		t.Error("a name of 300 characters is shortened")
	}
	if exact := strings.Repeat("ä", 150); phrase.Call(exact+"."+exact[2:], "", -1) != exact+"."+exact[2:] {
		t.Error("a method of 300 characters is shortened")
	}
}

func TestDuration(t *testing.T) {
	for nanoseconds, want := range map[int64]string{0: "0 ns", 999: "999 ns", 1000: "1.00 µs", 45_678: "45.7 µs",
		999_999: "1000 µs", 1_234_567: "1.23 ms",
		123_456_789: "123 ms", 4_100_000_000: "4.10 s", 86_400_000_000_000: "86400 s", -1_500_000: "-1.50 ms",
		1<<63 - 1: "9223372037 s", -1 << 63: "-9223372037 s"} {
		if got := phrase.Duration(nanoseconds); got != want {
			t.Errorf("%d is %q, want %q", nanoseconds, got, want)
		}
	}
}
