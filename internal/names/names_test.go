package names_test

import (
	"fmt"
	"testing"

	"github.com/trcx/trcx/internal/names"
	"github.com/trcx/trcx/trace"
)

func thread(key int, id, name string) *trace.ModelThread {
	return &trace.ModelThread{Key: trace.ThreadKey(key), ID: trace.ThreadFrom([]byte(id)), Name: name, Session: key % 2}
}

func ref(key int, id string) trace.ThreadRef {
	return trace.ThreadRef{Key: trace.ThreadKey(key), ID: trace.ThreadFrom([]byte(id))}
}

func TestPutReplacesName(t *testing.T) {
	var cache names.Cache
	cache.Put(thread(7, "12", ""))
	if known := cache.Get(ref(7, "12")); known.Title() != "thread 12" || known.Session != 1 {
		t.Errorf("%+v is called %s", known, known.Title())
	}
	cache.Put(thread(7, "12", "main"))
	if known := cache.Get(ref(7, "12")); known.Title() != "main" {
		t.Errorf("%+v is called %s", known, known.Title())
	}
	if cache.Misses() != 0 {
		t.Errorf("%d misses", cache.Misses())
	}
}

// TestEviction: names in use stay cached while others are evicted; lookups of evicted names are counted.
func TestEviction(t *testing.T) {
	defer names.SetLimit(10_000)()
	var cache names.Cache
	cache.Put(thread(1, "1", "main"))
	for key := 2; key < 2000; key++ {
		cache.Put(thread(key, "2", fmt.Sprint("worker ", key)))
		if name := cache.Get(ref(1, "1")).Name; name != "main" {
			t.Fatalf("after %d threads main is called %q", key, name)
		}
	}
	if cache.Misses() != 0 {
		t.Errorf("%d misses", cache.Misses())
	}
	if gone := cache.Get(ref(2, "2")); gone.Title() != "thread 2" || cache.Misses() != 1 {
		t.Errorf("a thread of long ago is called %q, and %d misses", gone.Title(), cache.Misses())
	}
}

// TestEnd: threads that have ended are evicted, however few live; the latest of them stay, as do those that live.
func TestEnd(t *testing.T) {
	defer names.SetLimit(10_000)()
	var cache names.Cache
	cache.Put(thread(1, "1", "main"))
	for key := 2; key < 2000; key++ {
		cache.Put(thread(key, "2", fmt.Sprint("worker ", key)))
		cache.End(trace.ThreadKey(key))
		cache.End(trace.ThreadKey(key)) // again
		if name := cache.Get(ref(key, "2")).Name; name != fmt.Sprint("worker ", key) {
			t.Fatalf("a thread that has just ended is called %q", name)
		}
	}
	if name := cache.Get(ref(1, "1")).Name; name != "main" || cache.Misses() != 0 {
		t.Errorf("the first thread is called %q, and %d misses", name, cache.Misses())
	}
	if gone := cache.Get(ref(2, "2")); gone.Title() != "thread 2" || cache.Misses() != 1 {
		t.Errorf("a thread that ended long ago is called %q, and %d misses", gone.Title(), cache.Misses())
	}
}

func BenchmarkGet(b *testing.B) {
	var cache names.Cache
	for key := range 1000 {
		cache.Put(thread(key, "2", fmt.Sprint("worker ", key)))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		cache.Get(ref(i%1000, "2"))
	}
}
