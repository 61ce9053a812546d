package segment_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/trcx/trcx/convert/enrich"
	"github.com/trcx/trcx/convert/enrich/enrichtest"
	"github.com/trcx/trcx/convert/segment"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
)

// keeper keeps what it is given, one line each, by thread.
type keeper struct {
	trace.Ignore
	start    trace.Time
	segments map[trace.ThreadKey][]string
	ended    map[trace.ThreadKey]trace.EventID // the last event that came before a segment
	last     trace.EventID
	t        *testing.T
}

func (k *keeper) Start(at trace.Time) error {
	k.start = at
	return nil
}

func (k *keeper) Event(e *trace.ModelEvent) error {
	k.last = e.ID
	return nil
}

func (k *keeper) Segment(s *trace.Segment) error {
	if s.Event > k.last {
		k.t.Errorf("the segment of event %d comes before it", s.Event)
	}
	k.segments[s.Thread.Key] = append(k.segments[s.Thread.Key], fmt.Sprint(s.Event, " ", s.State, " ", int64(s.Begin-k.start), "-", int64(s.End-k.start),
		" object ", s.Object.String(), " other ", s.Other.Key, " open ", s.Open, " deadlocked ", s.Deadlocked, " timed out ", s.TimedOut, " inferred ", s.Inferred))
	return nil
}

func cut(t *testing.T, document []byte) map[trace.ThreadKey][]string {
	t.Helper()
	k := &keeper{t: t, segments: map[trace.ThreadKey][]string{}}
	enricher := enrich.New(segment.NewCutter(k))
	check(t, enricher.Begin(0))
	ending, err := trcxml.Read(context.Background(), bytes.NewReader(document), trcxml.Options{}, enricher.Element)
	check(t, err)
	check(t, enricher.End(ending))
	check(t, enricher.Finish())
	return k.segments
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// cutDoc cuts the threads of a model in the plainest way.
func cutDoc(doc *enrichtest.Doc) map[trace.ThreadKey][]string {
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
			all[trace.ThreadKey(thread.Key)] = append(all[trace.ThreadKey(thread.Key)], fmt.Sprint(e.ID, " ", e.Type, " ", e.Time, "-", end,
				" object ", e.ObjectRef+e.LockedObject, " other ", e.LockedThreadKey+e.JoinedThreadKey, " open ", open, " deadlocked ", deadlocked,
				" timed out ", timedOut, " inferred ", e.Inferred))
		}
	}
	return all
}

func TestSegmentsAreThoseOfTheModel(t *testing.T) {
	for seed := range uint64(200) {
		for kind, document := range map[string][]byte{"simulated": enrichtest.Simulate(seed, 300).XML, "chaos": enrichtest.Chaos(seed, 300).XML} {
			doc, err := enrichtest.Model(document)
			check(t, err)
			want, got := cutDoc(doc), cut(t, document)
			if len(got) != len(want) {
				t.Fatalf("%s %d: %d threads have segments, want %d", kind, seed, len(got), len(want))
			}
			for key, segments := range want {
				if fmt.Sprint(got[key]) != fmt.Sprint(segments) {
					t.Fatalf("%s %d: thread %d:\n%s\nwant\n%s", kind, seed, key, got[key], segments)
				}
			}
		}
	}
}
