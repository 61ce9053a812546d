package anonymize

import (
	"testing"

	"github.com/trcx/trcx/threads"
)

// TestPoolsStay proves that two threads are of one pool after their names are replaced exactly if they were before.
func TestPoolsStay(t *testing.T) {
	n := newNames([]byte("key"))
	names := []string{"pool-1-thread-1", "pool-1-thread-2", "pool-2-thread-1", "http-nio-8080-exec-1", "http-nio-8443-exec-1",
		"process reaper (pid 17)", "process reaper (pid 18)", "worker", "worker-1", "17", "18", "C1 CompilerThread0",
		"C2 CompilerThread3"}
	for i, a := range names {
		for _, b := range names[:i] {
			before := threads.PoolOf(a) == threads.PoolOf(b)
			after := threads.PoolOf(n.thread(a)) == threads.PoolOf(n.thread(b))
			if before != after && threads.PoolOf(a) != "*" {
				t.Errorf("%s and %s are of one pool: %v, after that %v (%s, %s)", a, b, before, after, n.thread(a), n.thread(b))
			}
			if n.thread(a) == n.thread(b) {
				t.Errorf("%s and %s both become %s", a, b, n.thread(a))
			}
		}
	}
}
