package browser

import (
	"fmt"
	"html"
	"strings"
	"testing"
)

// hostileNames are names that do harm if they are not taken for text, or that break a layout.
var hostileNames = []string{
	`</script><img src=x onerror=alert(1)>`,
	`<!--<script>alert(1)</script>-->`,
	`"';alert(1)//`,
	strings.Repeat("long", 2500),
	strings.Repeat("W ", 5000),
	"\u202Etxet desrever",
	"שלום עולם",
	"👩‍🚀🧵🪢",
	"${alert(1)} {{7*7}} &lt;b&gt; %00",
	"__proto__",
	"constructor",
	"",
}

// hostileTrace is a trace in which threads, groups, classes, methods and files have such names, and threads block each
// other, wait and sleep.
func hostileTrace() string {
	var b strings.Builder
	b.WriteString(`<TRACE>
<node nodeId="n1" hostname="h" ipaddress="192.0.2.1" timezone="0" time="1.0"/>
<processCreate processId="p1" pid="1" nodeIdRef="n1" time="1.0"/>
<agentCreate agentId="a1" version="2.000" processIdRef="p1" agentName="a" agentType="Profiler" agentParameters="" time="1.0"/>
<traceStart traceId="t1" agentIdRef="a1" time="1.0"/>
`)
	for i, name := range hostileNames {
		name = html.EscapeString(name)
		fmt.Fprintf(&b, "<classDef name=\"%s\" sourceName=\"%s\" classId=\"%d\" time=\"1.0\"/>\n", name, name, 100+i)
		fmt.Fprintf(&b,
			"<methodDef name=\"%s\" signature=\"()V\" startLineNumber=\"1\" endLineNumber=\"9\" methodId=\"%d\" "+
				"classIdRef=\"%d\"/>\n", name, 200+i, 100+i)
		fmt.Fprintf(&b, "<objDef objId=\"%d\" isArray=\"0\" size=\"0\" classIdRef=\"%d\"/>\n", 300+i, 100+i)
		fmt.Fprintf(&b, "<threadStart threadId=\"%d\" time=\"1.0%02d\" threadName=\"%s\" groupName=\"%s\"/>\n", i+1, i,
			name, name)
	}
	for i := range hostileNames {
		owner := (i+1)%len(hostileNames) + 1
		fmt.Fprintf(&b, "<monContendedEnter threadIdRef=\"%d\" time=\"1.2%02d\" objIdRef=\"%d\" threadOwner=\"%d\"/>\n",
			i+1, i, 300+i, owner)
	}
	for i := range hostileNames {
		fmt.Fprintf(&b, "<monContendedEntered threadIdRef=\"%d\" time=\"1.4%02d\" objIdRef=\"%d\"/>\n", i+1, i, 300+i)
	}
	for i := range hostileNames {
		fmt.Fprintf(&b, "<monWait threadIdRef=\"%d\" time=\"1.6%02d\" objIdRef=\"%d\" timeout=\"50\"/>\n", i+1, i,
			300+i)
	}
	for i := range hostileNames {
		fmt.Fprintf(&b, "<monWaited threadIdRef=\"%d\" time=\"1.8%02d\" objIdRef=\"%d\"/>\n", i+1, i, 300+i)
		fmt.Fprintf(&b, "<threadEnd threadIdRef=\"%d\" time=\"1.9%02d\"/>\n", i+1, i)
	}
	b.WriteString("</TRACE>\n")
	return b.String()
}

func TestHostileNamesAreText(t *testing.T) {
	t.Parallel()
	p := open(t, report(t, written(t, hostileTrace())))
	unhurt := func(where string) {
		t.Helper()
		if made := ask[[]string](p,
			`[...document.querySelectorAll("img, iframe, object, embed, link[rel=stylesheet], b, script:not([type='application/json'])")].map(e => e.outerHTML.slice(0, 80))`); len(made) > 1 {
			t.Errorf("%s: names became elements: %q", where, made)
		}
		p.fits(where)
	}
	for _, view := range []string{contentionTab, timelineTab, statisticsTab, pathTab} {
		p.click("tab", view)
		unhurt(view)
		p.screenshot("hostile-" + view)
	}
	p.click("tab", statisticsTab)
	p.until(`document.querySelectorAll("[aria-label='`+threadTable+`'] tbody tr[data-at]").length > 0`,
		"the statistics are there")
	shown := strings.Join(ask[[]string](p, `[...`+tableOf(threadTable)+
		`.querySelectorAll("tbody tr td:first-child")].map(cell => cell.textContent)`), "\n")
	for _, name := range hostileNames {
		if !strings.Contains(shown, strings.TrimSpace(name)) {
			t.Errorf("no thread is called %.60q", name)
		}
	}
	p.click("button", chooseThreads)
	unhurt("the filter")
	p.fill("Search threads", "</script*")
	expect(t, "threads that the pattern fits", len(p.rows(filterTable)), 1)
	p.screenshot("hostile-filter")
	p.click("button", "Cancel")
}
