package contention_test

import (
	"fmt"
	"testing"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// TestDeadThreadMemory measures the heap for a thread that has ended, beyond the limit of rows.
func TestDeadThreadMemory(t *testing.T) {
	const threads, most = 100_000, 48 // bytes
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

// TestLiveThreadMemory measures the heap for a live thread: for one that has only run, and for one that has waited.
func TestLiveThreadMemory(t *testing.T) {
	for _, test := range []struct {
		name  string
		most  float64 // bytes
		waits bool
	}{{"runs", 450, false}, {"has waited", 750, true}} {
		t.Run(test.name, func(t *testing.T) {
			const threads = 1 << 14
			each := testtool.Retained(t, func(threads int) any {
				c := contention.NewCollector("trace", 1000)
				for key := trace.ThreadKey(1); int(key) <= threads; key++ {
					ref := trace.ThreadRef{Key: key, ID: trace.ThreadFrom(fmt.Append(nil, key))}
					c.Put(&trace.ModelThread{Key: key, ID: ref.ID, Name: fmt.Sprint("request-handler-", key),
						Started: true})
					c.Put(&trace.Interval{ModelEvent: trace.ModelEvent{Type: trace.Running, Thread: ref}, End: 5})
					if test.waits {
						c.Put(&trace.Interval{ModelEvent: trace.ModelEvent{Type: trace.WaitingForObject, Thread: ref,
							Time: 5, Object: trace.ObjectFrom(fmt.Append(nil, key)), ObjectKey: trace.ObjectKey(key)}, End: 9})
					}
				}
				return c
			}, threads)
			if each > test.most {
				t.Errorf("a thread that lives takes %.0f bytes of the heap, more than %.0f", each, test.most)
			} else {
				t.Logf("a thread that lives takes %.0f bytes of the heap", each)
			}
		})
	}
}
