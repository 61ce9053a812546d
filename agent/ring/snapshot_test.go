package ring_test

import (
	"testing"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/agent/ring/ringtest"
)

const (
	ms       = 1_000_000
	patience = 50 * ms
)

// looked returns a segment with two rings that were idle in the last snapshot, at that time; at 0 there was no
// snapshot. The test uses the returned ring.
func looked(t *testing.T, at int64) (*ringtest.JVM, *ringtest.Producer) {
	t.Helper()
	jvm, err := ringtest.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(jvm.Close)
	jvm.Begin(4711, 17, "A JVM 17")
	p := jvm.Thread()
	jvm.Thread()
	if at > 0 {
		safe(jvm, at)
	}
	return jvm, p
}

// safe returns the time before which nothing will be published, by a snapshot at now.
func safe(jvm *ringtest.JVM, now int64) int64 {
	_, before := jvm.Segment.Snapshot(func() int64 { return now }, patience)
	return before
}

// TestUnread proves that a producer that has marked its ring but not stored its time yet is waited for from the
// snapshot that shows the mark on, even if this is the ring's first one or long after the previous one.
func TestUnread(t *testing.T) {
	for name, quiet := range map[string]int64{"never looked at": 0, "looked at lately": 990 * ms,
		"looked at long ago": 500 * ms} {
		jvm, p := looked(t, quiet)
		p.Start()
		for _, now := range []int64{1000 * ms, 1030 * ms, 1049 * ms} {
			if got := safe(jvm, now); got > quiet {
				t.Errorf("%s: at %d ms all before %d ms is safe, want %d ms at most", name, now/ms, got/ms, quiet/ms)
			}
		}
		if got := safe(jvm, 1050*ms); got != 1050*ms {
			t.Errorf("%s: it is waited for longer than it may be: safe is %d ms", name, got/ms)
		}
		p.Finish()
		if got := safe(jvm, 1060*ms); got != 1060*ms {
			t.Errorf("%s: it is waited for when it has published: safe is %d ms", name, got/ms)
		}
	}
}

// TestProgress proves that patience is for one record, not for all that a producer publishes without an idle moment.
func TestProgress(t *testing.T) {
	jvm, p := looked(t, 1000*ms)
	for began := int64(1010 * ms); began < 1300*ms; began += 30 * ms {
		p.Put(ring.Record{Kind: ring.CallNotify, Thread: 1, Time: began})
		p.Start()
		for _, later := range []int64{1, 20} {
			if got := safe(jvm, began+later*ms); got != began {
				t.Fatalf("of a record begun at %d ms, %d ms later: safe is %d ms", began/ms, later, got/ms)
			}
		}
	}
}
