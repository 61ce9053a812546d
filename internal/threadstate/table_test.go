package threadstate

import (
	"math/rand/v2"
	"testing"
)

// TestTableOfThreads compares a Table with a map through many additions and removals.
func TestTableOfThreads(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	var table Table[int]
	want := map[Key]int{}
	for n := range 100_000 {
		k := keyOf(1 + random.IntN(1000))
		value := table.Get(k)
		if _, live := want[k]; live != (value != nil) || live && *value != want[k] {
			t.Fatalf("%v: got %v, want %d", k, value, want[k])
		}
		switch {
		case value == nil:
			*table.Add(k), want[k] = n, n
		case random.IntN(3) == 0:
			table.Remove(k, n%2 == 0)
			delete(want, k)
		}
		if table.Len() != len(want) {
			t.Fatalf("%d threads, want %d", table.Len(), len(want))
		}
	}
	sum, wantSum := 0, 0
	for value := range table.All() {
		sum += *value
	}
	for _, value := range want {
		wantSum += value
	}
	if sum != wantSum {
		t.Errorf("the values add up to %d, want %d", sum, wantSum)
	}
	if table.Get(None) != nil {
		t.Error("no id is a thread")
	}
}
