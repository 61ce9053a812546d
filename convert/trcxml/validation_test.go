package trcxml

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/bench/synthetic"
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/trace"
)

// judged lists the findings in a text and the places of the events.
func judged(t *testing.T, text string, cut cutting, validation Validation) (findings, places []string) {
	t.Helper()
	_, err := Read(context.Background(), strings.NewReader(text), Options{
		Report: func(f trace.Finding) {
			findings = append(findings, fmt.Sprintf("%s @%d %s", f, f.Place.Offset, f.Element))
		},
		Validation: validation, cut: cut,
	}, func(e *trace.Event) error {
		if len(places) < 5000 {
			place, tag := e.Source.Locate(e)
			places = append(places, fmt.Sprint(place, string(tag)))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(findings) // late decisions come in another order
	return findings, places
}

// TestChunksOfEverySize validates a small trace in chunks of each size up to its own. Findings, places and tags must be
// the same as of one goroutine.
func TestChunksOfEverySize(t *testing.T) {
	text := string(enrichtest.Simulate(1, 12).XML)
	text = strings.Replace(text, "<monWait ", "<!-- >\n<monWait x='>'/> -->\n<monWait note='a > b' ", 1)
	validation := Validation{Grammar: dtd.Trace(), Any: true}
	want, wantPlaces := judged(t, text, alone, validation)
	for size := 1; size <= len(text); size++ {
		got, gotPlaces := judged(t, text, cutting{goroutines: 2 + size%3, solo: int64(size % 700), chunk: size}, validation)
		if !slices.Equal(got, want) || !slices.Equal(gotPlaces, wantPlaces) {
			t.Fatalf("chunks of %d bytes: one goroutine finds\n%s\n%s\nseveral find\n%s\n%s", size, strings.Join(want, "\n"),
				strings.Join(wantPlaces, "\n"), strings.Join(got, "\n"), strings.Join(gotPlaces, "\n"))
		}
	}
}

// TestJudgedInChunks damages a trace in many places and compares the findings of one goroutine and of several, with
// chunks that end everywhere.
func TestJudgedInChunks(t *testing.T) {
	var clean bytes.Buffer
	if err := synthetic.Generate(&clean, 200<<10, 5, synthetic.Style{}); err != nil {
		t.Fatal(err)
	}
	sequence, err := dtd.Parse(strings.NewReader(strings.Replace(dtd.TraceText(), "((node|", "(node,(node|", 1)),
		dtd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	damages := [][2]string{
		{`isTimedOut="0"`, `isTimedOut="no"`}, {`timeout="`, `patience="`}, {`<gcStart `, `<gcBegin `},
		{`<callNotify `, `text<callNotify `},
		{`<objFree `, `<!-- - --><objFree `}, {`"/>`, `">`}, {`"/>`, `"></x>`}, {`<objAlloc `, `<TRACE/><objAlloc `},
		{`time="`, `time='`},
		{`<methodExit `, `<threadEnd threadIdRef="1" time="2.0"><methodExit `},
		{`"/>`, `"><annotation name="a"/></monWait>`}, {`objIdRef="`, `objIdRef="&unknown;`},
	}
	total := 0
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 3))
		text := clean.String()
		for range 1 + random.IntN(16) {
			damage := damages[random.IntN(len(damages))]
			from := 1000 + random.IntN(len(text)-1000)
			text = text[:from] + strings.Replace(text[from:], damage[0], damage[1], 1)
		}
		for name, validation := range map[string]Validation{
			"the DTD of traces":   {Grammar: dtd.Trace(), Any: true},
			"form only":           {Grammar: dtd.Trace(), Any: true, NamesOnly: true},
			"another DTD":         {Grammar: sequence, Any: true},
			"no DTD":              {Any: true},
			"only what is needed": {},
		} {
			want, wantPlaces := judged(t, text, alone, validation)
			total += len(want)
			got, gotPlaces := judged(t, text, cutting{goroutines: 3, solo: 0, chunk: 512}, validation)
			if !slices.Equal(got, want) || !slices.Equal(gotPlaces, wantPlaces) {
				t.Errorf("seed %d, %s: one goroutine finds\n%s\nseveral find\n%s", seed, name, strings.Join(want, "\n"),
					strings.Join(got, "\n"))
			}
		}
	}
	if total < 200 {
		t.Errorf("only %d findings in all: that tests little", total)
	}
}
