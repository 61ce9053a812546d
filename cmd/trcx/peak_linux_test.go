package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// peaks are the limits of the peak memory of commands in MiB, as the kernel counts it.
var peaks = []struct {
	command string
	live    uint64 // with 100,000 threads that all live and wait
	ended   uint64 // with 1,000,000 threads that live one after the other
}{
	{"stats", 300, 250}, {"path", 300, 250}, {"blame", 300, 250}, {"deadlocks", 300, 250}, {"report -o page.html", 600, 250},
}

// TestPeaks measures the peak memory of commands on traces of many threads.
func TestPeaks(t *testing.T) {
	testtool.Long(t)
	folder := t.TempDir()
	live := writeThreads(t, filepath.Join(folder, "live.trcxml"), 100_000, func(w io.Writer, i int) {
		fmt.Fprintf(w, `<monWait threadIdRef="%d" time="%[1]d.5" objIdRef="%d" timeout="0"/>`, i, i+2_000_000)
	})
	ended := writeThreads(t, filepath.Join(folder, "ended.trcxml"), 1_000_000, func(w io.Writer, i int) {
		fmt.Fprintf(w, `<threadEnd threadIdRef="%d" time="%[1]d.5"/>`, i)
	})
	for _, test := range peaks {
		for name, limit := range map[string]uint64{live: test.live, ended: test.ended} {
			peak := measured(t, name, test.command).Peak >> 20
			if t.Logf("%s of %s: %d MiB", test.command, filepath.Base(name), peak); peak > limit {
				t.Errorf("%s of %s: the peak is %d MiB, more than %d", test.command, filepath.Base(name), peak, limit)
			}
		}
	}
}

// writeThreads writes a trace of threads, each with what follows its start, and returns its name.
func writeThreads(t *testing.T, name string, threads int, then func(w io.Writer, i int)) string {
	t.Helper()
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
