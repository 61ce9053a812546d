package suggest

import "testing"

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "wait", 4}, {"wait", "", 4}, {"wait", "wait", 0}, {"wait", "waits", 1}, {"notify", "notice", 2},
		{"kitten", "sitting", 3}, {"enter", "retne", 3}, {"hlep", "help", 1}, {"stast", "stats", 1}} {
		if got := Edits(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
		if there, back := Edits(c.a, c.b), Edits(c.b, c.a); there != back {
			t.Errorf("%q to %q takes %d edits, and back %d", c.a, c.b, there, back)
		}
	}
}
