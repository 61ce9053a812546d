package anonymize

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
)

// elements keeps the annotations of the elements that it consumes.
type elements struct{ annotations []string }

func (*elements) Begin(int) error        { return nil }
func (*elements) End(trace.Ending) error { return nil }
func (*elements) Finish() error          { return nil }

func (s *elements) Put(e *trace.Event) error {
	if e.Kind == trace.Annotation {
		s.annotations = append(s.annotations, e.Text(trace.AttrName)+"="+e.Text(trace.AttrValue))
	}
	for name, value := range e.Extra.AllAnnotations() {
		s.annotations = append(s.annotations, name+"="+value)
	}
	return nil
}

// annotated returns the annotations of the elements after they were anonymized.
func annotated(t *testing.T, document string) []string {
	t.Helper()
	kept := &elements{}
	sink := New(kept, []byte("key"))
	if err := sink.Begin(0); err != nil {
		t.Fatal(err)
	}
	_, err := trcxml.Read(context.Background(), strings.NewReader("<TRACE>"+document+"</TRACE>"), trcxml.Options{}, sink.Put)
	if err != nil {
		t.Fatal(err)
	}
	return kept.annotations
}

// TestAnnotations proves which values of annotations stay, and that no name is left in the others.
func TestAnnotations(t *testing.T) {
	n := newNames([]byte("key"))
	wait := `<monWait threadIdRef="1" time="1.0" objIdRef="2"><annotation name=%q value=%q/></monWait>`
	among := `<annotation name=%q value=%q/>`
	for _, c := range []struct{ in, name, value, want string }{
		{wait, "cpu", "4711", "4711"},
		{wait, "timeoutNanos", "soon", n.replace("value-", "soon")},
		{wait, "io", "read", "read"},
		{wait, "io", "payroll", n.replace("value-", "payroll")},
		{wait, "lock", "0x7f", "0x7f"},
		{wait, "lock", "ledger", n.replace("id-", "ledger")},
		{wait, "stack", "5:7 8", "5:7 8"},
		{among, "state", "5 1.000000000 permits=1", "5 1.000000000 permits=1"},
		{among, "state", "5 1.000000000 peer=10.0.0.7:5432 self=1", "5 1.000000000 peer=" + n.replace("peer-", "10.0.0.7:5432") + " self=1"},
		{wait, "stack", "5:secret", "5:?"},
		{wait, "holds", "acme.Cache 5, java.util.List 0x6", n.class("acme.Cache") + " 5, java.util.List 0x6"},
		{wait, "holds", "abc.Fade dead 5", n.class("abc.Fade") + " " + n.class("dead") + " 5"}, // letters of hexadecimal numbers
		{wait, "holds", "java.lang.Class&lt;acme.Cache> 5", "java.lang.Class<" + n.class("acme.Cache") + "> 5"},
		{wait, "holds", `java.A\u0001&amp;`, "java.A\x01&"},
		{wait, "peer", "db.acme.example", ""},
		{wait, "secret", "x", ""},
		{among, "cpu", "7 1.5 900", "7 1.5 900"},
		{among, "cpu", "anna 1.5 900", n.replace("id-", "anna") + " 1.5 900"},
		{among, "cpu", "7 secret", ""},
		{among, "sample", "7 1.500000000 PARKED 1 0 5:7 8", "7 1.500000000 PARKED 1 0 5:7 8"},
		{among, "sample", "anna 1.500000000 RUNNABLE 2 10 run:7", n.replace("id-", "anna") + " 1.500000000 RUNNABLE 2 10 " +
			n.replace("id-", "run") + ":7"},
		{among, "sample", "anna 1.5 RUNNABLE 1 0 secret:x", ""},
		{among, "state", "7 1.500000000 permits=0 queued=2", "7 1.500000000 permits=0 queued=2"},
		{among, "state", "anna 1.500000000 owner=5", n.replace("id-", "anna") + " 1.500000000 owner=5"},
		{among, "state", "7 1.500000000 secret=5", ""},
		{among, "hprof-monitor-time", "1 50.00% 50.00% 3 300001 acme.Lock (Java)", "1 50.00% 50.00% 3 300001 " +
			n.class("acme.Lock") + " (Java)"},
		{among, "hprof-cpu-sample", "1 50.00% acme.Main.run", ""},
		{among, "monlog", "anything", ""},
	} {
		want := []string{c.name + "=" + c.want}
		if c.want == "" {
			want = nil
		}
		if got := annotated(t, fmt.Sprintf(strings.ReplaceAll(c.in, "%q", `"%s"`), c.name, c.value)); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("%s %q: got %q, want %q", c.name, c.value, got, want)
		}
	}
}

// TestTroubles: in the JVM's reports about troubles numbers stay, and names do not.
func TestTroubles(t *testing.T) {
	a := &anonymizer{names: newNames([]byte("key"))}
	for value, want := range map[string]string{
		"3 37 30 by Payroll at acme.Ledger.pay(line 88)": "3 37 30 by " + a.names.thread("Payroll"),
		"14 1941979 504065 for HeapDumper":               "14 1941979 504065",
		"2 5 4 at acme.Ledger.pay":                       "2 5 4",
		"acme 5":                                         "",
		"23 3570128 432548":                              "23 3570128 432548",
	} {
		if got := a.trouble(value); got != want {
			t.Errorf("%q became %q, want %q", value, got, want)
		}
	}
}
