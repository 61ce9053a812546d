package modified_test

import (
	"testing"

	"github.com/trcx/trcx/internal/modified"
)

// TestDecode: names of the JVM become standard UTF-8 without loss.
func TestDecode(t *testing.T) {
	for _, c := range []struct{ what, modified, want string }{
		{"nothing", "", ""},
		{"ASCII", "pool-1-thread-7", "pool-1-thread-7"},
		{"two and three bytes", "Zähler 数", "Zähler 数"},
		{"three bytes that begin like a surrogate", "\xED\x95\x9C", "한"},
		{"a NUL", "a\xC0\x80b", "a\x00b"},
		{"two surrogates", "x\xED\xA0\xBD\xED\xB8\x80y", "x😀y"},
		{"the first beyond the first plane", "\xED\xA0\x80\xED\xB0\x80", "\U00010000"},
		{"the last character", "\xED\xAF\xBF\xED\xBF\xBF", "\U0010FFFF"},
		{"UTF-8 of everyone else", "x😀y\xC0\x80", "x😀y\x00"},
		{"a high surrogate alone", "x\xED\xA0\xBDy", "x\xED\xA0\xBDy"},
		{"a low surrogate alone", "\xED\xB8\x80", "\xED\xB8\x80"},
		{"surrogates the wrong way round", "\xED\xB8\x80\xED\xA0\xBD", "\xED\xB8\x80\xED\xA0\xBD"},
		{"two high ones and a low one", "\xED\xA0\xBD\xED\xA0\xBD\xED\xB8\x80", "\xED\xA0\xBD😀"},
		{"cut off in the second one", "\xED\xA0\xBD\xED\xB8", "\xED\xA0\xBD\xED\xB8"},
		{"cut off in a NUL", "a\xC0", "a\xC0"},
		{"no UTF-8", "\xFF\xC0\xC1", "\xFF\xC0\xC1"},
	} {
		if got := modified.Decode([]byte(c.modified)); got != c.want {
			t.Errorf("%s: %q instead of %q", c.what, got, c.want)
		}
	}
}
