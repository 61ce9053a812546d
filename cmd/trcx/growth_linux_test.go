package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trcx/trcx/internal/testtool"
)

// growthInputs are inputs that grow in one dimension. A part with an {i…} is repeated for each i below n.
var growthInputs = []struct {
	dimension, file string
	parts           []string
	more            []string // further commands to measure
}{
	{"threads that end", "t.trcxml", traced(start("{i+1}") + `<threadEnd threadIdRef="{i+1}" time="{i}.5"/>`), nil},
	{"threads alive", "t.trcxml", traced(start("{i+1}")), nil},
	{"threads blocked on a monitor each", "t.trcxml", traced(start("{i+1}"), start("{n+1}"), enter("{i+1}", "2", "{i}", "{n+1}")),
		nil},
	{"threads blocked on one monitor", "t.trcxml", traced(start("{i+1}"), start("{n+1}"), enter("{i+1}", "{i+2}", "m", "{n+1}"),
		entered("{i+1}", "{i+n+2}", "m")), nil},
	{"monitors", "t.trcxml", traced(start("1"), start("2"), enter("1", "{i}", "{i}", "2")+entered("1", "{i}", "{i}")), nil},
	{"hand-offs", "t.trcxml", traced(start("1"), start("2"),
		enter("{i%2+1}", "{i}", "m", "{i^1%2+1}")+entered("{i%2+1}", "{i}", "m")), nil},
	{"waiters on one monitor", "t.trcxml", traced(start("{i+1}"), start("{n+1}"), wait("{i+1}", "1", "m", "0"),
		`<callNotify threadId="{n+1}" time="2.0" objIdRef="50m" isNotifyAll="1"/>`, waited("{i+1}", "3", "m", "0")), nil},
	{"notifications of waiters", "t.trcxml", traced(start("{i+1}"), start("{n+1}"), wait("{i+1}", "1", "m", "0"),
		`<callNotify threadId="{n+1}" time="{i+2}.0" objIdRef="50m" isNotifyAll="0"/>`, waited("{i+1}", "{i+n+2}", "m", "0")), nil},
	{"notifications without a waiter", "t.trcxml", traced(start("1"),
		`<callNotify threadId="1" time="{i+2}.0" objIdRef="50m" isNotifyAll="0"/>`), nil},
	{"joins of one thread", "t.trcxml", traced(start("{i+1}"), start("{n+1}"),
		`<monWait threadIdRef="{i+1}" time="1.1" objIdRef="90{n+1}" timeout="0"/>`, `<threadEnd threadIdRef="{n+1}" time="2.0"/>`,
		`<monWaited threadIdRef="{i+1}" time="3.2" objIdRef="90{n+1}" isTimedOut="0"/>`), nil},
	{"interrupts", "t.trcxml", traced(start("1"), start("2"), wait("1", "{i+1}", "1", "100000")+
		`<callInterrupt threadId="2" time="{i+1}.15" objIdRef="901"/>`+waited("1", "{i+1}", "1", "0")+
		`<threadInterrupted threadId="1" time="{i+1}.3"/>`), nil},
	{"threads in one deadlock", "t.trcxml", traced(start("{i+1}"), enter("{i+1}", "2", "{i}", "{i+1%n+1}")),
		[]string{"deadlocks --format markdown", "deadlocks --all --format json"}},
	{"deadlocks of two threads", "t.trcxml", traced(start("{i+1}"), enter("{i+1}", "2", "{i}", "{i^1+1}")), nil},
	{"lock orders", "t.trcxml", traced(start("1"), start("2"), start("3"), enter("1", "{i}", "{i}", "2")+entered("1", "{i}", "{i}")+
		enter("1", "{i}", "{n}", "2")+enter("3", "{i}", "{i}", "1")+entered("1", "{i}", "{n}")+entered("3", "{i}", "{i}")),
		[]string{"deadlocks --all --format json"}},
	{"classes and methods", "t.trcxml", traced(defined), nil},
	{"open calls", "t.trcxml", traced(start("1"), defined,
		`<methodEntry threadIdRef="1" methodIdRef="{i+1}" classIdRef="{i+1}" time="{i}.0"/>`), nil},
	{"calls that have returned", "t.trcxml", traced(start("1"), defined,
		`<methodEntry threadIdRef="1" methodIdRef="{i+1}" classIdRef="{i+1}" time="{i}.0"/>`+
			`<methodExit threadIdRef="1" methodIdRef="{i+1}" classIdRef="{i+1}" time="{i}.5"/>`), nil},
	{"objects", "t.trcxml", traced(`<objAlloc objId="{i+1}" classIdRef="1" size="16" time="{i}.0"/>`),
		[]string{"heap --by class", "heap --by site --callers", "heap --format collapsed"}},
	{"objects that are moved", "t.trcxml", traced(start("1"), start("2"), enter("1", "1", "0", "2"),
		`<objMove objIdRef="50{i}" newObjId="50{i+1}" time="{i}.0"/>`), nil},
	{"stack traces", "t.trcxml", traced(start("1"), defined, `<monWait threadIdRef="1" time="{i}.1" objIdRef="501" timeout="1">`+
		`<annotation name="stack" value="{i+1}:1"/></monWait>`+waited("1", "{i}", "1", "1")),
		[]string{"convert --to pprof --states all -o p.pb.gz", "convert --to collapsed --states all", "blame --format collapsed"}},
	{"collections", "t.trcxml", traced(start("1"), `<gcStart time="{i+1}.0"/><gcFinish time="{i+1}.5"/>`), nil},
	{"unknown elements", "t.trcxml", traced(`<unknown value="{i}"/>`), nil},
	{"findings", "t.trcxml", traced(`<monWaited threadIdRef="{i}" time="-1" time="x" objIdRef="9"/>`),
		[]string{"validate --format json", "validate --format sarif", "validate --max-findings 1000000"}},
	{"monlog: threads of one hash code", "t.monlog", []string{"{i}.0,ThreadStarted,0A1B2C01,t{i}\n"}, nil},
	{"monlog: hand-offs", "t.monlog", []string{"0.0,ThreadStarted,00000001,a\n0.0,ThreadStarted,00000002,b\n",
		"{i}.1,MonitorContendedEnter,0000000{i%2+1},00000009,0000000{i^1%2+1},1,00007F3A4C002010,00000004\n" +
			"{i}.2,MonitorContendedEntered,0000000{i%2+1},00000009\n"}, nil},
	{"switchlog: threads", "t.switchlog", []string{"Thread-0, start, Thread-{i+1}\n"}, nil},
	{"switchlog: waits", "t.switchlog", []string{"Thread-1, wait, Thread-1, active 1{i} ms\nThread-2, notify, Thread-1\n"}, nil},
	{"thread dump: stack traces", "t.txt", []string{dumpHead, dumped + "\tat p.C{i}.m(C{i}.java:1)\n\n", dumpEnd}, nil},
	{"thread dump: one deadlock", "t.txt", []string{dumpHead, dumped + "\t- waiting to lock <0x7{i+1%n+1}> (a p.L)\n" +
		"\t- locked <0x7{i+1}> (a p.L)\n\n", dumpEnd}, nil},
	{"HPROF text: stack traces", "t.txt", []string{hprofHead, "TRACE {i+1}:\n\tp.C{i}.m(C{i}.java:1)\n"}, nil},
	{"HPROF text: objects", "t.txt", []string{hprofHead + "HEAP DUMP BEGIN ({n} objects, {n} bytes) Wed Apr  5 10:11:31 2006\n" +
		"CLS 1 (name=p.C, trace=300000)\nROOT 20 (kind=<JNI global ref>, id=1, trace=300000)\n",
		"OBJ 2{i} (sz=24, trace=300000, class=p.C@1)\n\tnext\t2{i+1}\n", "OBJ 2{n} (sz=24, trace=300000, class=p.C@1)\nHEAP DUMP END\n"},
		[]string{"heap", "heap --dominators", "heap --retained-by-class --format json", "heap --path 0x20"}},
}

// growthCommands are measured in turns, three for each input with TRCX_TRIALS=all, else one.
var growthCommands = []string{
	"validate", "stats", "blame", "deadlocks", "path", "report -o p.html", "convert --to json", "convert --to jsonl",
	"convert --to trcxml --normalize", "convert --to trcxml --anonymize", "convert --to perfetto -o p.trace.json",
	"convert --to perfetto -o p.pftrace", "convert --to csv -o c.csv", "convert --to dot", "convert --to svg", "convert --to switchlog",
	"convert --to monlog -o m.monlog", "query //threadEnd|//classDef", "stats --format json", "path --format json",
	"blame --format json", "stats --format markdown", "why", "methods", "methods --format json",
}

const (
	dumpHead = "2024-05-06 07:08:09\nFull thread dump OpenJDK 64-Bit Server VM (21.0.4+7 mixed mode):\n\n"
	dumped   = "\"t{i}\" #{i+1} prio=5 os_prio=0 tid=0x7{i} nid={i+1} waiting for monitor entry  [0x00007f00000f0000]\n" +
		"   java.lang.Thread.State: BLOCKED (on object monitor)\n\tat p.C.m(C.java:1)\n"
	dumpEnd   = "JNI global refs: 4, weak refs: 0\n\n"
	hprofHead = "JAVA PROFILE 1.0.1, created Wed Apr  5 10:11:12 2006\n\nHeader for -agentlib:hprof\n--------\n\n"
	defined   = `<classDef classId="{i+1}" name="p/C{i}" time="0.0"/>` +
		`<methodDef methodId="{i+1}" name="m" signature="()V" classIdRef="{i+1}" startLineNumber="1" endLineNumber="2"/>`
)

// traced returns the parts as a trace with TPTP's preamble.
func traced(parts ...string) []string {
	return slices.Concat([]string{`<TRACE><node nodeId="n" hostname="h" ipaddress="192.0.2.1" timezone="0" time="0.0"/>` +
		`<processCreate processId="p" pid="1" nodeIdRef="n" time="0.0"/><agentCreate agentId="a" version="1" processIdRef="p" ` +
		`agentName="x" agentType="y" time="0.0"/><traceStart traceId="t" agentIdRef="a" time="0.0"/>`}, parts, []string{`</TRACE>`})
}

func start(id string) string {
	return fmt.Sprintf(`<threadStart threadId="%s" time="0.0" threadName="t%[1]s" groupName="g" parentName="p" objIdRef="90%[1]s"/>`, id)
}

func enter(thread, time, object, owner string) string {
	return fmt.Sprintf(`<monContendedEnter threadIdRef="%s" time="%s.1" objIdRef="50%s" threadOwner="%s"/>`, thread, time, object,
		owner)
}

func entered(thread, time, object string) string {
	return fmt.Sprintf(`<monContendedEntered threadIdRef="%s" time="%s.2" objIdRef="50%s"/>`, thread, time, object)
}

func wait(thread, time, object, timeout string) string {
	return fmt.Sprintf(`<monWait threadIdRef="%s" time="%s.1" objIdRef="50%s" timeout="%s"/>`, thread, time, object, timeout)
}

func waited(thread, time, object, timedOut string) string {
	return fmt.Sprintf(`<monWaited threadIdRef="%s" time="%s.2" objIdRef="50%s" isTimedOut="%s"/>`, thread, time, object, timedOut)
}

// placeholder is a number in a part of an input.
var placeholder = regexp.MustCompile(`\{[in][^}]*\}`)

// writeGrown writes the parts of an input with n units.
func writeGrown(t *testing.T, name string, parts []string, n int) {
	t.Helper()
	var text bytes.Buffer
	for _, part := range parts {
		times := 1
		if strings.Contains(part, "{i") {
			times = n
		}
		for i := range times {
			values := map[string]int{"{n}": n, "{n+1}": n + 1, "{i}": i, "{i+1}": i + 1, "{i+2}": i + 2, "{i+n+2}": i + n + 2,
				"{i%2+1}": i%2 + 1, "{i^1%2+1}": (i^1)%2 + 1, "{i^1+1}": i ^ 1 + 1, "{i+1%n+1}": (i+1)%n + 1}
			text.WriteString(placeholder.ReplaceAllStringFunc(part, func(at string) string {
				value, known := values[at]
				if !known {
					t.Fatalf("no value for %s", at)
				}
				return strconv.Itoa(value)
			}))
		}
	}
	if err := os.WriteFile(name, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// effort is what running a command takes.
type effort struct {
	Bytes, Objects uint64        // allocated
	Peak           uint64        // of memory in bytes, as the kernel counts it
	CPU            time.Duration // user and system time
}

// mostGrowth is the allowed factor for ten times the input. What is quadratic takes a hundred times as much; sorting,
// buffers that double, and files for large data take more than ten times.
const mostGrowth = 25

// The least figures for few units. Lower figures are noise.
var leastEffort = effort{4 << 20, 20_000, 8 << 20, 15 * time.Millisecond}

// TestGrowth proves that ten times the input takes at most mostGrowth times the allocations, memory and time. It
// compares the best of three runs.
func TestGrowth(t *testing.T) {
	testtool.Long(t)
	const few = 2500
	for i, in := range growthInputs {
		t.Run(in.dimension, func(t *testing.T) {
			folder, names := t.TempDir(), [3]string{}
			for at, n := range []int{1, few, 10 * few} {
				names[at] = filepath.Join(folder, fmt.Sprint(n)+in.file)
				writeGrown(t, names[at], in.parts, n)
			}
			commands := in.more
			for turn := range testtool.Times(3) {
				commands = append(commands, growthCommands[(i+turn*7)%len(growthCommands)])
			}
			for _, command := range commands {
				excess := "not measured"
				var least [3]effort
				for try := 0; try < 3 && excess != ""; try++ {
					for at, name := range names {
						least[at] = least[at].least(measured(t, name, command))
					}
					excess = excessOf(least[0], least[1], least[2])
				}
				if excess != "" {
					t.Errorf("%s: one unit, %d and ten times as many take %s", command, few, excess)
				}
			}
		})
	}
}

// least returns the lower figures of two efforts. A zero effort does not count.
func (e effort) least(other effort) effort {
	if e == (effort{}) {
		return other
	}
	return effort{min(e.Bytes, other.Bytes), min(e.Objects, other.Objects), min(e.Peak, other.Peak), min(e.CPU, other.CPU)}
}

// excessOf returns the figures that grow too much, or "".
func excessOf(none, few, many effort) (excess string) {
	for _, f := range []struct {
		what                   string
		none, few, many, least uint64
	}{
		{"allocated bytes", none.Bytes, few.Bytes, many.Bytes, leastEffort.Bytes},
		{"allocated objects", none.Objects, few.Objects, many.Objects, leastEffort.Objects},
		{"bytes at the peak", none.Peak, few.Peak, many.Peak, leastEffort.Peak},
		{"ns of CPU time", uint64(none.CPU), uint64(few.CPU), uint64(many.CPU), uint64(leastEffort.CPU)},
	} {
		if f.many-min(f.many, f.none) > mostGrowth*max(f.few-min(f.few, f.none), f.least) {
			excess += fmt.Sprintf(" %d, %d and %d %s", f.none, f.few, f.many, f.what)
		}
	}
	return excess
}

// measured returns the effort of running the command.
func measured(t *testing.T, name, command string) (took effort) {
	t.Helper()
	run := exec.Command("measured", append(strings.Fields(command), "-q", name)...)
	run.Dir, run.Stderr, run.Env = filepath.Dir(name), os.Stderr, append(os.Environ(), "GOGC=") // as for users
	out, err := run.Output()
	if err == nil {
		err = json.Unmarshal(out, &took)
	}
	if err != nil {
		t.Fatalf("trcx %s: %v", command, err)
	}
	return took
}

func init() { programs["measured"] = printMeasured }

// printMeasured runs the command line without its output, and prints the effort.
func printMeasured() {
	status := Main(append([]string{"trcx"}, os.Args[1:]...), strings.NewReader(""), io.Discard, io.Discard)
	samples := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/allocs:objects"}}
	metrics.Read(samples)
	var usage syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	text, failed := os.ReadFile("/proc/self/status")
	_, peak, _ := strings.Cut(string(text), "VmHWM:")
	kilobytes, wrong := strconv.ParseUint(strings.Fields(peak)[0], 10, 64)
	if err = errors.Join(err, failed, wrong); err != nil || status > exitFindings {
		fmt.Fprintln(os.Stderr, "status", status, err)
		os.Exit(1)
	}
	took := effort{samples[0].Value.Uint64(), samples[1].Value.Uint64(), kilobytes << 10,
		time.Duration(usage.Utime.Nano() + usage.Stime.Nano())}
	json.NewEncoder(os.Stdout).Encode(took)
}
