package deadlock_test

import (
	"testing"

	"github.com/trcx/trcx/analyze/deadlock"
	"github.com/trcx/trcx/trace"
)

// TestSignature compares the signatures of all rotations of a ring, of its reverse, and of an unknown class.
func TestSignature(t *testing.T) {
	block := func(class, method string) deadlock.Block {
		b := deadlock.Block{Monitor: deadlock.Monitor{Class: class}}
		if b.Caller.Method = (&trace.ModelMethod{}); method != "" { // one that the trace has not defined
			b.Caller.Method = &trace.ModelMethod{Class: "app/Main", Name: method}
		}
		return b
	}
	a, b, c := block("app/A", "first"), block("app/B", "second"), block("", "")
	const want = "(unknown class) > app.A at app.Main.first > app.B at app.Main.second"
	for _, ring := range [][]deadlock.Block{{a, b, c}, {b, c, a}, {c, a, b}} {
		if got := (&deadlock.Deadlock{Members: ring}).Signature(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := (&deadlock.Deadlock{Members: []deadlock.Block{b, a, c}}).Signature(); got == want {
		t.Errorf("the reverse ring has the same signature %s", got)
	}
}
