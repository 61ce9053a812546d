// Package buildertest tests readers and writers of logs: it reads logs into sinks and into traces, validates traces and
// measures memory. It is for tests only.
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
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/dtd"
	emit "github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// Reading is the result of reading a log.
type Reading struct {
	XML         string
	Findings    []string // as line:column: severity: message [rule]
	Unsupported []string // in the order of the calls
	Ending      trace.Ending
}

// Log reads a log and passes its elements to put.
type Log func(options builder.Options, put func(*trace.Event) error) (trace.Ending, error)

// Read reads a log and writes it as a trace.
func Read(t testing.TB, log Log) Reading {
	t.Helper()
	var out bytes.Buffer
	r := Into(t, emit.NewWriter(&out, emit.Options{}), log)
	r.XML = out.String()
	return r
}

// Into reads a log into the sink.
func Into(t testing.TB, sink convert.Sink, log Log) (r Reading) {
	t.Helper()
	sinktest.Check(t, sink.Begin(0))
	var err error
	r.Ending, err = log(builder.Options{
		Report:        func(f trace.Finding) { r.Findings = append(r.Findings, f.String()) },
		OnUnsupported: func(l trace.Lack) { r.Unsupported = append(r.Unsupported, l.What) },
	}, sink.Put)
	sinktest.Check(t, errors.Join(err, sink.End(r.Ending), sink.Finish()))
	return r
}

// CheckPutError fails the test unless an error of put, at any of the first n elements, ends the reading at once and is
// returned. log opens the log each time.
func CheckPutError(t testing.TB, n int, log func() Log) {
	t.Helper()
	full := errors.New("full")
	for last := 1; last <= n; last++ {
		puts := 0
		_, err := log()(builder.Options{}, func(*trace.Event) error {
			if puts++; puts >= last {
				return full
			}
			return nil
		})
		if !errors.Is(err, full) || puts != last {
			t.Errorf("%d elements were put, not %d, and the error is %v", puts, last, err)
		}
	}
}

// Trace reads a trace without findings into the sink.
func Trace(t testing.TB, xml string, sink convert.Sink) {
	t.Helper()
	Into(t, sink, func(_ builder.Options, put func(*trace.Event) error) (trace.Ending, error) {
		return trcxml.Read(context.Background(), strings.NewReader(xml),
			trcxml.Options{Report: func(f trace.Finding) { t.Errorf("the trace has %v", f) }}, put)
	})
}

// ModelSink is a sink of the model that observes each element before its records.
type ModelSink interface {
	trace.Sink
	Observe(*trace.Event)
}

// Model returns a sink that computes the model of its elements.
func Model(sink ModelSink) convert.Sink { return looking{enrich.New(sink, enrich.Options{}), sink} }

type looking struct {
	*enrich.Enricher
	sink ModelSink
}

func (l looking) Put(e *trace.Event) error {
	l.sink.Observe(e)
	return l.Enricher.Put(e)
}

// Invalid returns the errors that validate finds in a trace.
func Invalid(t testing.TB, xml string) (errs []string) {
	t.Helper()
	findings := validate.NewFindings(validate.RuleSelection{}, 10)
	checker := validate.NewChecker(func(int) *validate.Findings { return findings })
	Into(t, checker, func(_ builder.Options, put func(*trace.Event) error) (trace.Ending, error) {
		return trcxml.Read(context.Background(), strings.NewReader(xml), trcxml.Options{
			Report: findings.AddByTable, Validation: trcxml.Validation{Grammar: dtd.Trace()}}, put)
	})
	for _, f := range findings.Result().Findings {
		if f.Severity == trace.Error {
			errs = append(errs, f.String())
		}
	}
	return errs
}

// CheckMemory fails the test if the value that hold returns takes over most bytes more for n ended threads than for
// n/3.
func CheckMemory(t *testing.T, n int, most uint64, hold func(threads int) (value any)) {
	t.Helper()
	few, many := heldMemory(hold, n/3), heldMemory(hold, n)
	if many > few+most {
		t.Errorf("%d bytes are held for %d threads, %d for %d", few, n/3, many, n)
	}
}

// heldMemory returns the bytes held by the value that hold returns.
func heldMemory(hold func(int) any, n int) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	value := hold(n)
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(value)
	return max(after.HeapAlloc, before.HeapAlloc) - before.HeapAlloc
}

// ShortThreads returns a log of n threads that start, wait and end, each with its own id and object; 100 are alive at a
// time.
func ShortThreads(n int, named bool) Log {
	return func(options builder.Options, put func(*trace.Event) error) (ending trace.Ending, err error) {
		const living = 100
		out := builder.New(options.Session, nil, put)
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
