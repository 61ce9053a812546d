package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// grown are traces that grow in one dimension.
var grown = map[string]func(w io.Writer, n int){
	"dead threads": func(w io.Writer, n int) {
		for i := range n {
			fmt.Fprintf(w, `<threadEnd threadIdRef="%d" time="%d.5"/>`, writeStart(w, i+1, i), i)
		}
	},
	"live threads": func(w io.Writer, n int) {
		for i := range n {
			writeStart(w, i+1, i)
		}
	},
	"blocked threads, each on a monitor": func(w io.Writer, n int) {
		writeStart(w, n+1, 0)
		for i := range n {
			writeStart(w, i+1, 1)
			fmt.Fprintf(w, `<monContendedEnter threadIdRef="%d" time="2.0" objIdRef="%d" threadOwner="%d"/>`, i+1,
				i+5_000_000, n+1)
		}
	},
	"waiters on one monitor": func(w io.Writer, n int) {
		for i := range n {
			writeStart(w, i+1, 0)
			fmt.Fprintf(w, `<monWait threadIdRef="%d" time="1.0" objIdRef="9" timeout="0"/>`, i+1)
		}
		fmt.Fprintf(w, `<callNotify threadId="%d" time="2.0" objIdRef="9" isNotifyAll="1"/>`, writeStart(w, n+1, 1))
		for i := range n {
			fmt.Fprintf(w, `<monWaited threadIdRef="%d" time="3.0" objIdRef="9" isTimedOut="0"/>`, i+1)
		}
	},
	"hand-offs": func(w io.Writer, n int) {
		writeStart(w, 1, 0)
		writeStart(w, 2, 0)
		for i := range n {
			fmt.Fprintf(w, `<monContendedEnter threadIdRef="%d" time="%d.1" objIdRef="9" threadOwner="%d"/>`+
				`<monContendedEntered threadIdRef="%d" time="%d.2" objIdRef="9"/>`, i%2+1, i, (i+1)%2+1, i%2+1, i)
		}
	},
	"deadlock edges": func(w io.Writer, n int) {
		for i := range n {
			writeStart(w, i+1, 0)
		}
		for i := range n {
			fmt.Fprintf(w, `<monContendedEnter threadIdRef="%d" time="2.0" objIdRef="%d" threadOwner="%d"/>`, i+1,
				i+5_000_000, (i+1)%n+1)
		}
	},
	"classes and methods": func(w io.Writer, n int) {
		for i := range n {
			fmt.Fprintf(w, `<classDef classId="%d" name="p/C%d" time="1.0"/>`+
				`<methodDef methodId="%d" name="m" signature="()V" classIdRef="%d"/>`, i+1, i, i+1, i+1)
		}
	},
	"open calls": func(w io.Writer, n int) {
		writeStart(w, 1, 0)
		for i := range n {
			fmt.Fprintf(w, `<methodEntry threadIdRef="1" methodIdRef="%d" time="%d.0"/>`, i%10, i)
		}
	},
	"objects": func(w io.Writer, n int) {
		for i := range n {
			fmt.Fprintf(w, `<objAlloc objId="%d" classIdRef="1" size="16" time="%d.0"/>`, i+1, i)
		}
	},
	"stack traces": func(w io.Writer, n int) {
		writeStart(w, 1, 0)
		for i := range n {
			fmt.Fprintf(w, `<classDef classId="%d" name="p/C%d" time="1.0"/>`+
				`<methodDef methodId="%d" name="m" signature="()V" classIdRef="%d"/>`+
				`<monWait threadIdRef="1" time="%d.1" objIdRef="9" timeout="1"><annotation name="stack" value="%d:1"/>`+
				`</monWait><monWaited threadIdRef="1" time="%d.2" objIdRef="9" isTimedOut="1"/>`, i+1, i, i+1, i+1, i, i+1, i)
		}
	},
}

// writeStart writes the start of a thread, and returns its id.
func writeStart(w io.Writer, id, time int) int {
	fmt.Fprintf(w, `<threadStart threadId="%d" time="%d.0" threadName="t%d" groupName="g" parentName="p" objIdRef="%d"/>`,
		id, time, id, id+1_000_000)
	return id
}

// grownTrace writes a trace of so many units into the folder, and returns its name.
func grownTrace(t testing.TB, folder string, units func(io.Writer, int), n int) string {
	t.Helper()
	name := filepath.Join(folder, fmt.Sprint(n, ".trcxml"))
	var text bytes.Buffer
	text.WriteString("<TRACE>")
	units(&text, n)
	text.WriteString("</TRACE>")
	if err := os.WriteFile(name, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// grownCommands are the commands that read a trace, but for its name.
var grownCommands = []string{
	"validate", "stats", "stats --format json", "path", "blame", "deadlocks", "query //threadEnd",
	"report -o page.html", "convert --to svg", "convert --to trcxml", "convert --to json", "convert --to jsonl",
	"convert --to perfetto -o p.trace.json", "convert --to perfetto -o p.pftrace", "convert --to pprof -o p.pb.gz",
	"convert --to csv -o c.csv", "convert --to dot", "convert --to collapsed", "convert --to switchlog",
	"convert --to monlog -o m.monlog",
}

// TestGrowth: ten times the trace, in any dimension, is at most twelve times the work of any command, counted in
// bytes allocated.
func TestGrowth(t *testing.T) {
	testtool.Long(t)
	for dimension, units := range grown {
		t.Run(dimension, func(t *testing.T) {
			folder := t.TempDir()
			for _, command := range grownCommands {
				t.Run(command, func(t *testing.T) {
					testtool.Growth(t, 400, func(n int) {
						name := grownTrace(t, folder, units, n)
						runGrown(t, folder, command, name)
					})
				})
			}
		})
	}
}

// runGrown runs a command on a trace. Findings are no failure: the traces have no preamble.
func runGrown(t testing.TB, folder, command, name string) {
	t.Helper()
	args := append([]string{"trcx"}, strings.Fields(command)...)
	if out := len(args) - 1; args[out-1] == "-o" {
		args[out] = filepath.Join(folder, args[out])
	}
	var stderr strings.Builder
	if status := Main(append(args, "-q", name), strings.NewReader(""), io.Discard, &stderr); status > exitFindings {
		t.Fatalf("trcx %s ends with status %d: %s", command, status, stderr.String())
	}
}
