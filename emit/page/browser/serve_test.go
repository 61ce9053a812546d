package browser

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// serve runs trcx serve until the end of the test, and returns the address that it prints.
func serve(t *testing.T, arguments ...string) string {
	t.Helper()
	program, err := trcx()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command(program, append([]string{"serve", "--no-index"}, arguments...)...)
	server.Stderr = os.Stderr
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		server.Wait() //nolint:errcheck // the signal has ended it
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("trcx serve prints no address: %v", err)
	}
	return strings.TrimSpace(address)
}

func TestServedPageShowsWhatTheReportShows(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, recorded(warehouse)))
	expect(t, "threads shown", p.text(".shown-count"), "All 11 threads")
	p.until(tableOf(blameTable)+`?.querySelectorAll("tbody tr[data-at]").length === 11`, "the blame is there")
	p.click("tab", timelineTab)
	p.until(`document.querySelectorAll(".timeline-label").length === 6`, "the lanes have names")
	p.waitIdle()
	p.until(`document.querySelector(".timeline[aria-busy]") === null`, "the lanes are there")
	p.waitIdle()
	p.screenshot("served-timeline")
	p.clickAt(p.at("picker-1", 200))
	p.until(`document.querySelector(".timeline-details").innerText.includes("Warehouse.java:68")`,
		"the details are there")
	p.click("tab", statisticsTab)
	p.until(tableOf(threadTable)+`?.querySelectorAll("tbody tr[data-at]").length === 11`, "the statistics are there")
	expectAll(t, "totals", p.column(totalTable, "Total"), "834 ms", "829 ms", "686 ms", "291 ms", "300 ms")
	p.clickRow(threadTable, "picker-1")
	p.until(tableOf(totalTable)+`.tBodies[0].rows[0].cells[2].innerText === "280 ms"`,
		"the totals are those of the selected thread")
	p.screenshot("served-statistics")
	p.click("tab", pathTab)
	p.until(`document.querySelectorAll("[aria-label='`+chainTable+`'] tbody tr[data-at]").length === 13`,
		"the chain is there")
}

// TestServedStatisticsAreThoseOfTheReport: the tables of the whole trace and of a window have the same rows in both.
func TestServedStatisticsAreThoseOfTheReport(t *testing.T) {
	t.Parallel()
	var before []map[string][][]string
	for _, address := range []string{report(t, recorded(orders)), serve(t, recorded(orders))} {
		p := open(t, address+"#tab=statistics&window=200000000-600000000")
		p.until(tableOf(threadTable)+`?.querySelectorAll("tbody tr[data-at]").length === 14`, "the statistics are there")
		tables := func() map[string][][]string {
			all := map[string][][]string{}
			for _, table := range []string{threadTable, totalTable, classTable, siteTable, monitorTable} {
				headings := ask[[]string](p, `[...`+tableOf(table)+`.tHead.rows[0].cells].map(cell => cell.innerText.trim())`)
				for _, row := range p.rows(table) { // a server's percentiles are rounded
					all[table] = append(all[table], row[:slices.Index(headings, "Mean")])
				}
				slices.SortFunc(all[table], slices.Compare) // rows with equal times
			}
			return all
		}
		got := []map[string][][]string{tables()}
		whole := ask[string](p, tableOf(totalTable)+`.innerText`)
		p.click("checkbox", "Only the timeline's window")
		p.until(tableOf(totalTable)+`.innerText !== `+quoted(whole), "the figures are the window's")
		got = append(got, tables())
		for i, part := range before {
			for table, want := range part {
				if !reflect.DeepEqual(got[i][table], want) {
					t.Errorf("%s, %d: the served page has %q, the report %q", table, i, got[i][table], want)
				}
			}
		}
		before = got
	}
}

func TestServedTracesAreChosen(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, recorded(warehouse), recorded(deadlock)))
	p.click("tab", statisticsTab)
	ask[bool](p, `(document.querySelector("select[aria-label=Trace]").focus(), true)`)
	p.press(kb.ArrowDown)
	p.until(`document.querySelector(".shown-count").innerText === "All 10 threads"`, "the other trace is shown")
	expect(t, "the tab", p.text("[role=tab][aria-selected=true]"), statisticsTab)
	expect(t, "tabs", ask[int](p, `document.querySelectorAll("[role=tab]").length`), 4)
	if first := p.text("[aria-label=Verdict] li:first-child"); !strings.HasPrefix(first, "Deadlock") {
		t.Errorf("the first verdict is %q", first)
	}
	if hash := ask[string](p, "location.hash"); !strings.Contains(hash, "trace=1") {
		t.Errorf("the address does not keep the trace: %q", hash)
	}
}

// A growing trace is shown as it grows.
func TestServedTraceGrows(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile(recorded(warehouse))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	path := filepath.Join(t.TempDir(), "growing.trcxml")
	if err := os.WriteFile(path, []byte(strings.Join(lines[:len(lines)/2], "")), 0o644); err != nil {
		t.Fatal(err)
	}
	p := open(t, serve(t, "--follow", path))
	p.until(`document.querySelector(".live").innerText === "live"`, "the page says that the trace is live")
	before := p.text(".facts")
	p.click("tab", statisticsTab)
	p.screenshot("served-live")
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString(strings.Join(lines[len(lines)/2:], "")); err != nil {
		t.Fatal(err)
	}
	p.until(`document.querySelector(".facts").innerText.includes("11 threads")`, "the threads that came are counted: "+
		before)
	expect(t, "threads shown", p.text(".shown-count"), "All 11 threads")
	p.until(tableOf(threadTable)+`?.querySelectorAll("tbody tr[data-at]").length === 11`,
		"the statistics have them too")
}

func TestServedHostileNamesAreText(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, written(t, hostileTrace())))
	for _, view := range []string{contentionTab, timelineTab, statisticsTab, pathTab} {
		p.click("tab", view)
		p.waitIdle()
		p.fits(view)
	}
	if made := ask[int](p,
		`document.querySelectorAll("img, iframe, object, embed, b, script:not([src])").length`); made > 0 {
		t.Errorf("names became %d elements", made)
	}
}

// growing returns a file with a trace that lacks its last lines, and a function that appends these.
func growing(t *testing.T, trace string, missing int) (path string, finish func()) {
	t.Helper()
	whole, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimRight(string(whole), "\n"), "\n")
	there := len(lines) - missing
	path = written(t, strings.Join(lines[:there], ""))
	return path, func() {
		t.Helper()
		file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := file.WriteString(strings.Join(lines[there:], "") + "\n"); err != nil {
			t.Fatal(err)
		}
	}
}

// When a recording has ended, the picture is the same as after a reload: with the deadlock and the critical path.
func TestEndOfAFollowedTraceIsShown(t *testing.T) {
	t.Parallel()
	for _, window := range []string{"", "&window=150000000-260000000"} {
		t.Run("window"+window, func(t *testing.T) {
			t.Parallel()
			path, finish := growing(t, recorded(deadlock), 5)
			p := open(t, serve(t, "--follow", path)+"#tab=timeline"+window)
			p.until(`document.querySelector(".live").innerText === "live" && `+
				`document.querySelectorAll(".timeline-label").length > 3`, "the trace is live")
			p.find("button", "Follow the end")
			p.waitIdle()
			p.screenshot("ending-live" + window)
			finish()
			p.until(`document.querySelector(".live").hidden`, "the end is there")
			if left := p.nodes("button", "Follow the end"); len(left) > 0 {
				t.Error("the end of a trace that has ended can still be followed")
			}
			after := p.stillPicture()
			p.screenshot("ending-ended" + window)
			p.run(chromedp.Reload())
			p.until(`document.querySelectorAll(".timeline-label").length > 3`, "the page is there again")
			if p.stillPicture() != after {
				t.Error("a reload shows another picture than the page did when the trace had ended")
			}
			p.screenshot("ending-reloaded" + window)
		})
	}
}

// stillPicture returns the picture of the lanes once all data are there and nothing has changed for half a second, as
// tiles arrive one by one, and arrows are collected for 300 ms.
func (p *tab) stillPicture() string {
	p.t.Helper()
	const still = 500 * time.Millisecond
	before, since := "", time.Now()
	for end := time.Now().Add(patience); time.Since(since) < still; {
		if time.Now().After(end) {
			p.t.Fatal("the picture goes on changing")
		}
		now := p.picture()
		if now != before || ask[bool](p, `document.querySelector(".timeline[aria-busy]") !== null`) {
			before, since = now, time.Now()
		}
	}
	return before
}

// A user who goes through the traces by keyboard stays in the choice, and ends at the trace chosen last.
func TestChoosingATraceKeepsTheFocus(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, recorded(warehouse), recorded(deadlock), recorded("warehouse-jdk17")))
	ask[bool](p, `(document.querySelector("select[aria-label=Trace]").focus(), true)`)
	p.press(kb.ArrowDown)
	p.until(`document.querySelector(".shown-count").innerText === "All 10 threads"`, "the second trace is shown")
	expect(t, "the focus", ask[string](p, `document.activeElement.getAttribute("aria-label")`), "Trace")
	p.press(kb.ArrowDown)
	p.press(kb.ArrowUp)
	p.press(kb.ArrowDown)
	p.until(`document.title.startsWith("warehouse-jdk17")`, "the third trace is shown")
	p.waitIdle()
	expect(t, "the choice", ask[string](p, `document.querySelector("select[aria-label=Trace]").value`), "2")
	expect(t, "the focus", ask[string](p, `document.activeElement.getAttribute("aria-label")`), "Trace")
}

// If the address is changed in the same tab, the page goes to its place.
func TestAddressLeadsToItsPlace(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, recorded(warehouse), recorded(deadlock))+"#tab=timeline&trace=1")
	to := func(hash string) { ask[bool](p, `(location.hash = "`+hash+`", true)`) }
	p.until(`document.querySelector(".shown-count").innerText === "All 10 threads"`, "the second trace is shown")
	to("#tab=timeline&trace=0&window=100000000-200000000")
	p.until(`document.querySelector(".shown-count").innerText === "All 11 threads"`, "the first trace is shown")
	p.until(`document.querySelector("input[aria-label=To]")?.value === "200 ms"`, "its window is shown")
	p.waitIdle()
	expect(t, "the address", ask[string](p, "location.hash"), "#tab=timeline&window=100000000-200000000")
	to("#tab=timeline")
	p.until(`document.querySelector("input[aria-label=To]").value === "501.6 ms"`,
		"without a window all of the trace is shown")
	to("#tab=timeline&window=400000000-990000000000")
	p.until(`document.querySelector("input[aria-label=From]").value === "400 ms"`,
		"a window that ends after the trace begins where it says")
	to("#tab=timeline&window=900000000000-990000000000")
	p.until(`document.querySelector("input[aria-label=From]").value === "0 ns"`, "one that begins there too is none")
	to("#tab=statistics&trace=9")
	p.until(`document.querySelector(".failure h1")?.innerText === "There is no such trace"`,
		"the page says that there is no such trace")
	p.screenshot("no-such-trace")
	p.waitIdle()
	p.click("button", "deadlock-jdk25.trcxml")
	p.until(`document.querySelector(".shown-count")?.innerText === "All 10 threads"`,
		"the trace that was chosen is shown")
	expect(t, "the tab", p.text("[role=tab][aria-selected=true]"), statisticsTab)
}

// Many threads can be chosen one by one: the request for them is short enough for the server.
func TestManySingleThreadsAreChosen(t *testing.T) {
	t.Parallel()
	const threads = 50_000
	var b strings.Builder
	b.WriteString(`<TRACE version="2.000" xmlns="x">` + "\n")
	for i := range threads {
		fmt.Fprintf(&b, "<threadStart threadId=\"%d\" time=\"1.%09d\" threadName=\"%s-%d\"/>\n", i+1, i,
			[]string{"even", "odd"}[i%2], i)
	}
	for i := range threads {
		fmt.Fprintf(&b, "<threadEnd threadIdRef=\"%d\" time=\"2.%09d\"/>\n", i+1, i)
	}
	b.WriteString("</TRACE>\n")
	p := open(t, serve(t, "--quiet", written(t, b.String())))
	p.click("button", chooseThreads)
	p.fill("Search threads", "odd-*")
	p.click("button", "Only these")
	p.click("button", "Apply")
	p.until(`document.querySelector(".shown-count").innerText === "25,000 of 50,000 threads"`,
		"half of the threads are shown")
	p.until(`document.querySelector(".timeline[aria-busy]") === null`, "their lanes are there")
	p.click("tab", statisticsTab)
	p.until(`[...document.querySelectorAll("h2")].some(heading => heading.innerText.startsWith("Totals of"))`,
		"so are their statistics")
	expect(t, "the totals",
		ask[string](p,
			`[...document.querySelectorAll("h2")].find(heading => heading.innerText.startsWith("Totals of")).innerText`), "Totals of all 25,000 threads")
	p.waitIdle()
	if said := ask[[]string](p, `[...document.querySelectorAll(".timeline-notice, .failed")].map(e => e.innerText)`); len(
		said) > 0 {
		t.Errorf("the page says %q", said)
	}
}

// TestSearchInManyLanes: in a served trace with more lanes than an answer may have, and with waits shorter than its
// buckets, search works, and rows lead to spans.
func TestSearchInManyLanes(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, written(t, relayOfManyTrace(50))))
	p.click("tab", timelineTab)
	p.until(`document.querySelector(".timeline:not([aria-busy]) .timeline-label") !== null`, "the lanes are there")
	ask[bool](p, `(document.querySelector(".timeline-search").focus(), true)`)
	for _, letter := range "worker-77" {
		p.press(string(letter))
	}
	p.press(kb.Enter)
	p.until(`document.querySelector(".timeline-details").innerText.includes("worker-77")`, "the thread is found")
	p.click("tab", statisticsTab)
	p.until(tableOf(monitorTable)+`?.querySelector("tbody .show") != null`, "the statistics are there")
	ask[bool](p, `(document.querySelector(".timeline-details .close").click(), `+tableOf(monitorTable)+
		`.querySelector("tbody .show").click(), true)`)
	p.until(`!document.querySelector(".timeline-details").hidden`, "a wait of the row is selected")
	if details := p.text(".timeline-details"); !strings.Contains(details, "BLOCKED") {
		t.Errorf("the row of a monitor leads to %q", details)
	}
}
