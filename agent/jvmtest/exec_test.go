package jvmtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/trace"
)

// callsOf returns the calls of a trace by thread and path of the tree, "worker-0 A.main;A.run", or by thread and method
// if there is no tree, and the cumulative times of methods. Threads of one name are one.
func callsOf(t *testing.T, file string) (calls map[string]string, times map[string]int64) {
	t.Helper()
	c := methods.NewCollector(methods.Options{})
	if err := read(file, convert.Options{}, c); err != nil {
		t.Fatal(err)
	}
	sums, times := map[string]int{}, map[string]int64{}
	var path []string
	first := true
	for row := range c.Answer(methods.View{Tree: true, Fold: true}).CSV {
		if first {
			first = false
			continue
		}
		text := make([]string, len(row))
		for i, cell := range row {
			text[i] = fmt.Sprint(cell)
		}
		level, _ := strconv.Atoi(text[3])
		name := strings.NewReplacer("-init-", "<init>", "-clinit-", "<clinit>").Replace(text[5])
		path = append(path[:level], text[4]+"."+name)
		thread := text[2]
		if thread == "" {
			thread = "virtual"
		}
		n, _ := strconv.Atoi(text[7])
		sums[thread+" "+strings.Join(path, ";")] += n
		if length, err := strconv.ParseInt(text[9], 10, 64); err == nil {
			times[path[len(path)-1]] += length
		}
	}
	return textOf(sums), times
}

func textOf(sums map[string]int) map[string]string {
	text := map[string]string{}
	for key, n := range sums {
		text[key] = strconv.Itoa(n)
	}
	return text
}

// executionsTruth returns what the program has logged, in the same form; by method and not by path if flat.
func executionsTruth(t *testing.T, file string, flat bool) (calls map[string]string, times map[string]int64) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	sums, times := map[string]int{}, map[string]int64{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		n, _ := strconv.Atoi(f[len(f)-1])
		if f[0] == "time" {
			times[f[1]] = int64(n)
			continue
		}
		if flat {
			f[2] = f[2][strings.LastIndex(f[2], ";")+1:]
		}
		sums[f[1]+" "+f[2]] += n
	}
	return textOf(sums), times
}

// compareExecutions compares the calls of a trace with those that the program has logged. It does not know how often
// endless has run, nor the calls of lambdas and of its own beginning.
func compareExecutions(t *testing.T, got, want map[string]string) {
	t.Helper()
	for key, n := range want {
		if got[key] != n {
			t.Errorf("%s: %q calls, and the program has made %s", key, got[key], n)
		}
	}
	for key := range got {
		thread, path, _ := strings.Cut(key, " ")
		last := path[strings.LastIndex(path, ";")+1:]
		unknown := strings.Contains(last, "endless") || strings.Contains(last, "lambda$") || thread == "main" ||
			last == "Executions.<init>" || strings.HasSuffix(last, "<clinit>")
		if _, known := want[key]; !known && !unknown {
			t.Errorf("%s: %s calls that the program has not made", key, got[key])
		}
	}
}

// withoutLog is a filters file that leaves the program's own log out.
func withoutLog(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "filters.txt")
	if err := os.WriteFile(file, []byte("Executions$Log* * EXCLUDE\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestExecutions compares the calls that are recorded with those that the program logs: by thread, and by node of the
// tree.
func TestExecutions(t *testing.T) {
	b := newBench(t)
	filters := withoutLog(t)
	for _, j := range b.jdks {
		for _, s := range setups[:some(1, len(setups))] {
			for _, exec := range []string{"counts", "aggregated", "aggregated,interval=1ms", "full"} {
				t.Run(fmt.Sprint(j, " ", s.name, " ", strings.ReplaceAll(exec, ",", " ")), func(t *testing.T) {
					file := b.traceFile(t)
					agent := "-agentpath:" + b.agent + "=exec=" + exec + ",min-size=0,filters=" + filters + ",file=" + file
					p := program{name: "Executions", prints: "done\n"}
					s := setup{s.name, append([]string{agent}, s.flags...)}
					out := b.run(t, j, s, false, p)
					p.check(t, out)
					checkExecutions(t, file, out.truth, exec)
				})
			}
		}
	}
}

// TestInstrumentedJDK proves that programs do the same when all classes of the JDK are instrumented, too; the JVM
// verifies them. With TRCX_JVM_MATRIX=1 there are some 200 runs, each program in each way.
func TestInstrumentedJDK(t *testing.T) {
	b := newBench(t)
	filters := filepath.Join(t.TempDir(), "filters.txt")
	if err := os.WriteFile(filters, []byte("* * INCLUDE\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	all := []program{{name: "Results", prints: strings.Repeat("8572 12000 30 true\n", 3)}, {name: "Executions", prints: "done\n"},
		{name: "Waits", args: []string{"platform"}, prints: "done\n"}, {name: "Mix", args: []string{"virtual", "3"}, prints: "done\n"}}
	for i := 0; i < some(1, 7)*len(all)*4*len(b.jdks); i += some(3, 1) {
		p, exec, j := all[i%len(all)], []string{"coverage", "counts", "aggregated,interval=10ms", "full,max-size=20M"}[i/len(all)%4],
			b.jdks[i/len(all)/4%len(b.jdks)]
		if !p.runsIn(j) {
			continue
		}
		t.Run(strings.ReplaceAll(fmt.Sprint(j, " ", p, " ", exec), ",", " "), func(t *testing.T) {
			file := b.traceFile(t)
			agent := "-agentpath:" + b.agent + "=exec=" + exec + ",min-size=0,filters=" + filters + ",file=" + file
			p.check(t, b.run(t, j, setup{"JDK", []string{"-Xverify:all", agent}}, false, p))
			tables := validCalls(t, file).Tables(nil)
			if i := slices.IndexFunc(tables.Packages, func(r methods.Row) bool { return r.Package == "java.util" }); i < 0 ||
				tables.Packages[i].Calls < 10 {
				t.Errorf("the trace has no calls of java.util; %d of %d packages", tables.Total.Calls, len(tables.Packages))
			}
		})
	}
}

// isSkipped checks a trace of all calls, and reports whether it says that the recorder has skipped some, as it does on
// a busy machine. Calls of endless do not count.
func isSkipped(t *testing.T, file string) bool {
	t.Helper()
	calls := &detailed{methods: map[string]string{}, open: map[string]bool{}}
	if err := read(file, convert.Options{}, calls); err != nil {
		t.Fatal(err)
	}
	if len(calls.open) != calls.late || calls.stray > 0 {
		t.Errorf("%d calls are open, and %d of main; %d exits are of no call", len(calls.open), calls.late, calls.stray)
	}
	return calls.skipped
}

// detailed is a sink for calls: which are open, by ticket, and whether the recorder has skipped any.
type detailed struct {
	methods     map[string]string
	open        map[string]bool
	late, stray int // calls of main, which does not end; exits of no open call
	skipped     bool
}

func (*detailed) Begin(int) error        { return nil }
func (*detailed) End(trace.Ending) error { return nil }
func (*detailed) Finish() error          { return nil }

func (d *detailed) Put(e *trace.Event) error {
	switch method := d.methods[e.Text(trace.AttrMethodIDRef)]; e.Kind {
	case trace.MethodDef:
		d.methods[e.Text(trace.AttrMethodID)] = e.Text(trace.AttrName)
	case trace.Option:
		d.skipped = d.skipped || e.Text(trace.AttrKey) == trace.OptionDropped
	case trace.MethodEntry:
		d.open[e.Text(trace.AttrTicket)] = true
		if method == "main" {
			d.late++
		}
	case trace.MethodExit:
		_, skipped := e.Extra.Annotation(trace.NoteSkipped)
		d.skipped = d.skipped || skipped && method != "endless"
		if !d.open[e.Text(trace.AttrTicket)] {
			d.stray++
		}
		delete(d.open, e.Text(trace.AttrTicket))
	}
	return nil
}

func checkExecutions(t *testing.T, file, truth, exec string) {
	t.Helper()
	if result, err := Validate(file); err != nil || !result.Valid() {
		t.Errorf("%v: %+v", err, result)
	}
	got, times := callsOf(t, file)
	want, took := executionsTruth(t, truth, exec == "counts")
	if exec != "full" || !isSkipped(t, file) {
		compareExecutions(t, got, want)
	}
	if len(want) < 10 || exec == "counts" {
		return
	}
	if busy := times["Executions.busy"]; busy < took["within"] || busy > took["around"] || took["within"] == 0 {
		t.Errorf("busy took %d ns, and the program has measured %v", busy, took)
	}
}

// validCalls returns the calls of a trace, which must be valid.
func validCalls(t *testing.T, file string) *methods.Session {
	t.Helper()
	if result, err := Validate(file); err != nil || !result.Valid() {
		t.Errorf("%v: %+v", err, result)
	}
	c := methods.NewCollector(methods.Options{})
	if err := read(file, convert.Options{}, c); err != nil {
		t.Fatal(err)
	}
	return c.Sessions()[0]
}

// TestSkippedCalls proves that calls are recorded or counted as skipped, where they come too fast to be written.
func TestSkippedCalls(t *testing.T) {
	b := newBench(t)
	filters := filepath.Join(t.TempDir(), "filters.txt")
	if err := os.WriteFile(filters, []byte("Loops add INCLUDE\nLoops run INCLUDE\n* * EXCLUDE\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, j := range b.jdks {
		t.Run(j.String(), func(t *testing.T) {
			file := b.traceFile(t)
			p := program{name: "Loops", prints: "done\n"}
			agent := "-agentpath:" + b.agent + "=exec=full,min-size=0,filters=" + filters + ",file=" + file
			out := b.run(t, j, setup{"full", []string{agent}}, false, p)
			p.check(t, out)
			s := validCalls(t, file)
			total, f := s.Tables(nil).Total, s.Findings
			t.Logf("%d calls, %+v", total.Calls, f)
			if calls := int(total.Calls) + f.Skipped + f.Dropped; calls != 3_000_003 || f.Stray+f.Lost+f.Open > 0 {
				t.Errorf("%d calls are recorded or skipped, and the program has made 3000003; %+v", calls, f)
			}
		})
	}
}

// TestWrittenTrees proves that the sums of trees that are written while threads run are complete: no call and no
// nanosecond is missing or counted twice.
func TestWrittenTrees(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		t.Run(j.String(), func(t *testing.T) {
			file := b.traceFile(t)
			agent := "-agentpath:" + b.agent + "=exec=aggregated,min-size=0,interval=1ms,file=" + file
			p := program{name: "Loops", prints: "done\n"}
			p.check(t, b.run(t, j, setup{"written", []string{agent}}, false, p))
			tables, ended := validCalls(t, file).Tables(nil), 0
			t.Logf("%d nodes are written", strings.Count(string(must(os.ReadFile(file))(t)), "<agMethodEntry"))
			for _, thread := range tables.Threads {
				if !strings.HasPrefix(thread.ThreadName, "loop-") {
					continue
				}
				if ended++; thread.Base != thread.Cumulative || thread.Calls != 1_000_001 {
					t.Errorf("%s has %d calls, %d ns by methods and %d ns in all", thread.ThreadName, thread.Calls, thread.Base,
						thread.Cumulative)
				}
			}
			if ended != 3 {
				t.Errorf("the trace has calls of %d of the 3 threads", ended)
			}
		})
	}
}

// TestAutoTune proves that a short method that is called often is left out once that is known, and that the trace says
// so.
func TestAutoTune(t *testing.T) {
	b := newBench(t)
	for i := range 2 * len(b.jdks) {
		j, p := b.jdks[i/2], program{name: "Shorts", prints: "done\n"}
		if i%2 == 1 {
			p.args = []string{"threads"}
		}
		t.Run(fmt.Sprint(j, " ", p), func(t *testing.T) {
			file := b.traceFile(t)
			agent := "-agentpath:" + b.agent + "=exec=aggregated,auto-tune,min-size=0,file=" + file
			out := b.run(t, j, setup{"tuned", []string{agent}}, false, p)
			p.check(t, out)
			truth, _ := executionsTruth(t, out.truth, true)
			made, _ := strconv.Atoi(truth["main Shorts.add"])
			s := validCalls(t, file)
			tables := s.Tables(nil)
			i := slices.IndexFunc(tables.Methods, func(r methods.Row) bool { return r.Title == "Shorts.add" })
			if i < 0 {
				t.Fatal("the method is not recorded")
			}
			calls, time := int(tables.Methods[i].Calls), tables.Methods[i].Cumulative
			t.Logf("%d of %d calls are recorded", calls, made)
			if short := time < int64(calls)*900; s.Findings.LeftOut == 0 && (calls != made || short) ||
				s.Findings.LeftOut > 0 && (calls < 10_000 || calls > made) {
				t.Errorf("%d calls are recorded, with %d ns, and the program has made %d; %+v", calls, time, made, s.Findings)
			}
		})
	}
}

// TestCoverage proves that the methods that ran are recorded, and those that did not.
func TestCoverage(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		t.Run(j.String(), func(t *testing.T) {
			file := b.traceFile(t)
			p := program{name: "Executions", prints: "done\n"}
			out := b.run(t, j, setup{"coverage", []string{"-agentpath:" + b.agent + "=exec=coverage,file=" + file}}, false, p)
			p.check(t, out)
			c := methods.NewCollector(methods.Options{})
			if err := read(file, convert.Options{}, c); err != nil {
				t.Fatal(err)
			}
			coverage := c.Sessions()[0].Coverage(&methods.View{})
			missing := map[string]bool{}
			for _, d := range coverage.NotCalled {
				missing[d.Class+"."+d.Name] = true
			}
			virtual := j.Version >= 21
			if coverage.Called < 20 || missing["Executions.fibonacci"] || missing["Executions.parks"] == virtual {
				t.Errorf("%d methods were called; these were not: %v", coverage.Called, missing)
			}
		})
	}
}

// TestExecutionsAttached proves the same of an agent that is attached: what runs after a detach is not recorded.
func TestExecutionsAttached(t *testing.T) {
	b := newBench(t)
	filters := withoutLog(t)
	for i := range 2 * len(b.jdks) {
		j, exec := b.jdks[i/2], []string{"aggregated", "full"}[i%2]
		t.Run(fmt.Sprint(j, " ", exec), func(t *testing.T) {
			file, truth := b.traceFile(t), filepath.Join(t.TempDir(), "truth.txt")
			cmd, cancel := b.command(j, "-XX:+EnableDynamicAgentLoading", "-cp", b.classes, "Executions", truth, "wait")
			defer cancel()
			p := startProgram(t, cmd)
			p.await("ready")
			for _, request := range []string{"exec=" + exec + ",min-size=0,filters=" + filters + ",file=" + file, "ready"} {
				p.load(b.agent, request)
			}
			p.answer("\n")
			p.await("ready")
			p.load(b.agent, "stop")
			p.answer("\n")
			p.await("done")
			if err := cmd.Wait(); err != nil || p.stderr.Len() > 0 {
				t.Errorf("%v\n%s", err, p.stderr.String())
			}
			got, _ := callsOf(t, file)
			all, _ := executionsTruth(t, truth, false)
			want := map[string]string{}
			for key, n := range all {
				if strings.HasPrefix(key, "worker-0 ") {
					want[key] = n
				}
				if strings.HasPrefix(key, "virtual ") { // counted in both turns
					calls, _ := strconv.Atoi(n)
					want[key] = strconv.Itoa(calls / 2)
				}
			}
			if exec != "full" || !isSkipped(t, file) {
				compareExecutions(t, got, want)
			}
		})
	}
}
