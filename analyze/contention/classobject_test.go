package contention_test

import (
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/emit/answers"
)

// TestPlacesNameTheClass: the table of places names the class on whose object threads were BLOCKED, and java.lang.Class
// if there were several.
func TestPlacesNameTheClass(t *testing.T) {
	const head = `<TRACE><classDef name="java/lang/Class" classId="1" time="1"/>` +
		`<objAlloc objId="92" classIdRef="1" time="1"/><objAlloc objId="93" classIdRef="1" time="1"/>` +
		`<classDef name="shop/Config" classId="2" objIdRef="92" time="1"/>` +
		`<classDef name="shop/Prices" classId="3" objIdRef="93" time="1"/>` +
		`<methodDef name="load" methodId="5" classIdRef="2"/>` +
		`<threadStart threadId="1" time="1" threadName="main"/><threadStart threadId="2" time="1" threadName="other"/>`
	block := func(object string) string {
		return `<monContendedEnter threadIdRef="2" time="2" objIdRef="` + object + `" threadOwner="1">` +
			`<annotation name="stack" value="5:7"/></monContendedEnter>` +
			`<monContendedEntered threadIdRef="2" time="3" objIdRef="` + object + `"/>`
	}
	for events, want := range map[string]string{
		block("92"):                             "shop.Config.load(line 7)  class shop.Config  ",
		block("92") + block("92"):               "shop.Config.load(line 7)  class shop.Config  ",
		block("92") + block("93") + block("92"): "shop.Config.load(line 7)  java.lang.Class  ",
	} {
		var text strings.Builder
		merged := contention.NewMerged(contention.DefaultRows)
		merged.Add(collect(t, []byte(head+events+"</TRACE>"), contention.DefaultRows))
		if err := answers.WriteText(&text, merged.Statistics().Answer(contention.Views()[0], contention.Order{}),
			answers.Options{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}
