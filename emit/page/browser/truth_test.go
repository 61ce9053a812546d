package browser

import (
	"bufio"
	"fmt"
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
	kind     string // BLOCKED, Waited, JOINING or SLEEPING
	object   string // the class of what the thread waited for
	ends     string // the operations that end it
	from, to float64
}

// seconds parses a time of the page; "" is no time.
func seconds(shown string) (float64, error) {
	if shown == "" {
		return 0, nil
	}
	said, err := time.ParseDuration(strings.ReplaceAll(shown, " ", ""))
	return said.Seconds(), err
}

// intervalEnds are the operations that end an interval of the program's log, by the operation that begins it.
var intervalEnds = map[string]struct{ kind, ends string }{
	"wants": {"BLOCKED", "holds"}, "wait": {"Waited", "woke waitInterrupted"}, "join": {"JOINING", "joined"},
	"sleep": {"SLEEPING", "slept"}, "acquire": {"Waited", "acquired"}, "await": {"Waited", "signalled"},
	"take": {"Waited", "taken"}, "get": {"Waited", "result"}, "count": {"Waited", "counted"}, "read": {"Waited", "got"},
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
			class := ""
			if len(fields) > 5 {
				class, _, _ = strings.Cut(strings.TrimPrefix(fields[5], "obj="), "@")
			}
			begun[thread] = logged{thread, begins.kind, class, begins.ends, at, 0}
		} else if open, ok := begun[thread]; ok && slices.Contains(strings.Fields(open.ends), operation) {
			delete(begun, thread)
			if open.to = at; at-open.from > uncontended {
				all = append(all, open)
			}
		}
	}
	return all
}

// timeOf returns how long the threads were in intervals of a kind between two times, and in how many.
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
func expectTime(t *testing.T, what, shown string, logged float64, count int) {
	t.Helper()
	said, err := seconds(shown)
	if allowed := 2e-3*float64(count) + 5e-3*logged; err != nil || math.Abs(said-logged) > allowed {
		t.Errorf("%s: the page says %q, the program logged %.6f s in %d intervals", what, shown, logged, count)
	}
}

// TestPageSaysWhatTheProgramLogged: the first line, the tables of threads, the blame and a window agree with the
// program's log.
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
	_, rest, _ := strings.Cut(p.text(".verdict"), "BLOCKED for ")
	shown, _, _ := strings.Cut(rest, " in all")
	blocked, blocks := timeOf(all, "", "BLOCKED", 0, whole)
	expectTime(t, "the first line", shown, blocked, blocks)

	asleep := all[slices.IndexFunc(all, func(i logged) bool { return i.kind == "SLEEPING" })]
	blamed, waits := 0.0, 0
	for _, kind := range []string{"BLOCKED", "JOINING"} {
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
		for _, kind := range []string{"BLOCKED", "Waited", "JOINING"} {
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
		for _, kind := range []string{"BLOCKED", "JOINING", "SLEEPING"} {
			for i, shown := range p.times(kind) {
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

// TestPageSaysWhatAnOrderServiceLogged: the statistics of all threads and of a window, and what threads waited for,
// agree with the log of a program that uses monitors, locks, conditions, a semaphore, a queue, a future, a latch and
// sockets.
func TestPageSaysWhatAnOrderServiceLogged(t *testing.T) {
	t.Parallel()
	for _, trace := range []string{orders, "orders-jdk17"} {
		all := loggedIntervals(t, trace)
		p := openContention(t, trace)
		whole := math.Inf(1)
		for class, label := range map[string]string{
			"Orders$PriceCache": "the lock of Orders$PriceCache", "java.util.concurrent.Semaphore": "PARKED on semaphore",
			"java.util.concurrent.CompletableFuture": "PARKED on future", "java.util.concurrent.CountDownLatch": "PARKED on latch",
		} {
			logged, count := 0.0, 0
			for _, i := range all {
				if i.object == class {
					logged, count = logged+i.to-i.from, count+1
				}
			}
			row := slices.IndexFunc(p.column(waitTable, "Waited for"), func(what string) bool {
				return strings.HasPrefix(what, label)
			})
			if row < 0 {
				t.Errorf("%s: no row is about %s", trace, label)
				continue
			}
			expectTime(t, trace+": waits for "+label, p.column(waitTable, "Waited")[row], logged, count)
		}
		began, err := strconv.ParseFloat(ask[string](p, `JSON.parse(document.getElementById("about").textContent).startTime`), 64)
		if err != nil {
			t.Fatal(err)
		}
		const from, to = 0.2, 0.6
		p = open(t, report(t, recorded(trace))+"#tab=statistics&window=200000000-600000000")
		p.until(`document.querySelectorAll("[aria-label='`+threadTable+`'] tbody tr[data-at]").length > 0`,
			"the statistics are there")
		p.expectThreads(trace, all, 0, whole)
		before := ask[string](p, tableOf(totalTable)+`.innerText`)
		p.click("checkbox", "Only the timeline's window")
		p.until(tableOf(totalTable)+`.innerText !== `+quoted(before), "the figures are the window's")
		p.expectThreads(trace+", a window", all, began+from, began+to)
	}
}

// times returns the times of the threads in a state. A state that no thread was in has no column.
func (p *tab) times(kind string) []string {
	p.t.Helper()
	headings := ask[[]string](p, `[...`+tableOf(threadTable)+`.tHead.rows[0].cells].map(cell => cell.innerText.trim())`)
	if !slices.Contains(headings, kind) {
		return make([]string, len(p.rows(threadTable)))
	}
	return p.column(threadTable, kind)
}

// expectThreads compares each thread's times with those that it logged between two times. A wait for a condition ends
// with locking, where the thread can be blocked, so blocks and waits are compared together.
func (p *tab) expectThreads(what string, all []logged, from, to float64) {
	p.t.Helper()
	columns := map[string][]string{}
	for _, heading := range []string{"BLOCKED", "Waited", "JOINING", "SLEEPING"} {
		columns[heading] = p.times(heading)
	}
	for i, name := range p.column(threadTable, "Thread") {
		if !slices.ContainsFunc(all, func(i logged) bool { return i.thread == name }) || name == "payment" {
			continue // it logs nothing, or not the waits for input
		}
		for _, kind := range []string{"JOINING", "SLEEPING"} {
			logged, count := timeOf(all, name, kind, from, to)
			expectTime(p.t, what+": "+name+" "+kind, columns[kind][i], logged, count)
		}
		blocked, blocks := timeOf(all, name, "BLOCKED", from, to)
		waited, waits := timeOf(all, name, "Waited", from, to)
		shownBlocked, err := seconds(columns["BLOCKED"][i])
		shownWaited, alsoErr := seconds(columns["Waited"][i])
		if err != nil || alsoErr != nil {
			p.t.Fatal(err, alsoErr)
		}
		expectTime(p.t, what+": "+name+" blocked or waiting", fmt.Sprintf("%.6fs", shownBlocked+shownWaited), blocked+waited,
			blocks+waits)
	}
}
