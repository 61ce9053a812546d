package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// peakLimits are the limits for the bytes by which each thread that has ended raises the peak memory of a command, and
// others for all commands but these, which keep a state change in 24 bytes or a row in a table.
var peakLimits = map[string]float64{"report": 400, "svg": 400, "perfetto": 400, "dot": 350, "path": 300, "blame": 300}

const others = 250

// TestPeakOfDeadThreads measures peak memory, by the kernel, of traces whose threads live one after the other.
func TestPeakOfDeadThreads(t *testing.T) {
	testtool.Long(t)
	folder := t.TempDir()
	trcx := filepath.Join(folder, "trcx")
	if out, err := exec.Command("go", "build", "-o", trcx, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const threads = 100_000
	small := grownTrace(t, folder, grown["dead threads"], threads)
	large := grownTrace(t, folder, grown["dead threads"], 2*threads)
	for _, command := range grownCommands {
		t.Run(command, func(t *testing.T) {
			limit := float64(others)
			for part, bytes := range peakLimits {
				if strings.Contains(command, part) {
					limit = bytes
				}
			}
			each := float64(peakOf(t, folder, trcx, command, large)-peakOf(t, folder, trcx, command, small)) / threads
			if each > limit {
				t.Errorf("each thread that has ended takes %.0f bytes, more than %.0f", each, limit)
			}
		})
	}
}

// peakOf returns the peak memory of a command, in bytes.
func peakOf(t *testing.T, folder, trcx, command, name string) int64 {
	t.Helper()
	run := exec.Command(trcx, append(strings.Fields(command), "-q", name)...)
	run.Dir, run.Stdout, run.Stderr = folder, io.Discard, os.Stderr
	if err := run.Run(); err != nil && run.ProcessState.ExitCode() > exitFindings {
		t.Fatalf("trcx %s: %v", command, err)
	}
	return run.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
}
