package threaddump_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestProcesses: dumps of two processes in turns, whose threads and objects have the same ids and addresses, become
// different threads. The threads of one process keep their states while dumps of the other come.
func TestProcesses(t *testing.T) {
	one := string(dumps(t)["jdk8_deadlock.txt"])
	other := strings.ReplaceAll(one, "tid=0x00007f3c", "tid=0x00007f4d")
	json := func(process int) string {
		return fmt.Sprintf(
			`{"threadDump": {"processId": "%d", "time": "2026-11-22T05:00:51.311921635Z", "runtimeVersion": "25", "threadContainers": [{"container": "<root>", "threads": [`+
				`{"tid": "10", "name": "A", "state": "BLOCKED", "blockedOn": "app.Two@20", "stack": [], "monitorsOwned": [{"depth": 0, "locks": ["app.One@10"]}]},`+
				`{"tid": "11", "name": "B", "state": "BLOCKED", "blockedOn": "app.One@10", "stack": [], "monitorsOwned": [{"depth": 0, "locks": ["app.Two@20"]}]}]}]}}`+"\n", process)
	}
	for name, text := range map[string]string{"printed": one + other + one + other, "JSON": json(1) + json(2) +
		json(1) + json(2)} {
		got := readValid(t, []byte(text))
		all := strings.Join(got.elements, "")
		for want, count := range map[string]int{
			"<threadEnd ": 0, "<monContendedEntered ": 0, "<monContendedEnter ": 4, `<threadStart threadId="10" `: 1,
			`<threadStart threadId="10@2" `: 1,
			`threadOwner="11"`:              1, `threadOwner="10"`: 1, `threadOwner="11@2"`: 1, `threadOwner="10@2"`: 1,
			"@3": 0,
		} {
			if n := strings.Count(all, want); n != count {
				t.Errorf("%s: %s is there %d times, not %d, in\n%s", name, want, n, count, all)
			}
		}
		if len(got.findings) != 1 || !strings.Contains(got.findings[0], "[threaddump-other-process]") {
			t.Errorf("%s: the findings are %q", name, got.findings)
		}
	}
}

// TestManyProcesses: beyond the limit the oldest processes are forgotten, and their threads become new ones.
func TestManyProcesses(t *testing.T) {
	var text strings.Builder
	for _, last := range []int{100, 1} {
		for i := range last {
			fmt.Fprintf(&text,
				"2015-03-04 05:06:07\nFull thread dump X (1):\n\n\"a\" #1 prio=5 tid=0x%x nid=0x1 runnable\n   "+
					"java.lang.Thread.State: RUNNABLE\n\tat app.Main.main(Main.java:3)\n\nJNI global references: 1\n\n",
				i+1)
		}
	}
	got := readValid(t, []byte(text.String()))
	if all := strings.Join(got.elements, ""); strings.Count(all, "<threadStart ") != 101 ||
		!strings.Contains(all, `threadId="1@101"`) {
		t.Errorf("%s", all)
	}
}
