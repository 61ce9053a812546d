package browser

import (
	"archive/zip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// openStatistics shows the tab of a recorded trace.
func openStatistics(t *testing.T, trace string) *tab {
	t.Helper()
	p := open(t, report(t, recorded(trace)))
	p.click("tab", statisticsTab)
	p.until(`document.querySelectorAll("[aria-label='`+threadTable+`'] tbody tr[data-at]").length > 0`,
		"the statistics are there")
	return p
}

// atShelf is the place in a recorded trace where threads were blocked longest.
const atShelf = "Warehouse$Picker.atShelf(Warehouse.java:68) ← Warehouse$Picker.run(Warehouse.java:56)"

func TestStatisticsShowWhatStatsPrints(t *testing.T) {
	t.Parallel()
	p := openStatistics(t, warehouse)
	threads := p.rows(threadTable)
	expectAll(t, "the thread that was blocked longest", threads[0][:7], "picker-3", "23", "main", "2", "284 ms", "2",
		"128 ms")
	expectAll(t, "totals", p.column(totalTable, "Total"), "834 ms", "829 ms", "686 ms", "291 ms", "300 ms")
	expectAll(t, "intervals", p.column(totalTable, "Intervals"), "4", "7", "4", "3", "1")
	expect(t, "the monitor with the longest blocks", p.column(monitorTable, "Object")[0], "1080")
	expect(t, "who held it", p.column(monitorTable, "Held by")[0], "stocktake (thread 24) (93 %)")
	expect(t, "where threads were blocked", p.column(siteTable, "Caller")[0],
		atShelf)
	if holders := p.column(holderTable, "The holder was last seen at"); !slices.Contains(holders,
		"Warehouse$Stocktake.run(Warehouse.java:84)") {
		t.Errorf("the holders were at %q", holders)
	}
	if blockers := p.column(pairTable, "by the owner"); !slices.Contains(blockers, "stocktake (thread 24)") {
		t.Errorf("threads were blocked by %q", blockers)
	}
}

func TestSelectedThreadsHaveTotals(t *testing.T) {
	t.Parallel()
	p := openStatistics(t, warehouse)
	blocked := func(title, total string) {
		t.Helper()
		p.until(`[...document.querySelectorAll("h2")].some(h => h.innerText === `+quoted(title)+`)`,
			"the totals are headed "+title)
		expect(t, title+": blocked", p.column(totalTable, "Total")[0], total)
	}
	blocked("Totals of all 11 threads", "834 ms")
	p.clickRow(threadTable, "picker-1")
	blocked("Totals of 1 selected thread", "280 ms")
	expect(t, "pairs of the selected thread", len(p.rows(pairTable)), 1)
	p.clickRow(threadTable, "picker-2", chromedp.ModifierCtrl)
	blocked("Totals of 2 selected threads", "551 ms")
	p.clickRow(threadTable, "picker-3")
	p.clickRow(threadTable, "picker-2", chromedp.ModifierShift)
	blocked("Totals of 3 selected threads", "834 ms")
	p.press(kb.Escape)
	blocked("Totals of all 11 threads", "834 ms")
	p.clickRow(threadTable, "picker-3")
	p.press(kb.ArrowDown)
	blocked("Totals of 1 selected thread", "280 ms")
	p.press(kb.ArrowDown, chromedp.ModifierShift)
	blocked("Totals of 2 selected threads", "551 ms")
	p.press("a", chromedp.ModifierCtrl)
	blocked("Totals of 11 selected threads", "834 ms")
	p.screenshot("statistics-selected")
	p.click("button", "Clear selection")
	blocked("Totals of all 11 threads", "834 ms")
}

func TestClassNarrowsCallersAndMonitors(t *testing.T) {
	t.Parallel()
	p := openStatistics(t, warehouse)
	all := len(p.rows(siteTable))
	p.clickRow(classTable, "Warehouse$Shelf")
	expectAll(t, "callers of the class", p.column(siteTable, "Class"), "Warehouse$Shelf", "Warehouse$Shelf")
	expectAll(t, "monitors of the class", p.column(monitorTable, "Monitor"), "Warehouse$Shelf")
	for _, held := range p.column(ownerTable, "held") {
		expect(t, "what was held", held, "Warehouse$Shelf 1080")
	}
	p.clickRow(classTable, "Warehouse$Shelf")
	expect(t, "callers after a second click", len(p.rows(siteTable)), all)
}

func TestEveryColumnSorts(t *testing.T) {
	t.Parallel()
	p := openStatistics(t, warehouse)
	for _, table := range []string{threadTable, totalTable, classTable, siteTable, holderTable, monitorTable,
		ownerTable, pairTable} {
		for _, sorted := range p.sortByAll(table) {
			if !slices.Contains(sorted.Orders, "ascending") || !slices.Contains(sorted.Orders, "descending") {
				t.Errorf("%s, %s: sorted %q", table, sorted.Heading, sorted.Orders)
			}
			expect(t, table+": rows after sorting by "+sorted.Heading, sorted.After, sorted.Before)
		}
	}
	p.heading(threadTable, "Thread")
	names := p.column(threadTable, "Thread")
	if !slices.IsSortedFunc(names, func(a, b string) int {
		return strings.Compare(strings.ToLower(a),
			strings.ToLower(b))
	}) {
		t.Errorf("threads by name: %q", names)
	}
	p.heading(threadTable, "Id")
	p.heading(threadTable, "Id")
	expectAll(t, "the first threads by id", p.column(threadTable, "Id")[:3], "3", "12", "13")
}

// sorted is a table's column after sorting by it twice: the orders that it shows, and the numbers of rows.
type sorted struct {
	Heading       string
	Orders        []string
	Before, After int
}

// sortByAll presses each heading of a table twice.
func (p *tab) sortByAll(table string) []sorted {
	p.t.Helper()
	return ask[[]sorted](p, `(() => {
		const table = `+tableOf(table)+`, rows = () => table.querySelectorAll("tbody tr[data-at]").length;
		return Array.from(table.tHead.rows[0].cells, (_, i) => {
			const cell = () => table.tHead.rows[0].cells[i], heading = cell().innerText.trim(), before = rows();
			const orders = [0, 1].map(() => {
				cell().querySelector("button").click();
				return cell().getAttribute("aria-sort");
			});
			return {Heading: heading, Orders: orders, Before: before, After: rows()};
		});
	})()`)
}

func TestDetailsOfAKind(t *testing.T) {
	t.Parallel()
	p := openStatistics(t, warehouse)
	longest := func() string {
		return p.column(threadTable, "Longest")[slices.Index(p.column(threadTable, "Thread"), "stocktake")]
	}
	expect(t, "the longest block of stocktake", longest(), "")
	p.click("radio", "SLEEPING")
	expect(t, "the longest sleep of stocktake", longest(), "300 ms")
	label := ask[string](p, `[...`+tableOf(threadTable)+
		`.querySelectorAll("tbody tr")].find(row => row.cells[0].innerText === "stocktake").querySelector("svg").getAttribute("aria-label")`)
	expect(t, "the label of its plot", label, "one interval of 300 ms")
	expect(t, "bars in its plot", ask[int](p, tableOf(threadTable)+`.querySelectorAll("tbody .plot-bars").length`), 1)
	p.click("radio", "Waited")
	expect(t, "bars of waits", ask[int](p, tableOf(threadTable)+`.querySelectorAll("tbody .plot-bars").length`), 4)
	expect(t, "the order by the chosen kind", p.column(threadTable, "Waited")[0] != "", true)
	expect(t, "the sorted column", ask[string](p, tableOf(threadTable)+
		`.querySelector("th[aria-sort=descending]").innerText.trim()`), "Waited")
	p.screenshot("statistics-waited")
}

func TestTableSearch(t *testing.T) {
	t.Parallel()
	p := openStatistics(t, warehouse)
	p.fill("Search: "+threadTable, "PICKER")
	expect(t, "rows that the search finds", len(p.rows(threadTable)), 3)
	p.fill("Search: "+threadTable, "nobody is called so")
	expect(t, "rows that no search finds", len(p.rows(threadTable)), 0)
	if said := ask[string](p, tableOf(threadTable)+`.tBodies[0].innerText`); !strings.Contains(said, "No row matches") {
		t.Errorf("the table says %q", said)
	}
	p.fill("Search: "+threadTable, "")
	expect(t, "rows without a search", len(p.rows(threadTable)), 11)
}

func TestColumnWidthsAreKept(t *testing.T) {
	t.Parallel()
	p := openStatistics(t, warehouse)
	width := func() float64 {
		return ask[float64](p, tableOf(threadTable)+`.tHead.rows[0].cells[2].getBoundingClientRect().width`)
	}
	grip := ask[[]float64](p, `(() => { const r = `+tableOf(threadTable)+
		`.querySelectorAll(".grip")[2].getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`)
	before := width()
	p.run(chromedp.DragAndDropXY(grip[0], grip[1], grip[0]+60, grip[1]))
	p.waitIdle()
	expect(t, "the width after dragging", width(), before+60)
	p.heading(threadTable, "Group")
	p.press(kb.ArrowLeft, chromedp.ModifierShift)
	expect(t, "the width after a key", width(), before+44)
	p.run(chromedp.Reload())
	p.until(`document.querySelectorAll("[aria-label='`+threadTable+`'] tbody tr[data-at]").length > 0`,
		"the statistics are there again")
	p.waitIdle()
	expect(t, "the width after a reload", width(), before+44)
}

// Data of two JVMs in one trace are kept apart, whatever their ids; names say which JVM they are from.
func TestStatisticsOfSeveralProcesses(t *testing.T) {
	t.Parallel()
	twins := twice(t, recorded(warehouse))
	for _, address := range []string{report(t, twins), serve(t, twins)} {
		p := open(t, address)
		p.click("tab", statisticsTab)
		p.until(tableOf(monitorTable)+`?.querySelectorAll("tbody tr[data-at]").length > 0`, "the statistics are there")
		for _, table := range []string{threadTable, monitorTable, ownerTable, pairTable} {
			rows := p.rows(table)
			for i, row := range rows {
				if slices.ContainsFunc(rows[i+1:], func(other []string) bool { return slices.Equal(row, other) }) {
					t.Errorf("%s has the same row twice: %q", table, row)
				}
			}
		}
		owners := len(p.rows(ownerTable))
		process := p.column(monitorTable, "Process")[0]
		p.clickRow(monitorTable, p.rows(monitorTable)[0][0])
		expect(t, "selected monitors",
			ask[int](p, tableOf(monitorTable)+`.querySelectorAll("tbody tr[aria-selected=true]").length`), 1)
		chosen := ask[string](p, tableOf(monitorTable)+`.querySelector("tbody tr[aria-selected=true]").innerText`)
		if !strings.Contains(chosen, process) {
			t.Errorf("the selected monitor is not the first one: %q", chosen)
		}
		if left := p.column(ownerTable, "Process"); len(left) == 0 || len(left) >= owners ||
			slices.ContainsFunc(left, func(other string) bool { return other != process }) {
			t.Errorf("the owners are of %q, and the monitor of %q", left, process)
		}
		p.screenshot("statistics-processes")
		p.click("button", chooseThreads)
		if processes := p.column(filterTable,
			"Process"); len(slices.Compact(slices.Sorted(slices.Values(processes)))) != 2 {
			t.Errorf("the filter has threads of %q", processes)
		}
		p.click("button", "Cancel")
	}
}

// twice returns a zip that has a trace twice.
func twice(t *testing.T, trace string) string {
	t.Helper()
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "twice.zip")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	archive := zip.NewWriter(file)
	for _, name := range []string{"a.trcxml", "b.trcxml"} {
		entry, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestLocksAndLibrariesAreNamed: a wait for a lock of java.util.concurrent is not called a wait for a monitor, and a
// place has the library method in which the thread was, in a report and in a served page.
func TestLocksAndLibrariesAreNamed(t *testing.T) {
	t.Parallel()
	const caller = "Orders.main(Orders.java:192) (in java.util.concurrent.CountDownLatch.await)"
	for kind, address := range map[string]string{
		"report": report(t, recorded(orders)), "serve": serve(t, recorded(orders)),
	} {
		p := open(t, address)
		p.click("tab", statisticsTab)
		p.until(`document.querySelectorAll("[aria-label='`+siteTable+`'] tbody tr[data-at]").length > 0`,
			"the statistics are there")
		if callers := p.column(siteTable, "Caller"); !slices.Contains(callers, caller) {
			t.Errorf("%s: no caller is %q: %q", kind, caller, callers)
		}
		p.clickRow(siteTable, caller)
		p.press(kb.Enter)
		p.until(`!document.querySelector(".timeline-details").hidden`, kind+": a wait at the place is selected")
		if details := p.text(".timeline-details"); !strings.Contains(details, caller) || !strings.Contains(details, "PARKED") {
			t.Errorf("%s: the details of a wait at the place are %q", kind, details)
		}
		p.click("button", "Caller")
		p.until(tableOf(siteTable)+`?.querySelector("tbody tr[aria-selected=true]")?.innerText.includes(`+quoted(caller)+`)`,
			kind+": the row of the place is selected")
		p.clickRow(siteTable, "Orders$Stock.lock(Orders.java:76) ← Orders$Stock.take(Orders.java:49) ← Orders.work(Orders.java:98)")
		p.press(kb.Enter)
		p.until(`document.querySelector(".timeline-details").innerText.includes("Orders$Stock.lock")`,
			kind+": a wait for the lock is selected")
		if details := p.text(".timeline-details"); !strings.Contains(details, "Waits for\nlock ReentrantLock") ||
			!strings.Contains(details, "BLOCKED") || strings.Contains(details, "\nMonitor\n") {
			t.Errorf("%s: the details of a wait for a lock are %q", kind, details)
		}
		p.screenshot("lock-" + kind)
	}
}

// TestDetailsOfAKindSortByIt: the tables follow the kind that "Details of" chooses.
func TestDetailsOfAKindSortByIt(t *testing.T) {
	t.Parallel()
	p := openStatistics(t, warehouse)
	tables := []string{threadTable, classTable, siteTable, monitorTable}
	for _, kind := range []string{"Waited", "BLOCKED"} {
		p.click("radio", kind)
		for _, table := range tables {
			if got := p.sorting(table, kind); got != "descending" {
				t.Errorf("%s, details of %s: that column is sorted %q", table, kind, got)
			}
		}
	}
}

// TestPlacesOfAFlightRecordingHaveLines: frames of a flight recording have lines, but no source files.
func TestPlacesOfAFlightRecordingHaveLines(t *testing.T) {
	t.Parallel()
	p := open(t, report(t, filepath.Join(root, "testdata", "recorded", "sample.jfr")))
	p.click("tab", statisticsTab)
	p.until(tableOf(siteTable)+`?.querySelector("tbody tr[data-at]") != null`, "the statistics are there")
	if places := p.column(siteTable, "Caller"); !slices.Contains(places, "app.Job.run(line 88)") {
		t.Errorf("the places are %q, want app.Job.run(line 88) among them", places)
	}
}
