//go:build unix

package jvmtest

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/diagnosis"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// TestAnswers records programs with a known answer: what their time depended on, and which threads kept others waiting.
func TestAnswers(t *testing.T) {
	b := newBench(t)
	answers := []struct {
		program
		check func(t *testing.T, file string)
	}{
		{program{name: "Ends", args: []string{"return"}}, checkReturn},
		{program{name: "Ends", args: []string{"hook"}}, checkHook},
		{program{name: "Ends", args: []string{"exit"}, status: 7}, checkExit},
		{program{name: "Convoy"}, checkConvoy},
		{program{name: "Pool"}, checkPool},
		{program{name: "Statics"}, checkStatics},
	}
	for _, j := range b.jdks {
		for _, a := range answers {
			t.Run(fmt.Sprintf("%v/%v", j, a.program), func(t *testing.T) {
				t.Parallel()
				out := b.run(t, j, setup{}, true, a.program)
				a.program.check(t, out)
				a.check(t, out.trace)
			})
		}
		t.Run(fmt.Sprintf("%v/Ends-signal", j), func(t *testing.T) {
			t.Parallel()
			file := b.terminateBlocked(t, j)
			if path := pathOf(t, file); path.Ending != critical.EndFromOutside {
				t.Errorf("the ending is %d, want from outside\n%s", path.Ending, path.Verdict())
			}
			checkStillBlocked(t, file)
		})
	}
}

// checkReturn proves that the path leads through the thread that worked on after main.
func checkReturn(t *testing.T, file string) {
	path := pathOf(t, file)
	if path.Ending != critical.EndByItself {
		t.Errorf("the ending is %d, want by itself", path.Ending)
	}
	checkPart(t, path, 350*time.Millisecond, "late")
}

// checkHook proves that the path has the wait for the lock, and not the shutdown hook alone.
func checkHook(t *testing.T, file string) {
	path := pathOf(t, file)
	if path.Ending != critical.EndByItself || path.Thread.Name == "hook" {
		t.Errorf("the path ends with %s, ending %d, want by itself and not the hook", path.Thread.Title(), path.Ending)
	}
	checkPart(t, path, 900*time.Millisecond, "main", "holder")
}

// checkExit proves that the path has the time of main before it called System.exit.
func checkExit(t *testing.T, file string) {
	path := pathOf(t, file)
	if path.Ending != critical.EndByItself {
		t.Errorf("the ending is %d, want by itself", path.Ending)
	}
	checkPart(t, path, 250*time.Millisecond, "main")
}

// checkPart proves that the threads of these names have at least this part of the path while blocked or asleep,
// which is less than the program sleeps.
func checkPart(t *testing.T, path *critical.Path, least time.Duration, names ...string) {
	t.Helper()
	var part time.Duration
	for piece := range path.Pieces() {
		for _, name := range names {
			if piece.Thread.Name == name && piece.Kind == critical.Segment &&
				(piece.State == trace.WaitingForLock || piece.State == trace.Sleeping) {
				part += time.Duration(piece.Length())
			}
		}
	}
	if part < least {
		t.Errorf("the path has %v of %v, want %v\n%s", part, names, least, path.Verdict())
	}
}

// checkConvoy proves that the blame of a convoy is distributed among its workers, and that the headline names them.
func checkConvoy(t *testing.T, file string) {
	recorder := critical.NewRecorder()
	defer recorder.Close()
	putModel(t, file, recorder)
	blamed, err := blame.Of(recorder, blame.Options{States: []trace.ModelType{trace.WaitingForLock}})
	if err != nil {
		t.Fatal(err)
	}
	const most = 18 // percent; each has 5 if all get a processor at once
	shares := map[string]float64{}
	for _, row := range blamed.Rows() {
		shares[row.Thread.Name] += 100 * float64(row.Total) / float64(blamed.Total)
	}
	for i := range 20 {
		name := fmt.Sprintf("worker-%d", i)
		if share := shares[name]; share < 1 || share > most {
			t.Errorf("%s has %.1f %% of the blame, want 1 to %d", name, share, most)
		}
	}
	for name, share := range shares {
		if share > most {
			t.Errorf("%q has %.1f %% of the blame", name, share)
		}
	}
	collector := contention.NewCollector(file, contention.DefaultRows)
	putModel(t, file, collector)
	if head := diagnosis.Of(&diagnosis.Facts{Statistics: collector.Statistics()}).Head(); !strings.Contains(head[0], "worker-") {
		t.Errorf("no worker is in the first line: %q", head)
	}
}

// checkStatics proves that the monitors of static methods are named after their classes.
func checkStatics(t *testing.T, file string) {
	collector := contention.NewCollector(file, contention.DefaultRows)
	putModel(t, file, collector)
	classes := map[string]bool{}
	for _, m := range collector.Statistics().Monitors {
		classes[javaname.Class(m.Class)] = true
	}
	for _, want := range []string{"class Statics$Config", "class int[]"} {
		if !classes[want] {
			t.Errorf("the monitors are of %v, want one of %s", slices.Sorted(maps.Keys(classes)), want)
		}
	}
}

// checkPool proves that no interrupt is bound to the end of a wait that was over long before.
func checkPool(t *testing.T, file string) {
	doc := must(ReadTrace(file))(t)
	runs := map[int]int64{}
	for _, thread := range doc.Threads {
		for _, e := range thread.Events {
			if e.Type == enrichtest.Running {
				runs[e.ID] = e.Time
			}
		}
	}
	interrupts := 0
	for _, thread := range doc.Threads {
		for _, e := range thread.Events {
			if e.Type != enrichtest.InterruptThread {
				continue
			}
			interrupts++
			if at, bound := runs[e.RunningEvent]; bound && e.Time-at > int64(100*time.Millisecond) {
				t.Errorf("interrupt %d is bound to a wait that ended %v before", e.ID, time.Duration(e.Time-at))
			}
		}
	}
	if interrupts < 4 {
		t.Errorf("the trace has %d interrupts, want one for each of 4 workers", interrupts)
	}
}

// terminateBlocked ends Ends by SIGTERM while its workers are blocked, and returns the trace's file.
func (b *bench) terminateBlocked(t *testing.T, j testtool.JDK) string {
	t.Helper()
	file := b.traceFile(t)
	cmd, cancel := b.command(j, "-Xmx64m", "-agentpath:"+b.agent+"=file="+file, "-cp", b.classes, "Ends", "-", "signal")
	defer cancel()
	out := must(cmd.StdoutPipe())(t)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "blocked\n" {
		t.Errorf("the program prints %q (%v), want that it is blocked", line, err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 128+int(syscall.SIGTERM) {
		t.Errorf("the status is that of %v, want %d", err, 128+int(syscall.SIGTERM))
	}
	return file
}

// checkStillBlocked proves that the blame names the thread that the workers were blocked by to the end.
func checkStillBlocked(t *testing.T, file string) {
	t.Helper()
	recorder := critical.NewRecorder()
	defer recorder.Close()
	putModel(t, file, recorder)
	blamed := must(blame.Of(recorder, blame.Options{}))(t)
	var text strings.Builder
	if err := answers.WriteText(&text, blamed.Answer(blame.View{By: blame.Threads}, false), answers.Options{}); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		want := fmt.Sprintf(`worker-%d \(thread \d+\) +BLOCKED +the lock of java\.lang\.Object \d+ +holder \(thread`, i)
		if !regexp.MustCompile(want).MatchString(text.String()) {
			t.Errorf("the blame lacks %q:\n%s", want, text.String())
		}
	}
}

// pathOf returns the critical path of the trace.
func pathOf(t *testing.T, file string) *critical.Path {
	t.Helper()
	recorder := critical.NewRecorder()
	t.Cleanup(func() { recorder.Close() })
	putModel(t, file, recorder)
	return recorder.Path(recorder.Last())
}

// putModel puts the model of the trace into the sink.
func putModel(t *testing.T, file string, sink trace.Sink) {
	t.Helper()
	in := must(os.Open(file))(t)
	defer in.Close()
	if err := trace.Copy(sink, convert.Model(context.Background(), in, convert.Options{})); err != nil {
		t.Fatal(err)
	}
}
