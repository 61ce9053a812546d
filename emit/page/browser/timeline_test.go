package browser

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const lanes = "canvas.timeline-lanes"

func openTimeline(t *testing.T, trace string) *tab {
	t.Helper()
	p := open(t, report(t, recorded(trace)))
	p.click("tab", timelineTab)
	p.until(`document.querySelectorAll(".timeline-label").length > 0`, "the lanes have names")
	p.waitIdle()
	return p
}

// window returns the window in the address, in nanoseconds; false for the whole trace.
func (p *tab) window() (from, to float64, part bool) {
	p.t.Helper()
	_, text, found := strings.Cut(ask[string](p, "location.hash"), "window=")
	if !found {
		return 0, 0, false
	}
	begin, end, _ := strings.Cut(text, "-")
	from, err := strconv.ParseFloat(begin, 64)
	if err != nil {
		p.t.Fatal(err)
	}
	if to, err = strconv.ParseFloat(end, 64); err != nil {
		p.t.Fatal(err)
	}
	return from, to, true
}

// length returns the length of the window, or of the whole trace.
func (p *tab) length() float64 {
	p.t.Helper()
	from, to, part := p.window()
	if !part {
		return 501588167
	}
	return to - from
}

// picture returns the image of the lanes, to compare it.
func (p *tab) picture() string {
	p.t.Helper()
	p.waitIdle()
	return ask[string](p, fmt.Sprintf(`document.querySelector(%q).toDataURL()`, lanes))
}

// at returns the place of a thread and a time, in milliseconds, in the window.
func (p *tab) at(thread string, milliseconds float64) (x, y float64) {
	p.t.Helper()
	from, to, part := p.window()
	if !part {
		from, to = 0, 501588167
	}
	place := ask[[]float64](p, fmt.Sprintf(`(() => {
		const canvas = document.querySelector(%q).getBoundingClientRect();
		const label = [...document.querySelectorAll(".timeline-label")].find(label => label.querySelector(".name").innerText === %s).getBoundingClientRect();
		return [canvas.x + canvas.width * (%f - %f) / (%f - %f), label.y + label.height / 2];
	})()`, lanes, quoted(thread), milliseconds*1e6, from, to, from))
	return place[0], place[1]
}

// wheel turns the wheel over a place. The protocol needs both directions, and the library omits zeros.
func (p *tab) wheel(x, y, turn float64, modifiers int64) {
	p.t.Helper()
	command(p, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel,
		X: x, Y: y, DeltaX: 0.001, DeltaY: turn, Modifiers: modifiers})
	p.waitIdle()
}

// ctrl is the modifier of the Ctrl key.
const ctrl = 2

func (p *tab) clickAt(x, y float64) {
	p.t.Helper()
	p.run(chromedp.MouseClickXY(x, y))
	p.waitIdle()
}

func TestTimelineZoomsByWheel(t *testing.T) {
	t.Parallel()
	p := openTimeline(t, warehouse)
	whole := p.picture()
	x, y := p.at("picker-1", 200)
	p.wheel(x, y, -300, ctrl)
	near := p.length()
	if near >= 501588167 {
		t.Fatalf("the wheel does not zoom in: %v ns are seen", near)
	}
	if from, to, _ := p.window(); from > 200e6 || to < 200e6 {
		t.Errorf("what was at the pointer is not seen any more: %v to %v", from, to)
	}
	if p.picture() == whole {
		t.Error("the picture is the same after zooming")
	}
	p.wheel(x, y, 300, ctrl)
	if far := p.length(); far <= near {
		t.Errorf("the wheel does not zoom out: from %v ns to %v ns", near, far)
	}
	p.click("button", "Zoom in")
	before, _, _ := p.window()
	p.wheel(x, y, 120, 8)
	if from, _, _ := p.window(); from <= before {
		t.Errorf("Shift and the wheel do not pan: from %v to %v", before, from)
	}
}

// TestWheelScrolls: the wheel alone moves the lanes up and down, not the window.
func TestWheelScrolls(t *testing.T) {
	t.Parallel()
	p := open(t, report(t, written(t, relayOfManyTrace(1))))
	p.click("tab", timelineTab)
	p.until(`document.querySelectorAll(".timeline-label").length > 10`, "the lanes are there")
	label := func() string {
		return ask[string](p, `document.elementFromPoint(60, 700).closest(".timeline-label").innerText`)
	}
	before := label()
	p.wheel(800, 600, 900, 0)
	if after := label(); after == before {
		t.Errorf("the lane at a height is %q before and after the wheel", after)
	}
	if _, _, part := p.window(); part {
		t.Error("the wheel alone moves the window")
	}
	p.wheel(800, 600, -900, 0)
	expect(t, "the lane after the wheel is turned back", label(), before)
}

func TestTimelineByKeyboard(t *testing.T) {
	t.Parallel()
	p := openTimeline(t, warehouse)
	ask[bool](p, fmt.Sprintf(`(document.querySelector(%q).focus(), true)`, lanes))
	p.press("+")
	p.press("+")
	zoomed := p.length()
	if zoomed >= 501588167/2 {
		t.Errorf("after + and + still %v ns are seen", zoomed)
	}
	before, _, _ := p.window()
	p.press(kb.ArrowRight)
	if from, _, _ := p.window(); from <= before {
		t.Errorf("the arrow to the right leads from %v to %v", before, from)
	}
	p.press(kb.Home)
	if from, _, _ := p.window(); from != 0 {
		t.Errorf("Home leads to %v", from)
	}
	p.press("-")
	if far := p.length(); far <= zoomed {
		t.Errorf("after - still %v ns are seen", far)
	}
	far := p.length()
	p.press("w")
	if near := p.length(); near >= far {
		t.Errorf("W does not zoom in: %v ns, then %v ns are seen", far, near)
	}
	earlier, _, _ := p.window()
	p.press("d")
	if from, _, _ := p.window(); from <= earlier {
		t.Errorf("D leads from %v to %v", earlier, from)
	}
	later, _, _ := p.window()
	p.press("a")
	if from, _, _ := p.window(); from >= later {
		t.Errorf("A leads from %v to %v", later, from)
	}
	p.press("s")
	if again := p.length(); math.Abs(again-far) > 2 {
		t.Errorf("S after W shows %v ns, want %v", again, far)
	}
	p.press("0")
	if _, _, part := p.window(); part {
		t.Error("0 does not show the whole trace")
	}
	p.press("?")
	if help := p.text("dialog[open]"); !strings.Contains(help, "Zoom in") {
		t.Errorf("help does not tell the keys of the timeline: %q", help)
	}
	p.press(kb.Escape)
}

func TestTimelineByTypedRange(t *testing.T) {
	t.Parallel()
	p := openTimeline(t, warehouse)
	p.write("textbox", "From", "100 ms")
	p.write("textbox", "To", "0.2s")
	p.press(kb.Enter)
	if from, to, _ := p.window(); from != 100e6 || to != 200e6 {
		t.Errorf("the window is from %v to %v", from, to)
	}
	p.until(`document.querySelector("[aria-label='Back to the window before']").disabled === false`,
		"the window is one to come back to")
	p.write("textbox", "To", "yesterday")
	p.press(kb.Enter)
	expect(t, "whether what cannot be read is marked", call[string](p, p.find("textbox", "To"),
		`function() { return this.getAttribute("aria-invalid") }`), "true")
	p.click("button", "Whole trace")
	if _, _, part := p.window(); part {
		t.Error("the button does not show the whole trace")
	}
	p.click("button", "Back to the window before")
	if from, to, _ := p.window(); from != 100e6 || to != 200e6 {
		t.Errorf("the way back leads to %v to %v", from, to)
	}
}

func TestTimelineByDragging(t *testing.T) {
	t.Parallel()
	p := openTimeline(t, warehouse)
	axis := ask[[]float64](p,
		`(() => { const r = document.querySelector(".timeline-axis").getBoundingClientRect(); return [r.x, r.y + r.height / 2, r.width] })()`)
	p.run(chromedp.DragAndDropXY(axis[0]+axis[2]*0.2, axis[1], axis[0]+axis[2]*0.4, axis[1]))
	p.waitIdle()
	from, to, _ := p.window()
	if from < 95e6 || from > 105e6 || to < 195e6 || to > 206e6 {
		t.Errorf("a drag on the axis from 100 to 200 ms leads to %v to %v", from, to)
	}
	x, y := p.at("picker-1", 150)
	p.run(chromedp.DragAndDropXY(x, y, x+200, y))
	p.waitIdle()
	if moved, _, _ := p.window(); moved >= from {
		t.Errorf("a drag to the right leads from %v to %v", from, moved)
	}
}

func TestTimelineSelection(t *testing.T) {
	t.Parallel()
	p := openTimeline(t, warehouse)
	p.clickAt(p.at("picker-1", 200))
	details := p.text(".timeline-details")
	for _, said := range []string{"picker-1", "Warehouse$Shelf 1080", "stocktake", "Warehouse.java:68",
		"java.lang.Thread.run"} {
		if !strings.Contains(details, said) {
			t.Errorf("the details do not say %q: %s", said, details)
		}
	}
	p.screenshot("timeline-selected")
	links := ask[[]string](p,
		`[...document.querySelectorAll(".timeline-details .links button")].map(link => link.innerText)`)
	if !slices.ContainsFunc(links, func(link string) bool { return strings.Contains(link, "stocktake") }) {
		t.Fatalf("no link leads to what ended the wait: %q", links)
	}
	ask[bool](p,
		`([...document.querySelectorAll(".timeline-details .links button")].find(link => link.innerText.includes("stocktake")).click(), true)`)
	p.until(`document.querySelector(".timeline-details h3").innerText === "hands off a lock"`,
		"the link leads to the hand-off")
	p.click("button", "Close the details")
	expect(t, "whether the details are closed", ask[bool](p, `document.querySelector(".timeline-details").hidden`),
		true)
}

func TestTimelineHover(t *testing.T) {
	t.Parallel()
	p := openTimeline(t, warehouse)
	x, y := p.at("stocktake", 200)
	p.run(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	p.until(
		`!document.querySelector(".timeline-tooltip").hidden && document.querySelector(".timeline-tooltip").innerText.includes("SLEEPING")`, "the card says what is at the pointer")
	p.screenshot("timeline-hover")
}

func TestTimelineToggles(t *testing.T) {
	t.Parallel()
	p := openTimeline(t, warehouse)
	all := p.picture()
	names := ask[[]string](p,
		`[...document.querySelectorAll(".timeline-kinds button")].map(button => button.innerText)`)
	expect(t, "kinds to switch on and off", len(names), 8)
	for _, name := range names {
		p.click("button", name)
		pressed := call[string](p, p.find("button", name), `function() { return this.getAttribute("aria-pressed") }`)
		expect(t, name+" after a click", pressed, "false")
		if p.picture() == all && name != "a wait times out" { // this trace has no such wait
			t.Errorf("the picture is the same without %q", name)
		}
		p.click("button", name)
		if p.picture() != all {
			t.Errorf("the picture is another one when %q is there again", name)
		}
	}
}

func TestTimelineGroups(t *testing.T) {
	t.Parallel()
	p := openTimeline(t, warehouse)
	expect(t, "headings: the JVM's own threads", ask[int](p,
		`document.querySelectorAll(".timeline-header").length`), 1)
	p.click("checkbox", "Group threads")
	p.waitIdle()
	groups := ask[[]string](p, `[...document.querySelectorAll(".timeline-header .name")].map(name => name.innerText)`)
	slices.Sort(groups)
	expectAll(t, "groups", groups, "InnocuousThreadGroup", "main", "system")
	p.screenshot("timeline-groups")
	lanes := ask[int](p, `document.querySelectorAll(".timeline-label").length`)
	ask[bool](p,
		`([...document.querySelectorAll(".timeline-header")].find(header => header.innerText.includes("system")).click(), true)`)
	p.waitIdle()
	expect(t, "lanes when a group is closed", ask[int](p, `document.querySelectorAll(".timeline-label").length`),
		lanes-4)
	p.press("g")
	expect(t, "headings after the key g", ask[int](p, `document.querySelectorAll(".timeline-header").length`), 1)
}

// TestLanesAreInTheOrderOfInterest: the threads that were blocked longest come first; the JVM's own are folded.
func TestLanesAreInTheOrderOfInterest(t *testing.T) {
	t.Parallel()
	p := openTimeline(t, warehouse)
	names := ask[[]string](p,
		`[...document.querySelectorAll(".timeline-label .name")].map(name => name.innerText)`)
	if len(names) != 6 || !strings.HasPrefix(names[0], "picker-") || slices.Contains(names, "Signal Dispatcher") {
		t.Errorf("lanes: %q", names)
	}
	header := p.text(".timeline-header")
	if !strings.Contains(header, "the JVM's own threads") {
		t.Errorf("the folded threads are headed %q", header)
	}
	ask[bool](p, `(document.querySelector(".timeline-header").click(), true)`)
	p.waitIdle()
	expect(t, "lanes when they are unfolded", ask[int](p, `document.querySelectorAll(".timeline-label").length`), 11)
}

// TestRowsAndSearchLeadToTheTimeline: a row's button, and a search, show the longest span that fits.
func TestRowsAndSearchLeadToTheTimeline(t *testing.T) {
	t.Parallel()
	p := openStatistics(t, warehouse)
	for _, table := range []string{threadTable, totalTable, classTable, siteTable, holderTable, monitorTable, ownerTable,
		pairTable} {
		p.click("tab", statisticsTab)
		ask[bool](p, `(`+tableOf(table)+`.querySelector("tbody .show").click(), true)`)
		p.until(`!document.querySelector(".timeline-details").hidden`, "a span of the row is selected: "+table)
		expect(t, "the tab after a click in "+table, p.text("[role=tab][aria-selected=true]"), timelineTab)
		if details := p.text(".timeline-details"); !strings.Contains(details, "picker-") ||
			!strings.Contains(details, "BLOCKED") {
			t.Errorf("the row of %q leads to %q", table, details)
		}
	}
	ask[bool](p, `(document.querySelector(".timeline-search").focus(), true)`)
	for _, letter := range "stocktake" {
		p.press(string(letter))
	}
	p.press(kb.Enter)
	p.until(`document.querySelector(".timeline-details").innerText.includes("stocktake")`, "the thread is found")
	p.screenshot("search")
}

// TestSpansLeadToTheirRows: the details of a span have links to the rows that count it.
func TestSpansLeadToTheirRows(t *testing.T) {
	t.Parallel()
	p := openTimeline(t, warehouse)
	for link, row := range map[string]struct{ table, text string }{
		"Thread": {threadTable, "picker-1"}, "Monitor": {monitorTable, "Warehouse$Shelf"},
		"Caller": {siteTable, "Warehouse$Picker.atShelf(Warehouse.java:68)"},
	} {
		p.click("tab", timelineTab)
		p.clickAt(p.at("picker-1", 200))
		p.click("button", link)
		p.until(tableOf(row.table)+`?.querySelector("tbody tr[aria-selected=true]")?.innerText.includes(`+
			quoted(row.text)+`)`, "the row of the span's "+link+" is selected")
		expect(t, "the tab", p.text("[role=tab][aria-selected=true]"), statisticsTab)
		expect(t, "whether the row has the focus", ask[bool](p,
			`document.activeElement === `+tableOf(row.table)+`.querySelector("tbody tr[aria-selected=true]")`), true)
		p.screenshot("row-of-" + strings.ToLower(link))
	}
}

func TestTimelineAsTable(t *testing.T) {
	t.Parallel()
	p := openTimeline(t, warehouse)
	p.click("button", "Table")
	p.until(`document.querySelectorAll(".timeline-listing tbody tr").length > 10`, "the table has rows")
	if said := p.text(".timeline-listing"); !strings.Contains(said, "stocktake") ||
		!strings.Contains(said, "SLEEPING") {
		t.Errorf("the table says %.400q", said)
	}
	p.screenshot("timeline-table")
}

func TestTimelineShowsChosenThreads(t *testing.T) {
	t.Parallel()
	p := openTimeline(t, warehouse)
	p.click("button", chooseThreads)
	p.fill("Search threads", "picker-*")
	p.click("button", "Only these")
	p.click("button", "Apply")
	expectAll(t, "lanes, those that were blocked longest first",
		ask[[]string](p, `[...document.querySelectorAll(".timeline-label .name")].map(name => name.innerText)`),
		"picker-3", "picker-1", "picker-2")
}

func TestStatisticsOfTheWindow(t *testing.T) {
	t.Parallel()
	p := open(t, report(t, recorded(warehouse))+"#tab=statistics&window=40000000-60000000")
	p.until(`document.querySelectorAll("[aria-label='`+totalTable+`'] tbody tr[data-at]").length > 0`,
		"the statistics are there")
	expect(t, "blocked in all", p.column(totalTable, "Total")[0], "834 ms")
	p.click("checkbox", "Only the timeline's window")
	p.until(tableOf(totalTable)+`.tBodies[0].rows[0].cells[1].innerText === ""`, "nobody was blocked in the window")
	expectAll(t, "intervals in the window", p.column(totalTable, "Intervals"), "", "4", "1", "", "1")
}

// If a path has very many pieces, only the longest are listed, and the page says so.
func TestPathSaysWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	p := open(t, report(t, written(t, relayTrace(6000)))+"#tab=path")
	p.until(`document.querySelectorAll("[aria-label='`+chainTable+`'] tbody tr[data-at]").length > 0`,
		"the chain is there")
	said := regexp.MustCompile(`pieces of .* are left out: the ([0-9,]+) longest are shown`).
		FindStringSubmatch(p.text(".path"))
	if said == nil {
		t.Fatalf("the page does not say what is left out: %.600s", p.text(".path"))
	}
	if rows := len(p.rows(chainTable)); rows < 10 || rows > 200 {
		t.Errorf("%d rows of %s are made", rows, said[1])
	}
	ask[bool](p, `(`+tableOf(chainTable)+`.closest(".table-scroller").scrollTop = 1e6, true)`)
	p.waitIdle()
	last := p.rows(chainTable)
	expect(t, "the last row after scrolling to the end", last[len(last)-1][0], said[1])
}

// relayTrace is a trace in which two threads wait for each other in turn.
func relayTrace(turns int) string {
	var b strings.Builder
	b.WriteString(`<TRACE>
<node nodeId="n1" hostname="h" ipaddress="192.0.2.1" timezone="0" time="1.0"/>
<processCreate processId="p1" pid="1" nodeIdRef="n1" time="1.0"/>
<agentCreate agentId="a1" version="2.000" processIdRef="p1" agentName="a" agentType="Profiler" agentParameters="" time="1.0"/>
<traceStart traceId="t1" agentIdRef="a1" time="1.0"/>
<threadStart threadId="1" time="1.0" threadName="ping" groupName="main"/>
<threadStart threadId="2" time="1.0" threadName="pong" groupName="main"/>
`)
	for i := range turns {
		at, waits, owns := 1.01+float64(i)*0.001, i%2+1, (i+1)%2+1
		fmt.Fprintf(&b, "<monContendedEnter threadIdRef=\"%d\" time=\"%.9f\" objIdRef=\"7\" threadOwner=\"%d\"/>\n",
			waits, at, owns)
		fmt.Fprintf(&b, "<monContendedEntered threadIdRef=\"%d\" time=\"%.9f\" objIdRef=\"7\"/>\n", waits, at+0.0005)
	}
	b.WriteString("</TRACE>\n")
	return b.String()
}

// TestTimelineIsThereAtEverySize: when a window is resized, the lanes are drawn before the frame is shown: an observer
// of the size that runs after the page's own finds them.
func TestTimelineIsThereAtEverySize(t *testing.T) {
	t.Parallel()
	p := openTimeline(t, warehouse)
	ask[bool](p, `(() => {
		const canvas = document.querySelector("canvas.timeline-lanes");
		self.sizes = self.empty = 0;
		new ResizeObserver(() => {
			const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, Math.min(60, canvas.height)).data;
			self.sizes++;
			if (new Set(new Uint32Array(pixels.buffer)).size < 4) self.empty++;
		}).observe(document.querySelector(".timeline-scroll"));
		return true;
	})()`)
	for _, width := range []int64{1100, 1300, 900} {
		p.size(width, 700)
		p.waitIdle()
	}
	if sizes, empty := ask[int](p, "self.sizes"), ask[int](p, "self.empty"); sizes < 3 || empty > 0 {
		t.Errorf("of %d sizes %d were shown without lanes", sizes, empty)
	}
}

// Each end of a typed range is kept, or limited to the end of the trace. Both fields then show the window, and mean its
// exact times.
func TestTypedRangeEndsWithTheTrace(t *testing.T) {
	t.Parallel()
	p := openTimeline(t, warehouse)
	const end = 501588167
	typed := func(from, to string) {
		t.Helper()
		for _, field := range [][2]string{{"From", from}, {"To", to}} {
			if field[1] != "" {
				p.write("textbox", field[0], field[1])
			}
		}
		p.press(kb.Enter)
		p.waitIdle()
	}
	window := func(what string, from, to float64) {
		t.Helper()
		if gotFrom, gotTo, part := p.window(); !part || gotFrom != from || gotTo != to {
			t.Errorf("%s: the window is %.0f to %.0f, not %.0f to %.0f", what, gotFrom, gotTo, from, to)
		}
	}
	field := func(label string) string {
		return ask[string](p, `document.querySelector("input[aria-label=`+label+`]").value`)
	}
	typed("400 ms", "")
	window("only the start was typed", 400e6, end)
	typed("450ms", "999ms")
	window("an end after the trace", 450e6, end)
	expect(t, "From", field("From"), "450 ms")
	expect(t, "To", field("To"), "501.59 ms")
	p.screenshot("range-typed")
	typed("", "500 ms")
	window("only the end was typed", 450e6, 500e6)
	typed("0", "0.1 ms")
	typed("50,000 ns", "1,000 ms")
	window("thousands with commas", 50e3, end)
	typed("0,25 s", "")
	window("decimals with a comma", 250e6, end)
	typed("600 ms", "700 ms")
	window("a range after the trace", 250e6, end)
	expect(t, "what is said of it",
		ask[string](p, `document.querySelector("input[aria-label=From]").validationMessage`),
		"The trace ends at 501.588167 ms.")
}

func TestEnterSelectsWhatIsNearest(t *testing.T) {
	t.Parallel()
	p := openTimeline(t, warehouse)
	ask[bool](p, fmt.Sprintf(`(document.querySelector(%q).focus(), true)`, lanes))
	p.press(kb.ArrowDown)
	p.until(`(() => {
		const label = document.querySelector(".timeline-label.cursor");
		return label !== null;
	})()`, "the cursor is in a lane")
	for range 12 {
		if ask[string](p,
			`document.querySelector(".timeline-label.cursor .name")?.innerText ?? ""`) == "DestroyJavaVM" {
			break
		}
		p.press(kb.ArrowDown)
		p.waitIdle()
	}
	expect(t, "the lane", p.text(".timeline-label.cursor .name"), "DestroyJavaVM")
	p.press(kb.Enter)
	p.until(`!document.querySelector(".timeline-details").hidden`, "the nearest event is selected")
	p.screenshot("enter-nearest")
}

func TestEscapeInTheDetails(t *testing.T) {
	t.Parallel()
	p := openTimeline(t, warehouse)
	p.clickAt(p.at("picker-1", 200))
	p.until(`!document.querySelector(".timeline-details").hidden`, "there are details")
	p.press(kb.Enter)
	p.until(`document.activeElement.matches(".timeline-details")`, "Enter leads to the details")
	p.press(kb.Tab)
	p.until(`document.activeElement.matches(".timeline-details button")`, "there is a button in them")
	p.press(kb.Escape)
	p.until(`document.querySelector(".timeline-details").hidden`, "nothing is selected")
	expect(t, "the focus is in the lanes", ask[bool](p, fmt.Sprintf(`document.activeElement.matches(%q)`, lanes)), true)
}
