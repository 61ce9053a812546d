package spill

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/trcx/trcx/internal/tempfile"
	"github.com/trcx/trcx/internal/testtool"
)

// value has gaps, and no pointers.
type value struct {
	number int64
	small  uint16
	flag   bool
}

// TestSpill writes far more values than may be in memory, changes some of them here and there, and reads all of them
// again.
func TestSpill(t *testing.T) {
	testtool.Long(t)
	const bits, limit = 9, 3
	chance := rand.New(rand.NewPCG(1, 2))
	folder := t.TempDir()
	var l List[value]
	file := tempfile.NewSpill(folder, "trcx-*")
	l.Keep(file, limit*16<<bits, bits)
	var want []value
	for i := range 20<<bits + 17 {
		v := value{chance.Int64(), uint16(chance.Uint32()), chance.IntN(2) == 0}
		if added := l.Add(); *added != (value{}) {
			t.Fatalf("value %d is %v before it is set", i, *added)
		} else {
			*added = v
		}
		l.Release(i)
		want = append(want, v)
		if i%10 == 0 {
			at := chance.IntN(i + 1)
			if i%1000 != 0 {
				at = max(i-chance.IntN(100), 0) // what is changed is young as a rule
			}
			l.Change(at).number++
			want[at].number++
		}
	}
	for range 100_000 {
		if at := chance.IntN(len(want)); *l.At(at) != want[at] {
			t.Fatalf("value %d is %+v, want %+v", at, *l.At(at), want[at])
		}
	}
	inMemory := 0
	for _, b := range l.blocks {
		if b.values != nil {
			inMemory++
		}
	}
	if inMemory > limit+1 { // and the last one
		t.Errorf("%d blocks are in memory, at most %d may be", inMemory, limit+1)
	}
	if err := file.Err(); err != nil {
		t.Error(err)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}
