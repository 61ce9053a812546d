package threads_test

import (
	"math/rand/v2"
	"testing"

	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// stored is a Store in memory.
type stored struct {
	text    []byte
	writes  int
	refuses bool
}

func (s *stored) Write(text []byte, at int64) (offset int64, ok bool) {
	if s.refuses {
		return at, false
	}
	s.writes++
	if at == -1 {
		at = int64(len(s.text))
		s.text = append(s.text, text...)
	} else {
		copy(s.text[at:], text)
	}
	return at, true
}

func (s *stored) Read(text []byte, offset int64) { copy(text, s.text[offset:]) }

// TestStore adds more threads that end than are kept in memory, changes some, also after their ends, and reads them
// all.
func TestStore(t *testing.T) {
	type state struct {
		number uint64
		flag   bool
	}
	const before, live, count = 7, 70, 80_000 // live is the one that does not end
	for name, store := range map[string]*stored{"a store": {}, "a store that is full": {refuses: true}, "memory": nil} {
		t.Run(name, func(t *testing.T) {
			chance := rand.New(rand.NewPCG(1, 2))
			list := threads.NewList[state](before)
			if store != nil {
				list.Keep(store)
			}
			var want []state
			for i := range count {
				key := list.Add()
				if key != trace.ThreadKey(before+1+i) {
					t.Fatalf("the key is %d", key)
				}
				want = append(want, state{chance.Uint64(), i%3 == 0})
				if *list.Change(key) = want[i]; i != live {
					list.End(key)
				}
				if at := chance.IntN(i + 1); i%10 == 0 {
					list.Change(trace.ThreadKey(before+1+at)).number++
					want[at].number++
				}
			}
			for range 10_000 {
				if at := chance.IntN(count); *list.At(trace.ThreadKey(before + 1 + at)) != want[at] {
					t.Fatalf("thread %d is %v, want %v", at, *list.At(trace.ThreadKey(before + 1 + at)), want[at])
				}
			}
			if store != nil && !store.refuses && store.writes == 0 {
				t.Error("nothing is in the store")
			}
		})
	}
}

// TestPointers proves that values with pointers, which a file cannot keep, are refused.
func TestPointers(t *testing.T) {
	for name, keep := range map[string]func(){
		"a text":  func() { list := threads.NewList[struct{ name string }](0); list.Keep(&stored{}) },
		"a slice": func() { list := threads.NewList[[2][]int](0); list.Keep(&stored{}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is kept", name)
				}
			}()
			keep()
		}()
	}
}
