package perfetto_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/emit/perfetto"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/trace"
)

// draw draws the documents, each a session, with the critical path.
func draw(t testing.TB, format perfetto.Format, pieces []*critical.Piece, documents ...[]byte) []byte {
	t.Helper()
	return drawIn(t, perfetto.Options{Format: format}, pieces, documents...)
}

// drawIn draws like draw, with further options.
func drawIn(t testing.TB, options perfetto.Options, pieces []*critical.Piece, documents ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	options.TempDir = t.TempDir()
	sink := perfetto.NewWriter(&out, options)
	sinktest.Read(t, &pathFirst{sink, pieces}, documents...)
	check(t, sink.Close())
	if int(sink.Written()) != out.Len() {
		t.Errorf("%d bytes are written, and %d are said to be", out.Len(), sink.Written())
	}
	return out.Bytes()
}

// pathFirst passes the critical path to the sink before the end.
type pathFirst struct {
	*perfetto.Writer
	pieces []*critical.Piece
}

func (p *pathFirst) Put(r trace.Record) error {
	if _, last := r.(*trace.Summary); last {
		if err := p.CriticalPath(slices.Values(p.pieces)); err != nil {
			return err
		}
	}
	return p.Writer.Put(r)
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
