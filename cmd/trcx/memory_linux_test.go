package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// TestOutOfMemory proves that a command which needs more memory than it may use ends with a message and status 3, and
// leaves no files.
func TestOutOfMemory(t *testing.T) {
	testtool.Long(t)
	folder := t.TempDir()
	trcx := filepath.Join(folder, "trcx")
	build := exec.Command("go", "build", "-o", trcx, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	writeLiveThreads(t, filepath.Join(folder, "live.trcxml"), 200_000)
	writeLiveThreads(t, filepath.Join(folder, "more.trcxml"), 600_000)
	for _, c := range []struct{ shell, limit string }{
		{"GOMEMLIMIT=60MiB ./trcx stats live.trcxml", "GOMEMLIMIT"},
		{"GOMEMLIMIT=60MiB ./trcx path live.trcxml -o out/path.txt", "GOMEMLIMIT"},
		{"GOMEMLIMIT=60MiB ./trcx convert live.trcxml -o out/live.json", "GOMEMLIMIT"},
		{"GOMEMLIMIT=60MiB ./trcx report live.trcxml -o out/live.html", "GOMEMLIMIT"},
		{"ulimit -v 1600000; ./trcx stats more.trcxml", "ulimit -v"},
		{"ulimit -v 1600000; ./trcx blame more.trcxml -o out/blame.txt", "ulimit -v"},
	} {
		t.Run(c.shell, func(t *testing.T) {
			out := filepath.Join(folder, "out")
			if err := errors.Join(os.RemoveAll(out), os.Mkdir(out, 0o777)); err != nil {
				t.Fatal(err)
			}
			var printed bytes.Buffer
			run := exec.Command("sh", "-c", c.shell)
			run.Dir, run.Stderr = folder, &printed
			err := run.Run()
			var failed *exec.ExitError
			if !errors.As(err, &failed) || failed.ExitCode() != exitFailed {
				t.Errorf("it ended with %v, want status %d", err, exitFailed)
			}
			if text := printed.String(); !strings.HasPrefix(text, "trcx: out of memory: ") ||
				!strings.Contains(text, " that "+c.limit+" leaves; raise that limit\n") {
				t.Errorf("it printed %.300s", text)
			}
			if left, err := os.ReadDir(out); len(left) > 0 || err != nil {
				t.Errorf("it left %v, %v", left, err)
			}
		})
	}
}

// writeLiveThreads writes a trace of threads that all wait at its end, each on a monitor of its own.
func writeLiveThreads(t *testing.T, name string, threads int) {
	t.Helper()
	var text bytes.Buffer
	text.WriteString("<TRACE>")
	for i := 1; i <= threads; i++ {
		fmt.Fprintf(&text, `<threadStart threadId="%d" time="1.0" threadName="worker-%[1]d" groupName="g" objIdRef="%d"/>`, i,
			1_000_000+i)
	}
	for i := 1; i <= threads; i++ {
		fmt.Fprintf(&text, `<monWait threadIdRef="%d" time="2.0" objIdRef="%d" timeout="0"/>`, i, 5_000_000+i)
	}
	text.WriteString("</TRACE>")
	if err := os.WriteFile(name, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}
