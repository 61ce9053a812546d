package browser

import (
	"bufio"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// logged is an interval that a program logged about one of its threads.
type logged struct {
	thread   string
	kind     string // Blocked, Waited, Joined or Slept
	ends     string // the operations that end it
	from, to float64
}

// intervalEnds are the operations that end an interval of the program's log, by those that begin it.
var intervalEnds = map[string]struct{ kind, ends string }{
	"wants": {"Blocked", "holds"}, "wait": {"Waited", "woke waitInterrupted"}, "join": {"Joined", "joined"},
	"sleep": {"Slept", "slept"},
}

// uncontended is the longest time in seconds between two lines of the log for which a thread did not stop.
const uncontended = 100e-6

// loggedIntervals returns what the program of a recorded trace logged, in seconds since 1970.
func loggedIntervals(t *testing.T, trace string) (all []logged) {
	t.Helper()
	file, err := os.Open(strings.TrimSuffix(recorded(trace), ".trcxml") + ".truth.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	begun := map[string]logged{} // by thread
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		at, err := strconv.ParseFloat(fields[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		thread, operation := strings.TrimPrefix(fields[2], "thread="), strings.TrimPrefix(fields[4], "op=")
		if begins, ok := intervalEnds[operation]; ok {
			begun[thread] = logged{thread, begins.kind, begins.ends, at, 0}
		} else if open, ok := begun[thread]; ok && slices.Contains(strings.Fields(open.ends), operation) {
			delete(begun, thread)
			if open.to = at; at-open.from > uncontended {
				all = append(all, open)
			}
		}
	}
	return all
}

// timeOf returns how long the threads were in the intervals of a kind, between two times, and in how many of them.
func timeOf(all []logged, thread, kind string, from, to float64) (seconds float64, count int) {
	for _, i := range all {
		if length := min(i.to, to) - max(i.from, from); i.kind == kind && (thread == "" || i.thread == thread) && length > 0 {
			seconds += length
			count++
		}
	}
	return seconds, count
}

// expectTime compares a time of the page with one of the log, whose lines are written before or after the event.
func expectTime(t *testing.T, what, shown string, seconds float64, count int) {
	t.Helper()
	said, err := time.ParseDuration(cmpZero(strings.ReplaceAll(shown, " ", "")))
	if allowed := 2e-3*float64(count) + 5e-3*seconds; err != nil || math.Abs(said.Seconds()-seconds) > allowed {
		t.Errorf("%s: the page says %q, the program logged %.6f s in %d intervals", what, shown, seconds, count)
	}
}

// cmpZero returns the text, or 0s for an empty one.
func cmpZero(text string) string {
	if text == "" {
		return "0s"
	}
	return text
}

// TestPageSaysWhatTheProgramLogged: the headline, the tables of threads, the blame and a window agree with the log of
// the program.
func TestPageSaysWhatTheProgramLogged(t *testing.T) {
	t.Parallel()
	all := loggedIntervals(t, warehouse)
	p := openContention(t, warehouse)
	began, err := strconv.ParseFloat(ask[string](p, `JSON.parse(document.getElementById("about").textContent).startTime`),
		64)
	if err != nil {
		t.Fatal(err)
	}
	whole := math.Inf(1)
	headline := p.text(".verdict")
	for _, stated := range []struct{ kind, begins, ends string }{
		{"Blocked", "BLOCKED ", " ("}, {"Joined", "JOINING ", " ("}, {"Slept", "SLEEPING ", " ("},
	} {
		_, rest, _ := strings.Cut(headline, stated.begins)
		shown, _, _ := strings.Cut(rest, stated.ends)
		seconds, count := timeOf(all, "", stated.kind, 0, whole)
		expectTime(t, "headline: "+stated.kind, shown, seconds, count)
	}

	asleep := all[slices.IndexFunc(all, func(i logged) bool { return i.kind == "Slept" })]
	blamed, waits := 0.0, 0
	for _, kind := range []string{"Blocked", "Joined"} {
		seconds, count := timeOf(all, "", kind, asleep.from, asleep.to)
		blamed, waits = blamed+seconds, waits+count
	}
	row := p.rows(blameTable)[0]
	expect(t, "who slept while others waited", row[0], asleep.thread+" (thread 24)")
	expect(t, "its state", row[len(row)-1], "SLEEPING")
	expectTime(t, "the blame of the thread that slept", row[2], blamed, waits)
	expect(t, "waits that it prolonged", row[3], strconv.Itoa(waits))
	p.click("radio", "By waiter")
	for i, waiter := range p.column(blameTable, "Thread that waited") {
		name, _, _ := strings.Cut(waiter, " (")
		seconds, count := 0.0, 0
		for _, kind := range []string{"Blocked", "Waited", "Joined"} {
			time, n := timeOf(all, name, kind, 0, whole)
			seconds, count = seconds+time, count+n
		}
		expectTime(t, "waits of "+waiter, p.column(blameTable, "Waited")[i], seconds, count)
	}

	const from, to = 0.15, 0.25
	p = open(t, report(t, recorded(warehouse))+"#tab=statistics&window=150000000-250000000")
	p.until(`document.querySelectorAll("[aria-label='`+threadTable+`'] tbody tr[data-at]").length > 0`,
		"the statistics are there")
	names := p.column(threadTable, "Thread")
	expectThreads := func(from, to float64) {
		for _, kind := range []string{"Blocked", "Joined", "Slept"} {
			for i, shown := range p.column(threadTable, kind) {
				seconds, count := timeOf(all, names[i], kind, from, to)
				expectTime(t, names[i]+" "+kind, shown, seconds, count)
			}
		}
	}
	expectThreads(0, whole)
	before := ask[string](p, tableOf(totalTable)+`.innerText`)
	p.click("checkbox", "Only the timeline's window")
	p.until(tableOf(totalTable)+`.innerText !== `+quoted(before), "the figures are the window's")
	names = p.column(threadTable, "Thread")
	expectThreads(began+from, began+to)
}
