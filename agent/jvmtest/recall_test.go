package jvmtest

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// A log of Calls has the calls of a program that can block, and samples of the states of its threads. Both are compared
// with the agent's trace and with a flight recording of the same run.

// interval is a wait or block of a thread in a trace.
type interval struct {
	begin, end trace.Time
	kind       string // the kind of a call: "monitor", "lock", "latch", …
	class      string // of the object, with dots; "-" for none
}

// overlap returns for how long the interval overlaps the time from begin to end.
func (i interval) overlap(begin, end trace.Time) trace.Time {
	return max(min(i.end, end)-max(i.begin, begin), 0)
}

// intervals reads the waits and blocks of a trace, by the ids of their threads.
type intervals struct {
	blockings
	of   map[string][]interval
	open map[string]interval
}

// classKinds are the kinds of parks, by a part of the blocker's class.
var classKinds = []struct{ part, kind string }{
	{"ConditionObject", "condition"}, {"Semaphore$", "semaphore"}, {"CountDownLatch$", "latch"},
	{"CompletableFuture$", "future"}, {"SynchronousQueue", "queue"}, {"LinkedTransferQueue", "queue"},
}

// kindOf returns the kind of call that the begin of a wait or block can be part of.
func kindOf(e *trace.Event, class string) string {
	park, parks := annotationOf(e, trace.NotePark)
	operation, transfers := annotationOf(e, trace.NoteIO)
	switch {
	case transfers:
		return operation
	case park == trace.ParkLock:
		return "lock"
	case e.Kind == trace.MonContendedEnter:
		return "monitor"
	case parks:
		for _, k := range classKinds {
			if strings.Contains(class, k.part) {
				return k.kind
			}
		}
		return "park"
	case string(e.Value(trace.AttrObjIDRef)) == "-1":
		return "sleep"
	case class == "java.lang.Thread" || class == "java.lang.VirtualThread":
		return "join"
	}
	return "wait"
}

func (p *intervals) Put(e *trace.Event) error {
	id := string(e.Value(trace.AttrThreadIDRef))
	switch e.Kind {
	case trace.ClassDef, trace.ObjAlloc:
		return p.blockings.Put(e)
	case trace.MonWait, trace.MonContendedEnter:
		if _, again := annotationOf(e, "again"); !again {
			class := cmp.Or(p.objects[string(e.Value(trace.AttrObjIDRef))], "-")
			kind := kindOf(e, class)
			if kind == "sleep" || class == "java.util.concurrent.locks.LockSupport" {
				class = "-"
			}
			p.open[id] = interval{begin: e.Time, kind: kind, class: class}
		}
	case trace.MonWaited, trace.MonContendedEntered, trace.ThreadEnd:
		if i, open := p.open[id]; open {
			i.end = e.Time
			p.of[id] = append(p.of[id], i)
			delete(p.open, id)
		}
	}
	return nil
}

func readIntervals(t *testing.T, file string) map[string][]interval {
	t.Helper()
	p := &intervals{blockings: blockings{classes: map[string]string{}, objects: map[string]string{}},
		of: map[string][]interval{}, open: map[string]interval{}}
	if err := read(file, convert.Options{}, p); err != nil {
		t.Fatal(err)
	}
	for id, i := range p.open {
		i.end = forever
		p.of[id] = append(p.of[id], i)
	}
	return p.of
}

// call is a call that can block.
type call struct {
	kind, thread string
	begin, end   trace.Time
	blocked      bool // certainly
}

// sample is the state of a thread at a moment from begin to end.
type sample struct {
	thread, state, class string
	begin, end           trace.Time
}

// calls is what Calls has logged.
type calls struct {
	calls   []call
	samples []sample
}

func readCalls(t *testing.T, file string) (log calls) {
	t.Helper()
	for line := range strings.Lines(string(must(os.ReadFile(file))(t))) {
		var word string
		var c call
		var s sample
		if _, err := fmt.Sscanf(line, "call %s %s %d %d %t", &c.kind, &c.thread, &c.begin, &c.end,
			&c.blocked); err == nil {
			log.calls = append(log.calls, c)
			continue
		}
		if _, err := fmt.Sscan(line, &word, &s.thread, &s.begin, &s.end, &s.state, &s.class); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		log.samples = append(log.samples, s)
	}
	return log
}

// parts are the kinds of waits and blocks that a call of a kind can consist of, in addition to its own. A virtual
// thread parks to wait for input and output.
var parts = map[string]string{
	"condition": "lock", "queue": "condition lock", "wait": "monitor", "read": "park", "write": "park",
	"connect": "park", "request": "read connect write",
	"database": "monitor lock wait condition semaphore latch future queue park sleep",
}

// within reports whether a wait or block can be part of the call.
func (c call) within(i interval) bool {
	return i.kind == c.kind || slices.Contains(strings.Fields(parts[c.kind]), i.kind)
}

// shortest is the least length of the calls, waits and blocks that are compared: on a busy machine, shorter calls can
// take as long without a wait.
const shortest trace.Time = 2e6

// rate counts comparisons.
type rate struct {
	right, all int
}

func (r *rate) count(right bool) {
	r.all++
	if right {
		r.right++
	}
}

func (r *rate) add(other rate) { r.right, r.all = r.right+other.right, r.all+other.all }

func (r *rate) String() string {
	if r.all == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", 100*float64(r.right)/float64(r.all))
}

// figures are recall and precision of a trace: per kind, and of the samples.
type figures struct {
	recall, precision map[string]*rate
	blocked, running  rate // samples of threads that are blocked or wait, and of other threads
	mistakes          []string
}

func (f *figures) of(rates map[string]*rate, kind string) *rate {
	if rates[kind] == nil {
		rates[kind] = &rate{}
	}
	return rates[kind]
}

// compareCalls returns the figures of a trace. A call is found if waits and blocks that can be part of it cover a tenth
// of it, because on a busy machine much of it is spent before and after them. If the program logs all of its calls, a
// wait or block is right if calls that it can be part of cover half of it; one for the initialization of a class is
// left out.
func compareCalls(log calls, all map[string][]interval, logsAll bool) *figures {
	f := &figures{recall: map[string]*rate{}, precision: map[string]*rate{}}
	threads := map[string][]call{}
	for _, c := range log.calls {
		threads[c.thread] = append(threads[c.thread], c)
		if c.end-c.begin < shortest || !c.blocked {
			continue
		}
		covered := trace.Time(0)
		for _, i := range all[c.thread] {
			if c.within(i) {
				covered += i.overlap(c.begin-slack, c.end+slack)
			}
		}
		f.count(f.recall, c.kind, covered*10 >= c.end-c.begin, "not found: %+v", c)
	}
	for thread, made := range threads {
		if !logsAll {
			break
		}
		for _, i := range all[thread] {
			if i.end-i.begin < shortest || i.end == forever || i.class == initLockClass {
				continue
			}
			covered := trace.Time(0)
			for _, c := range made {
				if c.within(i) {
					covered += i.overlap(c.begin-slack, c.end+slack)
				}
			}
			f.count(f.precision, i.kind, covered*2 >= i.end-i.begin, "no such call of thread %s: %+v", thread, i)
		}
	}
	f.compareSamples(log.samples, all)
	return f
}

func (f *figures) count(rates map[string]*rate, kind string, right bool, mistake string, values ...any) {
	f.of(rates, kind).count(right)
	if !right {
		f.mistakes = append(f.mistakes, fmt.Sprintf(mistake, values...))
	}
}

// compareSamples counts the samples at which the trace has the thread in the same state. Samples near the begin or end
// of a wait are left out.
func (f *figures) compareSamples(samples []sample, all map[string][]interval) {
	for _, s := range samples {
		touched, class := false, ""
		for _, i := range all[s.thread] {
			begin, end := s.begin-shortest, s.end+shortest
			if i.overlap(begin, end) == 0 {
				continue
			}
			if i.begin > begin || i.end < end {
				touched = true
				break
			}
			if !slices.Contains([]string{"read", "write", "accept", "connect", "select"}, i.kind) {
				class = i.class
			}
		}
		if touched {
			continue
		}
		want, r := s.class, &f.blocked
		if s.state == "RUNNABLE" {
			want, r = "", &f.running
		}
		r.count(class == want)
		if class != want {
			f.mistakes = append(f.mistakes, fmt.Sprintf("%+v, and the trace has %q", s, class))
		}
	}
}

// total returns the sum of rates.
func total(rates map[string]*rate) (sum rate) {
	for _, r := range rates {
		sum.add(*r)
	}
	return sum
}

// table returns the figures of two traces as lines of a Markdown table.
func table(name string, ours, theirs *figures) string {
	kinds := map[string]bool{}
	for _, rates := range []map[string]*rate{ours.recall, ours.precision} {
		for kind := range rates {
			kinds[kind] = true
		}
	}
	lines := ""
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		lines += fmt.Sprintf("| %s | %s | %d | %v | %v | %v | %v |\n", name, kind, ours.of(ours.recall, kind).all,
			ours.of(ours.recall, kind), ours.of(ours.precision, kind), theirs.of(theirs.recall, kind),
			theirs.of(theirs.precision, kind))
	}
	return lines + fmt.Sprintf("| %s | sampled as blocked or waiting | %d | %v | | %v | |\n", name, ours.blocked.all,
		&ours.blocked, &theirs.blocked) + fmt.Sprintf("| %s | sampled as running | %d | %v | | %v | |\n", name,
		ours.running.all, &ours.running, &theirs.running)
}

// server is a program that logs its calls, and the jars that it needs.
type server struct {
	name, tool, main string
	args             []string // after the log's file
	kind             string
}

var servers = []server{
	{name: "orders", main: "Orders", kind: "platform"},
	{name: "orders-virtual", main: "Orders", args: []string{"virtual"}, kind: "virtual"},
	{name: "Tomcat", tool: "tomcat", main: "Web", args: []string{"FOLDER"}},
	{name: "H2", tool: "h2", main: "Bank", args: []string{"jdbc:h2:mem:bank"}},
	{name: "Derby", tool: "derby", main: "Bank",
		args: []string{"jdbc:derby:memory:bank;create=true", "jdbc:derby:;shutdown=true"}},
}

// TestRecall proves that at least 99 % of the calls that block in an order service, in a web server and in databases
// are in the trace, with the right kind, and logs recall and precision of the trace and of a flight recording of the
// same run.
func TestRecall(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		for _, s := range servers {
			t.Run(fmt.Sprintf("%v/%s", j, s.name), func(t *testing.T) {
				if s.kind == "virtual" && j.Version < firstVirtual {
					t.Skip("SKIPPED: this JDK has no virtual threads; install JDK 21 or later")
				}
				var low []string
				for range 2 { // on a busy machine, more calls take long without a wait
					if low = b.recall(t, j, s); low == nil {
						return
					}
				}
				t.Errorf("%q", low)
			})
		}
	}
}

// recall runs the server with both recorders, and returns the figures of the agent's trace that are below 99 %.
func (b *bench) recall(t *testing.T, j testtool.JDK, s server) (low []string) {
	t.Helper()
	path, folder := b.classes, t.TempDir()
	if s.tool != "" {
		path += ":" + testtool.Need(t, s.tool)
	}
	if s.main == "Web" {
		path += ":" + testtool.Javac(t, b.jdks[0], []string{"--release", "17", "-cp", path}, "servers/Web.java")
	}
	recording, log, file := filepath.Join(folder, "o.jfr"), filepath.Join(folder, "log"), filepath.Join(folder, "o.trcxml")
	b.countDropped(t, file)
	args := []string{flightRecording(t, recording, "SocketRead", "SocketWrite"), "-Xlog:jfr+startup=off", "-Dderby.stream.error.file=" + filepath.Join(folder, "derby.log"),
		"-agentpath:" + b.agent + "=file=" + file, "-cp", path, s.main, log}
	for _, arg := range s.args {
		args = append(args, strings.ReplaceAll(arg, "FOLDER", folder))
	}
	cmd, cancel := b.command(j, args...)
	defer cancel()
	out := outcome{}
	b.finish(t, cmd, &out)
	if out.status != 0 || out.stdout != "done\n" || out.stderr != "" {
		t.Fatalf("status %d, stdout %q\n%s", out.status, out.stdout, out.stderr)
	}
	if result, err := Validate(file); err != nil || !result.Valid() {
		t.Errorf("%v: %+v", err, result)
	}
	logged := readCalls(t, log)
	ours := compareCalls(logged, readIntervals(t, file), s.tool == "")
	theirs := compareCalls(logged, readIntervals(t, recording), s.tool == "")
	t.Logf("\n%s", table(fmt.Sprintf("%s, %d", s.name, j.Version), ours, theirs))
	found, right := total(ours.recall), total(ours.precision)
	for name, r := range map[string]rate{"recall": found, "precision": right, "blocked": ours.blocked} {
		if r.right*100 < r.all*99 {
			low = append(low, fmt.Sprintf("%s is %v %% of %d", name, &r, r.all))
		}
	}
	if len(ours.mistakes) > 0 {
		t.Logf("%d mistakes:\n%s", len(ours.mistakes), strings.Join(ours.mistakes[:min(20, len(ours.mistakes))], "\n"))
	}
	return low
}
