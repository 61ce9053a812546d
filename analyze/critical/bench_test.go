package critical_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/convert/enrich"
	"github.com/trcx/trcx/convert/enrich/enrichtest"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
)

// tape keeps what a sink is told, to be told again.
type tape struct {
	trace.Ignore
	told []func(*critical.Recorder)
}

func (t *tape) Thread(m *trace.ModelThread) error {
	kept := *m
	t.told = append(t.told, func(r *critical.Recorder) { r.Thread(&kept) })
	return nil
}

func (t *tape) Object(m *trace.ModelObject) error {
	kept := *m
	t.told = append(t.told, func(r *critical.Recorder) { r.Object(&kept) })
	return nil
}

func (t *tape) Acted(who trace.ThreadRef, at trace.Time) error {
	t.told = append(t.told, func(r *critical.Recorder) { r.Acted(who, at) })
	return nil
}

func (t *tape) Event(m *trace.ModelEvent) error {
	kept := *m
	t.told = append(t.told, func(r *critical.Recorder) { r.Event(&kept) })
	return nil
}

func (t *tape) Bind(m *trace.Binding) error {
	kept := *m
	t.told = append(t.told, func(r *critical.Recorder) { r.Bind(&kept) })
	return nil
}

// taped is the enriched stream of a simulated run.
func taped(b *testing.B) *tape {
	t := &tape{}
	enricher := enrich.New(t)
	enricher.Begin(0) // the tape has no errors
	ending, err := trcxml.Read(context.Background(), bytes.NewReader(enrichtest.Simulate(2, 20_000).XML),
		trcxml.Options{}, enricher.Element)
	if err != nil {
		b.Fatal(err)
	}
	enricher.End(ending)
	enricher.Finish()
	return t
}

func (t *tape) play() *critical.Recorder {
	r := critical.NewRecorder()
	for _, tell := range t.told {
		tell(r)
	}
	return r
}

// BenchmarkRecorder is keeping a run.
func BenchmarkRecorder(b *testing.B) {
	t := taped(b)
	b.ReportAllocs()
	for b.Loop() {
		t.play()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(t.told)), "ns/call")
}

// BenchmarkPath is walking back through it.
func BenchmarkPath(b *testing.B) {
	r := taped(b).play()
	b.ReportAllocs()
	for b.Loop() {
		r.Path(r.Last())
	}
}

// BenchmarkWhatIf is replaying it.
func BenchmarkWhatIf(b *testing.B) {
	r := taped(b).play()
	every, err := critical.ParseMonitors("*")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		r.WhatIf(r.Last(), []critical.Monitors{every})
	}
}
