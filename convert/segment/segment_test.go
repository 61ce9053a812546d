package segment_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/trcx/trcx/convert/enrich/enrichtest"
	"github.com/trcx/trcx/convert/segment"
	"github.com/trcx/trcx/convert/segment/segmenttest"
	"github.com/trcx/trcx/trace"
)

// keeper keeps what it is given, one line each, by thread.
type keeper struct {
	trace.Ignore
	start    trace.Time
	segments map[trace.ThreadKey][]string
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
	k.segments[s.Thread.Key] = append(k.segments[s.Thread.Key], fmt.Sprint(s.Event, " ", s.State, " ",
		int64(s.Begin-k.start), "-", int64(s.End-k.start),
		" object ", s.Object.String(), " other ", s.Other.Key, " open ", s.Open, " deadlocked ", s.Deadlocked,
		" timed out ", s.TimedOut, " inferred ", s.Inferred))
	return nil
}

func cut(t *testing.T, document []byte) map[trace.ThreadKey][]string {
	t.Helper()
	k := &keeper{t: t, segments: map[trace.ThreadKey][]string{}}
	segmenttest.Read(t, k, document)
	return k.segments
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
			all[trace.ThreadKey(thread.Key)] = append(all[trace.ThreadKey(thread.Key)], fmt.Sprint(e.ID, " ", e.Type,
				" ", e.Time, "-", end,
				" object ", e.ObjectRef+e.LockedObject, " other ", e.LockedThreadKey+e.JoinedThreadKey, " open ", open,
				" deadlocked ", deadlocked,
				" timed out ", timedOut, " inferred ", e.Inferred))
		}
	}
	return all
}

func TestSegmentsAreThoseOfTheModel(t *testing.T) {
	for seed := range uint64(200) {
		for kind, document := range map[string][]byte{"simulated": enrichtest.Simulate(seed, 300).XML,
			"chaos": enrichtest.Chaos(seed, 300).XML} {
			doc, err := enrichtest.Model(document)
			segmenttest.Check(t, err)
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

// listener writes down what it is told, and fails when it is told of the kind.
type listener struct {
	fails string
	heard *[]string
	name  string
}

var errDeaf = errors.New("deaf")

func (l listener) hear(kind string) error {
	*l.heard = append(*l.heard, l.name+" "+kind)
	if kind == l.fails {
		return errDeaf
	}
	return nil
}

func (l listener) Start(trace.Time) error                  { return l.hear("start") }
func (l listener) Session(*trace.Session) error            { return l.hear("session") }
func (l listener) Thread(*trace.ModelThread) error         { return l.hear("thread") }
func (l listener) Object(*trace.ModelObject) error         { return l.hear("object") }
func (l listener) Acted(trace.ThreadRef, trace.Time) error { return l.hear("acted") }
func (l listener) Event(*trace.ModelEvent) error           { return l.hear("event") }
func (l listener) Segment(*trace.Segment) error            { return l.hear("segment") }
func (l listener) Bind(*trace.Binding) error               { return l.hear("bind") }
func (l listener) Deadlock(*trace.DeadlockLoop) error      { return l.hear("deadlock") }
func (l listener) End(*trace.Summary) error                { return l.hear("end") }

// calls calls each method of a sink, by what it tells.
var calls = map[string]func(segment.Sink) error{
	"start":    func(s segment.Sink) error { return s.Start(0) },
	"session":  func(s segment.Sink) error { return s.Session(&trace.Session{}) },
	"thread":   func(s segment.Sink) error { return s.Thread(&trace.ModelThread{}) },
	"object":   func(s segment.Sink) error { return s.Object(&trace.ModelObject{}) },
	"acted":    func(s segment.Sink) error { return s.Acted(trace.ThreadRef{}, 0) },
	"event":    func(s segment.Sink) error { return s.Event(&trace.ModelEvent{}) },
	"segment":  func(s segment.Sink) error { return s.Segment(&trace.Segment{}) },
	"bind":     func(s segment.Sink) error { return s.Bind(&trace.Binding{}) },
	"deadlock": func(s segment.Sink) error { return s.Deadlock(&trace.DeadlockLoop{}) },
	"end":      func(s segment.Sink) error { return s.End(&trace.Summary{}) },
}

// TestTee: each sink is told everything, in turn, until one fails.
func TestTee(t *testing.T) {
	for kind, call := range calls {
		for fails, want := range map[string]string{"": fmt.Sprintf("[a %[1]s b %[1]s]", kind),
			kind: fmt.Sprintf("[a %s]", kind)} {
			var heard []string
			err := call(segment.Tee(listener{fails, &heard, "a"}, listener{"", &heard, "b"}))
			if fmt.Sprint(heard) != want || errors.Is(err, errDeaf) != (fails != "") {
				t.Errorf("%s, failing at %q: heard %s, want %s; the error is %v", kind, fails, heard, want, err)
			}
		}
	}
}
