package critical

import (
	"math/rand/v2"
	"testing"

	"github.com/trcx/trcx/trace"
)

// TestThreadsInAFile adds far more threads that end than may be in memory, changes some here and there, also after they
// have ended, and reads all of them again.
func TestThreadsInAFile(t *testing.T) {
	before := maxEnded
	maxEnded = 3
	t.Cleanup(func() { maxEnded = before })
	chance := rand.New(rand.NewPCG(1, 2))
	file := &spillFile{folder: t.TempDir()}
	l := threadList{file: file}
	var want []thread
	const live = 70 // the key of one that does not end
	for i := range 40*threadBlockSize + 7 {
		key := trace.ThreadKey(i + 1)
		l.add()
		added := thread{
			described: chance.Uint64(), last: segment(chance.Uint32()), lastBefore: segment(chance.Uint32()),
			ran: segment(chance.Uint32()), died: segment(chance.Uint32()), caused: chance.IntN(2) == 0,
			selects: chance.IntN(2) == 0, starter: trace.ThreadKey(chance.Uint32()),
			did: moment{trace.Time(chance.Int64()), chance.Uint64()},
		}
		*l.change(key) = added
		if want = append(want, added); key != live {
			l.end(key)
			want[i].ended = true
		}
		if at := chance.IntN(i + 1); i%10 == 0 {
			l.change(trace.ThreadKey(at+1)).did.order++
			want[at].did.order++
		}
	}
	for range 10_000 {
		if at := chance.IntN(len(want)); *l.at(at) != want[at] {
			t.Fatalf("thread %d is %v, want %v", at, *l.at(at), want[at])
		}
	}
	inMemory := 0
	for i := range l.blocks {
		if l.blocks[i].threads != nil {
			inMemory++
		}
	}
	if most := maxEnded + 2; inMemory > most { // with that of the living thread, and the last one
		t.Errorf("%d blocks are in memory, more than %d", inMemory, most)
	}
	if err := file.failed(); err != nil {
		t.Error(err)
	}
	if err := file.close(); err != nil {
		t.Error(err)
	}
}
