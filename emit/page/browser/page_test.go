package browser

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

const (
	patience = 15 * time.Second // for anything that the page has to show
	width    = 1600
	height   = 900
)

// chromium is the browser that all tests share. Each test has a profile of its own in it.
var chromium = sync.OnceValues(func() (context.Context, error) {
	path, err := chromiumPath()
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.WindowSize(width, height), chromedp.Flag("disable-gpu", true))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, _ := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ := chromedp.NewContext(allocator)
	return ctx, chromedp.Do(ctx)
})

// chromiumPath finds Chromium, first the one without windows, which takes two thirds of the CPU time.
func chromiumPath() (string, error) {
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", exec.ErrNotFound
}

// parallel is the number of tests at once. They wait for the browser's frames and timers more than they compute.
const parallel = "4"

func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		flag.Set("test.parallel", parallel) //nolint:errcheck // it is a number
	}
	os.Exit(runTests(m))
}

// runTests makes what the tests share, runs them, and removes it.
func runTests(m *testing.M) (status int) {
	var err error
	if scratch, err = os.MkdirTemp("", "trcx-browser"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() {
		if err := os.RemoveAll(scratch); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}()
	status = m.Run()
	if _, err := chromiumPath(); err == nil {
		if ctx, err := chromium(); err == nil {
			chromedp.Cancel(ctx) //nolint:errcheck // the tests are over
		}
	}
	return status
}

// tab is a page in a browser, with everything that went wrong in it.
type tab struct {
	t      *testing.T
	ctx    context.Context
	origin string // what the page may request: its own file, or its server

	mu     sync.Mutex
	faults []string
}

// open shows the page at an address. At the end of the test the page must have had no error, and must not have sent a
// request elsewhere.
func open(t *testing.T, address string) *tab {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED by -short, which leaves out what needs more than Go")
	}
	shared, err := chromium()
	switch {
	case errors.Is(err, exec.ErrNotFound) && os.Getenv("CI") != "true":
		t.Skip("SKIPPED: there is no Chromium; make deps installs it where it can")
	case err != nil:
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(shared, chromedp.WithNewBrowserContext())
	p := &tab{t: t, ctx: ctx, origin: originOf(t, address)}
	t.Cleanup(func() {
		p.waitIdle()
		cancel()
		for _, fault := range p.faults {
			t.Error(fault)
		}
	})
	if err := chromedp.Listen(ctx, p.listen); err != nil {
		t.Fatal(err)
	}
	command(p, network.Enable, network.EnableParams{})
	command(p, log.Enable, cdp.Empty{})
	command(p, runtime.Enable, cdp.Empty{})
	command(p, accessibility.Enable, cdp.Empty{})
	command(p, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	p.size(width, height)
	p.run(chromedp.Navigate(address))
	p.until(`document.querySelector("[role=tab][aria-selected=true]") !== null`, "the page shows its tabs")
	return p
}

func originOf(t *testing.T, address string) string {
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	if u.Scheme == "file" {
		return "file://" + u.EscapedPath()
	}
	return u.Scheme + "://" + u.Host + "/"
}

// fileURL returns the address of a file.
func fileURL(path string) string {
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// listen keeps what no page may do.
func (p *tab) listen(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.fault("exception: " + told(e.ExceptionDetails))
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning ||
			e.Type == runtime.ConsoleAPICalledTypeAssert {
			said, _ := json.Marshal(e.Args)
			p.fault("console: " + string(said))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			p.fault("log: " + e.Entry.Text)
		}
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, p.origin) && !strings.HasPrefix(e.Request.URL, "data:") {
			p.fault("a request left the page: " + e.Request.URL)
		}
	case *network.EventWebSocketCreated:
		p.fault("a socket was opened: " + e.URL)
	case *page.EventJavascriptDialogOpening:
		p.fault("a dialog was opened: " + e.Message)
		go chromedp.Call(p.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{
			Accept: true}) //nolint:errcheck // the test fails anyway
	}
}

func (p *tab) fault(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, what)
}

// run executes actions in the page. If one fails, the test ends.
func (p *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// command returns the browser's answer to a command of its protocol.
func command[P, R any](p *tab, which cdp.Command[P, R], params P) R {
	p.t.Helper()
	result, err := chromedp.Call(p.ctx, which, params)
	if err != nil {
		p.t.Fatal(err)
	}
	return result
}

// size sets the size of the window in pixels.
func (p *tab) size(width, height int64) {
	p.t.Helper()
	command(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width,
		Height: height, DeviceScaleFactor: 1})
}

func told(e *runtime.ExceptionDetails) string {
	if e.Exception != nil && e.Exception.Description != "" {
		return e.Exception.Description
	}
	return e.Text
}

// ask returns the value of an expression in the page.
func ask[T any](p *tab, expression string) T {
	p.t.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		p.t.Fatalf("%v\n%s", err, expression)
	}
	return value
}

// until waits for an expression to be true.
func (p *tab) until(expression, what string) {
	p.t.Helper()
	for end := time.Now().Add(patience); !ask[bool](p, expression); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("it does not come to this: %s\n%s\nfaults: %q", what, expression, p.faults)
		}
	}
}

// waitIdle waits until the page has drawn everything and nothing moves in it.
func (p *tab) waitIdle() {
	drawn := `new Promise(done => {
		const look = () => requestAnimationFrame(() => document.querySelector("[data-moving]") ? look() : done(true));
		requestAnimationFrame(look);
	})`
	if _, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](drawn, chromedp.EvalAwaitPromise)); err != nil {
		p.t.Error(err)
	}
}

// find returns the node with a role and an accessible name, as assistive technology finds it.
func (p *tab) find(role, name string) cdp.BackendNodeID {
	p.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if nodes := p.nodes(role, name); len(nodes) > 0 {
			return nodes[0]
		}
		if time.Now().After(end) {
			p.t.Fatalf("the page has no %s named %q", role, name)
		}
	}
}

// nodes returns all visible nodes with a role and a name.
func (p *tab) nodes(role, name string) []cdp.BackendNodeID {
	p.t.Helper()
	root := command(p, dom.GetDocument, dom.GetDocumentParams{}).Root
	found := []cdp.BackendNodeID{}
	for _, node := range command(p, accessibility.QueryAXTree, accessibility.QueryAXTreeParams{
		BackendNodeID: root.BackendNodeID, AccessibleName: name, Role: role}).Nodes {
		if !node.Ignored {
			found = append(found, node.BackendDOMNodeID)
		}
	}
	return found
}

// call calls a function of JavaScript with a node as this.
func call[T any](p *tab, node cdp.BackendNodeID, function string) T {
	p.t.Helper()
	var value T
	object := command(p, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: node}).Object
	byValue := true
	answer := command(p, runtime.CallFunctionOn, runtime.CallFunctionOnParams{FunctionDeclaration: function,
		ObjectID: object.ObjectID, ReturnByValue: &byValue})
	if answer.ExceptionDetails != nil {
		p.t.Fatalf("%s\n%s", told(answer.ExceptionDetails), function)
	}
	if len(answer.Result.Value) > 0 {
		if err := json.Unmarshal(answer.Result.Value, &value); err != nil {
			p.t.Fatalf("%v\n%s", err, function)
		}
	}
	return value
}

// click presses the mouse button over the node with a role and a name.
func (p *tab) click(role, name string, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	p.clickNode(p.find(role, name), 1, modifiers...)
}

func (p *tab) clickNode(node cdp.BackendNodeID, times int, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	x, y := p.center(node)
	p.run(chromedp.MouseClickXY(x, y, chromedp.ClickCount(times), chromedp.ButtonModifiers(modifiers...)))
	p.waitIdle()
}

// center returns the middle of a node in the window, after scrolling to it. A click there must reach the node.
func (p *tab) center(node cdp.BackendNodeID) (x, y float64) {
	p.t.Helper()
	at := call[[]float64](p, node, `function() {
		const box = this.type === "radio" || this.type === "checkbox" ? (this.closest("label") ?? this) : this;
		box.scrollIntoView({block: "center", inline: "nearest"});
		const r = box.getBoundingClientRect();
		const x = r.x + r.width / 2, y = r.y + r.height / 2;
		const top = document.elementFromPoint(x, y);
		return r.width > 0 && r.height > 0 && top && (box.contains(top) || top.contains(box)) ? [x, y] : [];
	}`)
	if len(at) != 2 {
		p.t.Fatalf("a node cannot be clicked: %s",
			call[string](p, node, `function() { return this.outerHTML.slice(0, 300) }`))
	}
	return at[0], at[1]
}

// clickRow presses the mouse button over the row of the named table that has a text in one of its cells.
func (p *tab) clickRow(table, text string, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	at := ask[[]float64](p, fmt.Sprintf(`(() => {
		const row = [...%s.querySelectorAll("tbody tr[data-at]")].find(row => [...row.cells].some(cell => cell.innerText.trim() === %s));
		if (!row) return [];
		row.scrollIntoView({block: "center", inline: "nearest"});
		const r = row.cells[0].getBoundingClientRect();
		return [r.x + 14, r.y + r.height / 2];
	})()`, tableOf(table), quoted(text)))
	if len(at) != 2 {
		p.t.Fatalf("the table %q has no row with %q, but %q", table, text, p.rows(table))
	}
	p.run(chromedp.MouseClickXY(at[0], at[1], chromedp.ButtonModifiers(modifiers...)))
	p.waitIdle()
}

// rows returns the texts of a table's visible rows, without its head.
func (p *tab) rows(table string) [][]string {
	p.t.Helper()
	return ask[[][]string](p,
		fmt.Sprintf(
			`[...%s.querySelectorAll("tbody tr[data-at]")].map(row => [...row.cells].map(cell => cell.innerText.trim()))`, tableOf(table)))
}

// column returns the texts in the column of a table with the heading.
func (p *tab) column(table, heading string) []string {
	p.t.Helper()
	at := ask[int](p, fmt.Sprintf(`[...%s.tHead.rows[0].cells].findIndex(cell => cell.innerText.trim() === %s)`,
		tableOf(table), quoted(heading)))
	if at < 0 {
		p.t.Fatalf("the table %q has no column %q", table, heading)
	}
	texts := []string{}
	for _, row := range p.rows(table) {
		texts = append(texts, row[at])
	}
	return texts
}

// heading presses a column's heading, which sorts by it.
func (p *tab) heading(table, heading string) {
	p.t.Helper()
	at := ask[[]float64](p, fmt.Sprintf(`(() => {
		const button = [...%s.tHead.querySelectorAll("button")].find(button => button.innerText.trim() === %s);
		if (!button) return [];
		button.scrollIntoView({block: "center", inline: "nearest"});
		const r = button.getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2];
	})()`, tableOf(table), quoted(heading)))
	if len(at) != 2 {
		p.t.Fatalf("the table %q has no heading %q", table, heading)
	}
	p.run(chromedp.MouseClickXY(at[0], at[1]))
	p.waitIdle()
}

// sorting returns how a column says that it is sorted.
func (p *tab) sorting(table, heading string) string {
	p.t.Helper()
	return ask[string](p,
		fmt.Sprintf(`[...%s.tHead.rows[0].cells].find(cell => cell.innerText.trim() === %s).getAttribute("aria-sort")`,
			tableOf(table), quoted(heading)))
}

func tableOf(name string) string {
	return fmt.Sprintf(
		`document.querySelector("table[aria-label=" + CSS.escape(%s).replace(/^/, "'").replace(/$/, "'") + "]")`,
		quoted(name))
}

func quoted(text string) string {
	q, _ := json.Marshal(text)
	return string(q)
}

// text returns the visible text of the first element that a selector finds.
func (p *tab) text(selector string) string {
	p.t.Helper()
	return ask[string](p, fmt.Sprintf(`document.querySelector(%s)?.innerText.trim() ?? "(there is no such element)"`,
		quoted(selector)))
}

// press presses keys in the focused element.
func (p *tab) press(keys string, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	p.run(chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...)))
	p.waitIdle()
}

// fill types a text into the named search box, and replaces its content.
func (p *tab) fill(name, text string) {
	p.t.Helper()
	p.write("searchbox", name, text)
}

// write types a text into the node with a role and a name, and replaces its content.
func (p *tab) write(role, name, text string) {
	p.t.Helper()
	node := p.find(role, name)
	call[any](p, node, `function() { this.focus(); this.select() }`)
	if text == "" {
		p.press("\b")
		return
	}
	command(p, input.InsertText, input.InsertTextParams{Text: text})
	p.waitIdle()
}

// screenshot keeps a picture of the page, if TRCX_SCREENSHOTS names a folder.
func (p *tab) screenshot(name string) {
	p.t.Helper()
	if os.Getenv("TRCX_SCREENSHOTS") == "" {
		return
	}
	p.waitIdle()
	picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatal(err)
	}
	p.keep(name+".png", picture)
}

// keep writes what a test has seen into the folder of TRCX_SCREENSHOTS, if that is set.
func (p *tab) keep(name string, content []byte) {
	p.t.Helper()
	folder := os.Getenv("TRCX_SCREENSHOTS")
	if folder == "" {
		return
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// print returns the page as PDF.
func (p *tab) print() []byte {
	p.t.Helper()
	paper, err := chromedp.Run(p.ctx, chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize(),
		chromedp.PDFPrintBackground()))
	if err != nil {
		p.t.Fatal(err)
	}
	return paper
}

// part returns the part of the bar of shares that has a text.
func (p *tab) part(text string) cdp.BackendNodeID {
	p.t.Helper()
	label := ask[string](p,
		fmt.Sprintf(
			`[...document.querySelectorAll(".share-part")].find(part => part.innerText.includes(%s)).getAttribute("aria-label")`, quoted(text)))
	return p.find("button", label)
}
