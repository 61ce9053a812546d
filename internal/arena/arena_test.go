package arena_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/arena"
)

func TestTexts(t *testing.T) {
	var a arena.Arena
	var positions []uint64
	long := strings.Repeat("long", 1<<16)
	for i := range 20_000 {
		name := fmt.Sprint("thread ", i)
		if i%5000 == 4999 {
			name = long
		}
		positions = append(positions, a.Add(name, "", fmt.Sprint(i)))
	}
	for i, position := range positions {
		want := fmt.Sprint("thread ", i)
		if i%5000 == 4999 {
			want = long
		}
		var name, none, number string
		if a.Get(position, &name, &none, &number); name != want || none != "" || number != fmt.Sprint(i) {
			t.Fatalf("at %d are %.20q, %q and %q", position, name, none, number)
		}
	}
}
