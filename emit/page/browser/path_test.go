package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

func openPath(t *testing.T, trace string) *tab {
	t.Helper()
	p := open(t, report(t, recorded(trace)))
	p.click("tab", pathTab)
	p.until(`document.querySelectorAll("[aria-label='`+chainTable+`'] tbody tr[data-at]").length > 0`,
		"the chain is there")
	return p
}

func TestPathShares(t *testing.T) {
	t.Parallel()
	p := openPath(t, warehouse)
	parts := func() []string {
		return ask[[]string](p,
			`[...document.querySelectorAll(".share-part")].map(part => part.innerText.replace("\n", " "))`)
	}
	expectAll(t, "shares by thread", parts(), "stocktake (thread 24) 60 %", "main (thread 3) 29 %",
		"picker-3 (thread 23) 5 %", "picker-1 (thread 21) 5 %", "")
	expectAll(t, "the same in the table", p.column(shareTable, "Share"), "60 %", "29 %", "5 %", "5 %", "<1 %")
	p.click("radio", "By state")
	expectAll(t, "states", p.column(shareTable, "State"), "SLEEPING", "RUNNABLE", "woken but not running yet")
	p.click("radio", "By caller")
	expect(t, "the first caller", p.column(shareTable, "Caller")[0], "Warehouse$Stocktake.run(Warehouse.java:84)")
	p.screenshot("path-callers")
	p.click("radio", "By monitor and wait")
	expect(t, "the first wait", p.column(shareTable, "Waited for")[0], "JOINING: java.lang.Thread 1072")
	p.screenshot("path-waits")
}

func TestPathChain(t *testing.T) {
	t.Parallel()
	p := openPath(t, warehouse)
	expect(t, "pieces", len(p.rows(chainTable)), 13)
	expect(t, "what the second piece says", p.column(chainTable, "What")[1], "wakes stocktake (thread 24), not running yet")
	p.clickNode(p.part("stocktake"), 1)
	expect(t, "pieces of stocktake", len(p.rows(chainTable)), 4)
	for _, name := range p.column(chainTable, "Thread") {
		expect(t, "a thread of the pieces", name, "stocktake (thread 24)")
	}
	p.screenshot("path-stocktake")
	p.click("button", "Show all")
	expect(t, "all pieces again", len(p.rows(chainTable)), 13)
	p.heading(chainTable, "Length")
	expect(t, "the longest piece", p.column(chainTable, "Length")[0], "300 ms")
}

func TestPathJumpsToTheTimeline(t *testing.T) {
	t.Parallel()
	p := openPath(t, warehouse)
	p.click("button", "0.042572 s")
	expect(t, "the tab after a jump", p.text("[role=tab][aria-selected=true]"), timelineTab)
	if details := p.text(".timeline-details"); !strings.Contains(details, "stocktake") ||
		!strings.Contains(details, "SLEEPING") {
		t.Errorf("the timeline shows the details of something else: %s", details)
	}
	p.screenshot("path-jump")
	p.click("tab", pathTab)
	p.clickRow(chainTable, "98.3 ms")
	p.press(kb.Enter)
	expect(t, "the tab after Enter", p.text("[role=tab][aria-selected=true]"), timelineTab)
}
