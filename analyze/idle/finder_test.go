package idle_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/idle"
	"github.com/trcx/trcx/trace"
)

// steps are state events: each is a thread, a state and its object, such as "2 wait 50", or "2 run 1" with the
// notifying thread. "2 interrupted 1" is a binding that replaces that thread's notification, "2 notified 1" one that
// adds it.
func find(t *testing.T, threads []string, steps ...string) (idlePools string) {
	t.Helper()
	var f idle.Finder
	for i, name := range threads {
		f.Observe(&trace.ModelThread{Key: trace.ThreadKey(i + 1), Name: name, Group: "main"})
	}
	for _, step := range steps {
		var thread trace.ThreadKey
		var state string
		var other int
		if n, _ := fmt.Sscan(step, &thread, &state, &other); n < 3 {
			t.Fatalf("step %q is not complete", step)
		}
		e := &trace.ModelEvent{Type: trace.Running, Thread: trace.ThreadRef{Key: thread}}
		cause := trace.Cause{ID: 1, Thread: trace.ThreadKey(other), Type: trace.Notify}
		switch state {
		case "wait", "park":
			e.Type, e.Object, e.ObjectKey = trace.WaitingForObject, trace.ObjectFrom([]byte(fmt.Sprint(other))), trace.ObjectKey(other)
			e.Park = state == "park"
		case "run":
			if other != 0 {
				e.Cause = cause
			}
		case "notifies":
			e.Type = trace.Notify
		case "notified":
			f.Observe(&trace.Binding{Thread: thread, Cause: cause})
			continue
		case "interrupted":
			f.Observe(&trace.Binding{Thread: thread, Replaces: cause, Cause: trace.Cause{ID: 2, Thread: cause.Thread, Type: trace.InterruptThread}})
			continue
		}
		f.Observe(e)
	}
	var idleThreads []string
	for i, name := range threads {
		if f.IsIdle(trace.ThreadKey(i + 1)) {
			idleThreads = append(idleThreads, name)
		}
	}
	return strings.Join(idleThreads, " ")
}

// queue has worker-1 and worker-2 wait twice at the object 50; main ends the waits.
var queue = []string{"2 wait 50", "3 wait 50", "2 run 1", "3 run 1", "2 wait 50", "3 wait 50", "2 run 1", "3 run 1"}

// TestPoolsThatAreIdle proves the rule of Finder, condition by condition.
func TestPoolsThatAreIdle(t *testing.T) {
	workers := []string{"main", "worker-1", "worker-2", "client-1"}
	both := "worker-1 worker-2"
	with := func(more ...string) []string { return append(append([]string{}, queue...), more...) }
	for _, c := range []struct {
		about string
		steps []string
		want  string
	}{
		{"each wait ended by a notification of another pool", queue, both},
		{"a wait that is open does not matter", with("2 wait 50"), both},
		{"nor do parks, whatever ended them", with("2 park 60", "2 run 0"), both},
		{"a wait that ended by itself", with("2 wait 50", "2 run 0"), ""},
		{"a wait that ended by a notification of the same pool", with("2 wait 50", "2 run 3"), ""},
		{"a notification that became known later", with("2 wait 50", "2 run 0", "2 notified 1"), both},
		{"a notification that an interrupt replaced", with("2 wait 50", "2 run 1", "2 interrupted 1"), ""},
		{"a binding of a state that no wait led to", with("2 run 0", "2 interrupted 1"), both},
		{"fewer than two waits a thread", queue[:6], ""},
		{"a monitor at which another pool waits, too", with("4 wait 50"), ""},
		{"a monitor at which one thread of the pool waits", with("2 wait 51", "2 run 1"), ""},
		{"a wait at an unknown object", with("2 wait -1", "2 run 1"), ""},
		{"threads that notify others after their first wait", with("2 notifies 0", "3 notifies 0", "2 wait 50", "2 run 1"), both},
		{"threads that have asked before their first wait", append([]string{"2 notifies 0", "3 notifies 0"}, queue...), ""},
		{"one thread that has", append([]string{"2 notifies 0"}, queue...), ""},
	} {
		if got := find(t, workers, c.steps...); got != c.want {
			t.Errorf("%s: idle are %q, want %q", c.about, got, c.want)
		}
	}
	if got := find(t, []string{"main", "worker", "client"}, "2 wait 50", "2 run 1", "2 wait 50", "2 run 1"); got != "" {
		t.Errorf("a single thread is idle: %s", got)
	}
}

// TestIdlenessIsThatOfTheRecordsSoFar: a live trace is asked repeatedly.
func TestIdlenessIsThatOfTheRecordsSoFar(t *testing.T) {
	var f idle.Finder
	if f.IsIdle(1) {
		t.Error("a thread that is not defined is idle")
	}
	f.Observe(&trace.ModelThread{Key: 1, Name: "worker-1"})
	if f.IsIdle(1) {
		t.Error("a thread without waits is idle")
	}
}

// TestReasonsAreSaved: reasons are the same after a round trip, and unknown ones are ignored.
func TestReasonsAreSaved(t *testing.T) {
	all := idle.Work | idle.Connections | idle.Selectors | idle.Notifications
	text, err := all.MarshalJSON()
	if err != nil || string(text) != `["work","connections","selectors","notifications"]` {
		t.Fatalf("the reasons are %s, %v", text, err)
	}
	var read idle.Reasons
	if err := read.UnmarshalJSON([]byte(`["later","work","connections","selectors","notifications"]`)); err != nil || read != all {
		t.Errorf("%s is read as %v, %v", text, read, err)
	}
	if err := read.UnmarshalJSON([]byte(`7`)); err == nil {
		t.Error("a number is read as reasons")
	}
}
