package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/trcx/trcx/analyze/heap"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/trace"
)

// TestDump proves that a dump is whole and has the expected numbers of objects and references.
func TestDump(t *testing.T) {
	file := filepath.Join(t.TempDir(), "heap.hprof")
	if err := run([]string{"-objects", "20001", "-o", file}); err != nil {
		t.Fatal(err)
	}
	inputs, err := convert.OpenInputs([]string{file}, os.Stdin, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer inputs.Close()
	collector, findings := &heap.Collector{}, 0
	if err := convert.Run(context.Background(), inputs.Documents, convert.Options{
		OnFinding: func(_ string, f trace.Finding) { findings++; t.Log(f) }}, collector); err != nil {
		t.Fatal(err)
	}
	graph, err := collector.Graph(false)
	if err != nil {
		t.Fatal(err)
	}
	edges := 0
	for o := range graph.Size() {
		edges += len(graph.References(heap.Object(o)))
	}
	const ofClasses = classes - 1 // each except java.lang.Object has a superclass
	if findings != 0 || collector.Truncated || graph.Size() != 20001+classes || edges != references*20001+ofClasses {
		t.Errorf("%d findings, %d objects, %d references", findings, graph.Size(), edges)
	}
	for _, wrong := range [][]string{{}, {"-o", file, "more"}, {"-objects", "3", "-o", file}, {"-seed", "x"}} {
		if err := run(wrong); err == nil {
			t.Errorf("%q is accepted", wrong)
		}
	}
}
