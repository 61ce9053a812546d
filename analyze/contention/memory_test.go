package contention_test

import (
	"fmt"
	"testing"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// TestDeadThreadMemory measures what the heap holds of a thread that has ended, beyond the limit of rows.
func TestDeadThreadMemory(t *testing.T) {
	const threads, most = 100_000, 24 // bytes
	each := testtool.Retained(t, func(threads int) any {
		c := contention.NewCollector("trace", 1000)
		for key := trace.ThreadKey(1); int(key) <= threads; key++ {
			ref := trace.ThreadRef{Key: key, ID: trace.ThreadFrom(fmt.Append(nil, key))}
			c.Put(&trace.ModelThread{Key: key, ID: ref.ID, Name: fmt.Sprint("request-handler-", key)})
			c.Put(&trace.Interval{ModelEvent: trace.ModelEvent{Type: trace.Running, Thread: ref}, End: 5})
			c.Put(&trace.ModelEvent{Type: trace.Dead, Thread: ref})
		}
		return c
	}, threads)
	if each > most {
		t.Errorf("a thread that has ended takes %.1f bytes of the heap, more than %d", each, most)
	} else {
		t.Logf("a thread that has ended takes %.1f bytes of the heap", each)
	}
}
