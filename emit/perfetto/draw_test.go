package perfetto_test

import (
	"bytes"
	"context"
	"io"
	"slices"
	"testing"

	"github.com/trcx/trcx/convert/enrich"
	"github.com/trcx/trcx/convert/segment"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/emit/perfetto"
	"github.com/trcx/trcx/trace"
)

// maker makes a sink of one of the two formats.
type maker func(out io.Writer, folder string) *perfetto.Sink

// draw draws the documents, each a session, with the critical path.
func draw(t testing.TB, make maker, pieces []perfetto.Piece, documents ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	sink := make(&out, t.TempDir())
	read(t, &pathFirst{sink, pieces}, documents...)
	check(t, sink.Close())
	if int(sink.Written()) != out.Len() {
		t.Errorf("%d bytes are written, and %d are said to be", out.Len(), sink.Written())
	}
	return out.Bytes()
}

// pathFirst gives the critical path to the sink before the end.
type pathFirst struct {
	*perfetto.Sink
	pieces []perfetto.Piece
}

func (p *pathFirst) End(s *trace.Summary) error {
	if err := p.CriticalPath(slices.Values(p.pieces)); err != nil {
		return err
	}
	return p.Sink.End(s)
}

// read computes the model of the documents into the sink.
func read(t testing.TB, sink segment.Sink, documents ...[]byte) {
	t.Helper()
	enricher := enrich.New(segment.NewCutter(sink))
	for session, document := range documents {
		check(t, enricher.Begin(session))
		ending, err := trcxml.Read(context.Background(), bytes.NewReader(document), trcxml.Options{Session: session}, enricher.Element)
		check(t, err)
		check(t, enricher.End(ending))
	}
	check(t, enricher.Finish())
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// readError is read for sinks that fail.
func readError(sink segment.Sink, document []byte) error {
	enricher := enrich.New(segment.NewCutter(sink))
	if err := enricher.Begin(0); err != nil {
		return err
	}
	ending, err := trcxml.Read(context.Background(), bytes.NewReader(document), trcxml.Options{}, enricher.Element)
	if err != nil {
		return err
	}
	if err := enricher.End(ending); err != nil {
		return err
	}
	return enricher.Finish()
}
