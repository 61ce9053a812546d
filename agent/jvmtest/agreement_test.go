package jvmtest

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/internal/testtool"
)

// The models of several recorders' logs of one run must agree in all that each of them can record. docs/formats lists
// the differences.

// flightEvents are a flight recording's events of monitors and threads; each is recorded whatever its length.
var flightEvents = []string{"JavaMonitorEnter", "JavaMonitorWait", "JavaMonitorNotify", "ThreadSleep", "ThreadPark",
	"ThreadStart", "ThreadEnd", "VirtualThreadStart", "VirtualThreadEnd"}

// flightRecording returns the option that records them, and others, into the file. The settings are in a second file.
func flightRecording(t *testing.T, file string, others ...string) string {
	t.Helper()
	settings := strings.Builder{}
	settings.WriteString(`<?xml version="1.0" encoding="UTF-8"?><configuration version="2.0">`)
	for _, event := range slices.Concat(flightEvents, others) {
		fmt.Fprintf(&settings,
			`<event name="jdk.%s"><setting name="enabled">true</setting>`+
				`<setting name="threshold">0 ms</setting></event>`, event)
	}
	settings.WriteString(`</configuration>`)
	if err := os.WriteFile(file+".jfc", []byte(settings.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return "-XX:StartFlightRecording:filename=" + file + ",settings=" + file + ".jfc"
}

// TestAgreementWithFlightRecorder compares the models of runs recorded with the agent and with the JVM's flight
// recorder at the same time.
func TestAgreementWithFlightRecorder(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		for _, p := range []program{{name: "Waits"}, {name: "Sleeps"}, {name: "Joins"}, {name: "Handoffs"},
			{name: "Interrupts"}} {
			t.Run(fmt.Sprintf("%v/%s", j, p.name), func(t *testing.T) {
				t.Parallel()
				p.args = []string{"platform"}
				recording := filepath.Join(t.TempDir(), "recording.jfr")
				out := b.run(t, j, setup{flags: []string{flightRecording(t, recording), "-Xlog:disable"}}, true, p)
				if out.status != 0 {
					t.Fatalf("the status is %d\n%s", out.status, out.stderr)
				}
				ours, theirs := knowledgeOf(t, j, out.trace), knowledgeOf(t, j, recording)
				for _, fact := range slices.Sorted(maps.Keys(ours.facts)) {
					if n := theirs.facts[fact]; n > ours.facts[fact] || n < ours.facts[fact]-ours.unsure[fact] {
						t.Errorf("%s: %d times in the agent's trace, %d times in the flight recording", fact,
							ours.facts[fact], theirs.facts[fact])
					}
				}
				for fact, n := range theirs.facts {
					if ours.facts[fact] == 0 {
						t.Errorf("%s: %d times in the flight recording only", fact, n)
					}
				}
			})
		}
	}
}

// initLockClass is the class of the array that HotSpot locks while it initializes a class. A second thread that needs
// the class waits for it: a flight recording has that wait and its notification, but JVMTI posts no event. For a thread
// that finds the array locked it is the other way round.
const initLockClass = "[I"

// knowledge counts the facts of a model about the program's own threads.
type knowledge struct {
	facts map[string]int
	// unsure counts the facts that a flight recording can lack: before JDK 21 it has no sleep that was interrupted
	// before it began. The agent records a sleep before the JVM looks for an interrupt, so that this can be any sleep
	// that an interrupt has ended.
	unsure map[string]int
}

// endsAtOnce reports whether an earlier interrupt has ended a sleep: before JDK 21 a flight recording does not have
// such sleeps. It is unsure if a later interrupt has ended it. following are the thread's later events.
func endsAtOnce(sleep *enrichtest.Event, following []*enrichtest.Event, interrupts map[int]int) (atOnce, unsure bool) {
	for _, e := range following {
		if e.Type == enrichtest.Running {
			interrupt, interrupted := interrupts[e.ID]
			return interrupted && interrupt < sleep.ID, interrupted
		}
	}
	return false, false
}

func knowledgeOf(t *testing.T, j testtool.JDK, file string) knowledge {
	t.Helper()
	doc, err := ReadTrace(file)
	if err != nil {
		t.Fatal(err)
	}
	k := knowledge{facts: map[string]int{}, unsure: map[string]int{}}
	classes, names, interrupts := map[string]string{}, map[int]string{}, map[int]int{}
	for _, o := range doc.Objects {
		classes[o.ObjectID] = o.Class
	}
	initializations := func(e *enrichtest.Event) bool { return classes[e.ObjectRef] == initLockClass }
	for _, thread := range doc.Threads {
		thread.Events = slices.DeleteFunc(thread.Events, initializations)
		parked := false
		for _, e := range thread.Events {
			if e.Type == enrichtest.InterruptThread && e.RunningEvent != 0 {
				interrupts[e.RunningEvent] = e.ID
			}
			if !isOfTheJVM(thread) && !parked { // a flight recording does not know who unparks a thread
				names[e.ID] = thread.Name
			}
			if e.IsState() {
				parked = e.Park
			}
		}
	}
	for _, thread := range doc.Threads {
		if isOfTheJVM(thread) {
			continue
		}
		for i, e := range thread.Events {
			if e.Type == enrichtest.Sleeping && j.Version < 21 {
				atOnce, unsure := endsAtOnce(e, thread.Events[i+1:], interrupts)
				if atOnce {
					continue
				}
				if unsure {
					k.unsure[thread.Name+" sleeps"]++
				}
			}
			k.learn(thread.Name, e, classes, names)
		}
	}
	return k
}

// isOfTheJVM reports whether a thread is not the program's, by its name.
func isOfTheJVM(thread *enrichtest.Thread) bool {
	return thread.Name == "" || thread.Group != "main" && thread.Group != "" ||
		strings.HasPrefix(thread.Name, "JFR ") || thread.Name == "DestroyJavaVM"
}

// learn counts the fact of an event, with names of threads and classes, because ids differ between logs.
func (k *knowledge) learn(thread string, e *enrichtest.Event, classes map[string]string, names map[int]string) {
	fact := ""
	switch e.Type {
	case enrichtest.WaitingForLock:
		// Only the program's own monitors count. A flight recording lacks blocks before it begins, while the JVM starts,
		// and blocks on the recorder's own monitors. The classes of both have packages, the program's have none.
		if class := classes[e.LockedObject]; !strings.Contains(class, "/") && class != initLockClass {
			fact = "is blocked by a " + class
		}
	case enrichtest.WaitingForObject:
		fact = "waits for a " + orPermit(classes[e.ObjectRef])
	case enrichtest.WaitTimeoutExceed:
		// A flight recording has how long a park took, but not how it ended.
		if class := orPermit(classes[e.ObjectRef]); !strings.HasPrefix(class, "java/util/concurrent/") {
			fact = "has no more time to wait for a " + class
		}
	case enrichtest.Sleeping:
		if e.Timeout == nil || *e.Timeout > 0 { // a flight recording has sleeps of 0 ms, too
			fact = "sleeps"
		}
	// A flight recording has the joined thread only if its end has ended the wait.
	case enrichtest.WaitingForJoin:
		fact = "waits for a java/lang/Thread"
	case enrichtest.Notify, enrichtest.NotifyAll, enrichtest.DeadAndNotifyJoined:
		for _, running := range append(slices.Clone(e.RunningEvents), e.RunningEvent) {
			if name, known := names[running]; known {
				k.facts[fmt.Sprintf("%s lets %s go on", thread, name)]++
			}
		}
	}
	if fact != "" {
		k.facts[thread+" "+fact]++
	}
}

// permitClass is the class of a thread's permit, for which it parks without an object.
const permitClass = "java/util/concurrent/locks/LockSupport"

// orPermit returns the class, or permitClass where the log has none.
func orPermit(class string) string { return cmp.Or(class, permitClass) }

// TestAgreementWithThreadDump compares jcmd's dump of waiting threads with the end of the agent's trace.
func TestAgreementWithThreadDump(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		t.Run(j.String(), func(t *testing.T) {
			t.Parallel()
			trace, dump := b.traceFile(t), filepath.Join(t.TempDir(), "dump.txt")
			b.dump(t, j, trace, dump)
			ours, theirs := endings(t, trace), endings(t, dump)
			for name, want := range map[string]string{
				"blocked": "is blocked by a Monitor$Red that holder holds", "waiter": "waits for a Monitor$Green",
				"patient": "waits for a Monitor$Blue",
				"holder":  "sleeps", "locker": "sleeps", "parked": "waits for a Monitor$Green",
				"queued": "is blocked by a java/util/concurrent/locks/ReentrantLock$NonfairSync that locker holds",
			} {
				if ours[name] != want || theirs[name] != want {
					t.Errorf("%s: in the agent's trace it %s, in the dump it %s, and really it %s", name, ours[name],
						theirs[name], want)
				}
			}
			// A dump does not say that a thread joins another one.
			if want := "joins holder"; ours["joiner"] != want {
				t.Errorf("joiner: in the agent's trace it %s, and really it %s", ours["joiner"], want)
			}
		})
	}
}

// dump runs Steady under the agent, and dumps its threads with jcmd.
func (b *bench) dump(t *testing.T, j testtool.JDK, trace, dump string) {
	t.Helper()
	cmd, cancel := b.command(j, "-Xmx64m", "-agentpath:"+b.agent+"=file="+trace, "-cp", b.classes, "Steady")
	defer cancel()
	end, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	printed, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(printed).ReadString('\n')
	if err != nil || line != "steady\n" {
		t.Fatalf("the program prints %q (%v)", line, err)
	}
	text, err := exec.Command(j.Tool("jcmd"), fmt.Sprint(cmd.Process.Pid), "Thread.print", "-l").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := errors.Join(os.WriteFile(dump, text, 0o644), end.Close(), cmd.Wait()); err != nil {
		t.Fatal(err)
	}
}

// endings returns the state of each thread at the end of the model.
func endings(t *testing.T, file string) map[string]string {
	t.Helper()
	doc, err := ReadTrace(file)
	if err != nil {
		t.Fatal(err)
	}
	classes, names, all := map[string]string{}, map[int]string{}, map[string]string{}
	for _, o := range doc.Objects {
		classes[o.ObjectID] = o.Class
	}
	for _, thread := range doc.Threads {
		names[thread.Key] = thread.Name
	}
	for _, thread := range doc.Threads {
		for _, e := range thread.Events {
			if what := doing(e, classes, names); what != "" {
				all[thread.Name] = what
			}
		}
	}
	return all
}

// doing returns the state that an event begins, or "".
func doing(e *enrichtest.Event, classes map[string]string, names map[int]string) string {
	switch e.Type {
	case enrichtest.Running:
		return "runs"
	case enrichtest.WaitingForLock:
		return fmt.Sprintf("is blocked by a %s that %s holds", classes[e.LockedObject], cmp.Or(names[e.LockedThreadKey],
			"nobody"))
	case enrichtest.WaitingForObject:
		return "waits for a " + classes[e.ObjectRef]
	case enrichtest.WaitingForJoin:
		return "joins " + cmp.Or(names[e.JoinedThreadKey], "nobody")
	case enrichtest.Sleeping:
		return "sleeps"
	case enrichtest.Dead:
		return "is dead"
	}
	return ""
}
