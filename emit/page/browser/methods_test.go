package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	methodsTab   = "Methods"
	methodsTable = "Methods"
)

// TestMethodsTab: the table has the figures of trcx methods, by method and by package, and the flame graph has the calls
// from either end, with the share of those that a search finds.
func TestMethodsTab(t *testing.T) {
	t.Parallel()
	trace := filepath.Join(root, "docs", "testdata", "calls.trcxml")
	t.Run("report", func(t *testing.T) { testMethodsTab(t, report(t, trace), trace) })
	t.Run("serve", func(t *testing.T) { testMethodsTab(t, serve(t, "--no-index", trace), trace) })
}

func testMethodsTab(t *testing.T, address, trace string) {
	p := open(t, address)
	p.click("tab", methodsTab)
	p.until(`document.querySelector(".methods-remarks") !== null`, "the methods are there")
	printed, err := run("methods", trace, "-q", "--format", "json")
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Methods  []struct{ Class, Method string }
		Packages []struct{ Package string }
	}
	if err := json.Unmarshal([]byte(printed), &answer); err != nil {
		t.Fatal(err)
	}
	expect(t, "methods", len(p.rows(methodsTable)), 8)
	expectAll(t, "the largest method", p.rows(methodsTable)[0], "app.Worker.run", "30 %", "60.0 ms", "100 ms", "1")
	p.screenshot("methods")
	p.click("radio", "By package")
	packages := p.column(methodsTable, "Package")
	expect(t, "packages", strings.Join(packages, " "), "app java.lang")
	flames := strings.Join(p.icicle(""), "\n")
	for _, frame := range []string{"all calls", "app.Main.main", "app.Order.total", "java.lang.String.split"} {
		if !strings.Contains(flames, frame) {
			t.Errorf("the flame graph has no %q: %q", frame, flames)
		}
	}
	if label := p.nodeLabel("Flame graph of calls", "app.Main.main"); !strings.HasSuffix(label, "; 24.5 ms by itself") {
		t.Errorf("the frame of main says %q", label)
	}
	p.fill("Search: Flame graph of calls", "order.total")
	p.until(`document.querySelector(".panel:not([hidden]) .icicle") !== null &&
		[...document.querySelectorAll(".panel:not([hidden]) .table-count")].some((found) =>
			found.textContent === "20 % of all, 40.0 ms")`, "the share of the matched calls, each time once")
	p.click("radio", "Innermost first")
	p.until(`[...document.querySelectorAll(".panel:not([hidden]) .icicle-row:nth-child(2) .icicle-node")].some((node) =>
		node.innerText === "java.lang.String.split")`, "each innermost call is at the root")
	p.fill("Search: Flame graph of calls", "")
	p.click("radio", "In time order")
	expect(t, "a call in time order", p.nodeLabel("Flame graph of calls", "app.Parser.parse"),
		"app.Parser.parse: 30.0 ms, 30 % of the time; 17.0 ms by itself")
	expect(t, "the calls of main, from left to right", strings.Join(ask[[]string](p,
		`[...document.querySelectorAll(".icicle-rows[aria-label='Flame graph of calls'] .icicle-row:nth-child(3) bdi")].
			sort((a, b) => parseFloat(a.parentElement.style.left) - parseFloat(b.parentElement.style.left)).
			map((name) => name.innerText)`), " "), "app.Parser.parse app.Order.total app.Main.report")
	expect(t, "where a call begins", ask[string](p, `[...document.querySelectorAll(".icicle-node")].
		find((node) => node.innerText.startsWith("app.Order.total")).style.left.slice(0, 5)`), "49.49")
	p.screenshot("methods-time")
	p.click("radio", "By method")
	p.clickRow(methodsTable, "app.Order.total")
	expect(t, "the chosen method", p.text(".methods-around"), "app.Order.total: 40.0 ms from outermost calls of it on.")
	expect(t, "its caller", p.nodeLabel("Callers", "app.Main.main"), "app.Main.main: 40.0 ms, 100 % of its calls")
	expect(t, "its callee", p.nodeLabel("Callees", "app.Order.total"), "app.Order.total: 25.0 ms, 63 % of its calls; 15.0 ms by itself")
	p.screenshot("methods-around")
}

// nodeLabel returns what assistive technology reads of a node of an icicle.
func (p *tab) nodeLabel(icicle, name string) string {
	p.t.Helper()
	return ask[string](p, fmt.Sprintf(`[...document.querySelectorAll(".icicle-rows[aria-label='%s'] .icicle-node")].
		find((node) => node.querySelector("bdi").innerText === %q)?.ariaLabel ?? ""`, icicle, name))
}

// TestMethodsComeFirst: a trace of calls without waits opens with them; one without calls has no tab for them.
func TestMethodsComeFirst(t *testing.T) {
	t.Parallel()
	p := open(t, report(t, filepath.Join(root, "docs", "testdata", "waits.trcxml")))
	if strings.Contains(p.text("[role=tablist]"), methodsTab) {
		t.Error("a trace without calls has a tab for them")
	}
	calls := filepath.Join(t.TempDir(), "calls.trcxml")
	text := `<TRACE><classDef name="app/Main" classId="1"/><methodDef name="main" methodId="2" classIdRef="1"/>` +
		`<threadStart threadId="1" time="1.0" threadName="main"/><methodEntry threadIdRef="1" time="1.0" methodIdRef="2"/>` +
		`<methodExit threadIdRef="1" time="3.0" methodIdRef="2"/><threadEnd threadId="1" threadIdRef="1" time="3.0"/></TRACE>`
	if err := os.WriteFile(calls, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	p = open(t, report(t, calls))
	expect(t, "the first tab", p.text("[role=tab][aria-selected=true]"), methodsTab)
}

// TestMethodsOfAFollowedTrace: calls that are open have no length yet, so the tab shows the methods at the end.
func TestMethodsOfAFollowedTrace(t *testing.T) {
	t.Parallel()
	path, finish := growing(t, filepath.Join(root, "docs", "testdata", "calls.trcxml"), 20)
	p := open(t, serve(t, "--follow", path))
	p.until(`document.querySelector(".live").innerText === "live"`, "the trace is live")
	p.click("tab", methodsTab)
	p.until(`document.querySelector(".panel:not([hidden]) .panel-state").innerText.includes("when the recording has ended")`,
		"the tab says that it waits")
	finish()
	p.until(`document.querySelector(".methods-remarks") !== null`, "the methods are there")
	expect(t, "methods", len(p.rows(methodsTable)), 8)
}

// TestCallsOfTheTimeline: below the lane of a thread are its calls, of the first thread at once, of others when they are
// unfolded; a click zooms to one.
func TestCallsOfTheTimeline(t *testing.T) {
	t.Parallel()
	p := open(t, report(t, filepath.Join(root, "docs", "testdata", "calls.trcxml")))
	p.click("tab", timelineTab)
	const worker = "2 calls of worker-1 (thread 2), the longest app.Worker.run: 100 ms from 0.005000 s on"
	says := func(want ...string) {
		t.Helper()
		p.until(fmt.Sprintf(`[...document.querySelectorAll(".timeline-calls canvas")].map((strip) => strip.ariaLabel).join("; ") === %q`,
			strings.Join(want, "; ")), "the calls are "+strings.Join(want, "; "))
	}
	says(worker)
	p.screenshot("timeline-calls")
	p.click("button", "Calls of main")
	says(worker, "8 calls of main (thread 1), the longest app.Main.main: 99.0 ms from 0.001000 s on")
	p.screenshot("timeline-calls-main")
	below := ask[bool](p, `(() => {
		const [worker, main] = [...document.querySelectorAll(".timeline-calls canvas")].map((strip) => strip.getBoundingClientRect());
		const [first, second] = [...document.querySelectorAll(".timeline-label")].map((label) => label.getBoundingClientRect());
		return first.top < worker.top && worker.bottom <= second.top + 1 && second.top < main.top && main.bottom <= second.bottom + 1;
	})()`)
	expect(t, "each strip is below its lane", below, true)
	at := ask[[]float64](p, `(() => {
		const {left, top, width} = document.querySelectorAll(".timeline-calls canvas")[1].getBoundingClientRect();
		return [left + width * 20 / 105, top + 27];
	})()`)
	p.clickAt(at[0], at[1])
	says("2 calls of worker-1 (thread 2), the longest app.Worker.run: 100 ms from 0.005000 s on",
		"4 calls of main (thread 1), the longest app.Main.main: 99.0 ms from 0.001000 s on")
	p.click("button", "Calls")
	p.click("button", "Calls")
	says("")
}

// TestMethodsOfTwoRuns: with a base the table has changes, and frames say how much more or less they cost; one that is
// in the base only can be seen at its width.
func TestMethodsOfTwoRuns(t *testing.T) {
	t.Parallel()
	runOf := func(calls string) string {
		return written(t, `<TRACE><classDef name="app/M" classId="1"/><methodDef name="main" methodId="1" classIdRef="1"/>`+
			`<methodDef name="load" methodId="2" classIdRef="1"/><methodDef name="sort" methodId="3" classIdRef="1"/>`+
			`<methodDef name="gone" methodId="4" classIdRef="1"/><methodEntry threadIdRef="1" time="1.0" methodIdRef="1"/>`+
			calls+`<methodExit threadIdRef="1" time="11.0" methodIdRef="1"/></TRACE>`)
	}
	call := func(method int, from, to string) string {
		return fmt.Sprintf(`<methodEntry threadIdRef="1" time="%s" methodIdRef="%d"/>`+
			`<methodExit threadIdRef="1" time="%s" methodIdRef="%[2]d"/>`, from, method, to)
	}
	base := runOf(call(2, "1.0", "5.0") + call(3, "5.0", "6.0") + call(4, "6.0", "8.0"))
	path := filepath.Join(t.TempDir(), "change.html")
	head := runOf(call(2, "1.0", "2.0") + call(3, "2.0", "9.0"))
	if _, err := run("report", head, "--base", base, "-o", path); err != nil {
		t.Fatal(err)
	}
	p := open(t, fileURL(path))
	p.until(`document.querySelector(".methods-remarks") !== null`, "the methods are there")
	for row, want := range map[string]string{"app.M.sort": "7.00 s 1.00 s +6.00 s", "app.M.gone": " 2.00 s −2.00 s",
		"app.M.load": "1.00 s 4.00 s −3.00 s", "app.M.main": "2.00 s 3.00 s −1.00 s"} {
		for i, title := range p.column(methodsTable, "Method") {
			if title == row {
				got := p.column(methodsTable, "Base")[i] + " " + p.column(methodsTable, "Before")[i] + " " +
					p.column(methodsTable, "Change")[i]
				expect(t, row, got, want)
			}
		}
	}
	expect(t, "rows", len(p.rows(methodsTable)), 4)
	const flames = "Flame graph of calls"
	expect(t, "a frame that grew", p.nodeLabel(flames, "app.M.sort"),
		"app.M.sort: 7.00 s, 70 % of all; 6.00 s more than before")
	expect(t, "a frame of the base alone", p.nodeLabel(flames, "app.M.gone"), "")
	p.screenshot("methods-base")
	p.click("radio", "As wide as before")
	expect(t, "a frame of the base alone", p.nodeLabel(flames, "app.M.gone"),
		"app.M.gone: 2.00 s, 20 % of all; 2.00 s less than before")
	expect(t, "a frame that grew", p.nodeLabel(flames, "app.M.sort"),
		"app.M.sort: 1.00 s, 10 % of all; 6.00 s more than before")
	expect(t, "the same in all", p.nodeLabel(flames, "app.M.main"), "app.M.main: 10.0 s, 100 % of all; 3.00 s by itself; as before")
	p.contrast("two runs")
	p.screenshot("methods-base-before")
}
