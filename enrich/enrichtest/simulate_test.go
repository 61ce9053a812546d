package enrichtest

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

const seeds = 900

// everyTrace calls check with the traces of some hundred seeds and their
// models.
func everyTrace(t *testing.T, check func(t *testing.T, trace Trace, doc *Doc)) {
	t.Helper()
	for seed := range testtool.Times(uint64(seeds)) {
		for name, simulate := range map[string]func(uint64, int) Trace{"Simulate": Simulate, "Chaos": Chaos,
			"Interrupts": Interrupts} {
			trace := simulate(seed, 50+int(seed))
			doc, err := Model(trace.XML)
			if err != nil {
				t.Fatalf("%s(%d): %v", name, seed, err)
			}
			check(t, trace, doc)
			if t.Failed() {
				t.Fatalf("so it is with %s(%d, %d)", name, seed, 50+int(seed))
			}
		}
	}
}

func TestSimulationIsDeterministic(t *testing.T) {
	for seed := range uint64(20) {
		if !bytes.Equal(Simulate(seed, 200).XML, Simulate(seed, 200).XML) {
			t.Errorf("Simulate(%d) differs from itself", seed)
		}
		if !bytes.Equal(Chaos(seed, 200).XML, Chaos(seed, 200).XML) {
			t.Errorf("Chaos(%d) differs from itself", seed)
		}
	}
	if bytes.Equal(Simulate(1, 200).XML, Simulate(2, 200).XML) {
		t.Error("two seeds give the same trace")
	}
}

func TestSimulationIsWellFormed(t *testing.T) {
	everyTrace(t, func(t *testing.T, trace Trace, _ *Doc) {
		document := string(trace.XML)
		if !strings.HasSuffix(document, "</TRACE>\n") {
			document += "</TRACE>\n"
		}
		decoder := xml.NewDecoder(strings.NewReader(document))
		for {
			if _, err := decoder.Token(); err == io.EOF {
				return
			} else if err != nil {
				t.Error(err)
				return
			}
		}
	})
}

// TestSimulationReachesEveryRule checks that the simulators reach every rule.
func TestSimulationReachesEveryRule(t *testing.T) {
	testtool.Long(t)
	types, rules := make(map[string]int), make(map[string]int)
	everyTrace(t, func(t *testing.T, _ Trace, doc *Doc) {
		for _, thread := range doc.Threads {
			for _, event := range thread.Events {
				types[event.Type]++
			}
		}
		for rule, n := range doc.Rules {
			rules[rule] += n
		}
	})
	for _, eventType := range Types() {
		if types[eventType] == 0 {
			t.Errorf("no %s", eventType)
		}
	}
	for _, rule := range []string{
		"2a", "2b", "2c", "2d", "2e loose", "2e mark", "2f", "reacquired", "timed out", "handoff",
		"start", "late start", "late " + Notify, "late " + NotifyAll, "notify becomes loose", "object moved",
		"interrupted after monWaited", "interrupted without monWaited", "interrupted after the end",
		"interrupted instead of " + Notify, "interrupted instead of " + NotifyAll,
		"interrupted instead of " + DeadAndNotifyJoined, "interrupt of the dead",
		"2a proven", "2b in spite of an interrupt", "2c in spite of an interrupt", "threadEnd lost",
		"nameless thread", "nameless thread adopted", "thread id reused",
		"unpark", "soon", "lockFrom", "again", "causedBy", "gave up: timeout", "gave up: interrupt",
		"wakes of a monitor", "interrupted after an unpark", "interrupt outside of the wait set",
		"stack", "stack passed over", "stack of unknown methods", "stack without an event", "second stack",
		"frame", "frame without line", "frame of an unknown method", "frame of an unloaded method",
		"frame of a method of no class",
		"frame of a method of an unknown class", "frame of a method whose class was named later",
	} {
		if rules[rule] == 0 {
			t.Errorf("rule %q is never applied", rule)
		}
	}
	t.Logf("types: %v", types)
	t.Logf("rules: %v", rules)
}

// TestBindingsAreConsistent holds for every trace: events are numbered
// without gaps, a Running has at most one cause, and both ends know of it.
func TestBindingsAreConsistent(t *testing.T) {
	everyTrace(t, func(t *testing.T, _ Trace, doc *Doc) {
		events := eventsByID(doc)
		if len(events) != doc.Trace.Events {
			t.Errorf("%d events, said to be %d", len(events), doc.Trace.Events)
		}
		causes := make(map[int]int)
		for _, id := range slices.Sorted(maps.Keys(events)) {
			for _, running := range events[id].effects() {
				if _, twice := causes[running]; twice {
					t.Errorf("Running %d has two causes", running)
				}
				causes[running] = id
				if target := events[running]; target == nil || target.Type != Running {
					t.Errorf("event %d is bound to %d, which is no Running", id, running)
				}
			}
		}
		if !maps.Equal(causes, doc.Causes) {
			t.Errorf("bindings %v, said to be %v", causes, doc.Causes)
		}
	})
}

// TestFaithfulRecordingsTellTheTruth compares the oracle with what really
// happened in the simulated JVM.
func TestFaithfulRecordingsTellTheTruth(t *testing.T) {
	checked := 0
	everyTrace(t, func(t *testing.T, trace Trace, doc *Doc) {
		if !trace.Faithful {
			return
		}
		found := foundWakes(doc)
		for _, wake := range trace.Wakes {
			checked++
			if !slices.Contains(found, wake) {
				t.Errorf("not found: %s of %d for %d", wake.Type, wake.Cause-traceBegin, wake.Effect-traceBegin)
			}
		}
		for _, wake := range found {
			if !slices.Contains(trace.Wakes, wake) {
				t.Errorf("never happened: %s of %d for %d", wake.Type, wake.Cause-traceBegin, wake.Effect-traceBegin)
			}
		}
		for _, ids := range trace.Deadlocks {
			if !slices.ContainsFunc(doc.Deadlocks, func(d Deadlock) bool { return slices.Equal(d.ThreadIDs, ids) }) {
				t.Errorf("deadlock of %v not found in %v", ids, doc.Deadlocks)
			}
		}
	})
	t.Logf("%d wakes checked", checked)
}

// foundWakes returns the bindings of a model as a simulator would report them. Hand-offs are left out: releases post
// nothing, so the trace does not show who let a thread in.
func foundWakes(doc *Doc) []Wake {
	var wakes []Wake
	events := eventsByID(doc)
	for running, cause := range doc.Causes {
		if c := events[cause]; c.Type != HandoffLock {
			wakes = append(wakes, Wake{Type: c.Type, Cause: traceBegin + c.Time, Effect: traceBegin +
				events[running].Time})
		}
	}
	return wakes
}

func eventsByID(doc *Doc) map[int]*Event {
	events := make(map[int]*Event)
	for _, thread := range doc.Threads {
		for _, event := range thread.Events {
			events[event.ID] = event
		}
	}
	return events
}

// effects returns the Running events bound to an event.
func (e *Event) effects() []int {
	if e.RunningEvent != 0 {
		return []int{e.RunningEvent}
	}
	return e.RunningEvents
}

func TestDiff(t *testing.T) {
	everyTrace(t, func(t *testing.T, _ Trace, doc *Doc) {
		written, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		var read Doc
		if err := json.Unmarshal(written, &read); err != nil {
			t.Fatal(err)
		}
		if diff := Diff(&read, doc); diff != "" {
			t.Errorf("a model read from JSON differs:\n%s", diff)
		}
		read.Deadlocks = append(read.Deadlocks, Deadlock{})
		if Diff(&read, doc) == "" {
			t.Error("a change is no difference")
		}
	})
}
