package jvmtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// TestParks proves that the trace has each park of a program, the owner of a lock that a thread was blocked on, the
// thread that let it in, and the signaller of a condition; for platform and virtual threads, in each set-up. The JVM
// prints nothing.
func TestParks(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		for _, s := range append(setups[:len(setups):len(setups)], setup{"Xcomp", []string{"-Xcomp"}}) {
			for _, kind := range []string{"platform", "virtual"} {
				if kind == "virtual" && j.Version < 21 || !testtool.Matrix() && s.name != "G1" && s.name != "Xint" {
					continue
				}
				t.Run(fmt.Sprintf("JDK %d %s %s", j.Version, s.name, kind), func(t *testing.T) {
					b.checkParks(t, j, s, kind)
				})
			}
		}
	}
}

// parkCounts counts the begins and ends of parks, by the ids of their threads.
type parkCounts struct {
	blockings
	begun, ended map[string]int
}

func (p *parkCounts) Put(e *trace.Event) error {
	switch id := string(e.Value(trace.AttrThreadIDRef)); e.Kind {
	case trace.MonWait:
		if _, parks := annotationOf(e, trace.NotePark); parks {
			p.begun[id]++
		}
	case trace.MonWaited:
		p.ended[id]++
	}
	return nil
}

// TestMillionParks lets two threads pass a turn to each other half a million times each, or a twentieth of that without
// TRCX_JVM_MATRIX=1. It proves that the trace has as many parks as they have counted themselves.
func TestMillionParks(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		for _, kind := range []string{"platform", "virtual"} {
			p := program{name: "Parks", args: []string{kind, strconv.Itoa(some(25_000, 500_000))}}
			if !p.runsIn(j) {
				continue
			}
			t.Run(fmt.Sprintf("%v/%s", j, kind), func(t *testing.T) { b.countParks(t, j, p) })
		}
	}
}

// countParks runs the program and compares the numbers of parks.
func (b *bench) countParks(t *testing.T, j testtool.JDK, p program) {
	out := b.run(t, j, setup{}, true, p)
	p.check(t, out)
	counts := &parkCounts{begun: map[string]int{}, ended: map[string]int{}}
	if err := read(out.trace, convert.Options{}, counts); err != nil {
		t.Fatal(err)
	}
	all := 0
	for line := range strings.Lines(string(must(os.ReadFile(out.truth))(t))) {
		f := strings.Fields(line)
		if f[0] != "parks" {
			continue
		}
		want := must(strconv.Atoi(f[2]))(t)
		all += want
		if counts.begun[f[1]] != want || counts.ended[f[1]] != want {
			t.Errorf("thread %s: %d begins and %d ends of parks, want %d", f[1], counts.begun[f[1]], counts.ended[f[1]],
				want)
		}
	}
	t.Logf("%d parks", all)
}

// checkParks runs the program and compares the trace with what the program writes.
func (b *bench) checkParks(t *testing.T, j testtool.JDK, s setup, kind string) {
	out := outcome{trace: b.traceFile(t), truth: filepath.Join(t.TempDir(), "truth.txt")}
	flags := append([]string{"-agentpath:" + b.agent + "=file=" + out.trace}, s.flags...)
	flags = append(flags, "-cp", b.classes, "Parks", out.truth)
	if kind == "virtual" {
		flags = append(flags, kind)
	}
	cmd, cancel := b.command(j, flags...)
	defer cancel()
	b.finish(t, cmd, &out)
	if out.status != 0 || out.stdout != "" || out.stderr != "" {
		t.Fatalf("status %d\n%s%s", out.status, out.stdout, out.stderr)
	}
	trace, err := os.ReadFile(out.trace)
	if err != nil {
		t.Fatal(err)
	}
	truth, err := os.ReadFile(out.truth)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(truth)) {
		checkPark(t, string(trace), strings.Fields(line))
	}
}

// checkPark compares the trace with a line of the program Parks.
func checkPark(t *testing.T, trace string, line []string) {
	kind, first, second := line[0], line[1], line[2]
	count := func(pattern string) int { return len(regexp.MustCompile(pattern).FindAllString(trace, -1)) }
	switch kind {
	case "parks":
		want, _ := strconv.Atoi(second)
		begun := count(`<monWait threadIdRef="` + first + `"[^\n]*name="park" value="wait"`)
		ended := count(`<monWaited threadIdRef="` + first + `"`)
		if begun != want || ended != want {
			t.Errorf("thread %s: %d begins and %d ends of parks, want %d", first, begun, ended, want)
		}
	case "lock":
		if count(`<monContendedEnter threadIdRef="`+first+`"[^\n]*threadOwner="`+second+`"[^\n]*value="lock"`) == 0 ||
			count(`<monContendedEntered threadIdRef="`+first+`"[^\n]*name="causedBy" value="`+second+`"`) == 0 {
			t.Errorf("no block of thread %s by %s", first, second)
		}
	case "signal":
		if n := count(`<callNotify threadId="` + first + `"[^\n]*name="wakes" value="` + second + `"`); n != 1 {
			t.Errorf("%d signals by thread %s of %s, want one", n, first, second)
		}
	}
}

// TestLatch lets 50,000 virtual threads, or some hundred platform threads, wait for one latch. It proves that the trace
// has each of them, and that each is woken: by the thread that opens the latch, or by one that was woken before.
func TestLatch(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		for _, p := range []program{
			{name: "Latch", args: []string{"platform", "500"}, prints: "done\n"},
			{name: "Latch", args: []string{"virtual", "50000"}, prints: "done\n"},
		} {
			if !p.runsIn(j) {
				continue
			}
			t.Run(fmt.Sprintf("%v/%s", j, p.args[0]), func(t *testing.T) {
				out := b.run(t, j, setup{}, true, p)
				p.check(t, out)
				woken := 0
				for id, waits := range readBlockings(t, out.trace).waits {
					for _, w := range waits {
						if w.class != "java.util.concurrent.CountDownLatch$Sync" {
							continue
						}
						if woken++; w.end != "unparked" || w.by == id {
							t.Errorf("thread %s: %+v", id, *w)
						}
					}
				}
				if want := strings.TrimSpace(string(must(os.ReadFile(out.truth))(t))); strconv.Itoa(woken) != want {
					t.Errorf("the trace has %d waits, want %s", woken, want)
				}
				if result, err := Validate(out.trace); err != nil || !result.Valid() {
					t.Errorf("%v: %+v", err, result)
				}
			})
		}
	}
}

// blockingPrograms block in every way.
var blockingPrograms = []program{
	{name: "Parks", args: []string{"platform"}},
	{name: "Parks", args: []string{"virtual"}},
	{name: "Barging", args: []string{"platform", "200"}, prints: "done\n"},
	{name: "Barging", args: []string{"virtual", "200"}, prints: "done\n"},
	{name: "Deadlocks", args: []string{"platform", "2", "mixed"}, status: 2, prints: "deadlocked 2\n"},
	{name: "Latch", args: []string{"platform", "100"}, prints: "done\n"},
	{name: "Latch", args: []string{"virtual", "5000"}, prints: "done\n"},
	{name: "Blockings", args: []string{"platform"}, prints: "done\n"},
	{name: "Blockings", args: []string{"virtual"}, prints: "done\n"},
}

// TestManyRuns proves that programs that block in every way run as without the agent, 200 times with
// TRCX_JVM_MATRIX=1, in alternating configurations: none crashes, hangs or prints more, and every trace is valid.
func TestManyRuns(t *testing.T) {
	b := newBench(t)
	configurations := blockingSetups(t)
	for i := range some(len(b.jdks), 200) {
		j, s := b.jdks[i%len(b.jdks)], configurations[i%len(configurations)]
		p := blockingPrograms[i/len(b.jdks)%len(blockingPrograms)]
		if !p.runsIn(j) {
			p = blockingPrograms[0]
		}
		t.Run(fmt.Sprintf("%d/%v/%v/%s", i, j, p, s.name), func(t *testing.T) {
			out := b.run(t, j, s, true, p)
			p.check(t, out)
			if !out.isSilent() {
				t.Errorf("the JVM prints %s", out.stderr)
			}
			if result, err := Validate(out.trace); err != nil || !result.Valid() {
				t.Errorf("%v: %+v", err, result)
			}
		})
	}
}
