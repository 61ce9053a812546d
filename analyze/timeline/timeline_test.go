package timeline_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
	"time"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

const root = "../.."

// indexed returns the index of the documents.
func indexed(t testing.TB, documents ...[]byte) *timeline.Index {
	t.Helper()
	return indexedIn(t, 256, 1024, documents...)
}

// indexedIn is indexed with the given numbers of records in a block and of ended threads that are kept.
func indexedIn(t testing.TB, records uint32, dead int, documents ...[]byte) *timeline.Index {
	t.Helper()
	recorder, err := timeline.NewRecorder("", false)
	sinktest.Check(t, err)
	recorder.Small(records, 1<<20, dead)
	t.Cleanup(func() { recorder.Index().Close() })
	sinktest.Read(t, recorder, documents...)
	return recorder.Index()
}

// everything returns a window of the whole index.
func everything(t testing.TB, x *timeline.Index, resolution int64) *timeline.Window {
	t.Helper()
	return window(t, x, timeline.Request{Threads: keys(x), To: x.Duration(), Resolution: resolution,
		Arrows: math.MaxInt})
}

func window(t testing.TB, x *timeline.Index, q timeline.Request) *timeline.Window {
	t.Helper()
	w, err := x.Window(t.Context(), q)
	sinktest.Check(t, err)
	return w
}

func keys(x *timeline.Index) (all []trace.ThreadKey) {
	for i := range x.Threads() {
		all = append(all, trace.ThreadKey(i+1))
	}
	return all
}

// eachDocument runs the check on all kinds of traces, whose indexes have many small blocks.
func eachDocument(t *testing.T, check func(t *testing.T, document []byte, x *timeline.Index)) {
	sizes := []uint32{1, 3, 128}
	for name, document := range sinktest.Documents(t, root) {
		size := sizes[0]
		sizes = append(sizes[1:], size)
		t.Run(fmt.Sprint(name, " in blocks of ", size), func(t *testing.T) {
			dead := 1
			if size == 128 {
				dead = 1024
			}
			check(t, document, indexedIn(t, size, dead, document))
		})
	}
}

// states are the states of the oracle's events.
var states = map[string]timeline.State{
	enrichtest.Running: timeline.Running, enrichtest.WaitingForObject: timeline.WaitingForObject,
	enrichtest.WaitingForLock: timeline.WaitingForLock,
	enrichtest.WaitingForJoin: timeline.WaitingForJoin, enrichtest.Sleeping: timeline.Sleeping,
}

// instants are the interactions of the oracle's events.
var instants = map[string]timeline.Interaction{
	enrichtest.StartsThread: timeline.Start, enrichtest.DeadAndNotifyJoined: timeline.Join,
	enrichtest.Notify:    timeline.Notify,
	enrichtest.NotifyAll: timeline.NotifyAll, enrichtest.InterruptThread: timeline.Interrupt,
	enrichtest.HandoffLock:       timeline.HandOff,
	enrichtest.WaitTimeoutExceed: timeline.Timeout,
}

// spansOf cuts a thread of the oracle's model into spans, in the plainest way.
func spansOf(thread *enrichtest.Thread, duration int64) (all []string) {
	last := int64(math.MinInt64)
	for i, e := range thread.Events {
		state, is := states[e.Type]
		if !is {
			continue
		}
		end, open, timedOut := duration, true, false
		for _, next := range thread.Events[i+1:] {
			timedOut = timedOut || next.Type == enrichtest.WaitTimeoutExceed
			if next.Type == enrichtest.DeadLock {
				if state == timeline.WaitingForLock {
					state = timeline.Deadlocked
				}
			} else if next.IsState() {
				end, open = next.Time, false
				break
			}
		}
		if state == timeline.WaitingForObject {
			state = waitOf(e)
		}
		begin := max(e.Time, last)
		last = max(end, begin)
		timeout := int64(0)
		if e.Timeout != nil && state != timeline.Running {
			timeout = *e.Timeout
		}
		all = append(all, fmt.Sprint(e.ID, " ", state, " ", begin, "-", last, " object ",
			cmp.Or(e.ObjectRef, e.LockedObject), " other ",
			cmp.Or(e.LockedThreadKey, e.JoinedThreadKey, e.InitKey), " timeout ", timeout, " open ", open, " timed out ", timedOut,
			" inferred ", e.Inferred, " stack ", stackOf(e)))
	}
	return all
}

// waitOf returns the state of a WaitingForObject.
func waitOf(e *enrichtest.Event) timeline.State {
	switch {
	case e.Init != "":
		return timeline.WaitingForObject
	case e.IO != "":
		return timeline.InIO
	case e.Park:
		return timeline.Parked
	case e.Timeout != nil && *e.Timeout > 0:
		return timeline.TimedWaiting
	}
	return timeline.WaitingForObject
}

func stackOf(e *enrichtest.Event) string {
	var text bytes.Buffer
	for _, f := range e.Stack {
		line := -1
		if f.Line != nil {
			line = *f.Line
		}
		fmt.Fprintf(&text, "%q.%q(%q:%d) ", f.Class, f.Method, f.File, line)
	}
	return text.String()
}

func shownStack(s *timeline.Stack) string {
	var text bytes.Buffer
	if s != nil {
		for _, f := range s.Frames {
			fmt.Fprintf(&text, "%q.%q(%q:%d) ", f.Class, f.Method, f.File, f.Line)
		}
	}
	return text.String()
}

func shownSpan(s *timeline.Span) string {
	return fmt.Sprint(s.Event, " ", s.State, " ", s.Begin, "-", s.End, " object ", s.Object.ID, " other ", s.Other,
		" timeout ", s.Timeout, " open ", s.Open,
		" timed out ", s.TimedOut, " inferred ", s.Inferred, " stack ", shownStack(s.Stack))
}

// TestWholeTraceIsTheModel: without a resolution the window of everything has each span, instant and arrow of the
// model.
func TestWholeTraceIsTheModel(t *testing.T) {
	eachDocument(t, func(t *testing.T, document []byte, x *timeline.Index) {
		doc, err := enrichtest.Model(document)
		sinktest.Check(t, err)
		w := everything(t, x, 0)
		if len(w.Lanes) != len(doc.Threads) || x.Duration() != doc.Trace.Duration ||
			int(x.Events) != doc.Trace.Events {
			t.Fatalf("%d lanes in %d ns of %d events, want %d in %d of %d", len(w.Lanes), x.Duration(), x.Events,
				len(doc.Threads), doc.Trace.Duration, doc.Trace.Events)
		}
		for i, thread := range doc.Threads {
			compareLane(t, &w.Lanes[i], thread, doc.Trace.Duration)
			compareThread(t, &x.Threads()[i], thread, &w.Lanes[i])
		}
		compareArrows(t, w, doc)
		if len(x.Deadlocks) != len(doc.Deadlocks) {
			t.Errorf("%d deadlocks, want %d", len(x.Deadlocks), len(doc.Deadlocks))
		}
	})
}

func compareLane(t *testing.T, lane *timeline.Lane, thread *enrichtest.Thread, duration int64) {
	t.Helper()
	var got, want []string
	for i := range lane.Spans {
		got = append(got, shownSpan(&lane.Spans[i]))
	}
	if want = spansOf(thread, duration); !slices.Equal(got, want) {
		t.Fatalf("thread %d: spans\n%q\nwant\n%q", thread.Key, got, want)
	}
	got, want = nil, nil
	for _, i := range lane.Instants {
		got = append(got, fmt.Sprint(i.Event, " ", i.Type, " ", i.Time, " ", i.Count, " object ", i.Object.ID,
			" other ", i.Other, " stack ", shownStack(i.Stack)))
	}
	for _, e := range thread.Events {
		if typ, is := instants[e.Type]; is {
			want = append(want, fmt.Sprint(e.ID, " ", typ, " ", e.Time, " ", 1, " object ",
				cmp.Or(e.ObjectRef, e.LockedObject, e.StartedThread, e.InterruptedThread),
				" other ", e.ReceiverThreadKey, " stack ", stackOf(e)))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("thread %d: instants\n%q\nwant\n%q", thread.Key, got, want)
	}
}

func compareThread(t *testing.T, got *timeline.Thread, want *enrichtest.Thread, lane *timeline.Lane) {
	t.Helper()
	if got.ID != want.ThreadID || got.Name != want.Name || got.Group != want.Group || got.Session != want.Session {
		t.Errorf("thread %d is %+v, want %+v", want.Key, got, want)
	}
	var times [timeline.StateCount]int64
	var counts [timeline.StateCount]uint64
	for _, s := range lane.Spans {
		times[s.State] += s.End - s.Begin
		counts[s.State]++
	}
	if times != got.Times || counts != got.Counts {
		t.Errorf("thread %d: %v and %v, want %v and %v", want.Key, got.Times, got.Counts, times, counts)
	}
	died := int64(-1)
	for _, e := range want.Events {
		if e.Type == enrichtest.Dead {
			died = max(e.Time, 0)
		}
	}
	if got.Dead != (died >= 0) || got.Dead && got.Died != died {
		t.Errorf("thread %d died at %d, want %d", want.Key, got.Died, died)
	}
}

func compareArrows(t *testing.T, w *timeline.Window, doc *enrichtest.Doc) {
	t.Helper()
	type owned struct {
		key int
		e   *enrichtest.Event
	}
	events := map[int]owned{}
	for _, thread := range doc.Threads {
		for _, e := range thread.Events {
			events[e.ID] = owned{thread.Key, e}
		}
	}
	var got, want []string
	for _, a := range w.Arrows {
		got = append(got, fmt.Sprint(a.Type, " ", a.From.Event, " of ", a.From.Thread, " at ", a.From.Time, " to ",
			a.To.Event, " of ", a.To.Thread))
	}
	for running, cause := range doc.Causes {
		c := events[cause]
		want = append(want, fmt.Sprint(instants[c.e.Type], " ", cause, " of ", c.key, " at ", c.e.Time, " to ", running,
			" of ", events[running].key))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || w.ArrowsOmitted != 0 {
		t.Fatalf("arrows\n%q\nwant\n%q", got, want)
	}
}

// TestResolution: merging loses no time, and the result is never coarser than asked for.
func TestResolution(t *testing.T) {
	eachDocument(t, func(t *testing.T, _ []byte, x *timeline.Index) {
		fine := everything(t, x, 0)
		for shift := int64(1); shift < 1<<40; shift <<= 6 {
			coarse := everything(t, x, shift)
			for i := range coarse.Lanes {
				checkMixes(t, &coarse.Lanes[i], &fine.Lanes[i], shift)
			}
			if len(coarse.Arrows)+int(coarse.ArrowsOmitted) != len(fine.Arrows) {
				t.Errorf("%d and %d arrows, want %d", len(coarse.Arrows), coarse.ArrowsOmitted, len(fine.Arrows))
			}
		}
	})
}

func checkMixes(t *testing.T, coarse, fine *timeline.Lane, resolution int64) {
	t.Helper()
	var want, got [timeline.StateCount]int64
	count := uint64(len(coarse.Spans))
	for _, s := range fine.Spans {
		want[s.State] += s.End - s.Begin
	}
	type part struct{ begin, end int64 }
	var parts []part
	for _, s := range coarse.Spans {
		got[s.State] += s.End - s.Begin
		parts = append(parts, part{s.Begin, s.End})
	}
	for _, m := range coarse.Mixes {
		sum := int64(0)
		for state, time := range m.Times {
			got[state] += time
			sum += time
		}
		count += m.Count
		if m.Begin/resolution != max(m.End-1, m.Begin)/resolution || sum > m.End-m.Begin {
			t.Fatalf("thread %d: a mix from %d to %d with times %v, at a resolution of %d", coarse.Thread, m.Begin,
				m.End, m.Times, resolution)
		}
		parts = append(parts, part{m.Begin, m.End})
	}
	if got != want || count != uint64(len(fine.Spans)) {
		t.Fatalf("thread %d at %d: times %v of %d spans, want %v of %d", coarse.Thread, resolution, got, count, want,
			len(fine.Spans))
	}
	sort.Slice(parts, func(i, j int) bool {
		return parts[i].begin < parts[j].begin || parts[i].begin == parts[j].begin && parts[i].end < parts[j].end
	})
	for i := 1; i < len(parts); i++ {
		if parts[i].begin < parts[i-1].end {
			t.Fatalf("thread %d at %d: %v overlaps %v", coarse.Thread, resolution, parts[i], parts[i-1])
		}
	}
	checkInstants(t, coarse, fine, resolution)
}

// checkInstants checks that each type and bucket has one instant, and none is lost.
func checkInstants(t *testing.T, coarse, fine *timeline.Lane, resolution int64) {
	t.Helper()
	type place struct {
		typ    timeline.Interaction
		bucket int64
	}
	want, got := map[place]uint64{}, map[place]uint64{}
	for _, i := range fine.Instants {
		want[place{i.Type, i.Time / resolution}]++
	}
	for _, i := range coarse.Instants {
		at := place{i.Type, i.Time / resolution}
		got[at] += i.Count
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("thread %d at %d: instants %v, want %v", coarse.Thread, resolution, got, want)
	}
}

// TestParts: a window of a part has everything that touches it, as the window of everything has it.
func TestParts(t *testing.T) {
	eachDocument(t, func(t *testing.T, document []byte, x *timeline.Index) {
		whole, random := everything(t, x, 0), rand.New(rand.NewPCG(uint64(len(document)), 1))
		for range 20 {
			from := random.Int64N(x.Duration() + 1)
			to := from + random.Int64N(x.Duration()-from+1)
			part := window(t, x, timeline.Request{Threads: keys(x), From: from, To: to, Arrows: math.MaxInt})
			for i, lane := range part.Lanes {
				want := slices.DeleteFunc(slices.Clone(whole.Lanes[i].Spans), func(s timeline.Span) bool {
					return s.Begin > to || s.End < from
				})
				if fmt.Sprint(shownSpans(lane.Spans)) != fmt.Sprint(shownSpans(want)) {
					t.Fatalf("thread %d from %d to %d: %v\nwant %v", lane.Thread, from, to, shownSpans(lane.Spans),
						shownSpans(want))
				}
				instants := slices.DeleteFunc(slices.Clone(whole.Lanes[i].Instants), func(n timeline.Instant) bool {
					return n.Time > to || n.Time < from
				})
				if len(instants) != len(lane.Instants) {
					t.Fatalf("thread %d from %d to %d: %d instants, want %d", lane.Thread, from, to, len(lane.Instants),
						len(instants))
				}
			}
		}
	})
}

func shownSpans(spans []timeline.Span) (all []string) {
	for i := range spans {
		all = append(all, shownSpan(&spans[i]))
	}
	return all
}

// TestFewArrows: of too many arrows, the ones that ended the longest waits stay.
func TestFewArrows(t *testing.T) {
	eachDocument(t, func(t *testing.T, _ []byte, x *timeline.Index) {
		all := everything(t, x, 0).Arrows
		few := window(t, x, timeline.Request{Threads: keys(x), To: x.Duration(), Arrows: 5})
		slices.SortFunc(all, func(a, b timeline.Arrow) int { return cmp.Compare(b.Waited, a.Waited) })
		slices.SortFunc(few.Arrows, func(a, b timeline.Arrow) int { return cmp.Compare(b.Waited, a.Waited) })
		if len(few.Arrows) != min(5, len(all)) || int(few.ArrowsOmitted) != len(all)-len(few.Arrows) {
			t.Fatalf("%d arrows and %d omitted of %d", len(few.Arrows), few.ArrowsOmitted, len(all))
		}
		for i, a := range few.Arrows {
			if a.Waited != all[i].Waited {
				t.Fatalf("arrow %d waited for %d, want %d", i, a.Waited, all[i].Waited)
			}
		}
	})
}

// place is the place of an event.
type place struct {
	thread trace.ThreadKey
	at     int64
}

// TestDetail: each event is found with its cause and its effects.
func TestDetail(t *testing.T) {
	eachDocument(t, func(t *testing.T, document []byte, x *timeline.Index) {
		doc, err := enrichtest.Model(document)
		sinktest.Check(t, err)
		effects := map[int][]int{}
		for running, cause := range doc.Causes {
			effects[cause] = append(effects[cause], running)
		}
		events := map[int]place{}
		for _, lane := range everything(t, x, 0).Lanes {
			for _, s := range lane.Spans {
				events[int(s.Event)] = place{lane.Thread, s.Begin}
			}
		}
		for _, thread := range doc.Threads {
			for _, e := range thread.Events {
				d, err := x.Detail(trace.ThreadKey(thread.Key), trace.EventID(e.ID))
				sinktest.Check(t, err)
				if e.Type == enrichtest.Dead || e.Type == enrichtest.DeadLock {
					continue
				}
				if d == nil || d.Type.String() != e.Type {
					t.Fatalf("event %d of thread %d is %+v, want a %s", e.ID, thread.Key, d, e.Type)
				}
				var causes, caused []int
				for _, link := range d.Causes {
					causes = append(causes, int(link.Event))
				}
				for _, link := range d.Effects {
					caused = append(caused, int(link.Event))
					if running := events[int(link.Event)]; link.Thread != running.thread || link.Time != running.at {
						t.Errorf("the effect %d is at %d of thread %d, want %+v", link.Event, link.Time, link.Thread,
							running)
					}
				}
				slices.Sort(caused)
				slices.Sort(effects[e.ID])
				if cause, bound := doc.Causes[e.ID]; bound != (len(causes) == 1) || bound && causes[0] != cause ||
					fmt.Sprint(caused) != fmt.Sprint(effects[e.ID]) {
					t.Fatalf("event %d: caused by %v, want %v; causes %v, want %v", e.ID, causes, cause, caused,
						effects[e.ID])
				}
			}
		}
	})
}

// TestReplay: the statistics of an index equal the statistics of the trace.
func TestReplay(t *testing.T) {
	testtool.Long(t)
	eachDocument(t, func(t *testing.T, document []byte, x *timeline.Index) {
		direct, replayed := contention.NewCollector("", contention.DefaultRows),
			contention.NewCollector("", contention.DefaultRows)
		sinktest.Read(t, direct, document)
		sinktest.Check(t, x.Replay(context.Background(), nil, 0, x.Duration()+1,
			trace.Tee(&enrichtest.Order{Partial: true}, replayed)))
		if got, want := tables(t, replayed), tables(t, direct); got != want {
			t.Errorf("statistics differ: %s", difference(got, want))
		}
	})
}

// TestReplayOfAPart: the statistics of a part of the time equal those of a selection of the trace.
func TestReplayOfAPart(t *testing.T) {
	testtool.Long(t)
	eachDocument(t, func(t *testing.T, document []byte, x *timeline.Index) {
		random := rand.New(rand.NewPCG(uint64(len(document)), 2))
		for range 3 {
			from := random.Int64N(x.Duration() + 1)
			to := from + 1 + random.Int64N(x.Duration()-from+1)
			direct, replayed := contention.NewCollector("", contention.DefaultRows),
				contention.NewCollector("", contention.DefaultRows)
			part := selection.Selection{Window: selection.Window{Since: time.Duration(from),
				Until: time.Duration(to)}}
			sinktest.Read(t, selection.NewFilter(part, direct), document)
			sinktest.Check(t, x.Replay(context.Background(), nil, from, to, replayed))
			got, want := tables(t, replayed), tables(t, direct)
			if got != want {
				t.Errorf("statistics from %d to %d differ: %s", from, to, difference(got, want))
			}
		}
	})
}

// TestSessions: in a recording that began before the first one, threads do the same as if it were alone.
func TestSessions(t *testing.T) {
	for seed := range uint64(20) {
		later, earlier := enrichtest.Simulate(seed, 100).XML, bytes.ReplaceAll(enrichtest.Simulate(seed+100, 100).XML,
			[]byte(`time="1700`), []byte(`time="1699`))
		both, alone := indexed(t, later, earlier), indexed(t, earlier)
		const between = 1_000_000 * 1_000_000_000
		if start, _ := both.Start(); both.Duration() < between || !bytes.HasPrefix([]byte(start.String()),
			[]byte("1699")) {
			t.Errorf("%d: they begin at %v and take %d ns", seed, start, both.Duration())
		}
		all, wanted := everything(t, both, 0), everything(t, alone, 0)
		first := len(all.Lanes) - len(wanted.Lanes)
		for i, want := range wanted.Lanes {
			got := all.Lanes[first+i]
			if lengths(got) != lengths(want) {
				t.Errorf("%d: thread %d did %s, want %s", seed, got.Thread, lengths(got), lengths(want))
			}
			if s, u := both.Threads()[first+i], alone.Threads()[i]; s.Dead != u.Dead || s.Born != u.Born ||
				s.Died != u.Died {
				t.Errorf("%d: thread %d is %+v, want %+v", seed, got.Thread, s, u)
			}
		}
	}
}

// lengths returns the lengths of a lane's spans, except those that the end of the trace closed.
func lengths(l timeline.Lane) string {
	var text bytes.Buffer
	for _, s := range l.Spans {
		if !s.Open {
			fmt.Fprint(&text, s.State, " ", s.Begin, "-", s.End, ", ")
		}
	}
	return text.String()
}

// tables returns the statistics as JSON, with rows in an order independent of which came first.
func tables(t *testing.T, c *contention.Collector) string {
	t.Helper()
	var out bytes.Buffer
	sinktest.Check(t, answers.WriteValue(&out, c.Statistics().Extract(math.MaxInt)))
	var all map[string]any
	sinktest.Check(t, json.Unmarshal(out.Bytes(), &all))
	forget(all)
	return fmt.Sprint(sorted(all))
}

// lost are the keys of what a replay lacks: it has no intervals in which threads ran, no notifications, no stacks, only
// the owners at the begin of a block, no starts, and no CPU time.
var lost = []string{"lifetime", "idle", "waits", "owners", "holders", "pairs", "processors", "starts"}

// forget deletes the lost keys from a JSON value.
func forget(value any) {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range lost {
			delete(value, key)
		}
		for _, inner := range value {
			forget(inner)
		}
	case []any:
		for _, inner := range value {
			forget(inner)
		}
	}
}

// difference shows where two texts begin to differ.
func difference(got, want string) string {
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	from := max(at-200, 0)
	return fmt.Sprintf("…%s, want …%s", got[from:min(at+100, len(got))], want[from:min(at+100, len(want))])
}

// sorted sorts all lists in a JSON value.
func sorted(value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = sorted(v[i])
		}
		slices.SortFunc(v, func(a, b any) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	case map[string]any:
		for name := range v {
			v[name] = sorted(v[name])
		}
	}
	return value
}

// TestOverview: the parts sum to what the threads did.
func TestOverview(t *testing.T) {
	eachDocument(t, func(t *testing.T, _ []byte, x *timeline.Index) {
		var want [timeline.StateCount]int64
		for _, lane := range everything(t, x, 0).Lanes {
			for _, s := range lane.Spans {
				want[s.State] += min(max(s.End, 0), max(x.Duration(), 1)) - max(s.Begin, 0)
			}
		}
		for _, parts := range []int{1, 7, 1000, -1, -7, -1000} {
			threads := keys(x)
			if parts < 0 {
				threads, parts = nil, -parts // all threads, whose sums are kept
			}
			o, err := x.Overview(t.Context(), threads, parts)
			sinktest.Check(t, err)
			for state, times := range o.Times {
				sum := int64(0)
				for _, time := range times {
					sum += time
				}
				if sum != want[state] || len(times) > parts {
					t.Errorf("%d parts: %d ns of state %d in %d, want %d", parts, sum, state, len(times), want[state])
				}
			}
		}
	})
}

// TestPath: parts of the path come back, and merged ones have the same sum.
func TestPath(t *testing.T) {
	recorder, err := timeline.NewRecorder("", false)
	sinktest.Check(t, err)
	recorder.Small(3, 64, 1)
	defer recorder.Index().Close()
	for i := range trace.Time(100) {
		sinktest.Check(t, recorder.OnPath(1, 10*i, 10*i+6, i%2 == 1))
	}
	sinktest.Check(t, recorder.Put(&trace.Summary{HasStart: true, Last: 1000}))
	x := recorder.Index()
	for _, resolution := range []int64{0, 8, 32, 256} {
		w, sum := everything(t, x, resolution), int64(0)
		for i, p := range w.Lanes[0].Path {
			sum += p.Time
			if resolution == 0 && (p != timeline.PathPart{Begin: int64(10 * i), End: int64(10*i + 6), Time: 6,
				Latency: i%2 == 1}) {
				t.Errorf("part %d is %+v", i, p)
			}
		}
		if sum != 600 || x.Threads()[0].OnPath != 600 {
			t.Errorf("at %d the parts sum to %d, and the thread's is %d", resolution, sum, x.Threads()[0].OnPath)
		}
	}
}

// TestForemost: of too many threads the most important stay.
func TestForemost(t *testing.T) {
	x := indexed(t, sinktest.File(t, root, "testdata", "recorded", "warehouse-stacks-jdk25.trcxml"))
	// by how long they were blocked, since no path was noted
	for most, want := range map[int]string{1: "[9]", 3: "[7 8 9]", 1000: fmt.Sprint(keys(x))} {
		if got := fmt.Sprint(x.Foremost(most)); got != want {
			t.Errorf("the foremost %d are %s, want %s", most, got, want)
		}
	}
}

// TestExtract: too large a window gets the finest resolution that fits.
func TestExtract(t *testing.T) {
	eachDocument(t, func(t *testing.T, _ []byte, x *timeline.Index) {
		whole, err := x.Extract(t.Context(), keys(x), 0, x.Duration(), math.MaxInt32, 1)
		sinktest.Check(t, err)
		if whole.Resolution != 0 || whole.ArrowsOmitted != 0 {
			t.Errorf("with a limit above all rows the resolution is %d, and %d arrows are omitted", whole.Resolution,
				whole.ArrowsOmitted)
		}
		rows := whole.Rows()/2 + 4*len(x.Threads())
		part, err := x.Extract(t.Context(), keys(x), 0, x.Duration(), rows, 1)
		sinktest.Check(t, err)
		if part.Rows() > rows && part.Resolution < x.Duration()/4096 || len(part.Arrows) > 1 && part.Resolution > 0 {
			t.Errorf("with a limit of %d there are %d rows and %d arrows at a resolution of %d", rows, part.Rows(),
				len(part.Arrows), part.Resolution)
		}
	})
}

// TestAbandoned: a question whose context is done is not answered.
func TestAbandoned(t *testing.T) {
	x := indexed(t, enrichtest.Simulate(1, 500).XML)
	ctx, abandon := context.WithCancel(t.Context())
	abandon()
	if _, err := x.Window(ctx, timeline.Request{Threads: keys(x), To: x.Duration(), Resolution: 1000}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("Window says %v", err)
	}
	if _, err := x.Overview(ctx, keys(x), 100); !errors.Is(err, context.Canceled) {
		t.Errorf("Overview says %v", err)
	}
}
