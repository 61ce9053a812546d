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

// stored is a Store in memory.
type stored struct {
	text  []byte
	reads int
	full  bool // it keeps nothing
}

func (s *stored) Write(chunk []byte, _ int64) (offset int64, ok bool) {
	offset = int64(len(s.text))
	s.text = append(s.text, chunk...)
	return offset, !s.full
}

func (s *stored) Read(chunk []byte, offset int64) {
	s.reads++
	copy(chunk, s.text[offset:])
}

// TestStore proves that texts are read again from a Store, and stay in memory if it keeps nothing.
func TestStore(t *testing.T) {
	for _, full := range []bool{false, true} {
		store := &stored{full: full}
		a := arena.Arena{Store: store}
		var positions []uint64
		nameOf := func(i int) string {
			if i%50_000 == 49_999 {
				return strings.Repeat("long", 1<<14)
			}
			return fmt.Sprint("the thread with the number ", i)
		}
		const threads = 300_000
		for i := range threads {
			positions = append(positions, a.Add(nameOf(i), fmt.Sprint(i)))
		}
		for i := range threads {
			at := i * 7919 % threads
			var name, number string
			if a.Get(positions[at], &name, &number); name != nameOf(at) || number != fmt.Sprint(at) {
				t.Fatalf("text %d is %.40q, %q", at, name, number)
			}
		}
		if full != (store.reads == 0) {
			t.Errorf("%d chunks were read; the store keeps none: %v", store.reads, full)
		}
	}
}
