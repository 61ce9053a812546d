package threads_test

import (
	"testing"

	"github.com/trcx/trcx/threads"
)

func TestPoolOf(t *testing.T) {
	for name, want := range map[string]string{
		"main": "main", "": "", "worker-7": "worker-*", "worker-17": "worker-*", "pool-1-thread-20": "pool-*-thread-*",
		"http-nio-8080-exec-3": "http-nio-*-exec-*", "42": "*", "Größe-3": "Größe-*",
	} {
		if pool := threads.PoolOf(name); pool != want {
			t.Errorf("the pool of %q is %q, want %q", name, pool, want)
		}
	}
}

// TestPoolNames proves that a pool is named by what its threads' names have in common, in any order and grouping.
func TestPoolNames(t *testing.T) {
	for want, names := range map[string][]string{
		"main":                    {"main"},
		"web-7":                   {"web-7", "web-7"},
		"pool-1-thread-*":         {"pool-1-thread-1", "pool-1-thread-22", "pool-1-thread-1"},
		"pool-*-thread-1":         {"pool-1-thread-1", "pool-20-thread-1"},
		"web-3-acceptor-0@6cd5a2": {"web-3-acceptor-0@6cd5a2"},
		"a*b*":                    {"a1b2", "a3b2", "a1b4"},
		"1-*":                     {"1-1", "1-02"},
	} {
		var all, part threads.PoolNames
		for i, name := range names {
			if all.Add(name); i > 0 {
				part.Add(name)
			}
			if threads.PoolOf(all.String()) != threads.PoolOf(name) {
				t.Errorf("%s and %s are of different pools", all.String(), name)
			}
		}
		if all.String() != want {
			t.Errorf("%q are %s, want %s", names, all.String(), want)
		}
		if len(names) > 1 {
			if part.Add(names[0]); part.String() != want {
				t.Errorf("%q are %s in another order, want %s", names, part.String(), want)
			}
		}
	}
	for name, want := range map[string]string{"main": "main", "pool-1-thread-12": "pool-1-thread-*", "a1b": "a*b", "7": "*"} {
		if got := threads.ExecutorOf(name); got != want {
			t.Errorf("the executor of %s is %s, want %s", name, got, want)
		}
	}
}
