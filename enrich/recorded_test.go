package enrich_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/trcx/trcx/enrich/enrichtest"
)

// told lists the interactions of a recording in the order in which they were appended: who did what to whom, by the
// threads' names.
func told(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile("../testdata/recorded/" + name + ".trcxml")
	if err != nil {
		t.Fatal(err)
	}
	doc := grouped(t, text)
	names, runs, byID := map[int]string{}, map[int]string{}, map[int]string{}
	for _, thread := range doc.Threads {
		names[thread.Key] = thread.Name
		for _, e := range thread.Events {
			if e.Type == enrichtest.Running {
				runs[e.ID] = thread.Name
			}
		}
	}
	for _, thread := range doc.Threads {
		for _, e := range thread.Events {
			switch e.Type {
			case enrichtest.HandoffLock:
				byID[e.ID] = fmt.Sprintf("%s hands %s to %s", thread.Name, e.LockedObject, names[e.ReceiverThreadKey])
			case enrichtest.Notify:
				byID[e.ID] = fmt.Sprintf("%s notifies %s", thread.Name, runs[e.RunningEvent])
			case enrichtest.NotifyAll:
				var woken []string
				for _, running := range e.RunningEvents {
					woken = append(woken, runs[running])
				}
				byID[e.ID] = fmt.Sprintf("%s notifies all: %s", thread.Name, strings.Join(woken, ", "))
			case enrichtest.InterruptThread:
				byID[e.ID] = fmt.Sprintf("%s interrupts %s", thread.Name, runs[e.RunningEvent])
			case enrichtest.DeadAndNotifyJoined:
				byID[e.ID] = fmt.Sprintf("%s ends, %s has joined it", thread.Name, runs[e.RunningEvent])
			case enrichtest.DeadLock:
				byID[e.ID] = fmt.Sprintf("%s is deadlocked by %s", thread.Name, names[e.LockedThreadKey])
			}
		}
	}
	var lines []string
	for id := 1; id <= doc.Trace.Events; id++ {
		if line, ok := byID[id]; ok {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestRecordedPrograms compares the interactions with what the programs logged about themselves.
func TestRecordedPrograms(t *testing.T) {
	for name, want := range map[string]string{
		"warehouse-jdk17": `main notifies picker-1
main notifies picker-2
main notifies picker-3
stocktake hands 1013 to picker-3
stocktake ends, main has joined it
picker-3 hands 1013 to picker-2
picker-2 hands 1013 to picker-1
main interrupts picker-2
main notifies all: picker-3, picker-1
picker-3 hands 1013 to picker-1
picker-1 ends, main has joined it
main notifies all: 
DestroyJavaVM notifies all: `,
		"warehouse-jdk25": `main notifies picker-1
main notifies picker-2
main notifies picker-3
stocktake hands 1013 to picker-1
stocktake ends, main has joined it
picker-1 hands 1013 to picker-2
picker-2 hands 1013 to picker-3
main interrupts picker-2
main notifies all: picker-1, picker-3
picker-1 hands 1013 to picker-3
picker-1 ends, main has joined it
picker-3 ends, main has joined it
DestroyJavaVM notifies all: `,
		"deadlock-jdk17": `DestroyJavaVM notifies all: 
transfer-2 is deadlocked by transfer-1
transfer-1 is deadlocked by transfer-2`,
		"deadlock-jdk25": `DestroyJavaVM notifies all: 
transfer-2 is deadlocked by transfer-1
transfer-1 is deadlocked by transfer-2`,
	} {
		if got := strings.Join(told(t, name), "\n"); got != want {
			t.Errorf("%s\n got %s\n\nwant %s", name, got, want)
		}
	}
}
