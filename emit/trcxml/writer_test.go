package trcxml

import (
	"bytes"
	"testing"

	"github.com/trcx/trcx/trace"
)

// element makes an event of the kind with the values.
func element(kind trace.Kind, values map[trace.Attr]string) *trace.Event {
	var e trace.EventBuilder
	e.Reset(kind)
	for attribute, value := range values {
		e.SetText(attribute, value)
	}
	if text := e.Value(trace.AttrTime); text != nil {
		e.Time, e.Reading = trace.ParseTime(text)
	}
	return &e.Event
}

func write(t *testing.T, elements ...*trace.Event) string {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out, Options{})
	for _, e := range elements {
		if err := w.Put(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(trace.Ending{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestPreamble(t *testing.T) {
	gc := element(trace.GCStart, map[trace.Attr]string{trace.AttrTime: "5"})
	for _, c := range []struct {
		name     string
		elements []*trace.Event
		want     string
	}{
		{"none", []*trace.Event{gc},
			`<node nodeId="unknown-node" hostname="unknown" ipaddress="0.0.0.0" timezone="0" time="5.000000000"/>
<processCreate processId="unknown-process" pid="-1" nodeIdRef="unknown-node" time="5.000000000"/>
<agentCreate agentId="unknown-agent" version="2.000" processIdRef="unknown-process" agentName="unknown" agentType="Profiler" agentParameters="" time="5.000000000"/>
<traceStart traceId="unknown-trace" agentIdRef="unknown-agent" time="5.000000000"/>
<gcStart time="5"/>
`},
		{"in the wrong order", []*trace.Event{
			element(trace.Option, map[trace.Attr]string{trace.AttrKey: "k", trace.AttrValue: "v"}),
			element(trace.TraceStart, map[trace.Attr]string{trace.AttrTraceID: "t"}),
			element(trace.AgentCreate, map[trace.Attr]string{trace.AttrAgentID: "a", trace.AttrProcessIDRef: "p"}),
			element(trace.Node, map[trace.Attr]string{trace.AttrNodeID: "n"}), gc,
		}, `<node nodeId="n"/>
<processCreate processId="p" pid="-1" nodeIdRef="n" time="5.000000000"/>
<agentCreate agentId="a" processIdRef="p"/>
<traceStart traceId="t"/>
<option key="k" value="v"/>
<gcStart time="5"/>
`},
	} {
		want := header + "<TRACE>\n" + c.want + "</TRACE>\n"
		if got := write(t, c.elements...); got != want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, want)
		}
	}
}

func TestMadeUpElementsAreKnown(t *testing.T) {
	for _, kind := range preamble[:4] {
		values := trace.Placeholders(kind)
		if !element(kind, values).IsPlaceholder() {
			t.Errorf("%s: not known as made up", kind)
		}
		for attribute := range values {
			values[attribute] += "x"
			break
		}
		if element(kind, values).IsPlaceholder() {
			t.Errorf("%s: another value makes it real", kind)
		}
	}
}

// TestValuesAreEscaped: a thread may have any name.
func TestValuesAreEscaped(t *testing.T) {
	e := element(trace.ThreadStart, map[trace.Attr]string{trace.AttrThreadName: "<\"&'>\n\x00\xED\xA0\x80</script>"})
	want := `<threadStart threadName="&lt;&quot;&amp;'>&#10;\u0000\uD800&lt;/script>"/>` + "\n"
	if got := string(Append(nil, e)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestRootsInside: a TRACE among the elements is not written, because one encloses them, even if the input has it in
// the form that would be copied.
func TestRootsInside(t *testing.T) {
	root := &trace.EventBuilder{}
	root.ResetText(trace.Root, []byte("<TRACE/>"))
	root.SetRaw(0, 8)
	text := write(t, element(trace.GCStart, map[trace.Attr]string{trace.AttrTime: "1.000000000"}), &root.Event)
	if bytes.Count([]byte(text), []byte("<TRACE")) != 1 {
		t.Errorf("more than one TRACE in\n%s", text)
	}
}
