package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// countWork starts to count what a page does for a gesture: the most calls of a canvas in one task (how many tasks draw
// depends on when answers come), the elements made, and the different requests.
const countWork = `(() => {
	const work = self.work = {Drawn: 0, Made: 0, Asked: 0}, asked = self.asked = new Set();
	let drawn = 0;
	const channel = new MessageChannel(), counts = (owner, name, count) => {
		const had = owner[name];
		owner[name] = function(...parameters) { count(parameters); return had.apply(this, parameters) };
	};
	channel.port1.onmessage = () => { work.Drawn = Math.max(work.Drawn, drawn); drawn = 0 };
	for (const name of Object.getOwnPropertyNames(CanvasRenderingContext2D.prototype)) {
		const property = Object.getOwnPropertyDescriptor(CanvasRenderingContext2D.prototype, name);
		if (typeof property.value === "function") counts(CanvasRenderingContext2D.prototype, name,
			() => { if (drawn++ === 0) channel.port2.postMessage(null) });
	}
	counts(document, "createElement", () => work.Made++);
	counts(document, "createElementNS", () => work.Made++);
	counts(self, "fetch", ([address]) => { asked.add(String(address)); work.Asked = asked.size });
	return true;
})()`

// work is what a page did for gestures.
type work struct{ Drawn, Made, Asked int }

// workOf returns the page's work for the gestures. After each it waits until nothing moves and nothing is pending.
func (p *tab) workOf(gestures ...func()) work {
	p.t.Helper()
	awaitAll := func() {
		p.waitIdle()
		p.until(`document.querySelector("[aria-busy=true]") === null`, "nothing is awaited")
		p.waitIdle()
	}
	awaitAll()
	ask[bool](p, `(self.asked.clear(), Object.assign(self.work, {Drawn: 0, Made: 0, Asked: 0}), true)`)
	for _, gesture := range gestures {
		gesture()
		awaitAll()
	}
	return ask[work](p, `self.work`)
}

// gestures returns the work for gestures in the timeline and in a table.
func (p *tab) gestures() map[string]work {
	p.t.Helper()
	p.click("tab", timelineTab)
	p.until(`document.querySelector(".timeline:not([aria-busy]) .timeline-label") !== null`, "the lanes are there")
	ask[bool](p, countWork)
	ask[bool](p, `(document.querySelector("`+lanes+`").focus({preventScroll: true}), true)`)
	var keys []func()
	for _, key := range []string{"+", "+", "+", kb.ArrowRight, kb.ArrowRight, kb.ArrowDown, kb.Enter} {
		keys = append(keys, func() { p.press(key) })
	}
	timeline := p.workOf(append(keys, func() {
		p.until(`!document.querySelector(".timeline-details").hidden`, "a span is selected")
	})...)
	p.click("tab", statisticsTab)
	p.until(tableOf(threadTable)+`?.querySelector("tbody tr[data-at]") != null`, "the statistics are there")
	return map[string]work{
		"zoom, pan and click": timeline,
		"sort":                p.workOf(func() { p.heading(threadTable, "Thread") }),
		"search":              p.workOf(func() { p.fill("Search: "+threadTable, "1") }),
	}
}

// TestWorkOfGesturesDoesNotGrowWithTheTrace: the work for a gesture depends on the size of the window, also in a trace
// with four times as many events.
func TestWorkOfGesturesDoesNotGrowWithTheTrace(t *testing.T) {
	t.Parallel()
	small, large := written(t, relayOfManyTrace(50)), written(t, relayOfManyTrace(200))
	for name, addresses := range map[string][2]string{
		"report": {report(t, small), report(t, large)},
		"serve":  {serve(t, small), serve(t, large)},
	} {
		few, many := open(t, addresses[0]).gestures(), open(t, addresses[1]).gestures()
		for gesture, want := range few {
			got := many[gesture]
			t.Logf("%s: %s: %+v, of the small trace %+v", name, gesture, got, want)
			if got.Drawn > 2*want.Drawn+500 || got.Made > 2*want.Made+100 || got.Asked > want.Asked+want.Asked/2+10 {
				t.Errorf("%s: %s: %+v, and of the small trace %+v", name, gesture, got, want)
			}
		}
	}
}

// relayOfManyTrace is a trace of 150 threads that hand a lock on, each the given number of times.
func relayOfManyTrace(turns int) string {
	const threads = 150
	var b strings.Builder
	b.WriteString("<TRACE><traceStart time=\"1.000000000\"/>\n")
	for thread := 1; thread <= threads; thread++ {
		fmt.Fprintf(&b, "<threadStart threadId=\"%d\" threadName=\"worker-%d\" groupName=\"main\" time=\"1.000000000\"/>\n",
			thread, thread)
	}
	for turn := range turns * threads {
		waiter, owner := turn%threads+1, (turn+1)%threads+1
		for i, element := range []string{"monContendedEnter", "monContendedEntered"} {
			fmt.Fprintf(&b, "<%s threadIdRef=\"%d\" time=\"%.9f\" objIdRef=\"%d\" threadOwner=\"%d\"/>\n", element, waiter,
				1.001+float64(2*turn+i)*1e-5, 7+turn%5, owner)
		}
	}
	b.WriteString("</TRACE>\n")
	return b.String()
}
