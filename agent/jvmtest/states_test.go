package jvmtest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// states collects the states of objects, and the object for which each thread waits when the trace ends.
type states struct {
	names  map[trace.ThreadKey]string
	waits  map[string]trace.ObjectID
	states map[trace.ObjectID]string
}

func (s *states) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.ModelThread:
		s.names[r.Key] = r.Name
	case *trace.Interval:
		if r.Open && r.Object.Known() {
			s.waits[s.names[r.Thread.Key]] = r.Object
		}
	case *trace.ObjectState:
		s.states[r.Object] = r.Text
	}
	return nil
}

// TestStates proves that the states of objects for which threads wait when the recording ends are as the program knows
// them, with each use of JNI checked.
func TestStates(t *testing.T) {
	b := newBench(t)
	for i, j := range b.jdks {
		for _, kind := range []string{"platform", "virtual"} {
			if kind == "virtual" && j.Version < firstVirtual {
				continue
			}
			s := setups[i%len(setups)]
			s.flags = append([]string{"-Xcheck:jni"}, s.flags...)
			t.Run(j.String()+"/"+kind, func(t *testing.T) { b.checkStates(t, j, s, kind) })
		}
	}
}

// queueID matches the id of an executor in a state, workerID the id of a thread in an executor's state.
var queueID, workerID = regexp.MustCompile(`inQueue=\d+`), regexp.MustCompile(`worker=\d+ `)

func (b *bench) checkStates(t *testing.T, j testtool.JDK, s setup, kind string) {
	p := program{name: "States", args: []string{kind}, prints: "done\n"}
	out := b.run(t, j, s, true, p)
	p.check(t, out)
	if out.stderr != "" {
		t.Error(out.stderr)
	}
	compareStates(t, out.trace, out.truth)
}

// TestStall proves that the state of what a thread waits for is read once while it waits, and not again.
func TestStall(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		t.Run(j.String(), func(t *testing.T) {
			t.Parallel()
			p := program{name: "States", args: []string{"stall"}, prints: "done\n"}
			out := b.run(t, j, setup{flags: []string{"-Xcheck:jni"}}, true, p)
			p.check(t, out)
			var found []trace.ObjectState
			var wait trace.Interval
			putModel(t, out.trace, trace.SinkFunc(func(r trace.Record) error {
				switch r := r.(type) {
				case *trace.Interval:
					if r.Park && r.Object.Known() && r.Length() > int64(time.Second) {
						wait = *r
					}
				case *trace.ObjectState:
					found = append(found, *r)
				}
				return nil
			}))
			found = slices.DeleteFunc(found, func(s trace.ObjectState) bool { return s.Object != wait.Object })
			if len(found) != 1 || found[0].Text != "permits=0 queued=1" ||
				found[0].Time < wait.Time+trace.Time(time.Second) || found[0].Time > wait.End {
				t.Errorf("%+v in the wait from %v to %v", found, wait.Time, wait.End)
			}
		})
	}
}

// TestStatesAttached proves the same of a running JVM whose threads wait already.
func TestStatesAttached(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		t.Run(j.String(), func(t *testing.T) {
			file, truth := b.traceFile(t), filepath.Join(t.TempDir(), "truth.txt")
			cmd, cancel := b.command(j, "-XX:+EnableDynamicAgentLoading", "-cp", b.classes, "States", truth, "platform", "again")
			defer cancel()
			p := startProgram(t, cmd)
			p.await("ready")
			p.load(b.agent, "file="+file)
			p.load(b.agent, "ready")
			time.Sleep(leastWait)
			p.load(b.agent, "stop")
			p.answer("\n")
			p.await("done")
			if err := cmd.Wait(); err != nil || p.stderr.Len() > 0 {
				t.Errorf("%v\n%s", err, p.stderr.String())
			}
			compareStates(t, file, truth)
		})
	}
}

// leastWait is how long the trace must show a thread waiting before its object gets a state.
const leastWait = 1500 * time.Millisecond

// compareStates compares the states in a trace with the states that the program knows.
func compareStates(t *testing.T, file, truth string) {
	t.Helper()
	if result, err := Validate(file); err != nil || !result.Valid() {
		t.Errorf("%v: %+v", err, result)
	}
	found := &states{map[trace.ThreadKey]string{}, map[string]trace.ObjectID{}, map[trace.ObjectID]string{}}
	if err := read(file, convert.Options{}, enrich.New(found, enrich.Options{Objects: true})); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(must(os.ReadFile(truth))(t))), "\n")
	if len(lines) < 16 {
		t.Fatalf("%d lines of truth", len(lines))
	}
	for _, line := range lines {
		thread, want, _ := strings.Cut(line, " ")
		got := queueID.ReplaceAllStringFunc(found.states[found.waits[thread]], func(text string) string {
			_, id, _ := strings.Cut(text, "=")
			return "inQueue=[" + workerID.ReplaceAllString(found.states[trace.ObjectFrom([]byte(id))], "") + "]"
		})
		if got != want {
			t.Errorf("%s waits for %v with %q, want %q", thread, found.waits[thread], got, want)
		}
	}
}
