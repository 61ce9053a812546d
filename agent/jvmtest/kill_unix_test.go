//go:build unix

package jvmtest

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// maxMissing is the limit of the time, in nanoseconds, that may be missing at the end of a killed program's trace on an
// idle machine. Under a recorder nothing is missing.
const maxMissing trace.Time = 100e6

// tries is the limit of kills until most traces keep to maxMissing. On a busy machine the writing thread may be late
// now and then, and then the trace of a program that is killed at that moment lacks more.
const tries = 7

// kills is the number of times that a JVM is killed in each way.
func kills() int {
	if n, err := strconv.Atoi(os.Getenv(killsVariable)); err == nil {
		return n
	}
	return some(3, 50)
}

// TestKill kills programs at a random moment, with the agent alone and under `trcx record`. The trace converts, and
// lacks next to nothing.
func TestKill(t *testing.T) {
	b := newBench(t)
	recorder := testtool.Trcx(t)
	for n := range kills() {
		j := b.jdks[n%len(b.jdks)]
		t.Run(fmt.Sprintf("alone/%v/%d", j, n), func(t *testing.T) {
			kept := 0
			for try := 0; try < tries && kept <= 0; try++ {
				if b.kill(t, j, "", syscall.SIGKILL).missing(t) <= maxMissing {
					kept++
				} else {
					kept--
				}
			}
			if kept <= 0 {
				t.Errorf("of %d traces too many lack more than the last %v", tries, time.Duration(maxMissing))
			}
		})
		t.Run(fmt.Sprintf("recorded/%v/%d", j, n), func(t *testing.T) {
			if e := b.kill(t, j, recorder, syscall.SIGKILL); e.missing(t) > 0 {
				t.Errorf("nothing may be missing\n%s", e.stderr)
			}
		})
	}
}

// TestKillTrees kills a program whose trees of calls are written again and again: the trace has the calls until the
// last writing, including calls that have not ended.
func TestKillTrees(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		file := b.traceFile(t)
		cmd, cancel := b.command(j, "-agentpath:"+b.agent+"=exec=aggregated,min-size=0,interval=50ms,file="+file, "-cp", b.classes,
			"Shorts", filepath.Join(t.TempDir(), "truth"))
		defer cancel()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		written := regexp.MustCompile(`(?s)(<agMethodExit.*){9}`)
		for end := time.Now().Add(timeout / 2); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			if text, err := os.ReadFile(file); err == nil && written.Match(text) {
				break
			}
		}
		cmd.Process.Kill()
		cmd.Wait()
		c := methods.NewCollector(methods.Options{})
		if err := read(file, convert.Options{}, c); err != nil {
			t.Fatal(err)
		}
		rows := map[string]methods.Row{}
		for _, row := range c.Sessions()[0].Tables(nil).Methods {
			rows[row.Title] = row
		}
		outer, inner := rows["Shorts.main"], rows["Shorts.add"]
		if outer.Calls != 1 || inner.Calls < 1000 || inner.Cumulative <= 0 || outer.Cumulative < inner.Cumulative {
			t.Errorf("%v: main has %d calls and %d ns, add %d and %d ns", j, outer.Calls, outer.Cumulative, inner.Calls, inner.Cumulative)
		}
	}
}

// TestTerminate proves that the trace of a program that SIGTERM ends is whole. The program runs until the JVM has shut
// down, which includes writing the trace; so only events after runtimeShutdown can be missing.
func TestTerminate(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		e := b.kill(t, j, "", syscall.SIGTERM)
		if e.status != 128+int(syscall.SIGTERM) {
			t.Errorf("%v: the status is %d, without the agent it is %d\n%s", j, e.status, 128+int(syscall.SIGTERM),
				e.stderr)
		}
		if doc, err := ReadTrace(e.trace); err != nil || doc.Trace.Truncated {
			t.Errorf("%v: the trace of a program that was terminated is not whole (%v)", j, err)
		}
		if e.missing(t) > 0 {
			e.checkLate(t)
		}
	}
}

// ending is the result of a run of Alive that a signal has ended.
type ending struct {
	outcome
	before   int            // number of notifications before the signal
	notified []notification // all notifications of Alive
	found    []trace.Time   // the notifications in the trace
	ahead    trace.Time     // upper limit of how much the trace's clock is ahead of the truth's
}

// notification has the times immediately before and after it.
type notification struct{ begin, end trace.Time }

// kill runs Alive, sends it the signal at a random moment, and waits for the end of the JVM, or of the recorder. The
// trace must be valid as far as it goes.
func (b *bench) kill(t *testing.T, j testtool.JDK, recorder string, signal syscall.Signal) *ending {
	t.Helper()
	e := &ending{outcome: outcome{trace: b.traceFile(t), truth: filepath.Join(t.TempDir(),
		"truth")}}
	java := []string{"-Xmx64m", "-cp", b.classes, "Alive", e.truth}
	cmd, cancel := b.command(j, append([]string{"-agentpath:" + b.agent + "=file=" + e.trace}, java...)...)
	defer cancel()
	if recorder != "" {
		cmd.Path, cmd.Args = recorder, append([]string{recorder, "record", "--library", b.agent, "-o", e.trace, "--",
			j.Tool("java")}, java...)
	}
	sent := make(chan int, 1)
	go func() { sent <- signalAlive(e.truth, signal) }()
	b.finish(t, cmd, &e.outcome)
	e.before = <-sent
	e.notified = notifications(t, e.truth)
	e.readTrace(t)
	return e
}

// signalAlive sends the signal at a random moment after the first notification of Alive, and returns the number of
// notifications before it.
func signalAlive(truth string, signal syscall.Signal) (before int) {
	random := time.Duration(rand.IntN(1000)) * time.Millisecond
	for end := time.Now().Add(timeout / 2); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if count, _ := readHead(truth); count == 0 {
			continue
		}
		time.Sleep(random)
		count, pid := readHead(truth)
		syscall.Kill(pid, signal)
		return count
	}
	return 0
}

// readHead returns the number of Alive's notifications and its process id; zeros before the first.
func readHead(truth string) (count, pid int) {
	file, err := os.Open(truth)
	if err != nil {
		return 0, 0
	}
	defer file.Close()
	var head [2]int64
	if binary.Read(file, binary.BigEndian, &head) != nil {
		return 0, 0
	}
	return int(head[0]), int(head[1])
}

// notifications reads the truth of Alive.
func notifications(t *testing.T, file string) []notification {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil || len(text) < 16 {
		t.Fatalf("the program has written no truth: %v", err)
	}
	all := make([]notification, binary.BigEndian.Uint64(text))
	for i := range all {
		at := text[16*(i+1):]
		all[i] = notification{trace.Time(binary.BigEndian.Uint64(at)), trace.Time(binary.BigEndian.Uint64(at[8:]))}
	}
	if len(all) == 0 {
		t.Fatal("the program was killed before it did anything")
	}
	return all
}

// readTrace finds the notifications in the trace, which must be valid, or empty without any.
func (e *ending) readTrace(t *testing.T) {
	t.Helper()
	if info, err := os.Stat(e.trace); err == nil && info.Size() == 0 {
		e.ahead = forever
		return
	}
	doc, err := ReadTrace(e.trace)
	if err != nil {
		t.Fatalf("the trace does not convert: %v\n%s", err, e.stderr)
	}
	for _, claim := range must(claimsOf(doc))(t) {
		if claim.Kind == CallNotify && claim.Object == "Monitor$Red" {
			e.found = append(e.found, claim.At)
		}
	}
	if result, err := Validate(e.trace); err != nil || !onlyCut(doc, result.Errors) {
		t.Errorf("the trace has %d errors (%v), the first are %v", result.Errors, err, result.Findings)
	}
	e.compare(t)
}

// compare proves that the trace has all notifications up to some moment. The clocks differ by an offset only, so there
// must be one offset that moves each notification of the trace between the times of its number in the truth. If one is
// missing in between, all later ones differ by the pause between notifications.
func (e *ending) compare(t *testing.T) {
	t.Helper()
	if len(e.found) == len(e.notified)+1 { // the last is not in the truth yet
		e.found = e.found[:len(e.notified)]
	}
	if len(e.found) > len(e.notified) {
		t.Fatalf("of %d notifications the trace has %d", len(e.notified), len(e.found))
	}
	least, most := -forever, forever
	for i, at := range e.found {
		least, most = max(least, at-e.notified[i].end), min(most, at-e.notified[i].begin)
	}
	if least > most {
		t.Errorf("the trace lacks notifications in between: its clock is ahead by %d ns at least and %d ns at most\n%s",
			least, most, e.stderr)
	}
	e.ahead = most
}

// missing returns how long Alive has notified after the end of the trace.
func (e *ending) missing(t *testing.T) trace.Time {
	t.Helper()
	all, found := len(e.notified), len(e.found)
	if found == all {
		return 0
	}
	missing := e.notified[all-1].end - e.notified[found].begin
	t.Logf("of %d notifications %d are missing, those of the last %v", all, all-found, time.Duration(missing))
	return missing
}

var shutdown = regexp.MustCompile(`<runtimeShutdown time="([0-9.]+)"/>`)

// checkLate proves that all missing notifications were after the signal and after the end of the recording.
func (e *ending) checkLate(t *testing.T) {
	t.Helper()
	match := shutdown.FindSubmatch(must(os.ReadFile(e.trace))(t))
	if match == nil {
		t.Fatalf("the trace has no runtimeShutdown\n%s", e.stderr)
	}
	over, _ := trace.ParseTime(match[1])
	if first := e.notified[len(e.found)]; first.end < over-e.ahead {
		t.Errorf("one is missing that came %v before the end of the recording\n%s",
			time.Duration(over-e.ahead-first.end), e.stderr)
	}
	if len(e.found) < e.before {
		t.Errorf("%d are missing that came before the signal\n%s", e.before-len(e.found), e.stderr)
	}
}

// onlyCut allows the one error of a trace that ends inside an element.
func onlyCut(doc *enrichtest.Doc, errors int) bool {
	return errors == 0 || doc.Trace.Truncated && errors == 1
}

func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}
