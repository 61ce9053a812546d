package critical

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/trcx/trcx/internal/tempfile"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// TestStoreSpills writes far more records than may be in memory, changes some of them here and there, and reads all
// of them again.
func TestStoreSpills(t *testing.T) {
	testtool.Long(t)
	chance := rand.New(rand.NewPCG(1, 2))
	folder := t.TempDir()
	l := store[record]{file: tempfile.NewSpill(folder, "trcx-path-*"), limit: 3}
	var want []record
	for i := range 20*blockSize + 17 {
		r := record{begin: trace.Time(chance.Int64()), previous: segment(chance.Uint32()), owner: chance.Uint32(), idle: chance.IntN(2) == 0}
		l.add(r)
		want = append(want, r)
		if i%10 == 0 {
			at := chance.IntN(i + 1)
			if i%1000 != 0 {
				at = max(i-chance.IntN(100), 0) // what is changed is young as a rule
			}
			l.change(at).latency++
			want[at].latency++
		}
	}
	for range 100_000 {
		if at := chance.IntN(len(want)); *l.at(at) != want[at] {
			t.Fatalf("record %d is %+v, want %+v", at, *l.at(at), want[at])
		}
	}
	for i := range want {
		if *l.at(i) != want[i] {
			t.Fatalf("record %d is %+v, want %+v", i, *l.at(i), want[i])
		}
	}
	inMemory := 0
	for _, block := range l.blocks {
		if block != nil {
			inMemory++
		}
	}
	if inMemory > l.limit {
		t.Errorf("%d blocks are in memory, at most %d may be", inMemory, l.limit)
	}
	if err := l.file.Err(); err != nil {
		t.Error(err)
	}
	if err := l.file.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

// TestSheetsWithoutAFile has no place for a file: everything stays in memory, and the error is told.
func TestSheetsWithoutAFile(t *testing.T) {
	r := NewRecorderIn(t.TempDir() + "/missing")
	r.list.limit = 1
	r.Put(&trace.ModelThread{Key: 1})
	var err error
	for i := range trace.SegmentID(3 * blockSize) {
		if err = r.Put(&trace.ModelEvent{ID: trace.EventID(i + 1), Segment: i + 1, Type: trace.Running,
			Thread: trace.ThreadRef{Key: 1}, Time: trace.Time(i)}); err != nil {
			break
		}
	}
	if err == nil || r.Failed() == nil {
		t.Error("that no file can be made is not told")
	}
}
