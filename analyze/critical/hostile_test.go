package critical_test

import (
	"slices"
	"testing"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/trace"
)

// script feeds a run to a Recorder, event by event.
type script struct {
	t        testing.TB
	recorder *critical.Recorder
	events   trace.EventID
	segments trace.SegmentID
}

func newScript(t testing.TB, threads int) *script {
	s := &script{t: t, recorder: critical.NewRecorder()}
	for key := range threads {
		s.check(s.recorder.Put(&trace.ModelThread{Key: trace.ThreadKey(key + 1)}))
	}
	return s
}

func (s *script) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// state puts a thread into a state.
func (s *script) state(thread trace.ThreadKey, state trace.ModelType, at trace.Time) trace.SegmentID {
	s.t.Helper()
	s.events++
	s.segments++
	s.check(s.recorder.Put(&trace.Activity{Thread: trace.ThreadRef{Key: thread}, Time: at}))
	s.check(s.recorder.Put(&trace.ModelEvent{ID: s.events, Segment: s.segments, Type: state, Thread: trace.ThreadRef{
		Key: thread}, Time: at}))
	return s.segments
}

// bind makes a segment's event the cause of another segment.
func (s *script) bind(running, cause trace.SegmentID, at trace.Time) {
	s.t.Helper()
	s.events++
	s.check(s.recorder.Put(&trace.Binding{Segment: running, Cause: trace.Cause{ID: s.events, Segment: cause,
		Time: at}}))
}

// large is a number of segments through which no walk should go repeatedly.
const large = 100_000

// TestComingBy lets a path come back to a thread repeatedly, each time later than everything it has passed before. It
// skips the passed segments in one step, or the test would take very long.
func TestComingBy(t *testing.T) {
	s := newScript(t, large+2)
	var own []trace.SegmentID
	for i := range 2 * large {
		at := trace.Time(1000)
		if i == 0 {
			at = 0
		}
		own = append(own, s.state(1, trace.Running, at))
	}
	for i := range large - 1 {
		other := s.state(trace.ThreadKey(i+3), trace.Running, 1000)
		s.bind(own[large-i], other, 1000)
		s.bind(other, own[large+i+1], 1000)
	}
	last := s.state(2, trace.Running, 2000)
	s.bind(last, own[large], 1000)
	s.state(2, trace.Sleeping, 3000)
	path := s.recorder.Path(s.recorder.Last())
	if path.From != 0 || path.To != 3000 || path.Size() != 3 {
		t.Errorf("the path goes from %d to %d in %d pieces", path.From, path.To, path.Size())
	}
	contiguous(t, "coming by", path)
	s.recorder.ReplayAsItWas(s.recorder.Last())
}

// TestNeverRunning: many threads are let go on by one that has not run for a long time, in one of its many states. The
// segment in which it stopped is found in a few steps.
func TestNeverRunning(t *testing.T) {
	s := newScript(t, large+1)
	s.state(1, trace.Running, 0)
	var blocked []trace.SegmentID
	for i := range large {
		blocked = append(blocked, s.state(1, trace.WaitingForLock, trace.Time(100+i)))
	}
	for i := range large {
		running := s.state(trace.ThreadKey(i+2), trace.Running, 2*large)
		s.bind(running, blocked[large-i-1], 2*large)
	}
	s.recorder.ReplayAsItWas(s.recorder.Last())
	for key := trace.ThreadKey(2); key < large; key += large / 20 {
		path := s.recorder.Path(s.recorder.LastOf(key))
		want := []string{
			oraclePiece{thread: 1, kind: "segment", state: trace.Running.String(), to: 100}.String(),
			oraclePiece{thread: 1, kind: "latency", from: 100, to: 2 * large,
				cause: int(s.events) - 2*(large-int(key)+1)}.String(),
		}
		if got := told(path, 0); !slices.Equal(got, want) {
			t.Errorf("the path to thread %d is %v, want %v", key, got, want)
		}
	}
}
