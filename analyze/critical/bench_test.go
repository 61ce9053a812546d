package critical_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/trace"
)

// recordsOf returns the model of a simulated run.
func recordsOf(b *testing.B) *trace.Batch {
	records := &trace.Batch{}
	enricher := enrich.New(trace.SinkFunc(func(r trace.Record) error {
		records.Add(r)
		return nil
	}), enrich.Options{})
	enricher.Begin(0) // the batch returns no errors
	ending, err := trcxml.Read(context.Background(), bytes.NewReader(enrichtest.Simulate(2, 20_000).XML),
		trcxml.Options{}, enricher.Put)
	if err != nil {
		b.Fatal(err)
	}
	enricher.End(ending)
	enricher.Finish()
	return records
}

func replayed(records *trace.Batch) *critical.Recorder {
	r := critical.NewRecorder()
	trace.Copy(r, records.All()) // the recorder returns no errors
	return r
}

// BenchmarkRecorder measures keeping a run.
func BenchmarkRecorder(b *testing.B) {
	records := recordsOf(b)
	b.ReportAllocs()
	for b.Loop() {
		replayed(records)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(records.Len()), "ns/record")
}

// BenchmarkPath measures walking back through it.
func BenchmarkPath(b *testing.B) {
	r := replayed(recordsOf(b))
	b.ReportAllocs()
	for b.Loop() {
		r.Path(r.Last())
	}
}

// BenchmarkWhatIf measures replaying it.
func BenchmarkWhatIf(b *testing.B) {
	r := replayed(recordsOf(b))
	every, err := critical.ParseMonitors("*")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		r.WhatIf(r.Last(), []critical.Monitors{every})
	}
}
