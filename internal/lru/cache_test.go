package lru_test

import (
	"testing"

	"github.com/trcx/trcx/internal/lru"
)

// TestCache: a value that exceeds the limit drops the others.
func TestCache(t *testing.T) {
	cache := lru.NewCache[int, string](10)
	cache.Put(1, "one", 4)
	cache.Put(2, "two", 6)
	for key, want := range map[int]string{1: "one", 2: "two"} {
		if got, ok := cache.Get(key); !ok || got != want {
			t.Errorf("%d is %q, %v", key, got, ok)
		}
	}
	cache.Put(3, "three", 1)
	for key, want := range map[int]bool{1: false, 2: false, 3: true} {
		if _, ok := cache.Get(key); ok != want {
			t.Errorf("after the limit is exceeded, %d is cached: %v", key, ok)
		}
	}
}
