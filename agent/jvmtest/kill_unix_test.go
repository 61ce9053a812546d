//go:build unix

package jvmtest

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/trcx/trcx/convert/enrich/enrichtest"
	"github.com/trcx/trcx/trace"
)

// mostMissing is how much of the end of a killed program its trace may lack, in nanoseconds. Where a recorder outlives it, nothing is missing.
const mostMissing trace.Time = 100e6

// kills is how often a JVM is killed in each way.
func kills() int {
	if n, err := strconv.Atoi(os.Getenv(killsVariable)); err == nil {
		return n
	}
	return some(3, 50)
}

// TestKill kills programs at a random moment, with the agent alone and under `trcx record`. The trace converts, and lacks next to nothing.
func TestKill(t *testing.T) {
	b := newBench(t)
	recorder := trcx(t)
	for n := range kills() {
		j := b.jdks[n%len(b.jdks)]
		t.Run(fmt.Sprintf("alone/%v/%d", j, n), func(t *testing.T) {
			checkMissing(t, b.kill(t, j, "", syscall.SIGKILL), mostMissing)
		})
		t.Run(fmt.Sprintf("recorded/%v/%d", j, n), func(t *testing.T) {
			checkMissing(t, b.kill(t, j, recorder, syscall.SIGKILL), 0)
		})
	}
}

// TestTerminate ends a program in the usual way: its trace is whole.
func TestTerminate(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		out := b.kill(t, j, "", syscall.SIGTERM)
		if out.status != 128+int(syscall.SIGTERM) {
			t.Errorf("%v: the status is %d, without the agent it is %d\n%s", j, out.status, 128+int(syscall.SIGTERM), out.stderr)
		}
		checkMissing(t, out, mostMissing)
		if doc, err := ReadTrace(out.trace); err != nil || doc.Trace.Truncated {
			t.Errorf("%v: the trace of a program that was terminated is not whole (%v)", j, err)
		}
	}
}

// trcx builds the command line, with the agent's library beside it.
func trcx(t *testing.T) string {
	t.Helper()
	file := filepath.Join(folder, "trcx")
	if _, err := os.Stat(file); err == nil {
		return file
	}
	if out, err := exec.Command("go", "build", "-o", file, "../../cmd/trcx").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

// kill runs Alive, sends it the signal at a random moment, and waits for the end of the JVM, or of the recorder.
func (b *bench) kill(t *testing.T, j jdk, recorder string, signal syscall.Signal) outcome {
	t.Helper()
	out := outcome{trace: filepath.Join(t.TempDir(), "trace.trcxml"), truth: filepath.Join(t.TempDir(), "truth")}
	java := []string{"-Xmx64m", "-cp", b.classes, "Alive", out.truth}
	cmd, cancel := b.command(j, append([]string{"-agentpath:" + b.agent + "=file=" + out.trace}, java...)...)
	defer cancel()
	if recorder != "" {
		cmd.Path, cmd.Args = recorder, append([]string{recorder, "record", "-o", out.trace, "--", j.tool("java")}, java...)
	}
	random := time.Duration(rand.IntN(1000)) * time.Millisecond
	go func() {
		pid := awaitAlive(out.truth)
		time.Sleep(random)
		if pid > 0 {
			syscall.Kill(pid, signal)
		}
	}()
	b.finish(t, cmd, &out)
	return out
}

// awaitAlive waits until Alive has notified, and returns its process.
func awaitAlive(truth string) (pid int) {
	for end := time.Now().Add(patience / 2); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		file, err := os.Open(truth)
		if err != nil {
			continue
		}
		var head [2]int64
		err = binary.Read(file, binary.BigEndian, &head)
		file.Close()
		if err == nil && head[0] > 0 {
			return int(head[1])
		}
	}
	return 0
}

// checkMissing compares the notifications of the trace with those of the truth: of the end, no more time than given may be missing.
func checkMissing(t *testing.T, out outcome, most trace.Time) {
	t.Helper()
	times := notifications(t, out.truth)
	doc, err := ReadTrace(out.trace)
	if err != nil {
		t.Fatalf("the trace does not convert: %v\n%s", err, out.stderr)
	}
	found := 0
	for _, claim := range must(claimsOf(doc))(t) {
		if claim.Kind == CallNotify && claim.Object == "Monitor$Red" {
			found++
		}
	}
	last := times[len(times)-1]
	if found < len(times) {
		missing := last - times[found]
		t.Logf("of %d notifications %d are missing, those of the last %v", len(times), len(times)-found, time.Duration(missing))
		if most == 0 || missing > most {
			t.Errorf("that is too much\n%s", out.stderr)
		}
	}
	if result, err := Validate(out.trace); err != nil || !onlyCut(doc, result.Errors) {
		t.Errorf("the trace has %d errors (%v), the first are %v", result.Errors, err, result.Findings)
	}
}

// onlyCut allows the one error that a trace has which ends inside an element.
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

// notifications reads the truth of Alive: the time of each notification.
func notifications(t *testing.T, file string) []trace.Time {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil || len(text) < 16 {
		t.Fatalf("the program has no truth: %v", err)
	}
	times := make([]trace.Time, binary.BigEndian.Uint64(text))
	for i := range times {
		times[i] = trace.Time(binary.BigEndian.Uint64(text[16+8*i:]))
	}
	if len(times) == 0 {
		t.Fatal("the program was killed before it did anything")
	}
	return times
}
