package jvmtest

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/agent/attach"
	"github.com/trcx/trcx/internal/testtool"
)

// signalsLost is the message if AbstractQueuedSynchronizer lacks enqueue.
const signalsLost = "which threads a signal removes from a condition"

// patchedLocks returns the option for a JVM whose AbstractQueuedSynchronizer calls its method enqueue by another name.
func patchedLocks(t *testing.T, j testtool.JDK) string {
	t.Helper()
	folder := t.TempDir()
	modules := filepath.Join(filepath.Dir(filepath.Dir(j.Tool("java"))), "lib", "modules")
	extract := exec.Command(j.Tool("jimage"), "extract", "--dir", folder,
		"--include", "glob:/java.base/java/util/concurrent/locks/AbstractQueuedSynchronizer*.class", modules)
	if out, err := extract.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	classes, err := filepath.Glob(folder + "/java.base/java/util/concurrent/locks/*.class")
	if err != nil || len(classes) == 0 {
		t.Fatalf("jimage has extracted no classes: %v", err)
	}
	for _, file := range classes {
		class, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		renamed := bytes.ReplaceAll(class, []byte("\x00\x07enqueue"), []byte("\x00\x07another"))
		if err := os.WriteFile(file, renamed, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return "--patch-module=java.base=" + folder + "/java.base"
}

// TestMissingMethod proves that a JVM without one of the methods that are rewritten is recorded all the same, and what
// is not recorded is reported once: on standard error, to whoever attaches, and in the trace.
func TestMissingMethod(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		patch := patchedLocks(t, j)
		t.Run(j.String()+" start", func(t *testing.T) {
			out := outcome{trace: b.traceFile(t), truth: filepath.Join(t.TempDir(), "truth")}
			cmd, cancel := b.command(j, patch, "-agentpath:"+b.agent+"=file="+out.trace, "-cp", b.classes, "Parks", out.truth)
			defer cancel()
			b.finish(t, cmd, &out)
			if out.status != 0 || strings.Count(out.stderr, "not recorded: "+signalsLost) != 1 {
				t.Errorf("status %d\n%s", out.status, out.stderr)
			}
			checkLost(t, out.trace)
		})
		t.Run(j.String()+" attach", func(t *testing.T) {
			t.Parallel()
			out := outcome{trace: b.traceFile(t), truth: filepath.Join(t.TempDir(), "truth")}
			cmd, cancel := b.command(j, "-XX:+EnableDynamicAgentLoading", patch, "-cp", b.classes, "InputOutput", out.truth,
				"platform", "again")
			defer cancel()
			p := startProgram(t, cmd)
			p.await("ready")
			p.load(b.agent, "file="+out.trace)
			var incomplete *attach.AgentError
			err := attach.Load(context.Background(), cmd.Process.Pid, b.agent, "ready")
			if !errors.As(err, &incomplete) || incomplete.Code != 105 || incomplete.Reason != signalsLost+"\n" {
				t.Errorf("%v", err)
			}
			p.answer("\n")
			p.await("done")
			p.load(b.agent, "stop")
			p.answer("\n")
			p.await("done")
			if err := cmd.Wait(); err != nil || strings.Contains(p.stderr.String(), "not recorded") {
				t.Errorf("%v\n%s", err, p.stderr.String())
			}
			checkLost(t, out.trace)
		})
	}
}

// checkLost checks that the trace is valid, and says what it lacks.
func checkLost(t *testing.T, file string) {
	t.Helper()
	trace, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if option := `<option key="trcx.notRecorded" value="` + signalsLost + `"/>`; strings.Count(string(trace), option) != 1 {
		t.Errorf("the trace does not have %s once", option)
	}
	if result, err := Validate(file); err != nil || !result.Valid() {
		t.Errorf("%v, %+v", err, result)
	}
}
