package perfetto_test

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/trcx/trcx/bench/synthetic"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/emit/perfetto"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

// BenchmarkDraw draws a trace of 16 MB. The variant nothing only reads it.
func BenchmarkDraw(b *testing.B) {
	var document bytes.Buffer
	check(b, synthetic.Generate(&document, 16<<20, 1, synthetic.Style{}))
	for name, options := range map[string]*perfetto.Options{"json": {Format: perfetto.JSON},
		"protobuf": {Format: perfetto.Protobuf}, "nothing": nil} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(document.Len()))
			for b.Loop() {
				var sink trace.Sink = trace.Tee()
				if options != nil {
					drawing := perfetto.NewWriter(io.Discard,
						perfetto.Options{Format: options.Format, TempDir: b.TempDir()})
					defer drawing.Close()
					sink = drawing
				}
				enricher := enrich.New(sink, enrich.Options{})
				check(b, enricher.Begin(0))
				ending, err := trcxml.Read(context.Background(), bytes.NewReader(document.Bytes()), trcxml.Options{},
					enricher.Put)
				check(b, err)
				check(b, enricher.End(ending))
				check(b, enricher.Finish())
			}
		})
	}
}
