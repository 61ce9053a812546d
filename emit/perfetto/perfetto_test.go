package perfetto_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/emit/perfetto"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/internal/xmltext"
	"github.com/trcx/trcx/trace"
)

// formats are both formats, each with its reader.
var formats = map[string]struct {
	format perfetto.Format
	read   func(*testing.T, []byte) *drawing
}{
	"json":     {perfetto.JSON, fromJSON},
	"protobuf": {perfetto.Protobuf, fromProtobuf},
}

// documents are traces of all sorts: simulated, chaotic, recorded.
func documents(t testing.TB) map[string][]byte {
	all := map[string][]byte{
		"empty": []byte("<TRACE/>"),
		"deadlock": []byte(`<TRACE><monContendedEnter threadIdRef="1" time="1" objIdRef="8" threadOwner="2"/>` +
			`<monContendedEnter threadIdRef="2" time="2" objIdRef="9" threadOwner="1"/></TRACE>`),
		"before the start": []byte(
			`<TRACE><threadStart threadId="1" time="5"/><threadStart threadId="2" time="4.999"/><threadEnd threadIdRef="1" time="4.998"/></TRACE>`),
		"no length": []byte(
			`<TRACE><threadStart threadId="1" time="5" objIdRef="3"/><callStart threadId="1" time="5" objIdRef="4"/>` +
				`<threadStart threadId="2" time="5" objIdRef="4"/><threadEnd threadIdRef="2" time="5"/><threadEnd threadIdRef="1" time="5"/></TRACE>`),
		"an unknown thread starts one": []byte(
			`<TRACE><callStart threadId="1" time="5" objIdRef="4"/><threadStart threadId="2" time="6" objIdRef="4"/></TRACE>`),
		"the last time there is": []byte(
			`<TRACE><threadStart threadId="1" time="0"/><threadStart threadId="2" time="9223372035.854775807"/></TRACE>`),
	}
	for seed := range testtool.Times(uint64(100)) {
		all[fmt.Sprint("simulated ", seed)] = enrichtest.Simulate(seed, 200).XML
		all[fmt.Sprint("chaotic ", seed)] = enrichtest.Chaos(seed, 200).XML
	}
	for _, pattern := range []string{"../../testdata/recorded/*.trcxml", "../../docs/testdata/*.trcxml",
		"../../enrich/enrichtest/testdata/*.trcxml"} {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			check(t, err)
			if bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")) {
				all[path] = text
			}
		}
	}
	return all
}

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden compares the drawings of a small trace with drawings that people have checked.
func TestGolden(t *testing.T) {
	document, err := os.ReadFile("../../docs/testdata/tour.trcxml")
	check(t, err)
	for format, ending := range map[string]string{"json": ".trace.json", "protobuf": ".pftrace"} {
		got := draw(t, formats[format].format, pathOf(document), document)
		golden := "testdata/tour" + ending
		if *update {
			check(t, os.WriteFile(golden, got, 0o644))
		}
		if want, err := os.ReadFile(golden); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is another one (%v); go test -update writes it anew", golden, err)
		}
	}
}

// TestDrawingsAreTheModel draws traces of all sorts and compares the drawings with what the oracle says.
func TestDrawingsAreTheModel(t *testing.T) {
	for name, document := range documents(t) {
		doc, err := enrichtest.Model(document)
		check(t, err)
		for format, f := range formats {
			t.Run(name+"/"+format, func(t *testing.T) {
				d := f.read(t, draw(t, f.format, nil, document))
				d.checkNesting(t)
				d.checkArrows(t)
				compare(t, d, doc)
			})
		}
	}
}

// checkNesting checks that the slices of a track are disjoint, also for readers that parse numbers as floats, and that
// no two begin at the same time.
func (d *drawing) checkNesting(t *testing.T) {
	before, first := map[int]drawn{}, map[int]float64{}
	for _, s := range d.slices {
		b, ok := before[s.track]
		before[s.track] = s
		if !ok {
			first[s.track] = s.floatAt
		}
		switch {
		case !ok:
		case s.at < b.end() || s.at == b.at:
			t.Errorf("%+v overlaps %+v", s, b)
		case overlap(b, s, 0) || overlap(b, s, first[s.track]) || overlap(b, s, d.first):
			t.Errorf("%+v overlaps %+v for readers that add up floats", s, b)
		}
	}
}

// overlap reports whether a slice and the next one of the track overlap for a reader that parses times as floats and
// counts them from the origin.
func overlap(s, next drawn, origin float64) bool {
	return s.floatAt-origin+s.floatLength > next.floatAt-origin
}

// checkArrows checks that each arrow has two ends, each in a slice of its track, and does not lead back in time.
func (d *drawing) checkArrows(t *testing.T) {
	for number, a := range d.arrows {
		if len(a.tails) != 1 || len(a.heads) != 1 {
			t.Errorf("arrow %d has the tails %v and the heads %v", number, a.tails, a.heads)
			continue
		}
		if a.tails[0].at > a.heads[0].at {
			t.Errorf("arrow %d leads back in time: %+v", number, a)
		}
		for _, e := range []end{a.tails[0], a.heads[0]} {
			if !d.holds(e) {
				t.Errorf("the end %+v of arrow %d lies in no slice of its track", e, number)
			}
		}
	}
}

// holds reports whether a viewer can bind the end of an arrow: to a slice around it or, in protobuf, to an instant that
// has it.
func (d *drawing) holds(e end) bool {
	around := func(s drawn) bool {
		return s.track == e.track && s.at <= e.at && (e.at < s.end() || e.at == s.at)
	}
	return slices.ContainsFunc(d.slices, around) || !d.json && slices.ContainsFunc(d.instants, around)
}

// stateNames are the names of the slices for the states.
var stateNames = map[string][]string{
	enrichtest.WaitingForObject: {"WAITING", "TIMED_WAITING", "PARKED", "IN I/O", "INITIALISING"},
	enrichtest.Running:          {"RUNNABLE"},
	enrichtest.WaitingForLock:   {"BLOCKED"},
	enrichtest.Sleeping:         {"SLEEPING"}, enrichtest.WaitingForJoin: {"JOINING"},
}

// instantNames are the names of the instants.
var instantNames = map[string]string{
	enrichtest.StartsThread: "start", enrichtest.HandoffLock: "hand-off", enrichtest.InterruptThread: "interrupt",
	enrichtest.NotifyAll: "notifyAll",
	enrichtest.Notify:    "notify", enrichtest.DeadAndNotifyJoined: "join", enrichtest.WaitTimeoutExceed: "timeout",
	enrichtest.DeadLock: "deadlock",
}

// expected is a mark that the model requires.
type expected struct {
	track      int
	at, length int64
	names      []string
}

// compare checks that the drawing has what the model says: each state from its time to the time of the next one, each
// instant, and each cause. A time that goes back counts as the latest one before it. Each thread must have the same
// state at any time.
func compare(t *testing.T, d *drawing, doc *enrichtest.Doc) {
	shift := shiftOf(doc)
	states, instants := map[int]expected{}, map[int]expected{}
	thread := map[int]int{}  // by event
	began := map[int]int64{} // by event: where it is drawn
	for _, th := range doc.Threads {
		now := int64(math.MinInt64)
		open, blocks := 0, false // the event of the open state, and whether that is a WaitingForLock
		closeState := func(at int64) {
			if e, ok := states[open]; ok {
				e.length = at - e.at
				states[open] = e
			}
		}
		for _, e := range th.Events {
			at := e.Time + shift
			thread[e.ID], began[e.ID] = th.Key, at
			if !e.IsState() || e.Type == enrichtest.DeadLock {
				instants[e.ID] = expected{track: th.Key, at: at, names: []string{instantNames[e.Type]}}
				continue
			}
			now = max(now, at)
			closeState(now)
			open, began[e.ID] = e.ID, now
			blocks = e.Type == enrichtest.WaitingForLock
			if e.Type != enrichtest.Dead {
				states[e.ID] = expected{track: th.Key, at: now, names: stateNames[e.Type]}
			}
		}
		closeState(max(now, doc.Trace.Duration+shift))
		if e, ok := states[open]; ok && blocks && slices.ContainsFunc(th.Events, func(e *enrichtest.Event) bool {
			return e.Type == enrichtest.DeadLock
		}) {
			e.names = []string{"DEADLOCKED"}
			states[open] = e
		}
	}
	d.compareMarks(t, states, maps.Clone(instants))
	for running, cause := range doc.Causes {
		a := d.arrows[running]
		if a == nil {
			t.Errorf("the arrow from %d to %d is missing", cause, running)
			continue
		}
		want := arrow{name: instants[cause].names[0], tails: []end{{thread[cause], min(began[cause], began[running])}},
			heads: []end{{thread[running], began[running]}}}
		if !reflect.DeepEqual(*a, want) {
			t.Errorf("the arrow from %d to %d is %+v, want %+v", cause, running, *a, want)
		}
	}
	if len(d.arrows) != len(doc.Causes) {
		t.Errorf("there are %d arrows for %d causes", len(d.arrows), len(doc.Causes))
	}
	compareNames(t, d, doc)
	if want := startOf(t, doc, shift); d.json && d.start != want {
		t.Errorf("the drawing starts at %q, want %q", d.start, want)
	}
}

// startOf is the start of a drawing, or "" if nothing has a time.
func startOf(t *testing.T, doc *enrichtest.Doc, shift int64) string {
	if doc.Trace.StartTime == "" {
		return ""
	}
	start, reading := trace.ParseTime([]byte(doc.Trace.StartTime))
	if reading != trace.Exact {
		t.Fatal(doc.Trace.StartTime)
	}
	return (start - trace.Time(shift)).String()
}

// shiftOf is what the drawing adds to the times of the model, so that nothing is before 0.
func shiftOf(doc *enrichtest.Doc) int64 {
	earliest := int64(0)
	for _, th := range doc.Threads {
		for _, e := range th.Events {
			earliest = min(earliest, e.Time)
		}
	}
	return -earliest
}

func (d *drawing) compareMarks(t *testing.T, states, instants map[int]expected) {
	for _, s := range d.slices {
		if s.event == 0 { // added for an arrow
			if s.length != 0 || s.category != "interaction" {
				t.Errorf("%+v is of no event", s)
			}
			continue
		}
		s.match(t, states)
		if states[s.event].length == 0 {
			t.Errorf("%+v is a slice and has no length", s)
		}
		delete(states, s.event)
	}
	for _, i := range d.instants {
		switch {
		case strings.HasPrefix(i.name, "deadlock") && i.event == 0:
		case i.event == 0:
			if _, ok := d.arrows[0]; !ok && i.category != "interaction" {
				t.Errorf("%+v is of no event", i)
			}
		case i.category == "state":
			i.match(t, states)
			delete(states, i.event)
		default:
			i.match(t, instants)
			delete(instants, i.event)
		}
	}
	for _, missing := range []map[int]expected{states, instants} {
		for event, e := range missing {
			t.Errorf("event %d is not drawn: %+v", event, e)
		}
	}
}

// match compares the mark of an event with what the model requires. In JSON a slice may be a little shorter, so that
// floats do not overlap.
func (s drawn) match(t *testing.T, all map[int]expected) {
	want, ok := all[s.event]
	trim := want.length - s.length
	if !ok || s.track != want.track || s.at != want.at || trim < 0 || trim > 1 && s.floatAt < 1e12 || s.floatAt == 0 &&
		trim != 0 ||
		!slices.Contains(want.names, strings.Split(s.name, ":")[0]) {
		t.Errorf("%+v is drawn, want %+v", s, want)
	}
}

func compareNames(t *testing.T, d *drawing, doc *enrichtest.Doc) {
	for _, th := range doc.Threads {
		want := th.Name
		if want == "" {
			want = "thread " + th.ThreadID
		}
		if got, ok := d.threads[th.Key]; ok && got != want || !ok && len(th.Events) > 0 {
			t.Errorf("thread %d is called %q, want %q", th.Key, got, want)
		}
	}
}

// TestSessions draws two recordings; the second one is older.
func TestSessions(t *testing.T) {
	first := []byte(
		`<TRACE><processCreate pid="7"/><threadStart threadId="1" threadName="a" time="100"/><threadEnd threadIdRef="1" time="101"/></TRACE>`)
	second := []byte(
		`<TRACE><agentCreate agentName="x"/><threadStart threadId="1" threadName="b" time="10"/><threadEnd threadIdRef="1" time="11"/></TRACE>`)
	for format, f := range formats {
		d := f.read(t, draw(t, f.format, nil, first, second))
		if want := map[int]string{0: "JVM 7", 1: "JVM (x)"}; !maps.Equal(d.sessions, want) {
			t.Errorf("%s: the processes are %v, want %v", format, d.sessions, want)
		}
		if want := map[int]int{1: 0, 2: 1}; !maps.Equal(d.of, want) {
			t.Errorf("%s: threads are in the processes %v, want %v", format, d.of, want)
		}
		if len(d.slices) != 2 || d.slices[0].track != 2 || d.slices[0].at != 0 || d.slices[1].at != 90e9 {
			t.Errorf("%s: the slices are %+v", format, d.slices)
		}
	}
}

// TestCriticalPath draws a path with pieces that go back in time or have no length.
func TestCriticalPath(t *testing.T) {
	document := []byte(`<TRACE><classDef classId="1" name="java/util/concurrent/locks/ReentrantLock$NonfairSync"/>` +
		`<objDef objId="70" classIdRef="1"/><threadStart threadId="1" threadName="main" time="1"/>` +
		`<threadStart threadId="2" threadName="&quot;x&quot;" time="2"/><monWait threadIdRef="1" time="2" objIdRef="71" ` +
		`timeout="0"><annotation name="park" value="wait"/><annotation name="lock" value="70"/></monWait></TRACE>`)
	condition := trace.ObjectFrom([]byte("71"))
	main := critical.Thread{ThreadRef: trace.ThreadRef{Key: 1, ID: trace.ThreadFrom([]byte("1"))}}
	other := critical.Thread{ThreadRef: trace.ThreadRef{Key: 2, ID: trace.ThreadFrom([]byte("2"))}}
	monitor := critical.Object{Class: "a/B"}
	pieces := []*critical.Piece{
		{Thread: main, State: trace.Running, From: 1e9, To: 11e8},
		{Thread: other, State: trace.WaitingForLock, Object: monitor, From: 11e8, To: 12e8},
		{Thread: other, State: trace.Running, From: 12e8, To: 12e8},
		{Thread: main, Kind: critical.Latency, From: 115e7, To: 2e9},
		{Thread: main, Name: trace.StateParked, State: trace.WaitingForObject, Object: critical.Object{ID: condition}, From: 2e9, To: 21e8},
		{Kind: critical.Unknown, Object: monitor, From: 21e8, To: 22e8},
		{Kind: critical.Paused, State: trace.Running, From: 22e8, To: 23e8},
	}
	for format, f := range formats {
		d := f.read(t, draw(t, f.format, pieces, document))
		d.checkNesting(t)
		var got []string
		for _, s := range d.slices {
			if s.track == 0 {
				got = append(got, fmt.Sprint(s.name, " ", s.category, " ", s.at, " ", s.end()))
			}
		}
		want := []string{"main: RUNNABLE path 0 100000000", `"x": BLOCKED: a/B path 100000000 200000000`,
			"main: latency path 200000000 1000000000",
			"main: PARKED: condition of ReentrantLock 70 path 1000000000 1100000000",
			"nobody knows who had the lock: a/B path 1100000000 1200000000",
			"stopped by garbage collections path 1200000000 1300000000"}
		if !slices.Equal(got, want) || d.threads[0] != "critical path" {
			t.Errorf("%s: the critical path (%q) is\n%s", format, d.threads[0], strings.Join(got, "\n"))
		}
	}
}

// selected passes on events and segments of some threads in some time, as the flags for a window do.
type selected struct {
	*perfetto.Writer
	from, to trace.Time
	without  trace.ThreadKey
}

func (s *selected) Put(r trace.Record) error {
	switch of := r.(type) {
	case *trace.ModelEvent:
		if of.Time < s.from || of.Time >= s.to || of.Thread.Key == s.without {
			return nil
		}
	case *trace.Interval:
		cut := *of
		cut.Time, cut.End = max(of.Time, s.from), min(of.End, s.to)
		if cut.End < cut.Time || of.Thread.Key == s.without {
			return nil
		}
		r = &cut
	}
	return s.Writer.Put(r)
}

// TestWindows draws parts of traces: only arrows with an end outside are left out.
func TestWindows(t *testing.T) {
	arrows := 0
	for seed := range testtool.Times(uint64(40)) {
		document := enrichtest.Simulate(seed, 300).XML
		doc, err := enrichtest.Model(document)
		check(t, err)
		begin, reading := trace.ParseTime([]byte(doc.Trace.StartTime))
		if reading != trace.Exact {
			t.Fatal(doc.Trace.StartTime)
		}
		from, to := begin+trace.Time(doc.Trace.Duration/3), begin+trace.Time(doc.Trace.Duration*2/3)
		inside := map[int]bool{}
		for _, th := range doc.Threads {
			for _, e := range th.Events {
				inside[e.ID] = th.Key != 2 && begin+trace.Time(e.Time) >= from && begin+trace.Time(e.Time) < to
			}
		}
		for format, f := range formats {
			var out bytes.Buffer
			sink := perfetto.NewWriter(&out, perfetto.Options{Format: f.format, TempDir: t.TempDir()})
			sinktest.Read(t, &selected{sink, from, to, 2}, document)
			d := f.read(t, out.Bytes())
			d.checkNesting(t)
			d.checkArrows(t)
			for running, cause := range doc.Causes {
				if want := inside[running] && inside[cause]; (d.arrows[running] != nil) != want {
					t.Errorf("seed %d: %s has an arrow from %d to %d: %v", seed, format, cause, running, !want)
				}
			}
			arrows += len(d.arrows)
		}
	}
	if arrows == 0 {
		t.Error("there is no arrow in any window")
	}
}

// TestSpillingChangesNothing draws with little memory.
func TestSpillingChangesNothing(t *testing.T) {
	testtool.Long(t)
	for seed := range uint64(10) {
		documents := [][]byte{enrichtest.Simulate(seed, 300).XML, enrichtest.Chaos(seed, 300).XML}
		for format, f := range formats {
			want := draw(t, f.format, nil, documents...)
			for _, bytesKept := range []int{1, 500, 20_000} {
				got := drawIn(t, perfetto.Options{Format: f.format, Memory: bytesKept}, nil, documents...)
				if !bytes.Equal(got, want) {
					t.Fatalf("seed %d: with %d bytes in memory the drawing in %s is another one", seed, bytesKept,
						format)
				}
			}
		}
	}
}

func TestTemporaryFilesAreRemoved(t *testing.T) {
	folder := t.TempDir()
	sink := perfetto.NewWriter(io.Discard, perfetto.Options{TempDir: folder, Memory: 100})
	sinktest.Read(t, sink, enrichtest.Simulate(1, 300).XML)
	check(t, sink.Close())
	check(t, sink.Close())
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("%v is left over", left)
	}
}

// failing accepts as many bytes as its value.
type failing int

func (f *failing) Write(p []byte) (int, error) {
	if *f -= failing(len(p)); *f < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestErrorsAreTold(t *testing.T) {
	document := enrichtest.Simulate(1, 3000).XML
	for format, f := range formats {
		for _, left := range []failing{0, 1 << 16} {
			sink := perfetto.NewWriter(&left, perfetto.Options{Format: f.format, TempDir: t.TempDir()})
			if err := sinktest.TryRead(sink, document); err == nil {
				t.Errorf("%s: nobody says that the drawing could not be written", format)
			}
			check(t, sink.Close())
		}
		sink := perfetto.NewWriter(io.Discard,
			perfetto.Options{Format: f.format, TempDir: filepath.Join(t.TempDir(), "missing"), Memory: 100})
		if err := sinktest.TryRead(sink, document); err == nil {
			t.Errorf("%s: no error reports that temporary files cannot be written", format)
		}
	}
}

// hostile are names that try to break a format.
var hostile = []string{
	`</script><img src=x onerror=alert(1)>`, "\x00", "\xED\xA0\x80", "\xFF\xFE", "\u202Eevil", "😀", `"},{"ph":"X`,
	"a\nb\r\tc", "\x1b[31mred", `\`, `\u0041`, "'",
	strings.Repeat("x", 10_000), strings.Repeat("\x00", 10_000), strings.Repeat("😀", 1_000),
	strings.Repeat("\xF0\x9F", 5_000), ": RUNNABLE", "critical path",
}

func TestHostileNames(t *testing.T) {
	for _, name := range hostile {
		quoted := string(xmltext.AppendValue(nil, trace.EscapeJava(nil, name)))
		document := strings.ReplaceAll(
			`<TRACE><agentCreate agentName="@"/><processCreate pid="@"/><classDef name="@" classId="1" sourceName="@"/>`+
				`<methodDef name="@" methodId="@" classIdRef="1"/><objAlloc objId="@" classIdRef="1"/>`+
				`<threadStart threadId="1" threadName="@" time="1"/><threadStart threadId="@" threadName="@" time="1"/>`+
				`<monContendedEnter threadIdRef="1" threadOwner="@" objIdRef="@" time="2"><annotation name="stack" value="@:7"/></monContendedEnter>`+
				`<monContendedEnter threadIdRef="@" threadOwner="1" objIdRef="other" time="3"/></TRACE>`, "@", quoted)
		for format, f := range formats {
			text := draw(t, f.format, nil, []byte(document))
			d := f.read(t, text)
			for _, s := range append(d.slices, d.instants...) {
				if !isShowable(s.name) {
					t.Errorf("%s: a mark is called %.100q for %.100q", format, s.name, name)
				}
				for argument, v := range s.values {
					if v, ok := v.(string); ok && argument != "stack" && argument != "caller" && !isShowable(v) {
						t.Errorf("%s: %s is %.100q for %.100q", format, argument, v, name)
					}
				}
			}
			for _, thread := range d.threads {
				if !isShowable(thread) {
					t.Errorf("%s: a thread is called %.100q", format, thread)
				}
			}
			if len(d.slices) != 3 || len(d.instants) != 4 { // the last block has no length
				t.Errorf("%s: there are %d slices and %d instants for %.100q", format, len(d.slices), len(d.instants),
					name)
			}
		}
	}
}

func isShowable(name string) bool {
	return utf8.ValidString(name) && !strings.ContainsAny(name, "\x00\x1b\n\r\t\u202E") &&
		utf8.RuneCountInString(name) < 650
}

// TestStacks draws call stacks, some of them twice.
func TestStacks(t *testing.T) {
	const document = `<TRACE><classDef name="a/B" sourceName="B.java" classId="7"/><methodDef name="run" methodId="1" classIdRef="7"/><methodDef name="go" methodId="2" classIdRef="7"/>` +
		`<classDef name="java/lang/Object" classId="8"/><methodDef name="wait" methodId="3" classIdRef="8"/>` +
		`<monWait threadIdRef="1" objIdRef="5" time="1"><annotation name="stack" value="3 1:12 2 9:3"/></monWait>` +
		`<monWaited threadIdRef="1" objIdRef="5" time="2"/><monWait threadIdRef="1" objIdRef="5" time="3" timeout="10"><annotation name="stack" value="3 1:12 2 9:3"/></monWait></TRACE>`
	const stack = "java/lang/Object.wait\na/B.run(B.java:12)\na/B.go(B.java)\nunknown"
	for format, f := range formats {
		d := f.read(t, draw(t, f.format, nil, []byte(document)))
		var got []string
		for _, s := range d.slices {
			got = append(got, fmt.Sprint(s.name, " ", s.values["caller"], " ", s.values["stack"], " ",
				s.values["timeout"]))
		}
		want := []string{"WAITING: object 5 a/B.run(B.java:12) " + stack + " <nil>", "RUNNABLE <nil> <nil> <nil>"}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", format, got, want)
		}
		if len(d.instants) != 1 || d.instants[0].name != "TIMED_WAITING: object 5" ||
			d.instants[0].values["stack"] != stack {
			t.Errorf("%s: the instants are %+v", format, d.instants)
		}
	}
}

// TestLargeStacks draws a stack that is too large to be shown as a whole.
func TestLargeStacks(t *testing.T) {
	document := `<TRACE><methodDef name="run" methodId="1"/><monWait threadIdRef="1" time="1"><annotation name="stack" value="` + strings.Repeat("1:7 ", 10_000) + `1"/></monWait></TRACE>`
	for format, f := range formats {
		d := f.read(t, draw(t, f.format, nil, []byte(document)))
		if stack := d.instants[0].values["stack"].(string); len(stack) > 20_000 ||
			strings.Count(stack, ".run(:7)\n") < 1000 || !strings.HasSuffix(stack, " more") {
			t.Errorf("%s: the stack has %d bytes and ends …%s", format, len(stack), stack[max(0, len(stack)-100):])
		}
	}
}

// TestManyTexts makes the protobuf's tables forget texts.
func TestManyTexts(t *testing.T) {
	testtool.Long(t)
	var document bytes.Buffer
	document.WriteString("<TRACE>")
	const classes = 30_000
	for i := range classes {
		fmt.Fprintf(&document, `<classDef name="%d%s" classId="%d"/><objAlloc objId="%d" classIdRef="%d"/>`, i,
			strings.Repeat("c", 150), i, i+10, i)
		fmt.Fprintf(&document, `<monWait threadIdRef="1" time="%d" objIdRef="%d"/>`, i, i+10)
	}
	document.WriteString("</TRACE>")
	text := draw(t, perfetto.Protobuf, nil, document.Bytes())
	d := fromProtobuf(t, text)
	if len(d.slices)+len(d.instants) != classes {
		t.Fatalf("there are %d slices and %d instants", len(d.slices), len(d.instants))
	}
	for i, s := range d.slices {
		if !strings.HasPrefix(s.name, fmt.Sprintf("WAITING: %dccc", i)) {
			t.Fatalf("slice %d is called %s", i, s.name)
		}
	}
	cleared := 0
	for _, packet := range parse(t, text) {
		cleared += parse(t, packet.bytes).number(13) & 1
	}
	if cleared < 2 {
		t.Errorf("the tables forget %d times", cleared)
	}
}

// TestFloats checks that consecutive slices do not overlap for readers that add floats, at any distance from the start.
func TestFloats(t *testing.T) {
	for _, base := range []int64{0, 1e9, 3600e9, 86400e9 * 300, 9e18} {
		var document strings.Builder
		document.WriteString(`<TRACE><threadStart threadId="1" time="0"/>`)
		at := base
		for i := range 2000 {
			at += 1 + int64(i)*7919%100_003
			fmt.Fprintf(&document, `<monWait threadIdRef="1" time="%d.%09d" objIdRef="5"/>`, at/1e9, at%1e9)
		}
		d := fromJSON(t, draw(t, perfetto.JSON, nil, []byte(document.String())))
		d.checkFloats(t)
	}
}

// checkFloats does what checkNesting does, for times so late that several of them are the same float.
func (d *drawing) checkFloats(t *testing.T) {
	slices.SortStableFunc(d.slices, func(a, b drawn) int { return cmp.Compare(a.at, b.at) })
	for i := range d.slices[1:] {
		if a, b := d.slices[i], d.slices[i+1]; a.end() > b.at || overlap(a, b, 0) || overlap(a, b, d.first) {
			t.Fatalf("%+v overlaps %+v", b, a)
		}
	}
}

// pathOf makes up a critical path: each Running segment begins where the previous one ends.
func pathOf(document []byte) (pieces []*critical.Piece) {
	doc, err := enrichtest.Model(document)
	if err != nil || doc.Trace.StartTime == "" {
		return nil
	}
	start, _ := trace.ParseTime([]byte(doc.Trace.StartTime))
	at := start
	for _, th := range doc.Threads {
		for i, e := range th.Events {
			if e.Type != enrichtest.Running || i == len(th.Events)-1 {
				continue
			}
			to := start + trace.Time(th.Events[i+1].Time)
			if to > at {
				thread := trace.ThreadRef{Key: trace.ThreadKey(th.Key), ID: trace.ThreadFrom([]byte(th.ThreadID))}
				pieces = append(pieces, &critical.Piece{Thread: critical.Thread{ThreadRef: thread}, State: trace.Running, From: at,
					To: to, OnCPU: -1})
				at = to
			}
		}
	}
	return pieces
}
