package jvmtest

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// blockings is the waits and blocks of a trace, by the ids of their threads, read by the rules for annotations.
type blockings struct {
	convert.Sink
	classes map[string]string // names, by id
	objects map[string]string // classes' names
	waits   map[string][]*blocking
	open    map[string]*blocking
	soon    map[string]string // the signallers of threads that do not wait yet
	flagged map[string]bool   // threads that were interrupted
	byObj   map[string]string
}

// blocking is a wait or block of java.util.concurrent.
type blocking struct {
	lock                         bool
	class, owner, end, by, other string
	notified                     bool // a signal removed it from a condition
	begin, finished              trace.Time
}

func (p *blockings) Begin(int) error        { return nil }
func (p *blockings) End(trace.Ending) error { return nil }
func (p *blockings) Finish() error          { return nil }

// annotationOf returns the value of an annotation, or "", and whether there is one.
func annotationOf(e *trace.Event, name string) (string, bool) {
	if e.Extra == nil {
		return "", false
	}
	_, rest, found := strings.Cut(string(e.Extra.Inner), `name="`+name+`" value="`)
	value, _, _ := strings.Cut(rest, `"`)
	return value, found
}

func (p *blockings) Put(e *trace.Event) error {
	value := func(a trace.Attr) string { return string(e.Value(a)) }
	switch e.Kind {
	case trace.ClassDef:
		p.classes[value(trace.AttrClassID)] = strings.ReplaceAll(value(trace.AttrName), "/", ".")
	case trace.ObjAlloc:
		p.objects[value(trace.AttrObjID)] = p.classes[value(trace.AttrClassIDRef)]
	case trace.ThreadStart:
		p.byObj[value(trace.AttrObjIDRef)] = value(trace.AttrThreadID)
	case trace.MonWait, trace.MonContendedEnter:
		kind, is := annotationOf(e, trace.NotePark)
		if _, again := annotationOf(e, "again"); !is || again {
			break
		}
		id := value(trace.AttrThreadIDRef)
		p.open[id] = &blocking{lock: kind == trace.ParkLock, class: p.objects[value(trace.AttrObjIDRef)],
			owner: value(trace.AttrThreadOwner), begin: e.Time}
		p.waits[id] = append(p.waits[id], p.open[id])
		if !p.open[id].lock {
			p.open[id].by = p.soon[id]
		}
		delete(p.soon, id)
		p.flagged[id] = false
	case trace.CallInterrupt:
		p.flagged[p.byObj[value(trace.AttrObjIDRef)]] = true
	case trace.CallNotify:
		p.notify(e, value(trace.AttrThreadID))
	case trace.MonWaited, trace.MonContendedEntered:
		id := value(trace.AttrThreadIDRef)
		delete(p.soon, id)
		if w := p.open[id]; w != nil {
			w.finish(e, p.flagged[id])
			p.open[id] = nil
		}
	}
	return nil
}

func (p *blockings) notify(e *trace.Event, by string) {
	wakes, _ := annotationOf(e, "wakes")
	for _, id := range strings.Fields(wakes) {
		switch w := p.open[id]; {
		case w == nil:
			p.soon[id] = by
		case !w.lock:
			w.by = by
		}
	}
}

// finish notes how the wait or block has ended.
func (w *blocking) finish(e *trace.Event, interrupted bool) {
	w.finished = e.Time
	if w.lock {
		w.by, _ = annotationOf(e, trace.NoteCausedBy)
		if w.end, _ = annotationOf(e, "gaveUp"); w.end == "" {
			w.end = "got"
		}
		return
	}
	w.other, w.notified = annotationOf(e, "lockFrom")
	switch {
	case string(e.Value(trace.AttrIsTimedOut)) == "1":
		w.end = "timeout"
	case w.notified:
		w.end = "signal"
	case w.by != "":
		w.end = "unparked"
	case interrupted:
		w.end = "interrupt"
	default:
		w.end = "none"
	}
}

func readBlockings(t *testing.T, file string) *blockings {
	t.Helper()
	p := &blockings{classes: map[string]string{}, objects: map[string]string{}, waits: map[string][]*blocking{},
		open: map[string]*blocking{}, soon: map[string]string{}, flagged: map[string]bool{}, byObj: map[string]string{}}
	if err := read(file, convert.Options{}, p); err != nil {
		t.Fatal(err)
	}
	return p
}

// checkBlockings compares the kinds of waits and blocks that the program Blockings has logged with the trace.
func checkBlockings(t *testing.T, out outcome) {
	t.Helper()
	truth, err := os.ReadFile(out.truth)
	if err != nil {
		t.Fatal(err)
	}
	p := readBlockings(t, out.trace)
	kinds := 0
	for line := range strings.Lines(string(truth)) {
		f := strings.Fields(line)
		kinds++
		if len(f) != 8 {
			t.Fatalf("the truth has the line %q", line)
		}
		if wrong := checkKind(p.waits[f[2]], f); wrong != "" {
			t.Errorf("%s: %s", strings.TrimSpace(line), wrong)
		}
	}
	if kinds < 50 {
		t.Errorf("the truth has %d kinds", kinds)
	}
	if result, err := Validate(out.trace); err != nil || !result.Valid() {
		t.Errorf("%v: %+v", err, result)
	}
	checkPlain(t, out.trace)
}

// checkKind returns the trace's mistake about a line of the truth, or "".
func checkKind(waits []*blocking, f []string) string {
	var found *blocking
	for _, w := range waits {
		if w.lock == (f[1] == "lock") && (w.class == f[3] || f[3] == "?") {
			found = w
		}
	}
	if found == nil {
		return fmt.Sprintf("it is not among the thread's %d waits", len(waits))
	}
	none := func(id string) string {
		if id == "" || id == "0" {
			return "-"
		}
		return id
	}
	by := f[5]
	if f[4] == "signal" {
		by = f[6]
	}
	if f[4] == "signal" && f[5] != "-" && f[5] != found.other {
		return fmt.Sprintf("the trace has the lock from %s", found.other)
	}
	if end := cmp.Or(found.end, "open"); end != f[4] || none(found.by) != by || none(found.owner) != f[7] {
		return fmt.Sprintf("the trace has %+v", *found)
	}
	return ""
}

// blockingSetups are the configurations in which each kind of blocking is tested.
func blockingSetups(t *testing.T) []setup {
	return append(slices.Clone(setups),
		setup{"Xcomp", compiledFirst(t)},
		setup{"C1", []string{"-XX:TieredStopAtLevel=1"}},
		setup{"unshared", []string{"-Xshare:off"}},
		setup{"stacks", []string{"-Xss256k"}},
		setup{"JFR", []string{flightRecording(t, filepath.Join(t.TempDir(), "o.jfr")), "-Xlog:jfr+startup=off"}})
}

// compiledFirst returns the flags with which a JVM runs nothing of the programs, of java.util.concurrent and of
// threads before it is compiled. To compile all of the JDK takes five times as long.
func compiledFirst(t *testing.T) []string {
	programs, err := filepath.Glob("programs/*.java")
	if err != nil || len(programs) == 0 {
		t.Fatalf("no program is there: %v", err)
	}
	flags := []string{"-Xcomp", "-XX:CompileCommand=quiet"}
	for _, name := range append(programs, "java.util.concurrent.", "java.lang.Thread", "java.lang.VirtualThread") {
		classes := strings.TrimSuffix(filepath.Base(name), ".java") + "*::*"
		flags = append(flags, "-XX:CompileCommand=compileonly,"+classes)
	}
	return flags
}

// eachBlocking runs the test in each JVM, for platform and virtual threads: in all configurations with
// TRCX_JVM_MATRIX=1, else in another one for each.
func eachBlocking(t *testing.T, turn int, test func(t *testing.T, b *bench, j testtool.JDK, s setup, kind string)) {
	b := newBench(t)
	all := blockingSetups(t)
	for _, j := range b.jdks {
		for _, kind := range []string{"platform", "virtual"} {
			if kind == "virtual" && j.Version < firstVirtual {
				continue
			}
			turn++
			first := turn % len(all)
			for _, s := range all[some(first, 0):some(first+1, len(all))] {
				t.Run(fmt.Sprintf("%v/%s/%s", j, kind, s.name), func(t *testing.T) {
					t.Parallel() // the programs wait most of the time
					test(t, b, j, s, kind)
				})
			}
		}
	}
}

// TestBlockings proves for each class of java.util.concurrent, and each way to wait with it, that the trace has the
// blocker, the end of the wait, who woke the thread, who signalled it and who owned the lock.
func TestBlockings(t *testing.T) {
	eachBlocking(t, 0, func(t *testing.T, b *bench, j testtool.JDK, s setup, kind string) {
		p := program{name: "Blockings", args: []string{kind}, prints: "done\n"}
		trace := b.traceFile(t)
		agent := "-agentpath:" + b.agent + "=file=" + trace
		out := b.run(t, j, setup{s.name, append(slices.Clone(s.flags), agent)}, false, p)
		out.trace = trace
		p.check(t, out)
		checkBlockings(t, out)
	})
}

// TestBlockingsAttached proves the same for recordings of a running JVM, one after the other, also of waits that had
// begun before them; and that the JVM runs as before between them and afterwards.
func TestBlockingsAttached(t *testing.T) {
	eachBlocking(t, 6, func(t *testing.T, b *bench, j testtool.JDK, s setup, kind string) {
		truth := filepath.Join(t.TempDir(), "truth.txt")
		flags := append([]string{"-Xmx256m", "-XX:+IgnoreUnrecognizedVMOptions", "-XX:+EnableDynamicAgentLoading"},
			s.flags...)
		cmd, cancel := b.command(j, append(flags, "-cp", b.classes, "Blockings", truth, kind, "again")...)
		defer cancel()
		p := startProgram(t, cmd)
		p.await("done")
		p.await("ready")
		for i := range some(1, 2) {
			out := outcome{trace: filepath.Join(t.TempDir(), fmt.Sprintf("%d.trcxml", i)), truth: truth}
			b.countDropped(t, out.trace)
			for _, request := range []string{"file=" + out.trace, "ready"} {
				p.load(b.agent, request)
			}
			p.answer("\n")
			p.await("done")
			p.load(b.agent, "stop")
			checkBlockings(t, out)
			p.answer("\n")
			p.await("done")
		}
		if err := errors.Join(p.stdin.Close(), cmd.Wait()); err != nil || p.stderr.Len() > 0 {
			t.Errorf("%v\n%s", err, p.stderr.String())
		}
	})
}
