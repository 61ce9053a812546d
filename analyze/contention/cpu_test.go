package contention_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestProcessors proves that RUNNABLE time is compared with CPU time between two moments when that is known, from a
// thread's start over ends of waits to its end, without pauses, nested ones counted once.
func TestProcessors(t *testing.T) {
	const cpu = `<annotation name="cpu" value="`
	text := `<TRACE><threadStart threadId="1" time="1" threadName="a-1" groupName="main" objIdRef="11">` + cpu +
		`1000000000"/></threadStart>` +
		`<threadStart threadId="2" time="1" threadName="a-2" groupName="main" objIdRef="12"/>` +
		`<monWait threadIdRef="1" time="3" objIdRef="5" timeout="0"/>` + // RUNNABLE for 2 s
		`<monWaited threadIdRef="1" time="10" objIdRef="5" isTimedOut="0">` + cpu + // 1.5 s on a CPU
		`2500000000"/></monWaited>` +
		`<monWait threadIdRef="1" time="11" objIdRef="5" timeout="0"/>` + // 1 s
		`<monWaited threadIdRef="1" time="12" objIdRef="5" isTimedOut="0"/>` + // unknown
		cpu + `2 13 7000000000"/>` + // known only once
		cpu + `9 13 7000000000"/>` + // no thread
		`<gcStart time="13.5"/><gcStart time="13.51"/><gcFinish time="13.52"/><gcFinish time="13.6"/>` + // 0.1 s
		cpu + `1 14 3000000000"/>` + // 1 + 2 s RUNNABLE, 0.5 s on a CPU
		`<threadEnd threadIdRef="1" time="14"/><traceEnd traceIdRef="1" time="20"/></TRACE>`
	s := collect(t, []byte(text), 100)
	if len(s.Pools) != 1 || s.Pools[0].Processors.Runnable != 5e9 || s.Pools[0].Processors.OnCPU != 2e9 ||
		s.Pools[0].Processors.Stopped != 1e8 {
		t.Errorf("pools %+v", s.Pools)
	}
	const want = "RUNNABLE: 2.00 s (40 %) on a processor, " +
		"2.90 s (58 %) ready for one or in waits that the trace does not have, 100 ms (2 %) stopped by a collection."
	if got := remarks(s); !strings.Contains(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
	virtual := strings.Replace(text, `<traceEnd`, `<threadStart threadId="3" time="15" threadName="" groupName="VirtualThreads"/><traceEnd`, 1)
	if got := remarks(collect(t, []byte(virtual), 100)); !strings.Contains(got, "RUNNABLE, without virtual threads: 2.00 s (40 %)") {
		t.Errorf("with a virtual thread: %s", got)
	}
}

// TestProcessorsAtAttach: a thread that lives when a recording begins may already be in its first known state, so the
// time before counts as RUNNABLE only as far as it used CPU time. A thread without any state was RUNNABLE. Threads that
// could run much less than others do not count as such.
func TestProcessorsAtAttach(t *testing.T) {
	for _, c := range []struct {
		from     string
		runnable uint64
		threads  uint64
	}{{"1", 11e9, 2}, {"1.000000001", 14e9 - 3, 3}} {
		starts, ends := "", ""
		for i, used := range []int64{4e9, 1e9, 0} {
			starts += fmt.Sprintf(`<threadStart threadId="%d" time="%s" threadName="a-%[1]d" groupName="main"><annotation name="cpu" value="1"/>`+
				`</threadStart>`, i+1, c.from)
			ends += fmt.Sprintf(`<annotation name="cpu" value="%d 11 %d"/>`, i+1, used+1)
		}
		text := `<TRACE><traceStart traceId="t" time="1"/>` + starts + `<monContendedEnter threadIdRef="2" time="3" objIdRef="5" threadOwner="1"/>` +
			`<monContendedEnter threadIdRef="3" time="3" objIdRef="5" threadOwner="1"/>` + ends
		s := collect(t, []byte(text+`<traceEnd traceIdRef="t" time="11"/></TRACE>`), 100)
		if p := s.Pools[0].Processors; p.Runnable != c.runnable || p.Threads != c.threads {
			t.Errorf("from %s: %+v", c.from, p)
		}
	}
}
