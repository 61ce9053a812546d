package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// peakLimits are the limits for the bytes by which each thread that has ended raises the peak memory of a command, and
// others for all commands but these, which keep a state change in 24 bytes or a row in a table.
var peakLimits = map[string]float64{"report": 300, "svg": 300, "perfetto": 300}

const (
	others = 250
	// maxPeak is the limit, in bytes, for 400,000 such threads. The peaks are below 115 MiB; the rest is noise of the
	// garbage collector.
	maxPeak = 125 << 20
)

// peakCommands are the commands that read a trace, but for its name.
var peakCommands = []string{
	"validate", "stats", "stats --format json", "path", "blame", "deadlocks", "query //threadEnd",
	"report -o page.html", "convert --to svg", "convert --to trcxml", "convert --to json", "convert --to jsonl",
	"convert --to perfetto -o p.trace.json", "convert --to perfetto -o p.pftrace", "convert --to pprof -o p.pb.gz",
	"convert --to csv -o c.csv", "convert --to dot", "convert --to collapsed", "convert --to switchlog",
	"convert --to monlog -o m.monlog",
}

// TestPeakOfDeadThreads measures peak memory, by the kernel, of traces whose threads live one after the other.
func TestPeakOfDeadThreads(t *testing.T) {
	testtool.Long(t)
	folder := t.TempDir()
	trcx := filepath.Join(folder, "trcx")
	if out, err := exec.Command("go", "build", "-o", trcx, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const threads = 200_000
	small, large := endedThreads(t, folder, threads), endedThreads(t, folder, 2*threads)
	for _, command := range peakCommands {
		t.Run(command, func(t *testing.T) {
			limit := float64(others)
			for part, bytes := range peakLimits {
				if strings.Contains(command, part) {
					limit = bytes
				}
			}
			peak := peakOf(t, folder, trcx, command, large)
			if peak > maxPeak {
				t.Errorf("the peak is %d bytes, more than %d", peak, maxPeak)
			}
			each := float64(peak-peakOf(t, folder, trcx, command, small)) / threads
			if each > limit {
				t.Errorf("each thread that has ended takes %.0f bytes, more than %.0f", each, limit)
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

// livePeaks are the limits for the bytes by which each thread that lives and waits raises the peak memory of a command: a
// tenth above what was measured, because the garbage collector does not always run at the same size of the heap.
var livePeaks = []struct {
	command string
	most    float64
}{
	{"stats", 640}, {"path", 640}, {"blame", 640}, {"deadlocks", 640}, {"convert --to jsonl", 400},
	{"convert --to json", 400}, {"convert --to csv -o c.csv", 660}, {"convert --to dot", 640},
	{"convert --to perfetto -o p.pftrace", 680}, {"convert --to svg", 1300}, {"report -o page.html", 1300},
}

// TestPeakOfLiveThreads measures peak memory, by the kernel, of traces whose threads all live and wait.
func TestPeakOfLiveThreads(t *testing.T) {
	testtool.Long(t)
	folder := t.TempDir()
	trcx := filepath.Join(folder, "trcx")
	if out, err := exec.Command("go", "build", "-o", trcx, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const threads = 100_000
	small, large := waitingThreads(t, folder, threads), waitingThreads(t, folder, 2*threads)
	for _, test := range livePeaks {
		t.Run(test.command, func(t *testing.T) {
			peak := func(name string) int64 { // the least of several, without the noise
				return min(peakOf(t, folder, trcx, test.command, name), peakOf(t, folder, trcx, test.command, name))
			}
			each := float64(peak(large)-peak(small)) / threads
			if each > test.most {
				t.Errorf("each thread that lives takes %.0f bytes, more than %.0f", each, test.most)
			} else {
				t.Logf("each thread that lives takes %.0f bytes", each)
			}
		})
	}
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

// TestPeakOfQueries measures peak memory, by the kernel, of expressions that combine the nodes of one element.
func TestPeakOfQueries(t *testing.T) {
	testtool.Long(t)
	folder := t.TempDir()
	trcx := filepath.Join(folder, "trcx")
	if out, err := exec.Command("go", "build", "-o", trcx, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	nested := func(inside string) string { return strings.Repeat("<a>", 200) + inside + strings.Repeat("</a>", 200) }
	for inside, expressions := range map[string][]string{
		nested(""): {
			"//a//a//a//a", "//a//a//a//a/@x", "//a//a//a|//a//a//a//a", "//a[.//a//a//a/@x>3]",
			"//a[.//a[.//a[.//a[.//b]]]]", "//a//a//a[1]//a[1]",
		},
		strings.Repeat("<a/>", 99_000):                     {"//a", "//a|//a|//*", "//odd[count(a)>5]", "//*[a>3]", "//odd/a[last()]"},
		strings.Repeat(`<a b="" c="" d="" e=""/>`, 19_000): {"//@*", "//a/@*", "//a[@b=@c]/@d"},
		nested(strings.Repeat("<b>"+strings.Repeat("x", 1e6)+"</b>", 7)): {
			"//a[contains(.,'z')]", "//odd[substring-after(lower-case(.),'y')='x']", "//a[.//b>3]", "//text()",
		},
	} {
		name := filepath.Join(folder, "odd.trcxml")
		if err := os.WriteFile(name, []byte("<TRACE><odd>"+inside+"</odd></TRACE>"), 0o600); err != nil {
			t.Fatal(err)
		}
		const limit = 64 << 20
		least := peakOf(t, folder, trcx, "query //monWait", name)
		for _, expression := range expressions {
			if more := peakOf(t, folder, trcx, "query "+expression, name) - least; more > limit {
				t.Errorf("%s takes %d bytes more than reading, which is more than %d", expression, more, limit)
			}
		}
	}
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
