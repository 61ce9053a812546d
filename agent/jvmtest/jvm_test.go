package jvmtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trcx/trcx/internal/jdktest"
)

// The tests that run Java need gcc and a JDK. install.sh installs both, and is run where that is possible. Variables of
// the environment:
//
//	TRCX_JVM_MATRIX=1     everything: each program in each set-up of each JVM
//	TRCX_AGENT=FILE       test this library, instead of one that is built
//	TRCX_JVM_KILLS=50     how often a JVM is killed
const (
	agentVariable = "TRCX_AGENT"
	killsVariable = "TRCX_JVM_KILLS"
)

// some is how much of something is tested: all of it only if the environment says so.
func some(usually, all int) int {
	if jdktest.Matrix() {
		return all
	}
	return usually
}

// bench is what runs Java: JDKs by rising version, the programs' classes, and the agent's library.
type bench struct {
	jdks    []jdktest.JDK
	classes string
	agent   string
}

// folder holds what all tests share.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "jvmtest"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	os.RemoveAll(folder)
	os.Exit(status)
}

// errMissing says what must be installed.
var errMissing = errors.New("missing")

// theBench is set up once.
var theBench = sync.OnceValues(func() (*bench, error) {
	if len(jdktest.Find(jdktest.Oldest)) == 0 || !hasCompiler() {
		if out, err := exec.Command("./install.sh").CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w: gcc or a JDK from 17 to 25, and install.sh could not install them: %s",
				errMissing, lastLine(out))
		}
	}
	b := &bench{jdks: jdktest.Find(jdktest.Oldest), classes: filepath.Join(folder, "classes"),
		agent: os.Getenv(agentVariable)}
	if len(b.jdks) == 0 {
		return nil, fmt.Errorf("%w: a JDK from 17 to 25 in /usr/lib/jvm or JAVA_HOME", errMissing)
	}
	if err := b.compile(); err != nil {
		return nil, err
	}
	if b.agent == "" {
		b.agent = filepath.Join(folder, "libtrcxagent.so")
		return b, buildAgent(b.agent)
	}
	return b, nil
})

// newBench skips the test where nothing can run Java.
func newBench(t *testing.T) *bench {
	t.Helper()
	b, err := theBench()
	if errors.Is(err, errMissing) {
		t.Skipf("SKIPPED: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func hasCompiler() bool {
	_, err := exec.LookPath("gcc")
	return err == nil
}

// compile compiles the programs for Java 17 with the oldest JDK. Concatenation of strings in the old way keeps its
// start-up out of the traces.
func (b *bench) compile() error {
	sources, err := filepath.Glob("programs/*.java")
	if err != nil {
		return err
	}
	args := append([]string{"--release", "17", "-Xlint:all", "-Werror", "-XDstringConcat=inline", "-d", b.classes},
		sources...)
	if out, err := exec.Command(b.jdks[0].Tool("javac"), args...).CombinedOutput(); err != nil {
		return fmt.Errorf("the programs do not compile: %w\n%s", err, out)
	}
	return nil
}

// exitMissing is the status of build.sh where something must be installed first.
const exitMissing = 3

func buildAgent(file string) error {
	out, err := exec.Command("../native/build.sh", file).CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == exitMissing {
		return fmt.Errorf("%w: %s", errMissing, lastLine(out))
	}
	if err != nil {
		return fmt.Errorf("the agent cannot be built: %w\n%s", err, out)
	}
	return nil
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// setup is a way to run a JVM.
type setup struct {
	name  string
	flags []string
}

// setups are the ways to run JVMs. With -Xcheck:jni a JVM reports, in the middle of what the program prints, that Go's
// runtime handles its signals first and hands them on; so its words go elsewhere.
var setups = []setup{
	{"G1", []string{"-XX:+UseG1GC"}},
	{"Serial", []string{"-XX:+UseSerialGC"}},
	{"Parallel", []string{"-XX:+UseParallelGC"}},
	{"ZGC", []string{"-XX:+UseZGC"}},
	{"Xint", []string{"-Xint"}},
	{"Xcheck", []string{"-Xcheck:jni", "-XX:+DisplayVMOutputToStderr"}},
}

// outcome is what is left of a run.
type outcome struct {
	status         int
	stdout, stderr string
	trace, truth   string // files
}

// patience is how long a program may run; most take a second, and several with -Xint on a busy machine.
const patience = 120 * time.Second

// run runs a program, under the agent if it is to be recorded.
func (b *bench) run(t *testing.T, j jdktest.JDK, s setup, recorded bool, p program) outcome {
	t.Helper()
	out := outcome{trace: filepath.Join(t.TempDir(), "trace.trcxml"), truth: filepath.Join(t.TempDir(), "truth.txt")}
	flags := append([]string{"-Xmx256m"}, s.flags...)
	if recorded {
		flags = append(flags, "-agentpath:"+b.agent+"=file="+out.trace)
	}
	flags = append(flags, "-cp", b.classes, p.name, out.truth)
	cmd, cancel := b.command(j, append(flags, p.args...)...)
	defer cancel()
	b.finish(t, cmd, &out)
	if out.status == killed {
		t.Fatalf("%v: %v; it may run for %v\n%s", cmd.Args, cmd.ProcessState, patience, out.stderr)
	}
	return out
}

// command is a JVM that ends with the patience at the latest.
func (b *bench) command(j jdktest.JDK, args ...string) (*exec.Cmd, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	return exec.CommandContext(ctx, j.Tool("java"), args...), cancel
}

// killed is the status of what a signal has ended.
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
