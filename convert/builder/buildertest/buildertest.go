// Package buildertest is what the tests of readers of logs, and of the writers of these, have in common: it reads
// logs into sinks and traces out of them, says what is invalid in a trace, and how much memory is kept.
//
// It is for tests only.
package buildertest

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/enrich"
	"github.com/trcx/trcx/convert/enrich/sinktest"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/dtd"
	emit "github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// Reading is what came of a log.
type Reading struct {
	XML      string
	Findings []string // as line:column: severity: message [rule]
	Lacks    []string // what it lacks, in the order of the report
	Ending   trace.Ending
}

// Log reads a log with the options, and gives its elements to take.
type Log func(options builder.Options, take func(*trace.Event) error) (trace.Ending, error)

// Read reads a log, and writes the trace that it is.
func Read(t testing.TB, log Log) Reading {
	t.Helper()
	var out bytes.Buffer
	r := Into(t, emit.NewWriter(&out), log)
	r.XML = out.String()
	return r
}

// Into reads a log into the sink.
func Into(t testing.TB, sink convert.Sink, log Log) (r Reading) {
	t.Helper()
	sinktest.Check(t, sink.Begin(0))
	var err error
	r.Ending, err = log(builder.Options{
		Report: func(f trace.Finding) { r.Findings = append(r.Findings, f.String()) },
		Lack:   func(l trace.Lack) { r.Lacks = append(r.Lacks, l.What) },
	}, sink.Element)
	sinktest.Check(t, errors.Join(err, sink.End(r.Ending), sink.Finish()))
	return r
}

// NotTaken fails the test if an error of whoever takes elements does not end the reading at once and come back,
// whichever of the first n elements it is. log begins a log anew.
func NotTaken(t testing.TB, n int, log func() Log) {
	t.Helper()
	full := errors.New("full")
	for last := 1; last <= n; last++ {
		taken := 0
		_, err := log()(builder.Options{}, func(*trace.Event) error {
			if taken++; taken >= last {
				return full
			}
			return nil
		})
		if !errors.Is(err, full) || taken != last {
			t.Errorf("%d elements were given, not %d, and the error is %v", taken, last, err)
		}
	}
}

// Trace reads a trace into the sink. Nothing may be wrong with it.
func Trace(t testing.TB, xml string, sink convert.Sink) {
	t.Helper()
	Into(t, sink, func(_ builder.Options, take func(*trace.Event) error) (trace.Ending, error) {
		return trcxml.Read(context.Background(), strings.NewReader(xml),
			trcxml.Options{Report: func(f trace.Finding) { t.Errorf("the trace has %v", f) }}, take)
	})
}

// ModelSink is a sink of the model that sees each element before its records.
type ModelSink interface {
	trace.Sink
	Look(*trace.Event)
}

// Model is a sink of elements that gives the model of them to the sink.
func Model(sink ModelSink) convert.Sink { return looking{enrich.New(sink, enrich.Options{}), sink} }

type looking struct {
	*enrich.Enricher
	sink ModelSink
}

func (l looking) Element(e *trace.Event) error {
	l.sink.Look(e)
	return l.Enricher.Element(e)
}

// Invalid are the errors that validate finds in the trace.
func Invalid(t testing.TB, xml string) (errs []string) {
	t.Helper()
	findings := validate.NewFindings(validate.Selection{}, 10)
	checker := validate.NewChecker(func(int) *validate.Findings { return findings })
	Into(t, checker, func(_ builder.Options, take func(*trace.Event) error) (trace.Ending, error) {
		return trcxml.Read(context.Background(), strings.NewReader(xml), trcxml.Options{
			Report: findings.AddByTable, Judgement: trcxml.Judgement{Grammar: dtd.Trace()}}, take)
	})
	for _, f := range findings.Result().Findings {
		if f.Severity == trace.Error {
			errs = append(errs, f.String())
		}
	}
	return errs
}

// KeptMemory fails the test if what holds on to keeps more than so many bytes more of n threads that have ended than of
// a third of these.
func KeptMemory(t *testing.T, n int, most uint64, hold func(threads int) (on any)) {
	t.Helper()
	few, many := held(hold, n/3), held(hold, n)
	if many > few+most {
		t.Errorf("%d bytes are kept of %d threads, %d of %d", few, n/3, many, n)
	}
}

// held is how many bytes are kept by what hold gives.
func held(hold func(int) any, n int) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	on := hold(n)
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(on)
	return max(after.HeapAlloc, before.HeapAlloc) - before.HeapAlloc
}

// ShortThreads is a recording of n threads that begin, wait, and end, each of an id and an object of its own, of which
// 100 live at a time.
func ShortThreads(n int, named bool) Log {
	return func(options builder.Options, take func(*trace.Event) error) (ending trace.Ending, err error) {
		const living = 100
		out := builder.New(options.Session, nil, take)
		id := func(thread int) uint64 { return 1<<40 + uint64(thread) }
		for thread := range n + living {
			at := trace.Time(thread)
			if thread < n {
				out.Element(trace.CallStart, 0).At(at).Number(trace.AttrThreadID, 1).Number(trace.AttrObjIDRef,
					id(thread)).Put()
				start := out.Element(trace.ThreadStart, 0).At(at).Number(trace.AttrThreadID, id(thread))
				if named {
					start.Number(trace.AttrObjIDRef, id(thread))
				}
				start.Put()
				out.Element(trace.MonWait, 0).At(at).Number(trace.AttrThreadIDRef, id(thread)).
					Number(trace.AttrObjIDRef, 7).Put()
				out.Element(trace.CallNotify, 0).At(at).Number(trace.AttrThreadID, 1).Number(trace.AttrObjIDRef, 7).
					Put()
				out.Element(trace.MonWaited, 0).At(at).Number(trace.AttrThreadIDRef, id(thread)).
					Number(trace.AttrObjIDRef, 7).Put()
			}
			if thread >= living {
				err = out.Element(trace.ThreadEnd, 0).At(at).Number(trace.AttrThreadIDRef, id(thread-living)).Put()
			}
		}
		return trace.Ending{Closed: true}, err
	}
}
