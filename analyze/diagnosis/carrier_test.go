package diagnosis_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/diagnosis"
)

// TestKeptCarriers: virtual threads that are ready to run are a fault only if others keep the carriers.
func TestKeptCarriers(t *testing.T) {
	const code = `<classDef name="shop/App" sourceName="App.java" classId="20" time="1"/><methodDef name="load" methodId="70" classIdRef="20"/>`
	carriers := func(count int) (text string) {
		for i := range count {
			text += fmt.Sprintf(`<threadStart threadId="%d" time="1" threadName="ForkJoinPool-1-worker-%d"/>`, 10+i, i+1)
		}
		return text
	}
	virtual := func(id, carrier int, sleeps bool) string {
		text := fmt.Sprintf(`<threadStart threadId="%d" time="1" threadName="req-%[1]d"><annotation name="virtual" value="1"/>`, id)
		if carrier > 0 {
			text += fmt.Sprintf(`<annotation name="carrier" value="%d"/>`, carrier)
		}
		if text += "</threadStart>"; sleeps {
			text += fmt.Sprintf(`<monWait threadIdRef="%d" time="1" objIdRef="-1"><annotation name="stack" value="70:6"/></monWait>`, id)
		}
		return text
	}
	const kept = "req-31 (thread 31) keeps one, SLEEPING at shop.App.load(App.java:6)"
	three := virtual(41, 0, false) + virtual(42, 0, false) + virtual(43, 0, false)
	for name, c := range map[string]struct {
		document, want string
		healthy        bool
	}{
		"the only one": {carriers(1) + virtual(31, 10, true) + three,
			"3 virtual threads are ready to run, and the only carrier is not free: " + kept + ".", false},
		"another runs": {carriers(2) + virtual(30, 11, false) + virtual(31, 10, true) + three,
			"none of the 2 carriers is free: " + kept + " and req-30 (thread 30) has one, RUNNABLE.", false},
		"a moment":       {carriers(2) + virtual(30, 11, false) + virtual(31, 10, true) + virtual(41, 0, false), kept, true},
		"a free carrier": {carriers(2) + virtual(31, 10, true) + three, "", true},
		"all run":        {carriers(1) + virtual(31, 10, false) + three, "", true},
		"all sleep":      {carriers(1) + virtual(31, 10, true) + virtual(41, 0, true), "", true},
	} {
		d := diagnosis.Of(factsOf(t, "<TRACE>"+code+c.document+"</TRACE>"))
		said := ""
		for _, f := range d.Findings {
			if f.Kind == diagnosis.Pinned {
				said += f.Summary
			}
		}
		if (c.want == "") != (said == "") || !strings.Contains(said, c.want) || d.Healthy() != c.healthy {
			t.Errorf("%s: healthy %v: %s", name, d.Healthy(), said)
		}
	}
}
