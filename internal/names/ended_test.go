package names_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/trcx/trcx/internal/names"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// TestNamesOfTheEnded proves that threads that have ended keep their ids, names and sessions, in whatever order they are
// looked up.
func TestNamesOfTheEnded(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	var cache names.Cache
	want := []names.Thread{{}}
	for key := 1; key < 5000; key++ {
		id := fmt.Sprint(chance.Uint64() >> chance.IntN(64))
		name := fmt.Sprint([]string{"", "pool-1-thread-", "größe ", "request-handler-"}[chance.IntN(4)], key)
		switch chance.IntN(10) {
		case 0:
			id = fmt.Sprintf("0x%x", key)
		case 1:
			name = ""
		case 2:
			name = name[:len(name)/2]
		}
		thread := trace.ModelThread{Key: trace.ThreadKey(key), ID: trace.ThreadFrom([]byte(id)), Name: name,
			Session: chance.IntN(300)}
		want = append(want, names.Thread{ID: thread.ID, Name: name, Session: thread.Session})
		cache.Put(&thread)
		cache.End(thread.Key)
		if at := 1 + chance.IntN(key); cache.Get(trace.ThreadRef{Key: trace.ThreadKey(at)}) != want[at] {
			t.Fatalf("thread %d is %+v, want %+v", at, cache.Get(trace.ThreadRef{Key: trace.ThreadKey(at)}), want[at])
		}
	}
}

// TestMemoryOfTheEnded measures what the heap holds of a thread that has ended.
func TestMemoryOfTheEnded(t *testing.T) {
	const threads, most = 100_000, 16 // bytes
	each := testtool.Retained(t, func(threads int) any {
		cache := &names.Cache{}
		for key := 1; key <= threads; key++ {
			cache.Put(thread(key, fmt.Sprint(key), fmt.Sprint("request-handler-", key)))
			cache.End(trace.ThreadKey(key))
		}
		return cache
	}, threads)
	if each > most {
		t.Errorf("a thread that has ended takes %.1f bytes, more than %d", each, most)
	} else {
		t.Logf("a thread that has ended takes %.1f bytes", each)
	}
}
