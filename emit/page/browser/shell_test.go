package browser

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The recorded traces: pickers that stall at a shelf, with call stacks; two deadlocked transfers; and an order service
// that waits in many ways, with call stacks.
const (
	warehouse = "warehouse-stacks-jdk25"
	deadlock  = "deadlock-jdk25"
	orders    = "orders-jdk25"
)

const (
	contentionTab = "Contention"
	timelineTab   = "Thread visualizer"
	statisticsTab = "Monitor statistics"
	pathTab       = "Critical path"
)

// The names of the tables.
const (
	blameTable    = "Who kept threads waiting"
	waitTable     = "What threads waited for"
	openTable     = "Still waiting when the trace ended"
	threadTable   = "Threads and how long they did not run"
	totalTable    = "Totals by kind of time"
	classTable    = "Classes of monitors"
	siteTable     = "Blocks and waits by caller"
	holderTable   = "Where the holders were"
	monitorTable  = "Monitors"
	ownerTable    = "Owners of monitors"
	pairTable     = "Who held the monitor when a thread was blocked"
	shareTable    = "Shares of the critical path"
	chainTable    = "The chain: pieces of the critical path"
	filterTable   = "Threads"
	chooseThreads = "Choose threads …"
)

func expect[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func expectAll(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func TestSummarySaysTheVerdict(t *testing.T) {
	t.Parallel()
	p := open(t, report(t, recorded(warehouse)))
	verdicts := p.text("[aria-label=Verdict]")
	for _, said := range []string{"834 ms", "Warehouse$Shelf 1080", "which stocktake (thread 24) held", "Warehouse.java:84"} {
		if !strings.Contains(verdicts, said) {
			t.Errorf("the verdict does not say %q: %s", said, verdicts)
		}
	}
	if notes := p.text(".notes"); !strings.Contains(notes, "java.util.concurrent") {
		t.Errorf("the notes do not say that parked threads are not seen: %s", notes)
	}
	if facts := p.text(".facts"); !strings.Contains(facts, "11 threads") {
		t.Errorf("the facts do not say how many threads there are: %s", facts)
	}
	if title := ask[string](p, "document.title"); !strings.Contains(title, warehouse) {
		t.Errorf("the title is %q", title)
	}
}

func TestDeadlockIsFirst(t *testing.T) {
	t.Parallel()
	p := open(t, report(t, recorded(deadlock)))
	if first := p.text("[aria-label=Verdict] li:first-child"); !strings.HasPrefix(first, "Deadlock") {
		t.Errorf("the first verdict is %q", first)
	}
}

func TestTabs(t *testing.T) {
	t.Parallel()
	p := open(t, report(t, recorded(warehouse)))
	shown := func(want string) {
		t.Helper()
		expect(t, "the selected tab", p.text("[role=tab][aria-selected=true]"), want)
		expect(t, "panels in sight",
			ask[int](p,
				`[...document.querySelectorAll("[role=tabpanel]")].filter(panel => panel.offsetHeight > 0).length`), 1)
		expect(t, "the panel of the tab",
			ask[string](p,
				`[...document.querySelectorAll("[role=tabpanel]")].find(panel => panel.offsetHeight > 0).getAttribute("aria-labelledby")`),
			ask[string](p, `document.querySelector("[role=tab][aria-selected=true]").id`))
		expect(t, "tabs in the order of focus",
			ask[int](p, `document.querySelectorAll("[role=tab][tabindex='0']").length`), 1)
	}
	shown(contentionTab)
	for _, name := range []string{statisticsTab, pathTab, timelineTab, contentionTab} {
		p.click("tab", name)
		shown(name)
	}
	for _, step := range []struct{ key, tab string }{
		{kb.ArrowRight, timelineTab}, {kb.ArrowRight, statisticsTab}, {kb.ArrowRight, pathTab},
		{kb.ArrowRight, contentionTab}, {kb.ArrowLeft, pathTab}, {kb.Home, contentionTab}, {kb.End, pathTab},
		{"2", timelineTab}, {"3", statisticsTab}, {"4", pathTab}, {"1", contentionTab},
	} {
		p.press(step.key)
		shown(step.tab)
	}
}

func TestAddressKeepsTabAndWindow(t *testing.T) {
	t.Parallel()
	address := report(t, recorded(warehouse))
	p := open(t, address)
	p.click("tab", statisticsTab)
	if hash := ask[string](p, "location.hash"); !strings.Contains(hash, "tab=statistics") {
		t.Errorf("the address ends in %q", hash)
	}
	p.run(chromedp.Reload())
	p.until(`document.querySelector("[role=tab][aria-selected=true]")?.innerText === "Monitor statistics"`,
		"the tab is there again after a reload")
	ask[string](p, `location.hash = "tab=timeline&window=100000000-200000000"`)
	p.until(`document.querySelector("[role=tab][aria-selected=true]").innerText === "Thread visualizer"`,
		"another address shows another tab")
	p.waitIdle()
	expect(t, "where the window of the address begins", call[string](p, p.find("textbox", "From"),
		`function() { return this.value }`), "100 ms")
	expect(t, "where it ends", call[string](p, p.find("textbox", "To"), `function() { return this.value }`), "200 ms")
	p.run(chromedp.Reload())
	p.until(`document.querySelector("[aria-label=To]")?.value === "200 ms"`, "the window is there again after a reload")
}

func TestTheme(t *testing.T) {
	t.Parallel()
	p := open(t, report(t, recorded(warehouse)))
	background := func() string { return ask[string](p, `getComputedStyle(document.body).backgroundColor`) }
	p.click("radio", "Light")
	light := background()
	p.click("radio", "Dark")
	dark := background()
	if light == dark {
		t.Errorf("light and dark have the same background %s", light)
	}
	p.run(chromedp.Reload())
	p.until(`document.querySelector("[role=tab]") !== null`, "the page is there again")
	expect(t, "the background after a reload", background(), dark)
	p.click("radio", "System")
	expect(t, "the theme of the system", ask[string](p, "document.documentElement.dataset.theme"), "light")
}

func TestHelp(t *testing.T) {
	t.Parallel()
	p := open(t, report(t, recorded(warehouse)))
	p.press("?")
	if help := p.text("dialog[open]"); !strings.Contains(help, "sorts by the column") {
		t.Errorf("help says %q", help)
	}
	p.screenshot("help")
	p.press(kb.Escape)
	expect(t, "open dialogs after Escape", ask[int](p, `document.querySelectorAll("dialog[open]").length`), 0)
	p.click("button", "Help: keys and pointer")
	p.click("button", "Close")
	expect(t, "open dialogs after closing", ask[int](p, `document.querySelectorAll("dialog[open]").length`), 0)
}

func TestFilter(t *testing.T) {
	t.Parallel()
	p := open(t, report(t, recorded(warehouse)))
	p.click("button", chooseThreads)
	expect(t, "threads to choose from", len(p.rows(filterTable)), 11)
	p.fill("Search threads", "picker-*")
	expectAll(t, "threads that picker-* fits", p.column(filterTable, "Thread"), "picker-1", "picker-2", "picker-3")
	p.fill("Search threads", "picker-?")
	expect(t, "threads that picker-? fits", len(p.rows(filterTable)), 3)
	p.fill("Search threads", "icker")
	expect(t, "threads with icker in them", len(p.rows(filterTable)), 3)
	p.fill("Search threads", "icker-?")
	expect(t, "threads that icker-? fits as a whole", len(p.rows(filterTable)), 0)
	p.fill("Search threads", "picker-*")
	p.click("button", "Only these")
	p.fill("Search threads", "")
	p.until(`document.querySelector(".filter-count").innerText === "3 of 11 threads will be shown."`,
		"three threads are chosen")
	p.click("button", "Invert")
	expect(t, "the count after Invert", p.text(".filter-count"), "8 of 11 threads will be shown.")
	p.click("button", "Select none")
	expect(t, "whether nothing can be applied",
		ask[bool](p,
			`[...document.querySelectorAll("dialog[open] button")].find(b => b.innerText === "Apply").disabled`), true)
	p.clickRow(filterTable, "main")
	p.clickRow(filterTable, "stocktake")
	expect(t, "the count after two clicks", p.text(".filter-count"), "2 of 11 threads will be shown.")
	p.click("button", "Select all")
	expect(t, "the count after Select all", p.text(".filter-count"), "11 of 11 threads will be shown.")
	p.clickRow(filterTable, "DestroyJavaVM")
	p.heading(filterTable, "Thread")
	expect(t, "the order by name", p.sorting(filterTable, "Thread"), "ascending")
	expect(t, "the first name", p.column(filterTable, "Thread")[0], "Common-Cleaner")
	p.heading(filterTable, "Waited")
	expect(t, "who waited longest", p.column(filterTable, "Thread")[0], "Common-Cleaner")
	p.screenshot("filter")
	p.click("button", "Apply")
	expect(t, "threads shown", p.text(".shown-count"), "10 of 11 threads")
	p.click("tab", statisticsTab)
	if names := p.column(threadTable, "Thread"); slices.Contains(names, "DestroyJavaVM") || len(names) != 10 {
		t.Errorf("the statistics are of %q", names)
	}
	p.press("f")
	p.click("button", "Select none")
	p.click("button", "Cancel")
	expect(t, "threads shown after Cancel", p.text(".shown-count"), "10 of 11 threads")
}

func TestPrint(t *testing.T) {
	t.Parallel()
	p := open(t, report(t, recorded(warehouse)))
	p.click("radio", "Dark")
	paper := p.print()
	if !bytes.HasPrefix(paper, []byte("%PDF-")) {
		t.Fatalf("what is printed begins with %q", paper[:min(8, len(paper))])
	}
	if pages := bytes.Count(paper, []byte("/Type /Page\n")) + bytes.Count(paper, []byte("/Type /Page/")); pages < 3 {
		t.Errorf("three tabs are printed on %d pages", pages)
	}
	p.keep("print.pdf", paper)
	expect(t, "the theme after printing", ask[string](p, "document.documentElement.dataset.theme"), "dark")
	expect(t, "panels in sight after printing",
		ask[int](p, `[...document.querySelectorAll("[role=tabpanel]")].filter(panel => panel.offsetHeight > 0).length`),
		1)
}

// Every text must contrast with its background, in both themes: WCAG 2.2, 1.4.3.
func TestContrast(t *testing.T) {
	t.Parallel()
	p := openContention(t, orders)
	for _, theme := range []string{"Light", "Dark"} {
		p.click("radio", theme)
		for _, view := range []string{contentionTab, statisticsTab, pathTab} {
			p.click("tab", view)
			p.until(`document.querySelector("[aria-busy=true]") === null`, "the tab is complete: "+view)
			p.contrast(theme + ", " + view)
		}
		p.clickRow(shareTable, "restocker (thread 26)")
		p.contrast(theme + ", a selected row")
		p.press(kb.Enter)
		p.until(`!document.querySelector(".timeline-details").hidden`, "a span is selected")
		p.contrast(theme + ", the timeline with details")
		p.press("?")
		p.contrast(theme + ", help")
		p.press(kb.Escape)
		p.click("button", chooseThreads)
		p.contrast(theme + ", filter")
		p.click("button", "Cancel")
	}
}

func (p *tab) contrast(where string) {
	p.t.Helper()
	for _, pale := range ask[[]string](p, `(() => {
		const parts = text => { // rgb(1, 2, 3) or color(srgb 0.1 0.2 0.3)
			const numbers = (text.match(/[\d.]+/g) ?? []).map(Number);
			return text.startsWith("color(") ? numbers.map((n, i) => i < 3 ? 255 * n : n) : numbers;
		};
		const linear = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
		const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
		const background = element => {
			for (let e = element; e; e = e.parentElement) {
				const colour = parts(getComputedStyle(e).backgroundColor);
				if (colour.length === 3 || colour[3] === 1) return colour;
			}
			return [255, 255, 255];
		};
		const pale = new Set();
		for (const element of document.querySelectorAll("#page *, dialog[open] *")) {
			const text = [...element.childNodes].filter(node => node.nodeType === 3).map(node => node.data.trim()).join("");
			if (text === "" || !element.checkVisibility() || element.closest(":disabled, option, svg, .unseen")) continue;
			const [a, b] = [light(parts(getComputedStyle(element).color)), light(background(element))];
			const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
			if (ratio < 4.5) pale.add(element.className + ": " + text.slice(0, 40) + ": " + ratio.toFixed(2));
		}
		return [...pale];
	})()`) {
		p.t.Errorf("%s: too little contrast: %s", where, pale)
	}
}

func TestNarrowWindow(t *testing.T) {
	t.Parallel()
	p := open(t, report(t, recorded(warehouse)))
	for _, size := range []int64{320, 400, 600, 900, 1280, 1600} {
		p.size(size, 800)
		for _, view := range []string{timelineTab, statisticsTab, pathTab} {
			p.click("tab", view)
			p.fits(view + " at " + strconv.FormatInt(size, 10))
			p.screenshot("width-" + strconv.FormatInt(size, 10) + "-" + view)
		}
	}
}

// fits fails if the page is wider than the window.
func (p *tab) fits(where string) {
	p.t.Helper()
	if over := ask[int](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		p.t.Errorf("%s: the page is %d pixels wider than the window", where, over)
	}
}

// The verdict is the headline of the page. All of it is visible, however narrow the window is.
func TestVerdictIsNotCutOff(t *testing.T) {
	t.Parallel()
	p := open(t, report(t, recorded(deadlock)))
	for _, size := range []int64{400, 700, 1200, 1600} {
		p.size(size, 900)
		for _, cut := range ask[[]string](p,
			`[...document.querySelectorAll(".summary *")].filter(e => e.clientHeight > 0 && !e.matches("button") && (e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1)).map(e => e.innerText.slice(0, 60))`) {
			t.Errorf("at %d pixels this is cut off: %s", size, cut)
		}
		for _, lonely := range ask[[]string](p, `(() => {
			const box = document.querySelector(".facts").getBoundingClientRect();
			return [...document.querySelectorAll(".facts li")].filter((fact, i) => {
				const left = fact.getBoundingClientRect().x + parseFloat(getComputedStyle(fact, "::before").left);
				return getComputedStyle(fact, "::before").content !== "none" && (Number.isNaN(left) || left >= box.x) && fact.getBoundingClientRect().x === box.x;
			}).map(fact => fact.innerText);
		})()`) {
			t.Errorf("at %d pixels a line of facts begins with a dot: %s", size, lonely)
		}
		p.screenshot("verdict-" + strconv.FormatInt(size, 10))
	}
}

// A very long name does not displace the rest of the page, and can still be read.
func TestLongVerdictIsOpened(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(recorded(deadlock))
	if err != nil {
		t.Fatal(err)
	}
	p := open(t,
		report(t, written(t, strings.ReplaceAll(string(text), `threadName="`, `threadName="`+strings.Repeat("long ",
			200)))))
	longest := func() int {
		return ask[int](p,
			`Math.max(...[...document.querySelectorAll(".verdict, .remark")].map(verdict => verdict.innerText.length))`)
	}
	folded := longest()
	if folded > 700 {
		t.Fatalf("a long verdict is shown as a whole: %d characters", folded)
	}
	p.click("button", "More")
	if shown := longest(); shown <= folded {
		t.Errorf("More shows %d characters, after %d: %q", shown, folded, p.text(".summary"))
	}
	p.screenshot("verdict-long")
	p.click("button", "Less")
}

// A user who has chosen larger letters gets them, and the page still fits the window.
func TestLargerLetters(t *testing.T) {
	t.Parallel()
	p := open(t, report(t, recorded(warehouse)))
	sizes := func(view string) []float64 {
		t.Helper()
		p.click("tab", view)
		p.fits(view)
		return ask[[]float64](p,
			`[...document.querySelectorAll(".verdict, .facts, [role=tab], button, .sort, td, .timeline-label")].filter(e => e.checkVisibility()).map(e => parseFloat(getComputedStyle(e).fontSize))`)
	}
	views := []string{timelineTab, statisticsTab, pathTab}
	usual := map[string][]float64{}
	for _, view := range views {
		usual[view] = sizes(view)
	}
	larger := `(() => {
		const enlarge = () => document.documentElement && (document.documentElement.style.fontSize = "24px");
		enlarge();
		new MutationObserver(enlarge).observe(document, { childList: true });
	})()`
	command(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: larger})
	p.run(chromedp.Reload())
	for _, view := range views {
		for i, size := range sizes(view) {
			if i < len(usual[view]) && size < 1.35*usual[view][i] {
				t.Errorf("%s: a text of %v pixels has only %v", view, usual[view][i], size)
				break
			}
		}
		p.screenshot("larger-" + view)
	}
}
