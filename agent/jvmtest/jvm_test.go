package jvmtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trcx/trcx/internal/testtool"
)

// The tests that run Java need gcc and a JDK; see testtool. Variables of the environment:
//
//	TRCX_JVM_MATRIX=1     everything: each program in each set-up of each JVM
//	TRCX_AGENT=FILE       test this library, instead of one that is built
//	TRCX_JVM_KILLS=50     how often a JVM is killed
const killsVariable = "TRCX_JVM_KILLS"

// some returns how much is tested: all only with TRCX_JVM_MATRIX=1.
func some(usually, all int) int {
	if testtool.Matrix() {
		return all
	}
	return usually
}

// bench has the means to run Java: JDKs by version, the programs' classes, and the agent's library. It counts the
// records that traces lack.
type bench struct {
	jdks    []testtool.JDK
	classes string
	agent   string

	mutex   sync.Mutex
	dropped []string // a line for each trace that lacks records
}

// newBench skips the test if Java cannot be run, and has it run beside other tests: JVMs wait most of the time. A test
// that fails logs which traces lack records that were dropped.
//
// The programs are compiled for Java 17 with the oldest JDK. Inline string concatenation keeps the startup of the other
// kind out of the traces.
func newBench(t *testing.T) *bench {
	t.Helper()
	t.Parallel()
	jdks := testtool.JDKs(t, testtool.Oldest)
	sources, err := filepath.Glob("programs/*.java")
	if err != nil {
		t.Fatal(err)
	}
	flags := []string{"--release", "17", "-Xlint:all", "-Werror", "-XDstringConcat=inline"}
	b := &bench{jdks: jdks, agent: testtool.Agent(t), classes: testtool.Javac(t, jdks[0], flags, sources...)}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%d traces lack records that were dropped\n%s", len(b.dropped), strings.Join(b.dropped, "\n"))
		}
	})
	return b
}

// traceFile returns a file for a trace of the test.
func (b *bench) traceFile(t *testing.T) string {
	file := filepath.Join(t.TempDir(), "trace.trcxml")
	b.countDropped(t, file)
	return file
}

// countDropped counts at the end of the test the records that the trace lacks.
func (b *bench) countDropped(t *testing.T, file string) {
	t.Cleanup(func() {
		text, _ := os.ReadFile(file) // a missing file lacks no records
		if count := testtool.Dropped(text); count > 0 {
			b.mutex.Lock()
			defer b.mutex.Unlock()
			b.dropped = append(b.dropped, fmt.Sprintf("%s: %d records", t.Name(), count))
		}
	})
}

// setup is a JVM's configuration.
type setup struct {
	name  string
	flags []string
}

// setups are the JVMs' configurations. Warnings of -Xcheck:jni go to standard error.
var setups = []setup{
	{"G1", []string{"-XX:+UseG1GC"}},
	{"Serial", []string{"-XX:+UseSerialGC"}},
	{"Parallel", []string{"-XX:+UseParallelGC"}},
	{"ZGC", []string{"-XX:+UseZGC"}},
	{"Xint", []string{"-Xint"}},
	{"Xcheck", []string{"-Xcheck:jni", "-XX:+DisplayVMOutputToStderr"}},
}

// outcome is the result of a run.
type outcome struct {
	status         int
	stdout, stderr string
	trace, truth   string // files
}

// dropped is the agent's message that a busy machine had no time for some records.
var dropped = regexp.MustCompile(`^trcx: \d+ records were dropped, because they came faster than they could be written; .*\n$`)

// isSilent reports whether the JVM has printed nothing on standard error except that message.
func (out *outcome) isSilent() bool { return out.stderr == "" || dropped.MatchString(out.stderr) }

// timeout is the limit of a program's run; most take a second, and several with -Xint on a busy machine.
const timeout = 120 * time.Second

// run runs a program, under the agent if it is recorded.
func (b *bench) run(t *testing.T, j testtool.JDK, s setup, recorded bool, p program) outcome {
	t.Helper()
	out := outcome{trace: b.traceFile(t), truth: filepath.Join(t.TempDir(), "truth.txt")}
	flags := append([]string{"-Xmx256m"}, s.flags...)
	if recorded {
		flags = append(flags, "-agentpath:"+b.agent+"=file="+out.trace)
	}
	flags = append(flags, "-cp", b.classes, p.name, out.truth)
	cmd, cancel := b.command(j, append(flags, p.args...)...)
	defer cancel()
	b.finish(t, cmd, &out)
	if out.status == killed {
		t.Fatalf("%v: %v; it may run for %v\n%s", cmd.Args, cmd.ProcessState, timeout, out.stderr)
	}
	return out
}

// command returns the command of a JVM, which is killed after timeout.
func (b *bench) command(j testtool.JDK, args ...string) (*exec.Cmd, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	return exec.CommandContext(ctx, j.Tool("java"), args...), cancel
}

// killed is the exit status of a process that a signal has ended.
const killed = -1

// finish runs the command to its end.
func (b *bench) finish(t *testing.T, cmd *exec.Cmd, out *outcome) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	out.status, out.stdout, out.stderr = cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}
