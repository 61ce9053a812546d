package jvmtest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trcx/trcx/agent/attach"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// transfers is the waits for input and output of a trace, and the parks, by the ids of their threads.
type transfers struct {
	blockings
	waits map[string][]*transfer
	parks map[string]int
	open  map[string]*transfer
}

// transfer is a wait for input or output.
type transfer struct {
	operation, class string
	begin, end       trace.Time // end: 0 while it is open
	timedOut         bool
}

func (p *transfers) Put(e *trace.Event) error {
	value := func(a trace.Attr) string { return string(e.Value(a)) }
	id := value(trace.AttrThreadIDRef)
	switch e.Kind {
	case trace.ClassDef, trace.ObjAlloc:
		return p.blockings.Put(e)
	case trace.MonWait:
		if _, parks := annotationOf(e, trace.NotePark); parks {
			p.parks[id]++
		}
		operation, is := annotationOf(e, trace.NoteIO)
		if is {
			p.open[id] = &transfer{operation: operation, class: p.objects[value(trace.AttrObjIDRef)], begin: e.Time}
			p.waits[id] = append(p.waits[id], p.open[id])
		}
	case trace.MonWaited, trace.ThreadEnd: // a thread can end before the end of an earlier wait is polled
		if w := p.open[id]; w != nil {
			w.end, w.timedOut = e.Time, value(trace.AttrIsTimedOut) == "1"
			p.open[id] = nil
		}
	}
	return nil
}

func readTransfers(t *testing.T, file string) *transfers {
	t.Helper()
	p := &transfers{blockings: blockings{classes: map[string]string{}, objects: map[string]string{}},
		waits: map[string][]*transfer{}, parks: map[string]int{}, open: map[string]*transfer{}}
	if err := read(file, convert.Options{}, p); err != nil {
		t.Fatal(err)
	}
	return p
}

// checkTransfers compares the waits that the program InputOutput has logged with the trace. Virtual threads park in the
// JDK's poller, on another object.
func checkTransfers(t *testing.T, out outcome, virtual bool) {
	t.Helper()
	truth, err := os.ReadFile(out.truth)
	if err != nil {
		t.Fatal(err)
	}
	p := readTransfers(t, out.trace)
	lines := 0
	for line := range strings.Lines(string(truth)) {
		f := strings.Fields(line)
		lines++
		if len(f) != 7 {
			t.Fatalf("the truth has the line %q", line)
		}
		id := f[1]
		if virtual {
			isOther := func(w *transfer) bool { return w.operation != f[0] }
			if p.parks[id] > 0 || (len(p.waits[id]) > 0) != (f[0] != "none") || slices.ContainsFunc(p.waits[id], isOther) {
				t.Errorf("%s: the trace has %d waits and %d parks", strings.TrimSpace(line), len(p.waits[id]), p.parks[id])
			}
			continue
		}
		if wrong := checkTransfer(p.waits[id], f); wrong != "" {
			t.Errorf("%s: %s", strings.TrimSpace(line), wrong)
		}
	}
	if lines < 20 {
		t.Errorf("the truth has %d lines", lines)
	}
	if result, err := Validate(out.trace); err != nil || !result.Valid() {
		t.Errorf("%v: %+v", err, result)
	}
}

// checkTransfer returns the mistake of a thread's waits about a line of the truth, or "".
func checkTransfer(waits []*transfer, f []string) string {
	if count := strings.TrimSuffix(f[6], "+"); strconv.Itoa(len(waits)) != count && (count == f[6] || len(waits) == 0) {
		return fmt.Sprintf("the trace has %d waits", len(waits))
	}
	begin, _ := strconv.ParseInt(f[2], 10, 64)
	end, _ := strconv.ParseInt(f[3], 10, 64)
	late := int64(2_000_000) // the difference between the clocks of the program and the trace
	if f[5] == "existed" {
		late += 200_000_000 // its end is polled
	}
	for _, w := range waits {
		if w.operation != f[0] || w.class != f[4] || w.timedOut != (f[5] == "timeout" || f[5] == "timed") {
			return fmt.Sprintf("the trace has %+v", *w)
		}
		if int64(w.begin) < begin-late || int64(w.end) > end+late || w.end < w.begin {
			return fmt.Sprintf("the trace has it from %d to %d", w.begin, w.end)
		}
	}
	// The wait lasts for 30 ms at least; of several, one can end at any time.
	if f[6] == "1" && waits[0].end-waits[0].begin < 5_000_000 {
		return fmt.Sprintf("the trace has a wait of %d ns", waits[0].end-waits[0].begin)
	}
	return ""
}

// TestInputOutput proves that the trace has each wait of a program for sockets, channels and selectors: the operation,
// the channel's class, when it began and ended, and whether it timed out; and none for a call that does not wait. Waits
// of virtual threads are parks.
func TestInputOutput(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		for _, s := range append(setups[:len(setups):len(setups)], setup{"Xcomp", []string{"-Xcomp"}}) {
			for _, kind := range []string{"platform", "virtual"} {
				p := program{name: "InputOutput", args: []string{kind}, prints: "done\n"}
				if !p.runsIn(j) || !testtool.Matrix() && (s.name != "G1" || kind == "virtual" && s.name != "G1") {
					continue
				}
				t.Run(fmt.Sprintf("%v/%v/%s", j, p, s.name), func(t *testing.T) {
					trace := b.traceFile(t)
					agent := "-agentpath:" + b.agent + "=file=" + trace
					out := b.run(t, j, setup{s.name, append(slices.Clone(s.flags), agent)}, false, p)
					out.trace = trace
					p.check(t, out)
					if out.stderr != "" {
						t.Error(out.stderr)
					}
					checkTransfers(t, out, kind == "virtual")
				})
			}
		}
	}
}

// TestInputOutputAttached proves the same for a recording of a running JVM, also of waits that had begun before; and
// that the JVM runs as before when it has ended.
func TestInputOutputAttached(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		t.Run(j.String(), func(t *testing.T) {
			t.Parallel()
			out := outcome{trace: b.traceFile(t), truth: filepath.Join(t.TempDir(), "truth.txt")}
			cmd, cancel := b.command(j, "-XX:+EnableDynamicAgentLoading", "-cp", b.classes, "InputOutput", out.truth,
				"platform", "again")
			defer cancel()
			p := startProgram(t, cmd)
			p.await("ready")
			for _, request := range []string{"file=" + out.trace, "ready"} {
				p.load(b.agent, request)
			}
			p.answer("\n")
			p.await("done")
			p.load(b.agent, "stop")
			p.answer("\n")
			p.await("done")
			if err := cmd.Wait(); err != nil || p.stderr.Len() > 0 {
				t.Errorf("%v\n%s", err, p.stderr.String())
			}
			checkTransfers(t, out, false)
		})
	}
}

// running is a program that prints lines and reads answers.
type running struct {
	t      *testing.T
	cmd    *exec.Cmd
	lines  *bufio.Scanner
	stdin  io.WriteCloser
	stderr bytes.Buffer
}

func startProgram(t *testing.T, cmd *exec.Cmd) *running {
	t.Helper()
	p := &running{t: t, cmd: cmd}
	cmd.Stderr = &p.stderr
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		p.stdin, err = cmd.StdinPipe()
	}
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	p.lines = bufio.NewScanner(stdout)
	return p
}

// await reads the program's next line. If none comes in time, the failure shows the program's threads.
func (p *running) await(line string) {
	p.t.Helper()
	dump := time.AfterFunc(timeout*3/4, func() { p.cmd.Process.Signal(syscall.SIGQUIT) })
	if p.lines.Scan() && p.lines.Text() == line {
		dump.Stop()
		return
	}
	said := p.lines.Text()
	for !dump.Stop() && p.lines.Scan() {
		said += "\n" + p.lines.Text()
	}
	p.t.Fatalf("want %q, %v; the program says: %s\n%s", line, p.lines.Err(), said, p.stderr.String())
}

func (p *running) answer(text string) {
	p.t.Helper()
	if _, err := io.WriteString(p.stdin, text); err != nil {
		p.t.Fatal(err)
	}
}

// load loads the agent.
func (p *running) load(agent, options string) {
	p.t.Helper()
	if err := attach.Load(context.Background(), p.cmd.Process.Pid, agent, options); err != nil {
		p.t.Fatal(err)
	}
}
