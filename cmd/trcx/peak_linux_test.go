package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// peakCommands are the commands that read a trace, without its name.
var peakCommands = []string{
	"validate", "stats", "stats --format json", "path", "blame", "deadlocks", "query //threadEnd",
	"report -o page.html", "convert --to svg", "convert --to trcxml", "convert --to json", "convert --to jsonl",
	"convert --to perfetto -o p.trace.json", "convert --to perfetto -o p.pftrace", "convert --to pprof -o p.pb.gz",
	"convert --to csv -o c.csv", "convert --to dot", "convert --to collapsed", "convert --to switchlog",
	"convert --to monlog -o m.monlog",
}

// peakQuestions are the commands that are also measured with the largest traces.
var peakQuestions = []string{"stats", "path", "blame", "deadlocks", "report -o page.html"}

// TestPeakOfDeadThreads measures peak memory, by the kernel, for traces whose threads live one after the other.
func TestPeakOfDeadThreads(t *testing.T) {
	testtool.Long(t)
	ended := func(w io.Writer, i int) { fmt.Fprintf(w, `<threadEnd threadIdRef="%d" time="%[1]d.5"/>`, i) }
	checkPeaks(t, writeThreads(t, 100_000, ended), peakCommands, 70, 125)
	threads := testtool.Times(1_000_000)
	name, more := writeThreads(t, threads, ended), uint64(threads)/10_000
	checkPeaks(t, name, peakQuestions, 50+2*more, 110+5*more/2)
	checkPeaks(t, name, []string{"why"}, 100+2*more, 0) // it holds several analyses in memory
}

// TestPeakOfLiveThreads measures peak memory, by the kernel, for a trace whose threads all live and wait. why holds
// several analyses in memory. On a busy machine the collector is late, so the limits allow for that.
func TestPeakOfLiveThreads(t *testing.T) {
	testtool.Long(t)
	threads := testtool.Times(100_000)
	name, more := writeThreads(t, threads, func(w io.Writer, i int) {
		fmt.Fprintf(w, `<monWait threadIdRef="%d" time="%[1]d.5" objIdRef="%d" timeout="0"/>`, i, i+2_000_000)
	}), uint64(threads)/1000
	checkPeaks(t, name, peakCommands, 80+11*more/5, 100+13*more/2)
	checkPeaks(t, name, []string{"why"}, 100+7*more/2, 0)
}

// checkPeaks checks the peak memory of commands, in MiB. Commands that draw or list all threads may need mostDrawn.
func checkPeaks(t *testing.T, name string, commands []string, most, mostDrawn uint64) {
	t.Helper()
	for _, command := range commands {
		limit := most
		if slices.ContainsFunc([]string{"report", "svg", "perfetto", "csv", "dot", "json"}, func(part string) bool {
			return strings.Contains(command, part)
		}) {
			limit = mostDrawn
		}
		peak := measured(t, name, command).Peak >> 20
		for range 2 { // the garbage collector may be late on a busy machine
			if peak > limit {
				peak = min(peak, measured(t, name, command).Peak>>20)
			}
		}
		if t.Logf("%s of %s: %d MiB", command, filepath.Base(name), peak); peak > limit {
			t.Errorf("%s of %s: the peak is %d MiB, more than %d", command, filepath.Base(name), peak, limit)
		}
	}
}

// writeThreads writes a trace of threads, each followed by the output of then, and returns its name.
func writeThreads(t *testing.T, threads int, then func(w io.Writer, i int)) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), fmt.Sprint(threads, ".trcxml"))
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(file)
	w.WriteString("<TRACE>")
	for i := 1; i <= threads; i++ {
		fmt.Fprintf(w, `<threadStart threadId="%d" time="%[1]d.0" threadName="t%[1]d" groupName="g" parentName="p" objIdRef="%d"/>`,
			i, i+1_000_000)
		then(w, i)
	}
	w.WriteString("</TRACE>")
	if err := errors.Join(w.Flush(), file.Close()); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestPeakOfQueries measures peak memory, by the kernel, of expressions that combine the nodes of one element.
func TestPeakOfQueries(t *testing.T) {
	testtool.Long(t)
	folder := t.TempDir()
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
		least := measured(t, name, "query //monWait").Peak
		for _, expression := range expressions {
			if peak := measured(t, name, "query "+expression).Peak; peak > least+limit {
				t.Errorf("%s takes %d bytes at the peak, reading alone %d; want at most %d more", expression, peak, least, limit)
			}
		}
	}
}
