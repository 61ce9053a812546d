package contention_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/contention"
)

// script builds a trace of lines: "time thread event arguments". Threads of a number are named by names.
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

// rounds are n rounds of work: the waiters wait at the object one after the other, and the submitter notifies them.
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

const nobodyWaited = "No thread of the program waited for a monitor, a notification or another thread, as far as the " +
	"trace shows."

func TestHeadline(t *testing.T) {
	pool := map[int]string{1: "main", 2: "worker-1", 3: "worker-2"}
	for _, c := range []struct {
		name  string
		text  []byte
		first string
		rest  []string
	}{
		{"no waits", script(pool, "2 1 end"),
			nobodyWaited, nil},
		{"states by time, waits that timed out",
			script(pool, "1 1 wait 50", "4 1 timeout 50", "5 2 enter 60", "6 2 entered 60", "9 1 end", "9 2 end", "9 3 end"),
			"Threads waited for 4.00 s, 17 % of the time of all threads (24.0 s): WAITING 3.00 s (once, 1 timed out) " +
				"and BLOCKED 1.00 s (once).",
			[]string{"WAITING: all 3.00 s by main on object 50.", "BLOCKED: all 1.00 s on object 60."}},
		{"waits with a timeout are TIMED_WAITING",
			script(pool, "1 1 timed 50", "4 1 timeout 50", "5 2 wait 60", "6 2 waited 60", "6 3 timed 50", "9 1 end",
				"9 2 end", "9 3 end"),
			"Threads waited for 7.00 s, 29 % of the time of all threads (24.0 s): TIMED_WAITING 6.00 s (2 times, 1 timed out) " +
				"and WAITING 1.00 s (once).",
			[]string{"TIMED_WAITING: 3.00 s (50 %) by main on object 50.", "WAITING: all 1.00 s by worker-* (2 threads) on object 60."}},
		{"a pool that waits for work, by its notifications", script(pool, rounds(2, 50, 1, 2, 3)...),
			"Except for idle threads, n" + nobodyWaited[1:],
			[]string{"Idle, as far as the trace shows: worker-* (2 threads) waited 4.00 s for notifications by threads of other " +
				"pools, which is not counted above."}},
		{"threads that wait for results at objects of their own are not idle",
			script(pool, append(rounds(2, 50, 1, 2), rounds(2, 51, 1, 3)...)...),
			"Threads waited for 4.00 s, 44 % of the time of all threads (9.00 s): WAITING 4.00 s (4 times).",
			[]string{"WAITING: all 4.00 s by worker-* (2 threads); longest 1.00 s on object 50."}},
		{"waits for a monitor at which the submitter waits, too, are none for work",
			script(pool, append(rounds(2, 50, 1, 2, 3), "20 1 wait 50", "21 2 notify 50", "21 1 waited 50")...),
			"Threads waited for 5.00 s, 8 % of the time of all threads (60.0 s): WAITING 5.00 s (5 times).",
			[]string{"WAITING: 4.00 s (80 %) by worker-* (2 threads); longest 1.00 s on object 50."}},
		{"one thread that waits for others is not idle", script(pool, rounds(4, 50, 2, 1)...),
			"Threads waited for 4.00 s, 19 % of the time of all threads (21.0 s): WAITING 4.00 s (4 times).",
			[]string{"WAITING: all 4.00 s by main; longest 1.00 s on object 50."}},
		{"one wait that timed out is none for work", script(pool,
			append(rounds(2, 50, 1, 2, 3), "20 2 wait 50", "21 2 timeout 50")...),
			"Threads waited for 5.00 s, 8 % of the time of all threads (60.0 s): WAITING 5.00 s (5 times, 1 timed out).",
			[]string{"WAITING: all 5.00 s by worker-* (2 threads); longest 1.00 s on object 50."}},
		{"a wait for work, by its stack", script(pool, "1 2 idle 50", "5 2 timeout 50", "6 2 wait 50", "7 2 waited 50"),
			"Threads waited for 1.00 s, 6 % of the time of all threads (18.0 s): WAITING 1.00 s (once).",
			[]string{"WAITING: all 1.00 s by worker-* (2 threads) on object 50.",
				"Idle: worker-* (2 threads) waited 4.00 s for work, which is not counted above."}},
		{"threads of the JVM are left out", script(map[int]string{1: "main", 2: "Signal Dispatcher"}, "1 2 wait 50",
			"5 2 waited 50"),
			nobodyWaited, nil},
		{"an owner that is known for a part of the time",
			script(pool, "1 2 enter 60", "9 3 notify 60", "11 2 entered 60", "11 1 end", "11 2 end", "11 3 end"),
			"Threads waited for 10.0 s, 33 % of the time of all threads (30.0 s): BLOCKED 10.0 s (once).",
			[]string{"BLOCKED: all 10.0 s on object 60, whose owner is known for 20 % of that time, longest worker-2 (20 %)."}},
		{"a trace of one moment", script(pool, "1 1 enter 50", "1 2 enter 50", "1 3 idle 60"),
			"The trace is of one moment, so its waits have no lengths: 2 threads were BLOCKED.",
			[]string{"BLOCKED: all on object 50.", "Idle: worker-* (2 threads) waited for work, which is not counted above."}},
		{"a trace of one moment, of several monitors", script(pool, "1 1 wait 60", "1 2 enter 40", "1 3 enter 50"),
			"The trace is of one moment, so its waits have no lengths: 2 threads were BLOCKED and 1 WAITING.",
			[]string{"BLOCKED: 1 of 2 on object 40."}},
		{"a block that is not over", script(pool, "1 2 enter 50", "3 1 end"),
			"Threads waited for 2.00 s, 33 % of the time of all threads (6.00 s): BLOCKED 2.00 s (once, 1 not over at the " +
				"end).", []string{"BLOCKED: all 2.00 s on object 50."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			first, rest := collect(t, c.text, contention.DefaultRows).Headline()
			if first != c.first || strings.Join(rest, "\n") != strings.Join(c.rest, "\n") {
				t.Errorf("got  %s\n     %s\nwant %s\n     %s", first, strings.Join(rest, "\n     "), c.first,
					strings.Join(c.rest, "\n     "))
			}
		})
	}
}

// TestHeadlineOfMergedTraces: pools of several traces are one, and so are those of evicted threads.
func TestHeadlineOfMergedTraces(t *testing.T) {
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

// TestHeadlineOfAPart: statistics of a part of a trace claim no share of all time.
func TestHeadlineOfAPart(t *testing.T) {
	s := collect(t, blocks("1 50 2 1"), contention.DefaultRows)
	s.Selected = true
	if first, _ := s.Headline(); strings.Contains(first, "%") {
		t.Errorf("a part of a trace has a share: %s", first)
	}
}

// TestHolderIsSeenAtItsOwnPlace: the place in the headline is that of the holder it names, also where the other holders
// share another one.
func TestHolderIsSeenAtItsOwnPlace(t *testing.T) {
	const at = `objIdRef="60"><annotation name="stack" value="%d"/></%s>`
	var text strings.Builder
	text.WriteString(`<TRACE><classDef name="app/Main" classId="1"/><methodDef name="main" methodId="1" classIdRef="1"/>` +
		`<classDef name="app/Work" classId="2"/><methodDef name="run" methodId="2" classIdRef="2"/>` +
		`<threadStart threadId="1" time="1" threadName="main" groupName="main"/>`)
	fmt.Fprintf(&text, `<callNotify threadId="1" time="1" isNotifyAll="0" `+at, 1, "callNotify")
	for worker := 2; worker < 8; worker++ {
		fmt.Fprintf(&text, `<threadStart threadId="%[1]d" time="1" threadName="worker-%[1]d" groupName="main"/>`+
			`<monContendedEnter threadIdRef="%[1]d" time="1.1" threadOwner="1" `, worker)
		fmt.Fprintf(&text, at, 2, "monContendedEnter")
	}
	for worker := 2; worker < 8; worker++ {
		fmt.Fprintf(&text, `<monContendedEntered threadIdRef="%d" time="%v" objIdRef="60"/>`, worker, 1+float64(worker)/2)
	}
	verdict := collect(t, []byte(text.String()+"</TRACE>"), contention.DefaultRows).Verdict()
	const want = "held in turn by 6 threads, longest by main (42 %), in app.Main.main."
	if !strings.Contains(verdict, want) {
		t.Errorf("%s\nwant %s", verdict, want)
	}
}
