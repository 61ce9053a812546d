package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// The limits for peak memory, in bytes.
const (
	maxDead    = 125 << 20 // of 400,000 threads that live one after the other; of a million 250 MiB
	maxDrawn   = 160 << 20 // of outputs that draw them
	maxWaiting = 300 << 20 // of 100,000 threads that live and wait
	maxPage    = 600 << 20 // of outputs that draw them
)

// draws reports whether the command draws threads.
func draws(command string) bool {
	return slices.ContainsFunc([]string{"report", "svg", "perfetto"}, func(part string) bool {
		return strings.Contains(command, part)
	})
}

// peakCommands are the commands that read a trace, but for its name.
var peakCommands = []string{
	"validate", "stats", "stats --format json", "path", "blame", "deadlocks", "query //threadEnd",
	"report -o page.html", "convert --to svg", "convert --to trcxml", "convert --to json", "convert --to jsonl",
	"convert --to perfetto -o p.trace.json", "convert --to perfetto -o p.pftrace", "convert --to pprof -o p.pb.gz",
	"convert --to csv -o c.csv", "convert --to dot", "convert --to collapsed", "convert --to switchlog",
	"convert --to monlog -o m.monlog",
}

// TestPeakOfDeadThreads measures peak memory, by the kernel, of a trace whose threads live one after the other.
func TestPeakOfDeadThreads(t *testing.T) {
	checkPeaks(t, endedThreads(t, t.TempDir(), 400_000), peakCommands, maxDead, maxDrawn)
}

// TestPeakOfLiveThreads measures peak memory, by the kernel, of a trace whose threads all live and wait.
func TestPeakOfLiveThreads(t *testing.T) {
	checkPeaks(t, waitingThreads(t, t.TempDir(), 100_000), []string{"stats", "path", "blame", "deadlocks",
		"convert --to jsonl", "convert --to json", "convert --to csv -o c.csv", "convert --to dot",
		"convert --to perfetto -o p.pftrace", "convert --to svg", "report -o page.html"}, maxWaiting, maxPage)
}

// checkPeaks checks that no command needs more memory for the trace, nor one that draws.
func checkPeaks(t *testing.T, name string, commands []string, most, mostDrawn int64) {
	testtool.Long(t)
	folder := t.TempDir()
	trcx := filepath.Join(folder, "trcx")
	if out, err := exec.Command("go", "build", "-o", trcx, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, command := range commands {
		t.Run(command, func(t *testing.T) {
			limit := most
			if draws(command) {
				limit = mostDrawn
			}
			peak := peakOf(t, folder, trcx, command, name)
			if t.Logf("the peak is %d MiB", peak>>20); peak > limit {
				t.Errorf("the peak is %d MiB, more than %d", peak>>20, limit>>20)
			}
		})
	}
}

// endedThreads writes a trace of threads that live one after the other into the folder, and returns its name.
func endedThreads(t *testing.T, folder string, threads int) string {
	t.Helper()
	name := filepath.Join(folder, fmt.Sprint(threads, ".trcxml"))
	var text bytes.Buffer
	text.WriteString("<TRACE>")
	for i := range threads {
		fmt.Fprintf(&text, `<threadStart threadId="%d" time="%d.0" threadName="t%[1]d" groupName="g" parentName="p" `+
			`objIdRef="%d"/><threadEnd threadIdRef="%[1]d" time="%[2]d.5"/>`, i+1, i, i+1_000_001)
	}
	text.WriteString("</TRACE>")
	if err := os.WriteFile(name, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// waitingThreads writes a trace of threads that wait for a monitor each into the folder, and returns its name.
func waitingThreads(t *testing.T, folder string, threads int) string {
	t.Helper()
	name := filepath.Join(folder, fmt.Sprint("waiting", threads, ".trcxml"))
	var text bytes.Buffer
	text.WriteString("<TRACE>")
	for i := range threads {
		fmt.Fprintf(&text, `<threadStart threadId="%d" time="%d.0" threadName="t%[1]d" groupName="g" parentName="p" `+
			`objIdRef="%d"/>`, i+1, i, i+1_000_001)
	}
	for i := range threads {
		fmt.Fprintf(&text, `<monWait threadIdRef="%d" time="%d.0" objIdRef="%d" timeout="0"/>`, i+1, threads+i,
			i+2_000_001)
	}
	text.WriteString("</TRACE>")
	if err := os.WriteFile(name, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func init() { programs["peak"] = printPeak }

// printPeak executes the command of the arguments, without its output, and prints its peak memory in KiB. A process
// inherits the peak of the one that starts it, so that this is a small one.
func printPeak() {
	run := exec.Command(os.Args[1], os.Args[2:]...)
	run.Stderr = os.Stderr
	if err := run.Run(); err != nil && run.ProcessState.ExitCode() > exitFindings {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(run.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
}

// peakOf returns the peak memory of a command, in bytes.
func peakOf(t *testing.T, folder, trcx, command, name string) int64 {
	t.Helper()
	run := exec.Command("peak", append(append([]string{trcx}, strings.Fields(command)...), "-q", name)...)
	run.Dir, run.Stderr = folder, os.Stderr
	out, err := run.Output()
	if err != nil {
		t.Fatalf("trcx %s: %v", command, err)
	}
	peak, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return peak << 10
}
