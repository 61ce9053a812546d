package threadstate

import (
	"math/rand/v2"
	"testing"
)

// TestCalls proves that each Pop ends the innermost call that matches and the calls inside it, with ascending tickets
// and with others.
func TestCalls(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 2))
		var calls Calls
		var want []call
		unique := seed%2 == 0
		for n := range 500 {
			c := call{keyOf(n + 1), keyOf(random.IntN(3))}
			if !unique {
				c.ticket = [...]Key{None, keyOf(1), keyOf(2)}[random.IntN(3)]
			}
			if random.IntN(2) == 0 {
				calls.Push(c.ticket, c.method, true)
				want = append(want, c)
				continue
			}
			if unique && len(want) > 0 { // mostly of an open call
				c = want[max(0, len(want)-1-random.IntN(4))]
				if random.IntN(5) == 0 {
					c.method = None
				}
			}
			ended := -1
			for i := len(want) - 1; i >= 0; i-- {
				if want[i].matches(c) {
					ended = len(want) - i
					want = want[:i]
					break
				}
			}
			if got := calls.Pop(c.ticket, c.method); got != ended {
				t.Fatalf("seed %d: %d calls have ended, want %d", seed, got, ended)
			}
		}
		if calls.Len() != len(want) {
			t.Fatalf("seed %d: %d open calls, want %d", seed, calls.Len(), len(want))
		}
		i := len(want)
		for method := range calls.Innermost(10) {
			if i--; method != want[i].method {
				t.Fatalf("seed %d: call %d is %v, want %v", seed, i, method, want[i].method)
			}
		}
		if i != max(0, len(want)-10) {
			t.Errorf("seed %d: %d of %d calls are innermost", seed, len(want)-i, len(want))
		}
	}
}

// TestCallsBeyondTheLimit proves that calls that are not kept are counted, so that the outer ones still end in order.
func TestCallsBeyondTheLimit(t *testing.T) {
	var calls Calls
	for n := range maxCalls + 100 {
		if kept := calls.Push(keyOf(n), None, true); kept != (n < maxCalls) {
			t.Fatalf("call %d was kept: %v", n, kept)
		}
	}
	if calls.Complete() {
		t.Error("the innermost call is said to be kept")
	}
	for n := maxCalls + 99; n >= 0; n-- {
		if got := calls.Pop(keyOf(n), None); got != map[bool]int{true: 1}[n < maxCalls] {
			t.Fatalf("exit of call %d ends %d", n, got)
		}
	}
	if calls.Len() != 0 || !calls.Complete() {
		t.Error("calls are left")
	}
}
