package enrich_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/trace"
)

// TestSamples: an annotation becomes a sample of a thread that lives, and one that waits in native code is IN I/O.
func TestSamples(t *testing.T) {
	const document = `<TRACE><classDef name="app/Main" sourceName="Main.java" classId="5"/><methodDef name="run" methodId="50" classIdRef="5"/>` +
		`<classDef name="sun/nio/ch/EPoll" classId="6"/><methodDef name="wait" methodId="60" classIdRef="6"/>` +
		`<annotation name="sample" value="7 0.5 RUNNABLE 1 0 50:12"/>` +
		`<threadStart threadId="7" time="1" threadName="main"/>` +
		`<annotation name="sample" value="7 1.5 RUNNABLE 1 0 50:12"/>` +
		`<annotation name="sample" value="7 2 RUNNABLE 2 10 60 50:12"/>` +
		`<annotation name="sample" value="7 2.5 SLEEPING 1 0"/>` +
		`<annotation name="sample" value="7 2.5 RUNNABLE"/><annotation name="sample" value="8 2.5 RUNNABLE 1 0"/>` +
		`<annotation name="cpu" value="7 3 500 900"/>` +
		`<threadEnd threadIdRef="7" time="3"/><annotation name="sample" value="7 3.5 RUNNABLE 1 0 50:12"/></TRACE>`
	var got []string
	if err := trace.Copy(trace.SinkFunc(func(r trace.Record) error {
		switch r := r.(type) {
		case *trace.Sample:
			text := fmt.Sprint(r.Thread.Key, " ", r.Time.String(), " ", r.State, " ", r.Count, " ", r.Period)
			if r.Stack != nil {
				text += " " + r.Stack.Caller().Method.Title()
			}
			got = append(got, text)
		case *trace.CPUTime:
			got = append(got, fmt.Sprint("used ", r.Used, " in ", r.Age))
		}
		return nil
	}), convert.Model(context.Background(), strings.NewReader(document), convert.Options{})); err != nil {
		t.Fatal(err)
	}
	if want := []string{"1 1.500000000 RUNNABLE 1 0 app.Main.run", "1 2.000000000 IN I/O 2 10 app.Main.run",
		"1 2.500000000 SLEEPING 1 0", "used 500 in 900"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
