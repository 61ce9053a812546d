package enrich_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/emit/model"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// enriched reads a document and gives its model to the sink.
func enriched(t *testing.T, document []byte, sink trace.Sink) {
	t.Helper()
	run(t, document, enrich.New(sink, enrich.Options{}))
}

// run reads a document into a sink, such as an Enricher.
func run(t *testing.T, document []byte, enricher convert.Sink) {
	t.Helper()
	if err := enricher.Begin(0); err != nil {
		t.Fatal(err)
	}
	ending, err := trcxml.Read(context.Background(), bytes.NewReader(document), trcxml.Options{}, enricher.Put)
	if err != nil {
		t.Fatal(err)
	}
	if err := enricher.End(ending); err != nil {
		t.Fatal(err)
	}
	if err := enricher.Finish(); err != nil {
		t.Fatal(err)
	}
}

// grouped is the model of a document as trcx has it, by way of its JSON.
func grouped(t *testing.T, document []byte) *enrichtest.Doc {
	t.Helper()
	var out bytes.Buffer
	enriched(t, document, model.NewWriter(&out, model.Options{TempDir: t.TempDir()}))
	var doc enrichtest.Doc
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		t.Fatalf("%v in %s", err, out.Bytes())
	}
	return &doc
}

// agree checks that the model of a document is the oracle's, in both of its forms.
func agree(t *testing.T, name string, document []byte) (ok bool) {
	t.Helper()
	want, err := enrichtest.Model(document)
	if err != nil {
		t.Fatalf("%s: the oracle says %v", name, err)
	}
	want.Objects = lastOfEachID(want.Objects)
	got := grouped(t, document)
	got.Objects = lastOfEachID(got.Objects)
	if diff := enrichtest.Diff(got, want); diff != "" {
		t.Errorf("%s: the model is not the oracle's:\n%s", name, diff)
		return false
	}
	var lines bytes.Buffer
	enriched(t, document, model.NewWriter(&lines, model.Options{Format: model.JSONLines}))
	if diff := compareCauses(t, lines.Bytes(), want); diff != "" {
		t.Errorf("%s: the lines are not the oracle's model: %s", name, diff)
		return false
	}
	return true
}

// lastOfEachID sorts objects by their ids. Where an id was used again trcx lists each class that it had, and the oracle
// the last.
func lastOfEachID(objects []enrichtest.Object) []enrichtest.Object {
	byID := map[string]enrichtest.Object{}
	for _, o := range objects {
		byID[o.ObjectID] = o
	}
	return slices.SortedFunc(maps.Values(byID), func(a, b enrichtest.Object) int {
		return strings.Compare(a.ObjectID, b.ObjectID)
	})
}

// compareCauses follows the causes that the lines name, and the bindings that change them.
func compareCauses(t *testing.T, lines []byte, want *enrichtest.Doc) string {
	causes := map[int]int{}
	last := ""
	for line := range bytes.Lines(lines) {
		var l struct {
			Kind                              string
			ID, Cause, Running, Replaces, Key int
			RunningEvent, Thread, Events      int
		}
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		switch {
		case last == "end":
			return "there is a line after the end"
		case last == "" && l.Kind != "trace":
			return "the first line is not of kind trace"
		case l.Kind == "event" && l.Cause != 0:
			causes[l.ID] = l.Cause
		case l.Kind == "event" && l.RunningEvent != 0 && causes[l.RunningEvent] != l.ID:
			return fmt.Sprintf("event %d names its runningEvent %d, whose cause is %d", l.ID, l.RunningEvent,
				causes[l.RunningEvent])
		case l.Kind == "binding" && causes[l.Running] != l.Replaces:
			return fmt.Sprintf("a binding of %d replaces %d, but it was bound to %d", l.Running, l.Replaces,
				causes[l.Running])
		case l.Kind == "binding":
			causes[l.Running] = l.Cause
		}
		last = l.Kind
	}
	if got, want := fmt.Sprint(causes), fmt.Sprint(want.Causes); got != want {
		return fmt.Sprintf("causes %s, want %s", got, want)
	}
	return ""
}

func TestSimulatedTraces(t *testing.T) {
	failed := 0
	for seed := range testtool.Times(uint64(300)) {
		for name, simulate := range map[string]func(uint64, int) enrichtest.Trace{"a JVM": enrichtest.Simulate,
			"chaos": enrichtest.Chaos, "interrupts": enrichtest.Interrupts, "a run": enrichtest.AnyRun} {
			simulated := simulate(seed, 60+int(seed%5)*60)
			if !agree(t, fmt.Sprintf("%s, seed %d", name, seed), simulated.XML) {
				failed++
			}
		}
		if failed > 3 {
			t.Fatal("… and so on")
		}
	}
}

func TestRecordedTraces(t *testing.T) {
	for _, folder := range []string{"../testdata/recorded", "enrichtest/testdata"} {
		paths, _ := filepath.Glob(filepath.Join(folder, "*.trcxml"))
		if len(paths) == 0 {
			t.Errorf("no trace in %s", folder)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			agree(t, path, text)
		}
	}
}
