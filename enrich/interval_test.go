package enrich_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// intervalKeeper keeps the intervals, one line each, by thread.
type intervalKeeper struct {
	start     trace.Time
	intervals map[trace.ThreadKey][]string
	last      trace.EventID
	t         *testing.T
}

func (k *intervalKeeper) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.Origin:
		k.start = r.Time
	case *trace.ModelEvent:
		k.last = r.ID
	case *trace.Interval:
		if r.ID > k.last {
			k.t.Errorf("the interval of event %d comes before it", r.ID)
		}
		k.intervals[r.Thread.Key] = append(k.intervals[r.Thread.Key], fmt.Sprint(r.ID, " ", r.Type, " ",
			int64(r.Time-k.start), "-", int64(r.End-k.start),
			" object ", r.Object.String(), " other ", r.Other.Key, " open ", r.Open, " deadlocked ", r.Deadlocked,
			" timed out ", r.TimedOut, " inferred ", r.Inferred))
	}
	return nil
}

func intervalsOf(t *testing.T, document []byte) map[trace.ThreadKey][]string {
	t.Helper()
	k := &intervalKeeper{t: t, intervals: map[trace.ThreadKey][]string{}}
	sinktest.Read(t, k, document)
	return k.intervals
}

// intervalsOfDoc returns the intervals of a model, computed in the plainest way.
func intervalsOfDoc(doc *enrichtest.Doc) map[trace.ThreadKey][]string {
	all := map[trace.ThreadKey][]string{}
	for _, thread := range doc.Threads {
		for i, e := range thread.Events {
			if !e.IsState() || e.Type == enrichtest.DeadLock || e.Type == enrichtest.Dead {
				continue
			}
			end, open, deadlocked, timedOut := doc.Trace.Duration, true, false, false
			for _, next := range thread.Events[i+1:] {
				deadlocked = deadlocked || next.Type == enrichtest.DeadLock
				timedOut = timedOut || next.Type == enrichtest.WaitTimeoutExceed
				if next.IsState() && next.Type != enrichtest.DeadLock {
					end, open = next.Time, false
					break
				}
			}
			all[trace.ThreadKey(thread.Key)] = append(all[trace.ThreadKey(thread.Key)], fmt.Sprint(e.ID, " ", e.Type,
				" ", e.Time, "-", end,
				" object ", e.ObjectRef+e.LockedObject, " other ", e.LockedThreadKey+e.JoinedThreadKey+e.InitKey, " open ", open,
				" deadlocked ", deadlocked,
				" timed out ", timedOut, " inferred ", e.Inferred))
		}
	}
	return all
}

func TestIntervalsMatchModel(t *testing.T) {
	for seed := range testtool.Times(uint64(200)) {
		for kind, document := range map[string][]byte{"simulated": enrichtest.Simulate(seed, 300).XML,
			"chaos": enrichtest.Chaos(seed, 300).XML} {
			doc, err := enrichtest.Model(document)
			sinktest.Check(t, err)
			want, got := intervalsOfDoc(doc), intervalsOf(t, document)
			if len(got) != len(want) {
				t.Fatalf("%s %d: %d threads have intervals, want %d", kind, seed, len(got), len(want))
			}
			for key, intervals := range want {
				if fmt.Sprint(got[key]) != fmt.Sprint(intervals) {
					t.Fatalf("%s %d: thread %d:\n%s\nwant\n%s", kind, seed, key, got[key], intervals)
				}
			}
		}
	}
}

// TestOpenIntervalsEndWithTheirRecording proves that a thread of one recording does not wait until the end of the next
// one.
func TestOpenIntervalsEndWithTheirRecording(t *testing.T) {
	k := &intervalKeeper{t: t, intervals: map[trace.ThreadKey][]string{}}
	s := &feeder{t: t, enricher: enrich.New(k, enrich.Options{})}
	for session := range 2 {
		sinktest.Check(t, s.enricher.Begin(session))
		s.feed(trace.MonWait, "", map[trace.Attr]string{trace.AttrThreadIDRef: "1", trace.AttrObjIDRef: "5"})
		s.feed(trace.GCStart, "", nil)
		sinktest.Check(t, s.enricher.End(trace.Ending{}))
	}
	sinktest.Check(t, s.enricher.Finish())
	for key, want := range []string{"1 TRCThreadWaitingForObjectEvent 0-1000",
		"2 TRCThreadWaitingForObjectEvent 2000-3000"} {
		got := k.intervals[trace.ThreadKey(key+1)]
		if len(got) != 1 || !strings.HasPrefix(got[0], want+" object 5 other 0 open true") {
			t.Errorf("thread %d: %s, want %s", key+1, got, want)
		}
	}
}
