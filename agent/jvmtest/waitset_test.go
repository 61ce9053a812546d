package jvmtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/trcx/trcx/enrich/enrichtest"
)

// woken returns the ids of the threads that each notification of a model has woken, sorted, by the notifying thread and
// the notification's place among that thread's events.
func woken(doc *enrichtest.Doc) map[string][]string {
	threads, all := map[int]string{}, map[string][]string{}
	for _, t := range doc.Threads {
		for i := range t.Events {
			threads[t.Events[i].ID] = t.ThreadID
		}
	}
	for _, t := range doc.Threads {
		notifications := 0
		for i := range t.Events {
			e := t.Events[i]
			if e.Type != enrichtest.Notify && e.Type != enrichtest.NotifyAll {
				continue
			}
			ids := []string{}
			for _, running := range append(slices.Clone(e.RunningEvents), e.RunningEvent) {
				if running != 0 {
					ids = append(ids, threads[running])
				}
			}
			slices.Sort(ids)
			notifications++
			all[fmt.Sprint(t.ThreadID, " ", notifications)] = ids
		}
	}
	return all
}

var seenWakes = regexp.MustCompile(`<annotation name="wakes" value="[^"]*"/>`)

// TestWaitSets proves that the rule of enrichment, first come, first served, finds the thread that a notification
// removes from the wait set: for at least 99.5 % of the removals that the JVM's own list of waiters shows, in programs
// that notify as fast as they can; 99.9 % if nothing else is busy. If they differ, the model follows the list.
func TestWaitSets(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		t.Run(j.String(), func(t *testing.T) {
			file := b.traceFile(t)
			agent := "-agentpath:" + b.agent + "=wait-sets,stack-depth=0,file=" + file
			p := program{name: "WaitSets", args: []string{fmt.Sprint(some(3000, 30_000))}, prints: "done\n"}
			out := b.run(t, j, setup{"wait sets", []string{agent}}, false, p)
			p.check(t, out)
			checkWaitSets(t, file)
		})
		t.Run(j.String()+"/attached", func(t *testing.T) {
			file := b.traceFile(t)
			cmd, cancel := b.command(j, "-XX:+EnableDynamicAgentLoading", "-cp", b.classes, "WaitSets", "-", "3000", "again")
			defer cancel()
			p := startProgram(t, cmd)
			p.await("ready")
			for _, request := range []string{"wait-sets,stack-depth=0,file=" + file, "ready"} {
				p.load(b.agent, request)
			}
			p.answer("\n")
			p.await("done")
			if err := cmd.Wait(); err != nil || p.stderr.Len() > 0 {
				t.Errorf("%v\n%s", err, p.stderr.String())
			}
			checkWaitSets(t, file)
		})
	}
}

// checkWaitSets compares the models of a trace with and without its wait sets.
func checkWaitSets(t *testing.T, file string) {
	t.Helper()
	if result, err := Validate(file); err != nil || !result.Valid() {
		t.Errorf("%v: %+v", err, result)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	without := filepath.Join(t.TempDir(), "without.trcxml")
	if err := os.WriteFile(without, seenWakes.ReplaceAll(text, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	seenDoc, err := ReadTrace(file)
	if err != nil {
		t.Fatal(err)
	}
	ruleDoc, err := ReadTrace(without)
	if err != nil {
		t.Fatal(err)
	}
	seen, rule := woken(seenDoc), woken(ruleDoc)
	compared, equal := 0, 0
	for notification, ids := range seen {
		if len(ids) == 0 {
			continue
		}
		compared++
		if slices.Equal(ids, rule[notification]) {
			equal++
		}
	}
	shown := len(seenWakes.FindAll(text, -1))
	t.Logf("%d of %d notifications were seen; of %d that woke threads, the rule finds %d (%.3f %%)", shown, len(seen),
		compared, equal, 100*float64(equal)/float64(max(compared, 1)))
	if compared < 1000 || compared-equal > compared/200 {
		t.Errorf("the rule finds %d of %d", equal, compared)
	}
}
