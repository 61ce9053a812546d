package browser

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

func openContention(t *testing.T, name string) *tab {
	t.Helper()
	return openContentionOf(t, recorded(name))
}

// openContentionOf opens the first tab of a trace's report.
func openContentionOf(t *testing.T, trace string) *tab {
	t.Helper()
	p := open(t, report(t, trace))
	p.until(`document.querySelectorAll("[aria-label='`+blameTable+`'] tbody tr[data-at]").length > 0`,
		"the blame is there")
	return p
}

// TestContentionComesFirstWithTheBlame: the first tab says who kept threads waiting, as trcx blame does.
func TestContentionComesFirstWithTheBlame(t *testing.T) {
	t.Parallel()
	p := openContention(t, warehouse)
	printed, err := run("blame", recorded(warehouse))
	if err != nil {
		t.Fatal(err)
	}
	headline, _, _ := strings.Cut(printed, "\n\n")
	said := strings.Join(strings.Fields(p.text(".contention .path-verdict")), " ")
	if !strings.HasSuffix(strings.Join(strings.Fields(headline), " "), said) {
		t.Errorf("the tab says %q, and the command %q", said, headline)
	}
	expectAll(t, "who is to blame most", p.rows(blameTable)[0], "stocktake (thread 24)", "69 %", "1.01 s", "4", "SLEEPING")
	expectAll(t, "what threads waited for longest", p.rows(waitTable)[0][:4], "the lock of Warehouse$Shelf 1080", "57 %",
		"834 ms", "4")
	for by, first := range map[string]string{
		"By pool": "stocktake", "By monitor": "the lock of Warehouse$Shelf 1080",
		"By place": atShelf, "By waiter": "picker-3 (thread 23)",
	} {
		p.click("radio", by)
		expect(t, by, p.rows(blameTable)[0][0], first)
	}
	if text := p.text(".contention"); strings.Contains(text, openTable) {
		t.Errorf("idle threads are said to wait still:\n%s", text)
	}
	p.screenshot("contention")
}

// TestContentionLeadsWithTheIcicle: the icicle is first, then the lanes and the tables. If many threads of a pool are
// to blame, the table is by pool until the reader chooses.
func TestContentionLeadsWithTheIcicle(t *testing.T) {
	t.Parallel()
	var trace strings.Builder
	trace.WriteString("<TRACE>\n")
	for i := 1; i <= 12; i++ {
		fmt.Fprintf(&trace, "<threadStart threadId=\"%d\" time=\"1000.0\" threadName=\"worker-%d\" groupName=\"main\"/>\n", i, i)
	}
	for i := 2; i <= 12; i++ {
		fmt.Fprintf(&trace, "<monContendedEnter threadIdRef=\"%d\" time=\"1001.0\" objIdRef=\"900\" threadOwner=\"1\"/>\n", i)
	}
	for i := 2; i <= 12; i++ { // each holds the monitor for 100 ms
		fmt.Fprintf(&trace, "<monContendedEntered threadIdRef=\"%d\" time=\"%.1f\" objIdRef=\"900\"/>\n", i,
			1001+float64(i)/10)
	}
	p := openContentionOf(t, written(t, trace.String()))
	if by := ask[string](p, `document.querySelector(".contention .choice input:checked").value`); by != "pools" {
		t.Errorf("the table is by %s", by)
	}
	expect(t, "the pool to blame", p.rows(blameTable)[0][0], "worker-*")
	p.click("radio", "By thread")
	expect(t, "rows by thread", len(p.rows(blameTable)) > 10, true)
	few := openContention(t, warehouse)
	if by := ask[string](few, `document.querySelector(".contention .choice input:checked").value`); by != "threads" {
		t.Errorf("the table of few threads is by %s", by)
	}
	order := ask[[]string](few, `[...document.querySelectorAll(".contention-content > section")].map(s => s.querySelector(
		".icicle, .timeline-stage, table")?.className ?? "")`)
	if len(order) < 4 || !strings.Contains(order[0], "icicle") || !strings.Contains(order[1], "timeline") {
		t.Errorf("the sections are in the order %q", order)
	}
}

// TestBlameLeadsToTheTimeline: a row's button, and Enter on the row, show the longest wait that it is about.
func TestBlameLeadsToTheTimeline(t *testing.T) {
	t.Parallel()
	p := openContention(t, warehouse)
	withOpen := open(t, report(t, filepath.Join(root, "docs", "testdata", "tour.trcxml"))+"#tab=contention")
	withOpen.until(tableOf(openTable)+`?.querySelector("tbody .show") != null`, "a thread still waits")
	for _, row := range []struct {
		*tab
		table, says string
	}{
		{p, blameTable, "stocktake"}, {p, waitTable, "Warehouse$Shelf 1080"}, {withOpen, openTable, "object 901"},
	} {
		p := row.tab
		p.click("tab", contentionTab)
		ask[bool](p, `(`+tableOf(row.table)+`.querySelector("tbody .show").click(), true)`)
		p.until(`document.querySelector(".timeline-details").innerText.includes(`+quoted(row.says)+`)`,
			"a wait of the row is selected: "+row.table)
		expect(t, "the tab after a click in "+row.table, p.text("[role=tab][aria-selected=true]"), timelineTab)
	}
	parks := openContention(t, orders)
	ask[bool](parks, `([...`+tableOf(waitTable)+`.tBodies[0].rows].find(row => row.innerText.includes("condition of"))`+
		`.querySelector(".show").click(), true)`)
	parks.until(`/PARKED[^]*condition of ReentrantLock \d+ \(\d+\)/.test(document.querySelector(".timeline-details").innerText)`,
		"the selected wait names the lock of its condition")
	p.click("tab", contentionTab)
	p.clickRow(waitTable, "the lock of Warehouse$Shelf 1080")
	p.press(kb.Enter)
	p.until(`document.querySelector("[role=tab][aria-selected=true]").innerText === `+quoted(timelineTab),
		"Enter leads to the timeline")
}

// icicle returns the names of the icicle's nodes that a selector finds.
func (p *tab) icicle(selector string) []string {
	p.t.Helper()
	return ask[[]string](p, `[...document.querySelectorAll(".icicle-node`+selector+`")].map(node => node.innerText)`)
}

// TestIcicle: nodes can be zoomed to by pointer and keys, found by the search, and read as a list.
func TestIcicle(t *testing.T) {
	t.Parallel()
	p := openContention(t, warehouse)
	all := p.icicle("")
	for _, frame := range []string{atShelf, "[lock of Warehouse$Shelf]", "stocktake",
		"Warehouse$Stocktake.run(Warehouse.java:84)", "[SLEEPING]"} {
		if !slices.Contains(all, frame) {
			t.Errorf("the icicle has no %q: %q", frame, all)
		}
	}
	p.fill("Search: Icicle of blame", "stocktake")
	for _, found := range p.icicle("[data-found]") {
		if !strings.Contains(strings.ToLower(found), "stocktake") {
			t.Errorf("the search for stocktake finds %q", found)
		}
	}
	if said := p.text(".icicle-rows") + p.text(".contention .section:nth-child(1) .table-count"); !strings.Contains(said,
		"70 % of the time") {
		t.Errorf("the search says %q", said)
	}
	p.fill("Search: Icicle of blame", "")
	nodes := p.nodes("treeitem", "[lock of Warehouse$Shelf]: 813 ms, 56 % of the time")
	if len(nodes) != 1 {
		t.Fatalf("%d nodes are called lock of Warehouse$Shelf", len(nodes))
	}
	p.clickNode(nodes[0], 1)
	expectAll(t, "the nodes above after a click", p.icicle("[data-above]"), "all finished waits",
		atShelf)
	if slices.Contains(p.icicle(""), "main") {
		t.Error("a thread that has no part in the blame is still there")
	}
	p.press(kb.ArrowDown)
	expect(t, "the node with the focus", ask[string](p, "document.activeElement.innerText"), "stocktake")
	p.press(kb.Enter)
	expect(t, "nodes above after Enter", len(p.icicle("[data-above]")), 3)
	p.screenshot("icicle-zoomed")
	p.press(kb.Escape)
	p.press(kb.Escape)
	p.press(kb.Escape)
	expect(t, "nodes after Escape", len(p.icicle("")), len(all))
	p.click("button", "As text")
	if text := p.text(".icicle-text"); !strings.Contains(text, "stocktake") || !strings.Contains(text, "[SLEEPING]") {
		t.Errorf("the text is %q", text)
	}
}

// stoppedTrace is a trace of 95 s that has no end. The longest waits end in its 72nd second and in its first minute,
// and worker-2 waited longest.
const stoppedTrace = `<TRACE>
<threadStart threadId="1" time="1000.0" threadName="worker-1" groupName="main"/>
<threadStart threadId="2" time="1000.0" threadName="worker-2" groupName="main"/>
<monContendedEnter threadIdRef="2" time="1001.0" objIdRef="900" threadOwner="1"/>
<monContendedEntered threadIdRef="2" time="1002.0" objIdRef="900" threadOwner="1"/>
<monWait threadIdRef="2" time="1003.0" objIdRef="901" timeout="0"/>
<callNotify threadIdRef="1" time="1012.0" objIdRef="901" isNotifyAll="1"/>
<monWaited threadIdRef="2" time="1012.5" objIdRef="901" isTimedOut="0"/>
<monContendedEnter threadIdRef="1" time="1030.0" objIdRef="900" threadOwner="2"/>
<monContendedEntered threadIdRef="1" time="1036.0" objIdRef="900"/>
<monContendedEnter threadIdRef="2" time="1061.0" objIdRef="900" threadOwner="1"/>
<monContendedEntered threadIdRef="2" time="1071.25" objIdRef="900"/>
<monContendedEnter threadIdRef="1" time="1094.0" objIdRef="900" threadOwner="2"/>
<monContendedEnter threadIdRef="2" time="1095.0" objIdRef="902" threadOwner="3"/>
`

// TestWorstPartsAreThoseOfPath: the page offers the same worst second, minute and thread as trcx path, and shows only
// them in the timeline.
func TestWorstPartsAreThoseOfPath(t *testing.T) {
	t.Parallel()
	trace := written(t, stoppedTrace)
	printed, err := run("path", trace)
	if err != nil {
		t.Fatal(err)
	}
	for kind, address := range map[string]string{"report": report(t, trace), "serve": serve(t, trace)} {
		p := open(t, address)
		p.until(`document.querySelectorAll(".worst li").length === 3`, "a second, a minute and a thread are offered")
		if said := p.text(".summary"); !strings.Contains(said, "does not have the end of the run") {
			t.Errorf("%s: the summary does not say that the run was cut off: %q", kind, said)
		}
		for _, name := range []string{"second", "minute"} {
			command := regexp.MustCompile(`The worst ` + name + `: trcx blame \S+ --since (\S+) --until (\S+);`).
				FindStringSubmatch(printed)
			if command == nil {
				t.Fatalf("trcx path names no worst %s: %s", name, printed)
			}
			p.click("tab", contentionTab)
			ask[bool](p, fmt.Sprintf(
				`([...document.querySelectorAll(".worst li")].find(li => li.innerText.startsWith("Worst %s")).querySelector("button").click(), true)`,
				name))
			p.waitIdle()
			from, to, _ := p.window()
			expect(t, kind+": the since of the worst "+name, time.Duration(from).String(), command[1])
			expect(t, kind+": the until of the worst "+name, time.Duration(to).String(), command[2])
			expect(t, kind+": the tab", p.text("[role=tab][aria-selected=true]"), timelineTab)
		}
		thread := regexp.MustCompile(`The thread that waited longest, (\S+) `).FindStringSubmatch(printed)
		p.click("tab", contentionTab)
		p.click("button", thread[1])
		p.until(`!document.querySelector(".timeline-details").hidden`, kind+": the longest wait of the thread is selected")
		expectAll(t, kind+": the lanes", ask[[]string](p,
			`[...document.querySelectorAll(".timeline-label .name")].map(name => name.innerText)`), thread[1])
		p.click("button", "Show all")
		p.waitIdle()
		expect(t, kind+": all lanes", p.text(".shown-count"), "All 2 threads")
	}
}
