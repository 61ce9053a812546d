package jfr

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/deadlock"
	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// dumpText is a thread dump of the threads, in the form of jdk.ThreadDump.
func dumpText(threads ...string) string {
	return "2023-11-14 22:13:20\nFull thread dump OpenJDK 64-Bit Server VM (25 mixed mode, sharing):\n\n" +
		strings.Join(threads, "\n") + "\nJNI global refs: 4, weak refs: 0\n\n"
}

// dumpedThread is a thread of a dump.
func dumpedThread(name string, id, cpuMillis int, state, calls string) string {
	return fmt.Sprintf("%q #%d [77] prio=5 os_prio=0 cpu=%d.00ms elapsed=9.00s tid=0x000077 nid=77 waiting  [0x00]\n"+
		"   java.lang.Thread.State: %s\n%s", name, id, cpuMillis, state, calls)
}

// waits are what the threads of the dumps do.
const (
	waitsOn    = "\tat java.lang.Object.wait0(java.base/Native Method)\n\t- waiting on <0x0a> (a app.Queue)\n\tat app.Job.take(Job.java:5)\n"
	wantsLock  = "\tat app.Job.in(Job.java:7)\n\t- waiting to lock <0x0b> (a app.Account)\n\t- locked <0x0c> (a app.Account)\n"
	holdsLock  = "\tat app.Job.out(Job.java:8)\n\t- waiting to lock <0x0c> (a app.Account)\n\t- locked <0x0b> (a app.Account)\n"
	computes   = "\tat app.Job.spin(Job.java:9)\n"
	initialize = "\tat app.Job.in(Job.java:3)\n\t- waiting on the Class initialization monitor for app.Late\n"
	sleeps     = "\tat java.lang.Thread.sleep0(java.base/Native Method)\n\tat app.Job.nap(Job.java:4)\n"
)

// dumpChunk is a chunk with dumps at milliseconds of its second, and with other events.
func dumpChunk(add func(*chunkBuilder)) []byte {
	b := newBuilder(second)
	b.io = true
	add(b)
	b.constants()
	b.describe()
	return b.bytes()
}

// dump adds a thread dump.
func (b *chunkBuilder) dump(ms int64, threads ...string) {
	b.event(idDump, b.ticks(ms*nanosPerMilli), dumpText(threads...))
}

// thresholds adds settings by which waits of less than 20 ms are not recorded.
func (b *chunkBuilder) thresholds() {
	for _, id := range []int{idEnter, idWait, idPark, idSleep} {
		b.event(idSetting, b.ticks(1), id, settingEnabled, "true")
		b.event(idSetting, b.ticks(1), id, settingThreshold, "20 ms")
	}
}

// startedWith adds the start of the thread late at 10 ms, its load at 500 ms, and thresholds.
func (b *chunkBuilder) startedWith(load float32) {
	b.thresholds()
	b.event(idSetting, b.ticks(1), int64(idThreadLoad), "period", "1 s")
	b.event(idProcessors, b.ticks(1), count(4))
	b.event(idStart, b.ticks(10*nanosPerMilli), keyLate, 0, keyLate, keyMain)
	b.load(500, keyLate, load)
}

// brief are the elements of a recording, without stacks and offsets.
func brief(o outcome) string {
	var lines []string
	for _, e := range o.elements {
		line := regexp.MustCompile(`<annotation name="stack"[^>]*>|</[^>]*>|1700000000\.|000000"`).ReplaceAllStringFunc(e, func(s string) string {
			if s == `000000"` {
				return `"`
			}
			return ""
		})
		lines = append(lines, strings.NewReplacer(`<annotation name=`, "", `" value="`, "=", `"/>`, `"`, ">", " ", "<", "").Replace(strings.TrimSpace(line)))
	}
	return strings.Join(lines, "\n")
}

func TestDumps(t *testing.T) {
	waiter := func(cpu int) string { return dumpedThread("late", 4, cpu, "WAITING (on object monitor)", waitsOn) }
	blocked := strings.Replace(dumpedThread("worker-1", 2, 3, "BLOCKED (on object monitor)", wantsLock), "3.00ms", "3.05ms", 1)
	sleeper := dumpedThread("worker-2", 3, 3, "TIMED_WAITING (sleeping)", sleeps+"\t- locked <0x0b> (a app.Account)\n")
	for name, c := range map[string]struct {
		add        func(b *chunkBuilder)
		has, lacks string
	}{
		"a wait that does not end, since the first dump": {func(b *chunkBuilder) { b.dump(100, waiter(7)); b.dump(900, waiter(7)) },
			`monWait threadIdRef="4" time="100"`, "monWaited"},
		"the thread has used CPU time": {func(b *chunkBuilder) { b.dump(100, waiter(7)); b.dump(900, waiter(8)) },
			`monWait threadIdRef="4" time="900"`, "monWaited"},
		"a wait that has ended": {func(b *chunkBuilder) {
			b.dump(100, waiter(7))
			b.dump(500, waiter(7))
			b.dump(900, dumpedThread("late", 4, 8, "RUNNABLE", computes))
		}, `monWaited threadIdRef="4" time="500"`, `time="900"`},
		"a thread that the last dump lacks": {func(b *chunkBuilder) {
			b.dump(100, waiter(7))
			b.dump(500, waiter(7))
			b.dump(900, dumpedThread("worker-1", 2, 8, "RUNNABLE", computes))
		}, `monWaited threadIdRef="4" time="500"`, `time="900"`},
		"an event shows that the thread ran": {func(b *chunkBuilder) {
			b.dump(100, waiter(7))
			b.event(idNotify, b.ticks(200*nanosPerMilli), 0, keyLate, 1, 1, count(1), 0x99)
			b.dump(900, waiter(7))
		}, `monWait threadIdRef="4" time="900"`, "monWaited"},
		"a sample shows that the thread runs": {func(b *chunkBuilder) {
			b.dump(100, waiter(7))
			b.event(idSample, b.ticks(990*nanosPerMilli), keyLate, 1, "STATE_RUNNABLE")
		}, `sample=4`, "monWait"},
		"another one has got the monitor from the thread": {func(b *chunkBuilder) {
			b.dump(100, waiter(7))
			b.event(idEnter, b.ticks(50*nanosPerMilli), 2*100*nanosPerMilli, keyMain, 1, 1, keyLate, 0x1000)
		}, `monContendedEntered threadIdRef="1" time="150"`, "monWait"},
		"a recorded wait includes the dump": {func(b *chunkBuilder) {
			b.dump(100, waiter(7))
			b.event(idWait, b.ticks(50*nanosPerMilli), 2*100*nanosPerMilli, keyLate, 1, 1, 0, 0, written(false), 0x1000)
		}, `monWaited threadIdRef="4" time="150"`, `time="100"`},
		"a thread that ran for less than 2 %": {func(b *chunkBuilder) {
			b.thresholds()
			b.event(idNotify, b.ticks(100*nanosPerMilli), 0, keyLate, 1, 1, count(1), 0x99)
			b.dump(900, waiter(8))
		}, `monWait threadIdRef="4" time="108" objIdRef="3" timeout="0" "inferred=1"`, "monWaited"},
		"a thread that ran before a load, not after it": {func(b *chunkBuilder) {
			b.startedWith(.1)
			b.dump(900, waiter(195))
		}, `monWait threadIdRef="4" time="500" objIdRef="3" timeout="0" "inferred=1"`, "monWaited"},
		"a thread that ran for less than 2 %, by its only load": {func(b *chunkBuilder) {
			b.startedWith(.002)
			b.dump(900, waiter(3))
		}, `monWait threadIdRef="4" time="013" objIdRef="3" timeout="0" "inferred=1"`, "monWaited"},
		"a thread that runs again and again, by its loads": {func(b *chunkBuilder) {
			b.startedWith(.002)
			b.load(700, keyLate, .002)
			b.dump(900, waiter(5))
		}, `monWait threadIdRef="4" time="501080002" objIdRef="3" timeout="0" "inferred=1"`, "monWaited"},
		"a block must have begun before the dump": {func(b *chunkBuilder) {
			b.thresholds()
			b.dump(200, dumpedThread("worker-1", 2, 3, "RUNNABLE", computes))
			b.dump(900, strings.Replace(dumpedThread("worker-1", 2, 3, "BLOCKED (on object monitor)", wantsLock), "3.00ms", "3.05ms", 1))
		}, `monContendedEnter threadIdRef="2" time="320050000"`, "monContendedEntered"},
		"an owner since before": {func(b *chunkBuilder) {
			b.thresholds()
			b.dump(200, dumpedThread("worker-1", 2, 3, "RUNNABLE", computes), sleeper)
			b.dump(900, blocked, sleeper)
		}, `threadOwner="3"`, `threadOwner="0"`},
		"an owner that was BLOCKED at first": {func(b *chunkBuilder) {
			b.thresholds()
			b.dump(200, dumpedThread("worker-1", 2, 3, "RUNNABLE", computes), dumpedThread("worker-2", 3, 3, "BLOCKED (on object monitor)", wantsLock))
			b.dump(900, blocked, sleeper)
		}, `threadOwner="0"`, `threadOwner="3"`},
		"an owner that was BLOCKED in between": {func(b *chunkBuilder) {
			b.thresholds()
			b.dump(200, dumpedThread("worker-1", 2, 3, "RUNNABLE", computes))
			b.event(idEnter, b.ticks(300*nanosPerMilli), 2*100*nanosPerMilli, keyWorker2, 1, 1, 0, 0x1000)
			b.dump(900, strings.ReplaceAll(blocked, "app.Account", "app.Job"), strings.ReplaceAll(sleeper, "app.Account", "app.Job"))
		}, `threadOwner="0"`, `threadOwner="3"`},
		"a thread that computes": {func(b *chunkBuilder) {
			b.dump(100, dumpedThread("worker-1", 2, 3, "RUNNABLE", computes), waiter(7))
			b.dump(900, dumpedThread("worker-1", 2, 700, "RUNNABLE", computes), waiter(7))
		}, `"cpu=2 900000000 700"`, `"cpu=4`},
		"owners and their stacks": {func(b *chunkBuilder) {
			b.dump(900, dumpedThread("worker-1", 2, 3, "BLOCKED (on object monitor)", wantsLock),
				dumpedThread("worker-2", 3, 3, "BLOCKED (on object monitor)", holdsLock))
		}, `monContendedEnter threadIdRef="3" time="900" objIdRef="`, ""},
		"the class that is initialized": {func(b *chunkBuilder) {
			b.dump(900, dumpedThread("worker-1", 2, 3, "RUNNABLE", initialize),
				dumpedThread("worker-2", 3, 3, "RUNNABLE", "\tat app.Late.<clinit>(Late.java:1)\n"))
		}, `"init=3""classInitialization=app.Late"`, ""},
		"an unknown object": {func(b *chunkBuilder) {
			b.dump(900, dumpedThread("late", 4, 3, "WAITING (on object monitor)", "\tat java.lang.Object.wait(Native Method)\n"))
		}, `monWait threadIdRef="4" time="900" objIdRef="0"`, ""},
		"a timeout of unknown length": {func(b *chunkBuilder) {
			b.dump(900, dumpedThread("late", 4, 3, "TIMED_WAITING (on object monitor)", waitsOn))
		}, `"timeoutNanos=unknown"`, "timeout="},
		"no timeout": {func(b *chunkBuilder) { b.dump(900, waiter(7)) }, `timeout="0"`, "timeoutNanos"},
		"a sleep": {func(b *chunkBuilder) { b.dump(900, dumpedThread("late", 4, 3, "TIMED_WAITING (sleeping)", sleeps)) },
			`monWait threadIdRef="4" time="900" objIdRef="-1"`, "timeout="},
	} {
		t.Run(name, func(t *testing.T) {
			o := readAll(t, dumpChunk(c.add), limits{})
			if len(o.findings) > 0 {
				t.Error(o.findings)
			}
			text := brief(o)
			if !strings.Contains(text, c.has) || c.lacks != "" && strings.Contains(text, c.lacks) {
				t.Errorf("want %s and not %s in\n%s", c.has, c.lacks, text)
			}
		})
	}
}

// TestDamagedDump: the intact part of a damaged dump is used, with a warning.
func TestDamagedDump(t *testing.T) {
	whole := dumpText(dumpedThread("late", 4, 7, "WAITING (on object monitor)", waitsOn))
	for _, text := range []string{whole[:len(whole)-40], whole[:40], "nothing"} {
		o := readAll(t, dumpChunk(func(b *chunkBuilder) { b.event(idDump, b.ticks(1000), text) }), limits{})
		if len(o.findings) != 1 || o.findings[0].Rule != ruleDump || o.findings[0].Severity != trace.Warning {
			t.Errorf("%q: %v", text, o.findings)
		}
		if has := strings.Contains(brief(o), "monWait"); has != (text == whole[:len(whole)-40]) {
			t.Errorf("%q: %s", text, brief(o))
		}
	}
}

// TestDeadlocks: the default recording of a program with 20 deadlocks shows all of them; a recording of the same
// program without deadlocks shows none.
func TestDeadlocks(t *testing.T) {
	for _, j := range testtool.JDKs(t, testtool.Oldest) {
		t.Run(j.String(), func(t *testing.T) {
			t.Parallel()
			classes := testtool.Javac(t, j, nil, "testdata/Deadlocks.java")
			for kind, want := range map[string]int{"dead": 20, "healthy": 0} {
				recording := filepath.Join(t.TempDir(), kind+".jfr")
				run(t, j.Tool("java"), "-XX:StartFlightRecording:filename="+recording, "-cp", classes, "Deadlocks", kind)
				content, err := os.ReadFile(recording)
				if err != nil {
					t.Fatal(err)
				}
				if got := deadlocksOf(t, content); len(got) != want {
					t.Errorf("%s: %d deadlocks, want %d: %v", kind, len(got), want, got)
				}
			}
		})
	}
}

func deadlocksOf(t *testing.T, recording []byte) []deadlock.Deadlock {
	t.Helper()
	finder := deadlock.NewFinder()
	e := enrich.New(finder, enrich.Options{Calls: enrich.WholeStacks, Objects: true})
	if err := e.Begin(0); err != nil {
		t.Fatal(err)
	}
	ending, err := Read(t.Context(), bytes.NewReader(recording), builder.Options{Report: func(f trace.Finding) {
		if f.Severity == trace.Error {
			t.Error(f)
		}
	}}, e.Put)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.End(ending); err != nil {
		t.Fatal(err)
	}
	if err := e.Finish(); err != nil {
		t.Fatal(err)
	}
	return finder.Report().Deadlocks
}
