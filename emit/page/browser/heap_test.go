package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	heapTab         = "Heap"
	collectionTable = "Garbage collections"
	allocationTable = "Allocations"
	objectTable     = "Objects by class"
)

func openHeap(t *testing.T, trace string) *tab {
	t.Helper()
	p := open(t, report(t, trace))
	p.click("tab", heapTab)
	p.until(`document.querySelector(".heap-content:not([hidden]) .section") !== null`, "the heap is there")
	return p
}

// heapJSON reads the output of trcx heap.
func heapJSON(t *testing.T, answer any, arguments ...string) {
	t.Helper()
	printed, err := run(append([]string{"heap", "--format", "json", "-q"}, arguments...)...)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(printed), answer); err != nil {
		t.Fatal(err)
	}
}

// TestHeapTabShowsAllocations: the tab has the figures of trcx heap, the collections, and the call stacks.
func TestHeapTabShowsAllocations(t *testing.T) {
	t.Parallel()
	trace := filepath.Join(root, "docs", "testdata", "allocations.trcxml")
	p := openHeap(t, trace)
	printed, err := run("heap", trace, "-q")
	if err != nil {
		t.Fatal(err)
	}
	headline, _, _ := strings.Cut(printed, "\n")
	expect(t, "the headline", p.text(".heap .path-verdict"), headline)
	expectAll(t, "the site of most bytes", p.rows(allocationTable)[0][:4],
		"app.Cache.put(Cache.java:30) (in java.util.Arrays.copyOf) ← Shop.order(Shop.java:14)", "[B", "6.21 KiB", "6")
	p.click("radio", "By class")
	var answer struct {
		Classes []struct{ Class string }
	}
	heapJSON(t, &answer, trace)
	classes := p.column(allocationTable, "Class")
	for i, row := range answer.Classes {
		expect(t, "a class", classes[i], row.Class)
	}
	expect(t, "collections", len(p.rows(collectionTable)), 6)
	expect(t, "bands of pauses in the picture", ask[int](p, `document.querySelectorAll(".heap-curve rect.heap-pause").length`), 6)
	flames := p.icicle("")
	for _, frame := range []string{"all allocations", "app.Shop.order", "app.Cache.put", "app.Order"} {
		if !strings.Contains(strings.Join(flames, "\n"), frame) {
			t.Errorf("the flame graph has no %q: %q", frame, flames)
		}
	}
	p.screenshot("heap-allocations")
}

// TestCollectionLeadsToTheTimeline: a collection's row shows its time, where the pause is a band across all lanes.
func TestCollectionLeadsToTheTimeline(t *testing.T) {
	t.Parallel()
	p := openHeap(t, filepath.Join(root, "docs", "testdata", "allocations.trcxml"))
	ask[bool](p, `(`+tableOf(collectionTable)+`.querySelector("tbody .show").click(), true)`)
	expect(t, "the tab", p.text("[role=tab][aria-selected=true]"), timelineTab)
	shown := ask[float64](p, `Number(`+tableOf(collectionTable)+`.querySelector("tbody td:nth-child(2)").innerText.split(" ")[0])`)
	p.waitIdle()
	x, y := p.at("worker-1", 1000*shown+2)
	p.run(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	p.until(`document.querySelector(".timeline-tooltip").innerText.includes("pause 4.00 ms, ")`,
		"the card tells of the pause")
	p.run(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, 1, 1))
	with := p.picture()
	p.screenshot("timeline-pause")
	p.click("button", "GC pauses")
	p.waitIdle()
	if p.picture() == with {
		t.Error("the picture is the same without pauses")
	}
}

// TestHeapTabComesFirst: a page opens with the heap if the trace has one and no thread waits, else with the waits.
func TestHeapTabComesFirst(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "docs", "testdata", "waits.trcxml"))
	if err != nil {
		t.Fatal(err)
	}
	const collection = `<gcStart time="1700000000.060"/><gcFinish time="1700000000.065"/>`
	both := filepath.Join(t.TempDir(), "both.trcxml")
	text = []byte(strings.Replace(string(text), "<traceEnd", collection+"<traceEnd", 1))
	if err := os.WriteFile(both, text, 0o644); err != nil {
		t.Fatal(err)
	}
	for trace, want := range map[string]string{
		filepath.Join(root, "testdata", "scripts", "common", "shop.hprof"): heapTab,
		both: contentionTab,
	} {
		p := open(t, report(t, trace))
		expect(t, filepath.Base(trace), p.text("[role=tab][aria-selected=true]"), want)
		if !strings.Contains(p.text("[role=tablist]"), heapTab) {
			t.Errorf("%s: the page has no heap", trace)
		}
	}
}

// TestHeapTabShowsADump: the dominator tree, the treemap and the path to a root agree with trcx heap.
func TestHeapTabShowsADump(t *testing.T) {
	t.Parallel()
	dump := filepath.Join(root, "testdata", "scripts", "common", "shop.hprof")
	p := openHeap(t, dump)
	var answer struct {
		Dominators []struct {
			ObjectID string
			Retained int
		}
	}
	heapJSON(t, &answer, dump, "--dominators", "--top", "0")
	tree := map[string]string{}
	for _, row := range ask[[][]string](p, `[...document.querySelectorAll(".dominators tr[data-at]")].map(row =>
		[row.querySelector(".name").innerText, row.querySelector(".number").innerText])`) {
		tree[row[0][strings.LastIndexByte(row[0], ' ')+1:]] = row[1]
	}
	for _, row := range answer.Dominators {
		if retained, listed := tree[row.ObjectID]; listed {
			expect(t, "what "+row.ObjectID+" retains", retained, fmt.Sprintf("%d B", row.Retained))
			delete(tree, row.ObjectID)
		}
	}
	if len(tree) > 0 || len(answer.Dominators) < 6 {
		t.Errorf("trcx heap has %d objects, and not %v", len(answer.Dominators), tree)
	}
	p.screenshot("heap-dump")
	ask[bool](p, `(document.querySelector(".dominators tr[data-at]").focus(), true)`)
	p.press(kb.ArrowRight)
	p.until(`document.querySelectorAll(".dominators tr[aria-level='2']").length > 0`, "the first object is open")
	p.press(kb.ArrowDown)
	p.until(`document.querySelector(".dominators tr[aria-selected=true]").getAttribute("aria-level") === "2"`,
		"the object below is selected")
	p.until(`document.querySelectorAll(".root-path li").length >= 2`, "the path has a root and steps")
}
