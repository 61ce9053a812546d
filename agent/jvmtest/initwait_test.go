package jvmtest

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	deadlocks "github.com/trcx/trcx/analyze/deadlock"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// initWait is a wait for the initialisation of a class in a trace.
type initWait struct {
	thread, class, by string
	begin, end        trace.Time
	open              bool
}

// initWaits collects the waits for the initialisation of classes in a trace, and its deadlocks.
type initWaits struct {
	*deadlocks.Finder
	names map[trace.ThreadKey]string
	all   []initWait
}

func (w *initWaits) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.ModelThread:
		w.names[r.Key] = r.Name
	case *trace.Interval:
		if r.Init {
			w.all = append(w.all, initWait{w.names[r.Thread.Key], r.Class, w.names[r.Other.Key], r.Time, r.End, r.Open})
		}
	}
	return w.Finder.Put(r)
}

func readInitWaits(t *testing.T, file string) *initWaits {
	t.Helper()
	w := &initWaits{Finder: deadlocks.NewFinder(), names: map[trace.ThreadKey]string{}}
	if err := read(file, convert.Options{}, enrich.New(w, enrich.Options{Objects: true})); err != nil {
		t.Fatal(err)
	}
	return w
}

// find returns the wait of the thread, whose class and initialiser must be these.
func (w *initWaits) find(t *testing.T, thread, class, by string) *initWait {
	t.Helper()
	i := slices.IndexFunc(w.all, func(i initWait) bool { return i.thread == thread })
	if i < 0 {
		t.Fatalf("no wait of %s for a class, of %+v", thread, w.all)
	}
	if found := w.all[i]; found.class != "java/lang/Class<"+class+">" || found.by != by {
		t.Errorf("%s waits for %s, which %s initialises; want %s and %s", thread, found.class, found.by, class, by)
	}
	return &w.all[i]
}

// TestInitWaits proves that waits for the initialisation of classes are found, with the class and who initialises it,
// and that nothing else is called such a wait.
func TestInitWaits(t *testing.T) {
	b := newBench(t)
	for i, j := range b.jdks {
		s := setups[(i+3)%len(setups)]
		t.Run(j.String()+"/"+s.name, func(t *testing.T) {
			p := program{name: "Initialisers", args: []string{"waits"}, prints: "done\n"}
			out := b.run(t, j, s, true, p)
			p.check(t, out)
			if result, err := Validate(out.trace); err != nil || !result.Valid() {
				t.Errorf("%v: %+v", err, result)
			}
			found := readInitWaits(t, out.trace)
			lines := strings.Split(strings.TrimSpace(string(must(os.ReadFile(out.truth))(t))), "\n")
			if len(lines) != 5 || len(found.all) != len(lines) {
				t.Fatalf("%d waits of %d: %+v", len(found.all), len(lines), found.all)
			}
			for _, line := range lines {
				f := strings.Fields(line)
				at := func(i int) trace.Time { return trace.Time(must(strconv.ParseInt(f[i], 10, 64))(t)) }
				w := found.find(t, f[0], f[1], f[2])
				const slack = trace.Time(time.Millisecond) // between the clocks
				if w.open || w.begin < at(3)-slack || w.begin >= at(4) || w.end < w.begin {
					t.Errorf("%+v is not in the wait from %v to %v", w, at(3), at(4))
				}
			}
		})
	}
}

// TestInitDeadlock proves that two threads that wait for each other's class are found to be deadlocked, from the start
// of a program and in one that is deadlocked already.
func TestInitDeadlock(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		for _, attached := range []bool{false, true} {
			t.Run(j.String()+"/"+map[bool]string{false: "recorded", true: "attached"}[attached], func(t *testing.T) {
				b.initDeadlock(t, j, attached)
			})
		}
	}
}

// countInits counts the waits for classes in a trace that is being written.
func countInits(t *testing.T, file string) int {
	return strings.Count(string(must(os.ReadFile(file))(t)), `<annotation name="init"`)
}

func (b *bench) initDeadlock(t *testing.T, j testtool.JDK, attached bool) {
	file := b.traceFile(t)
	flags := []string{"-cp", b.classes, "Initialisers", "-", "deadlock"}
	if attached {
		flags = append([]string{"-XX:+EnableDynamicAgentLoading"}, flags...)
	} else {
		flags = append([]string{"-agentpath:" + b.agent + "=file=" + file}, flags...)
	}
	cmd, cancel := b.command(j, flags...)
	defer cancel()
	p := startProgram(t, cmd)
	p.await("stuck")
	if attached {
		p.load(b.agent, "file="+file)
		p.load(b.agent, "ready")
	}
	for deadline := time.Now().Add(timeout / 2); countInits(t, file) < 2 && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	p.answer("\n")
	p.await("done")
	if err := cmd.Wait(); err != nil || p.stderr.Len() > 0 {
		t.Errorf("%v\n%s", err, p.stderr.String())
	}
	found := readInitWaits(t, file)
	found.find(t, "payer", "Initialisers$Two", "auditor")
	found.find(t, "auditor", "Initialisers$One", "payer")
	loops := found.Report().Deadlocks
	if len(found.all) != 2 || len(loops) != 1 || len(loops[0].Members) != 2 || !loops[0].Init() {
		t.Errorf("%+v, deadlocks %+v", found.all, loops)
	}
}
