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
