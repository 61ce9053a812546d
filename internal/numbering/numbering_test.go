package numbering_test

import (
	"testing"

	"github.com/trcx/trcx/internal/numbering"
)

func TestNumbers(t *testing.T) {
	var n numbering.Numbering[string]
	for i, want := range []uint32{1, 0, 2, 1, 3} {
		if number := n.Of([]string{"a", "", "b", "a", "c"}[i]); number != want {
			t.Errorf("value %d has the number %d, want %d", i, number, want)
		}
	}
	if text := n.Value(0) + n.Value(1) + n.Value(2) + n.Value(3); text != "abc" || len(n.Values) != 3 {
		t.Errorf("the values are %q, %q", text, n.Values)
	}
}
