package main

import (
	"fmt"

	"github.com/chromedp/chromedp"
)

// answer is an action of a user, and the sign that the page has answered.
type answer struct {
	name string
	act  string // a statement of JavaScript
	done string // an expression that is true when the answer is in the document
}

// slowest is the time that an answer may take, in milliseconds.
const slowest = 1000

// The tables whose headings and searches are used.
const (
	blame   = `document.querySelector("table[aria-label='Who kept threads waiting']")`
	threads = `document.querySelector("table[aria-label='Threads and how long they did not run']")`
	chain   = `document.querySelector("table[aria-label='The chain: pieces of the critical path']")`
)

var answers = []answer{
	{"open the contention", `document.querySelector("#tab-contention").click()`, rowsOf(blame)},
	{"blame by monitor", `document.querySelector("input[value=monitors]").click()`, rowsOf(blame)},
	{"sort the blame", blame + `.tHead.querySelector("button").click()`, sortedBy(blame, 0)},
	{"search the icicle", typed("Search: Icicle of blame", "run"), `document.querySelector("[data-found],[data-dim]") !== null`},
	{"zoom the icicle", `document.querySelectorAll(".icicle-node")[1].click()`,
		`document.querySelector("[data-above]") !== null`},
	{"from a row of blame to the timeline", blame + `.querySelector("tbody .show").click()`,
		`!document.querySelector(".timeline-details").hidden`},
	{"from a span to its row", `document.querySelector(".row-links button").click()`,
		threads + `?.querySelector("tr[aria-selected=true]") != null`},
	{"sort the threads", threads + `.tHead.querySelector("button").click()`, sortedBy(threads, 0)},
	{"search the threads", typed("Search: Threads and how long they did not run", "1"), rowsOf(threads)},
	{"totals of one thread", threads + `.querySelector("tbody tr[data-at]").click()`,
		`[...document.querySelectorAll("h2")].some(h => h.innerText === "Totals of 1 selected thread")`},
	{"statistics of the window", `document.querySelector(".window-choice input").click()`, rowsOf(threads)},
	{"open the critical path", `document.querySelector("#tab-path").click()`, rowsOf(chain)},
	{"find in the timeline", `(box => { box.value = "1"; box.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter"})) })(
		document.querySelector(".timeline-search"))`, `document.querySelector("#tab-timeline[aria-selected=true]") !== null`},
}

func rowsOf(table string) string { return table + `?.querySelector("tbody tr[data-at]") != null` }

func sortedBy(table string, column int) string {
	return fmt.Sprintf(`%s.tHead.rows[0].cells[%d].getAttribute("aria-sort") !== "none"`, table, column)
}

// typed types a text into a search box at once.
func typed(box, text string) string {
	return fmt.Sprintf(`(box => { box.value = %q; box.dispatchEvent(new Event("input")) })(
		document.querySelector("[aria-label='%s']"))`, text, box)
}

// await takes the action and prints how long the answer took. It counts until two frames after the sign without work.
func (p *page) await(a answer) error {
	script := fmt.Sprintf(`new Promise(done => {
		const begun = performance.now();
		%s;
		const look = () => requestAnimationFrame(() => setTimeout(() => {
			if ((%s) && !document.querySelector("[aria-busy=true]")) done(performance.now() - begun);
			else look();
		}));
		look();
	})`, a.act, a.done)
	var took float64
	events, err := p.traced(func() error {
		return p.profiled(a.name, func() (err error) {
			took, err = chromedp.Run(p.ctx, chromedp.Evaluate[float64](script, chromedp.EvalAwaitPromise))
			return err
		})
	})
	if err != nil {
		return err
	}
	cpu := 0.0
	main, _ := mainThread(events)
	for _, e := range events {
		if e.Name == task && e.Phase == "X" && [2]int{e.Process, e.Thread} == main {
			cpu += e.CPU / 1000
		}
	}
	fmt.Printf("  %-34s %6.0f  CPU %6.0f  wanted: %d: %s, CPU %s\n", a.name, took, cpu, slowest,
		verdict(took <= slowest), verdict(cpu <= slowest))
	return nil
}
