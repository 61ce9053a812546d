package jvmtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// culprit is a program with one fault, and what the diagnosis must say about it.
type culprit struct {
	class, name string
	kind        string   // of the first finding
	says        []string // in its sentence, or in its proof: who and where
	named       string   // the threads that findings may name, separated by spaces
	total       extent
}

// extent is how the time of a finding compares with the time that the program logs.
type extent int

const (
	equal   extent = iota // within 5 %
	atLeast               // the program logs a part, because it cannot know more
	untold                // the finding has no time, or a different one
)

// culprits are the programs. The last ones are programs whose trace does not show the culprit: the report of
// lastConnection returns its connection when nobody waits, so only the users of the other connection are named.
var culprits = []culprit{
	{"Culprits", "greedy", "lock", []string{"greedy (", "Culprits.upload("}, "greedy", equal},
	{"Culprits", "greedyLock", "lock", []string{"greedy (", "Culprits.upload("}, "greedy", equal},
	{"Culprits", "moved", "lock", []string{"holder (", "Culprits.upload("}, "holder", equal},
	{"Culprits", "socket", "lock", []string{"checkout (", "IN I/O", "Culprits.pay("}, "checkout", equal},
	{"Culprits", "initialisers", "class-init-deadlock", []string{"init-a (", "init-b (", "Culprits$First.<clinit>("},
		"init-a init-b", untold},
	{"Culprits", "collections", "pause", []string{"The garbage collector stopped"}, "", equal},
	{"Culprits", "processors", "cpu-starved", []string{"10 threads of cruncher-*", "ready for one"}, "cruncher-*", equal},
	{"Culprits", "readers", "lock", []string{"not recorded, likely", "exporter-1 (", "SLEEPING at Culprits.upload("},
		"exporter-*", equal},
	{"Culprits", "connections", "semaphore", []string{"report-job (", "a permit, SLEEPING at Culprits.upload("},
		"report-job", equal},
	{"Culprits", "backend", "future", []string{"backend-1 (", "SLEEPING at Culprits.query("}, "backend-1 web-*", equal},
	{"Culprits", "latch", "latch", []string{"EventThread (", "SLEEPING at Culprits.deliver("}, "EventThread", equal},
	{"Culprits", "self", "pool-self-wait", []string{"job-*", "their own queue", "Culprits.nested("}, "job-*", atLeast},
	{"Culprits", "leak", "leak", []string{"120 threads", "poller-*", "Culprits.leak("}, "poller-*", untold},
	{"Culprits", "deadlock", "deadlock", []string{"transfer-0 (", "transfer-1 (", "Culprits.inner("},
		"transfer-0 transfer-1", untold},
	{"Culprits", "exhausted", "future", []string{"web-", "SLEEPING at Culprits.upload("}, "web-*", equal},
	{"Culprits", "timer", "timer-late", []string{"timer-1 was busy", "SLEEPING", "Culprits.upload(", "due every 200 ms"},
		"timer-1", equal},
	{"Culprits", "producer", "queue-empty", []string{"producer (", "SLEEPING at Culprits.fetch("}, "producer", equal},
	{"Stalls", "consumer", "queue-full", []string{"consumer (", "SLEEPING at Stalls.store("}, "consumer producer-0 main", equal},
	{"Stalls", "chain", "future", []string{"supply-1 (", "PARKED at Stalls.load("}, "supply-1", equal},
	{"Stalls", "barrier", "barrier", []string{"straggler (", "SLEEPING at Stalls.straggle("}, "straggler", equal},
	{"Stalls", "phaser", "barrier", []string{"straggler (", "SLEEPING at Stalls.straggle("}, "straggler", equal},
	{"Stalls", "exchanger", "barrier", []string{"straggler (", "SLEEPING at Stalls.straggle("}, "straggler", equal},
	{"Stalls", "stamped", "wait", []string{"stamper (", "SLEEPING at Culprits.upload("}, "stamper", equal},
	{"Stalls", "staticMethod", "lock", []string{"configurer (", "Stalls.configure("}, "configurer", equal},
	{"Stalls", "nested", "lock", []string{"middle (", "sleeper (", "SLEEPING at Culprits.upload("}, "middle sleeper", equal},
	{"Stalls", "carriers", "start", []string{"5 threads of late-*", "a carrier"}, "late-*", equal},
	{"Stalls", "storm", "start", []string{"500 threads of brief-*"}, "brief-*", untold},
	{"Stalls", "computeIfAbsent", "lock", []string{"computer (", "PARKED", "Stalls.load("}, "computer", equal},
	{"Stalls", "logging", "lock", []string{"handler-", "SLEEPING", "Stalls$Logger.write("}, "handler-*", equal},
	{"Stalls", "busyHolder", "lock", []string{"computer (", "Stalls.compute("}, "computer", equal},
	{"Stalls", "condition", "wait", []string{"signaller (", "SLEEPING at Stalls.straggle("}, "signaller", equal},
	{"Stalls", "joins", "join", []string{"last (", "SLEEPING at Stalls.straggle("}, "last middle-0", equal},
	{"Stalls", "tryLock", "lock", []string{"holder (", "SLEEPING", "Culprits.upload("}, "holder", equal},
	{"Stalls", "nestedWait", "lock", []string{"holder (", "Stalls.await("}, "holder", atLeast},
	{"Stalls", "upgrade", "deadlock", []string{"upgrader-0 (", "holds for reading itself", "Stalls.write("}, "upgrader-*", untold},
	{"Stalls", "pools", "deadlock", []string{"orders-1 (", "stock-1 (", "in the queue of ThreadPoolExecutor"}, "orders-* stock-*", untold},
	{"Stalls", "hotMap", "lock", []string{"user-", "java.util.HashMap"}, "user-*", equal},

	{"Faults", "cache", "lock", []string{"loader (", "SLEEPING", "Faults.dawdle("}, "loader", equal},
	{"Faults", "hog", "semaphore", []string{"hog (", "likely had a permit, SLEEPING at Faults.dawdle("}, "hog", equal},
	{"Faults", "process", "lock", []string{"tool (", "Faults.runTool("}, "tool", equal},
	{"Faults", "stampedReader", "wait", []string{"scanner (", "SLEEPING at Faults.dawdle("}, "scanner", equal},
	{"Faults", "writer", "lock", []string{"rebuilder (", "SLEEPING", "Faults.dawdle("}, "rebuilder", equal},
	{"Faults", "invokeAll", "future", []string{"part-", "SLEEPING at Faults.dawdle("}, "part-*", equal},
	{"Faults", "print", "lock", []string{"auditor (", "java.io.PrintStream", "SLEEPING"}, "auditor", equal},
	{"Faults", "cleaner", "latch", []string{"Cleaner-0 (", "Faults.dawdle("}, "Cleaner-*", equal},
	{"Faults", "stubborn", "wait", []string{"stubborn-1 (", "SLEEPING", "Faults.dawdle("}, "stubborn-1", equal},
	{"Faults", "deque", "queue-empty", []string{"report (", "SLEEPING at Faults.dawdle("}, "report", equal},
	{"Faults", "objects", "wait", []string{"keeper (", "SLEEPING at Faults.dawdle("}, "keeper", equal},
	{"Faults", "lockedGet", "lock", []string{"basket (", "pricing-1 (", "SLEEPING at Faults.dawdle("}, "basket pricing-1", equal},
	{"Faults", "abandoned", "lock", []string{"quitter (", "that one has ended"}, "quitter", atLeast},
	{"Faults", "throttled", "lock", []string{"request-", "SLEEPING", "Faults.dawdle("}, "request-*", equal},
	{"Faults", "linked", "queue-full", []string{"drain (", "SLEEPING at Faults.dawdle("}, "drain", equal},
	{"Faults", "slowTask", "timer-late", []string{"ticker-1 was busy", "SLEEPING", "Faults.dawdle("}, "ticker-1", untold},
	{"Faults", "slowTimer", "timer-late", []string{"metronome was busy", "SLEEPING", "Faults.dawdle("}, "metronome", untold},

	{"Culprits", "lastConnection", "semaphore", []string{"had a permit", "Culprits.handle("}, "web-*", equal},
	{"Stalls", "lostNotify", "wait", []string{"2 threads", "Stalls.await("}, "", atLeast},
	{"Stalls", "semaphoreLeak", "semaphore", []string{"2 threads of waiter-* still waited for semaphore"}, "", atLeast},
	{"Stalls", "polling", "wait", []string{"poller (", "Stalls.poll("}, "", equal},
	{"Culprits", "innocent", "", nil, "", untold},
	{"Stalls", "innocent", "", nil, "", untold},
	{"Faults", "innocent", "", nil, "", untold},
	{"Healthy", "alone", "", nil, "", untold},
	{"Healthy", "joined", "", nil, "worker-*", untold},
	{"Healthy", "pool", "", nil, "batch-*", untold},
	{"Healthy", "latched", "", nil, "worker-*", untold},
	{"Healthy", "pipeline", "", nil, "parser indexer-*", untold},
	{"Healthy", "server", "", nil, "", untold},
}

// virtuals are the programs that also run with virtual threads.
var virtuals = []string{"upgrade", "moved", "nested", "carriers", "readers", "connections", "latch", "producer", "consumer", "barrier", "stamped", "staticMethod", "tryLock"}

// ofMachine are the kinds of findings that a busy machine adds to any program.
var ofMachine = []string{"cpu-starved", "start", "pause", "timer-late"}

// maxCulprits is the number of programs that run at the same time: they sleep most of the time.
const maxCulprits = 8

// culpritRun is a run of a program, and its diagnosis.
type culpritRun struct {
	culprit
	jdk   testtool.JDK
	kind  string // platform or virtual
	lost  int64  // what the program logs, in nanoseconds
	found []finding
	wrong bool   // the exit status says that something was found
	trace string // the file
	err   error
}

// finding is a finding of trcx why.
type finding struct {
	Kind, Summary string
	Evidence      []string
	Waiting       int
	Total         *int64
	Threads       []struct{ Name, Pool string }
}

// TestCulprits proves for programs with one fault each that the first finding of the diagnosis names the culprit and
// the place, with the time that the program logs, and that no finding names anybody else; and that it names nobody in
// the same programs without the fault.
func TestCulprits(t *testing.T) {
	b, trcx := newBench(t), testtool.Trcx(t)
	var runs []*culpritRun
	for _, j := range b.jdks {
		for _, c := range culprits {
			if c.name != "carriers" {
				runs = append(runs, &culpritRun{culprit: c, jdk: j, kind: "platform"})
			}
			if j.Version >= firstVirtual && slices.Contains(virtuals, c.name) {
				runs = append(runs, &culpritRun{culprit: c, jdk: j, kind: "virtual"})
			}
		}
	}
	free, all := make(chan struct{}, maxCulprits), sync.WaitGroup{}
	for i, r := range runs {
		file := filepath.Join(t.TempDir(), fmt.Sprintf("%d.trcxml", i))
		b.countDropped(t, file)
		all.Add(1)
		go func() {
			defer all.Done()
			free <- struct{}{}
			defer func() { <-free }()
			r.run(b, trcx, file)
		}()
	}
	all.Wait()
	for _, r := range runs {
		t.Run(fmt.Sprintf("%v/%s-%s-%s", r.jdk, r.class, r.name, r.kind), r.check)
	}
}

// run runs the program under the agent, and diagnoses the trace.
func (r *culpritRun) run(b *bench, trcx, file string) {
	r.trace = file
	cmd, cancel := b.command(r.jdk, "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
		"-agentpath:"+b.agent+"=file="+file, "-cp", b.classes, r.class, "unused", r.name, r.kind)
	defer cancel()
	out, err := cmd.CombinedOutput()
	if _, failed := fmt.Sscanf(string(out), "total %d\n", &r.lost); err != nil || failed != nil {
		r.err = fmt.Errorf("%w: the program prints %s", errors.Join(err, failed), out)
		return
	}
	var exit *exec.ExitError
	out, err = exec.Command(trcx, "why", file, "--format", "json").Output()
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		r.err = fmt.Errorf("trcx why: %w", err)
		return
	}
	r.wrong = exit != nil
	r.err = json.NewDecoder(bytes.NewReader(out)).Decode(&struct{ Findings *[]finding }{&r.found})
}

// keepOfFailed keeps the file of a test that failed: what it says may depend on chance.
func keepOfFailed(t *testing.T, file string) {
	if !t.Failed() {
		return
	}
	folder, err := os.MkdirTemp("", "trcx-failed")
	if err == nil {
		err = os.Rename(file, filepath.Join(folder, filepath.Base(file)))
	}
	t.Logf("its trace is kept in %s (%v)", folder, err)
}

func (r *culpritRun) check(t *testing.T) {
	t.Cleanup(func() { keepOfFailed(t, r.trace) })
	if r.err != nil {
		t.Fatal(r.err)
	}
	all := len(r.found)
	r.found = slices.DeleteFunc(r.found, func(f finding) bool {
		return f.Kind != r.culprit.kind && slices.Contains(ofMachine, f.Kind)
	})
	for _, f := range r.found {
		if len(f.Threads) > 1 && r.total == equal {
			f.Threads = f.Threads[:1] // on a busy machine others may have a small part
		}
		if f.Kind != r.culprit.kind && f.Kind == "join" || byChance(f) {
			continue // a join names the joined thread; who loses the processor within a lock keeps others waiting, too
		}
		for _, thread := range f.Threads {
			if named := strings.Fields(r.named); !slices.Contains(named, thread.Name) && !slices.Contains(named, thread.Pool) {
				t.Errorf("it was not %q: %s", thread, f.Summary)
			}
		}
	}
	switch {
	case r.class == "Healthy" && r.wrong && all == len(r.found) &&
		(busyness() == 1 || !slices.ContainsFunc(r.found, byChance)):
		t.Errorf("nothing is wrong, but the exit status is 1: %+v", r.found)
		return
	case r.culprit.kind == "":
		return
	case len(r.found) == 0 && all > 0 && busyness() > 1:
		t.Log("the machine's other load cost more than the fault")
		return
	case len(r.found) == 0:
		t.Fatal("nothing is found")
	}
	first := r.found[0]
	for _, f := range r.found {
		if busyness() > 1 && slices.Contains(ofMachine, f.Kind) && len(r.says) > 0 && !strings.Contains(f.text(), r.says[0]) {
			continue // the machine's other load keeps all threads from a processor
		}
		if f.Kind == r.culprit.kind || !byChance(f) {
			first = f
			break
		}
	}
	if first.Kind != r.culprit.kind {
		t.Errorf("the first finding is of the kind %s, want %s", first.Kind, r.culprit.kind)
	}
	for _, text := range r.says {
		if said := first.text(); !strings.Contains(said, text) {
			t.Errorf("the first finding has no %q: %s", text, said)
		}
	}
	if wrong := r.wrongTotal(&first); wrong != "" {
		t.Errorf("%s, the program logs %d ns: %s", wrong, r.lost, first.Summary)
	}
}

// beside is the time in nanoseconds that a thread may spend beside the wait that the program logs: on a busy machine it
// waits for a processor, and it loads classes.
const beside = 100_000_000

// chance is how long each thread may wait for one that has lost its processor, if no other thread wants the processor.
const chance = 3 * beside

// busyness returns how many threads wanted each processor of the machine in the last minute; at least 1.
func busyness() int64 {
	text, _ := os.ReadFile("/proc/loadavg") // only Linux has it; elsewhere the machine must not be busy
	load, _, _ := strings.Cut(string(text), " ")
	average, _ := strconv.ParseFloat(load, 64)
	return max(1, int64(average)/int64(runtime.NumCPU()))
}

// text returns the whole text of the finding.
func (f *finding) text() string { return f.Summary + " " + strings.Join(f.Evidence, " ") }

// byChance reports whether the finding can be about threads that waited for one that had lost its processor.
func byChance(f finding) bool { return f.Total != nil && *f.Total < int64(f.Waiting)*chance*busyness() }

// wrongTotal returns what is wrong with the time of the finding, or "".
func (r *culpritRun) wrongTotal(f *finding) string {
	switch {
	case r.total == untold:
		return ""
	case f.Total == nil:
		return "it has no time"
	case *f.Total < r.lost*95/100-int64(f.Waiting)*beside*busyness():
		return fmt.Sprintf("%d ns is too little", *f.Total)
	case r.total == equal && *f.Total > r.lost*105/100+clockError+int64(max(f.Waiting, 1))*beside*(busyness()-1):
		return fmt.Sprintf("%d ns is too much", *f.Total)
	}
	return ""
}
