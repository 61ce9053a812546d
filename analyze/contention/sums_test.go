package contention_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/contention"
)

// script builds a trace from lines: "time thread event arguments". names has the names of threads by number.
func script(names map[int]string, lines ...string) []byte {
	var text strings.Builder
	text.WriteString(`<TRACE><classDef name="java/util/concurrent/ThreadPoolExecutor" classId="1"/>` +
		`<methodDef name="getTask" methodId="1" classIdRef="1"/>` +
		`<classDef name="shop/Job" classId="2"/><methodDef name="run" methodId="2" classIdRef="2"/>`)
	for id := range 10 {
		if name, ok := names[id]; ok {
			group := "main"
			if strings.HasPrefix(name, "Signal") {
				group = "system"
			}
			fmt.Fprintf(&text, `<threadStart threadId="%d" time="1" threadName="%s" groupName="%s" objIdRef="%d"/>`, id,
				name, group, 1000+id)
		}
	}
	for _, line := range lines {
		var at float64
		var thread int
		var event, argument string
		if n, err := fmt.Sscan(line, &at, &thread, &event, &argument); n < 3 {
			panic(err)
		}
		formats := map[string]string{
			"wait":  `<monWait threadIdRef="%[1]d" time="%[2]v" objIdRef="%[3]s" timeout="0"/>`,
			"timed": `<monWait threadIdRef="%[1]d" time="%[2]v" objIdRef="%[3]s" timeout="3000"/>`,
			"idle": `<monWait threadIdRef="%[1]d" time="%[2]v" objIdRef="%[3]s" timeout="0">` +
				`<annotation name="stack" value="1"/></monWait>`,
			"waited":  `<monWaited threadIdRef="%[1]d" time="%[2]v" objIdRef="%[3]s" isTimedOut="0"/>`,
			"timeout": `<monWaited threadIdRef="%[1]d" time="%[2]v" objIdRef="%[3]s" isTimedOut="1"/>`,
			"notify":  `<callNotify threadId="%[1]d" time="%[2]v" objIdRef="%[3]s" isNotifyAll="0"/>`,
			"enter":   `<monContendedEnter threadIdRef="%[1]d" time="%[2]v" objIdRef="%[3]s"/>`,
			"entered": `<monContendedEntered threadIdRef="%[1]d" time="%[2]v" objIdRef="%[3]s"/>`,
			"end":     `<threadEnd threadId="%[1]d" time="%[2]v"/>`,
		}
		fmt.Fprintf(&text, formats[event], thread, at, argument)
	}
	return []byte(text.String() + "</TRACE>")
}

// rounds returns n rounds of work: the waiters wait at the object one after the other, and the submitter notifies them.
func rounds(n, object, submitter int, waiters ...int) (lines []string) {
	at := 1.0
	for range n {
		for _, waiter := range waiters {
			lines = append(lines, fmt.Sprintf("%v %d wait %d", at, waiter, object),
				fmt.Sprintf("%v %d notify %d", at+1, submitter, object),
				fmt.Sprintf("%v %d waited %d", at+1, waiter, object))
			at += 2
		}
	}
	return lines
}

// remarks returns the lines for people before the tables.
func remarks(s *contention.Statistics) string {
	report := s.Answer(contention.Views()[0], contention.Order{}).Report()
	return strings.Join(report.Remarks, "\n")
}

func TestRemarks(t *testing.T) {
	pool := map[int]string{1: "main", 2: "worker-1", 3: "worker-2"}
	for _, c := range []struct {
		name string
		text []byte
		want string
	}{
		{"no waits", script(pool, "2 1 end"), ""},
		{"a pool that waits for work, by its notifications", script(pool, rounds(2, 50, 1, 2, 3)...),
			"Idle, as far as the trace shows: worker-* (2 threads) waited 4.00 s for notifications by threads of other " +
				"pools, which is not counted above."},
		{"threads that wait for results at objects of their own are not idle",
			script(pool, append(rounds(2, 50, 1, 2), rounds(2, 51, 1, 3)...)...), ""},
		{"waits for a monitor at which the submitter waits, too, are not for work",
			script(pool, append(rounds(2, 50, 1, 2, 3), "20 1 wait 50", "21 2 notify 50", "21 1 waited 50")...), ""},
		{"one thread that waits for others is not idle", script(pool, rounds(4, 50, 2, 1)...), ""},
		{"one wait that timed out is not for work", script(pool,
			append(rounds(2, 50, 1, 2, 3), "20 2 wait 50", "21 2 timeout 50")...), ""},
		{"a wait for work, by its stack", script(pool, "1 2 idle 50", "5 2 timeout 50", "6 2 wait 50", "7 2 waited 50"),
			"Idle: worker-* (2 threads) waited 4.00 s for work, which is not counted above."},
		{"threads of the JVM are left out", script(map[int]string{1: "main", 2: "Signal Dispatcher"}, "1 2 wait 50",
			"5 2 waited 50"), ""},
		{"a trace of one moment", script(pool, "1 1 enter 50", "1 2 enter 50", "1 3 idle 60"),
			"The trace is of one moment, so its waits have no lengths: 2 threads were BLOCKED.\n" +
				"Idle: worker-* (1 of 2 threads) waited for work, which is not counted above."},
		{"a trace of one moment, of several monitors", script(pool, "1 1 wait 60", "1 2 enter 40", "1 3 enter 50"),
			"The trace is of one moment, so its waits have no lengths: 2 threads were BLOCKED and 1 WAITING."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := remarks(collect(t, c.text, contention.DefaultRows)); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestPoolsOfMergedTraces: pools of the same name in several traces become one, also for evicted threads.
func TestPoolsOfMergedTraces(t *testing.T) {
	document := script(map[int]string{1: "main", 2: "worker-1", 3: "worker-2"},
		append(rounds(2, 50, 1, 2, 3), "10 2 end", "10 3 end", "11 1 end")...)
	merged := contention.NewMerged(contention.DefaultRows)
	for range 2 {
		merged.Add(collect(t, document, 1))
	}
	pools := merged.Statistics().Pools
	for _, p := range pools {
		if p.Name == "worker-*" && (p.Threads != 4 || p.Idle.Count != 8 || p.Lifetime != 36e9) {
			t.Errorf("the workers of two traces are %+v", p)
		}
	}
	if len(pools) != 2 {
		t.Errorf("%d pools, want 2", len(pools))
	}
}
