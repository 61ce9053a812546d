package methods

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/selection"
)

// TestSamples: samples on a processor and others are separate, and are not calls. Recursive methods count once in a
// sample.
func TestSamples(t *testing.T) {
	text := func(value string) string { return `<annotation name="sample" value="` + value + `"/>` }
	trace := strings.Replace(document(nil), "</TRACE>", `<threadStart threadId="1" time="1.0" threadName="t1"/>`+
		`<classDef name="java/net/SocketInputStream" classId="9"/><methodDef name="socketRead0" methodId="9" classIdRef="9"/>`+
		text("1 1.1 RUNNABLE 2 10 2:5 0:3 0:7")+ // a.B.x below a.A.x, twice
		text("1 1.2 RUNNABLE 1 20 0:3")+
		text("1 1.3 RUNNABLE 3 0 9 2:1")+ // waits in native code
		text("1 1.4 RUNNABLE 4 0 1:1 2:1")+
		text("1 1.5 SLEEPING 5 0 1")+
		text("1 1.6 RUNNABLE 7 0")+ // without frames
		text("1 1.7 NONSENSE 7 0 1")+"</TRACE>", 1)
	show := func(o Options, kind Sampling) string {
		s := collect(t, o, trace).Sessions()[0]
		tables := s.Samples(kind, nil)
		if calls := s.Tables(nil).Total.Calls; calls != 0 {
			t.Errorf("%d calls", calls)
		}
		var rows []string
		for _, r := range (&View{Sort: "name"}).sort(tables.Methods) {
			rows = append(rows, fmt.Sprint(r.Title, " ", r.Calls, "/", r.Samples, " ", r.Base, "/", r.Cumulative))
		}
		return strings.Join(rows, ", ")
	}
	if got, want := show(Options{}, OnCPU), "a.A.x 1/3 20/40, a.B.x 2/2 20/20"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := show(Options{}, Moments), "a.A.y 9/9 4/4, a.B.x 0/7 0/4, java.net.SocketInputStream.socketRead0 3/3 0/0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	window := Options{Window: selection.Window{Since: 150e6}, Filter: func(_, method string) bool { return method != "socketRead0" }}
	if got, want := show(window, OnCPU), "a.A.x 1/1 20/20"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := show(window, Moments), "a.A.y 9/9 4/4, a.B.x 3/7 0/4"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestAggregatedSamples: a recorder may sum up samples as a tree. Each node has the samples that found it innermost.
func TestAggregatedSamples(t *testing.T) {
	trace := strings.Replace(document(nil), "</TRACE>",
		`<agMethodEntry threadIdRef="1" methodIdRef="0" samples="1" baseTime="0.02"/><agMethodEntry threadIdRef="1" methodIdRef="2" samples="3" baseTime="0.06"/>`+
			`<agMethodExit threadIdRef="1" methodIdRef="2"/><agMethodExit threadIdRef="1" methodIdRef="0"/></TRACE>`, 1)
	s := collect(t, Options{}, trace).Sessions()[0]
	tables := s.Samples(OnCPU, nil)
	if got, want := fmt.Sprint(len(s.Tables(nil).Methods), tables.Total.Calls, tables.Total.Base, tables.Methods[0].Samples,
		tables.Methods[0].Cumulative), "0 4 80000000 4 80000000"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestHotRecursion: a method that calls itself counts once, though only the innermost calls have samples. So 19 samples
// are too few.
func TestHotRecursion(t *testing.T) {
	hot := func(recursive int) map[string]Hot {
		return collect(t, Options{}, strings.Replace(document(nil), "</TRACE>",
			`<threadStart threadId="1" time="1.0" threadName="t1"/>`+
				fmt.Sprintf(`<annotation name="sample" value="1 1.1 RUNNABLE %d 10 0 0 0 0"/>`, recursive)+
				`<annotation name="sample" value="1 1.2 RUNNABLE 5 10 2"/></TRACE>`, 1)).Hot()
	}
	if got, want := fmt.Sprint(hot(15)["1"]), "a.A.x (75 % of samples on a processor)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if few := hot(14); len(few) != 0 {
		t.Errorf("of 19 samples: %v", few)
	}
}
