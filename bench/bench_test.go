package bench

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/bench/synthetic"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/emit/model"
	emit "github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/xmlscan"
	"github.com/trcx/trcx/trace"
)

// The steps of the data flow, each including the steps before it; the cost of a step is the difference. Run them with
//
//	go test -bench . -cpu 1,2 ./bench

func generated(b *testing.B, style synthetic.Style) []byte {
	b.Helper()
	var text bytes.Buffer
	if err := synthetic.Generate(&text, 16<<20, 1, style); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	return text.Bytes()
}

var styles = map[string]synthetic.Style{"plain": {}, "hostile": {Hostile: true}, "one-line": {OneLine: true}}

func BenchmarkTokenize(b *testing.B) {
	for name, style := range styles {
		b.Run(name, func(b *testing.B) {
			text := generated(b, style)
			for b.Loop() {
				s := xmlscan.New(bytes.NewReader(text), xmlscan.Options{SkipBlank: true})
				for token := xmlscan.StartTag; token != xmlscan.End; {
					var err error
					if token, err = s.Next(); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	for name, style := range styles {
		b.Run(name, func(b *testing.B) {
			text := generated(b, style)
			for b.Loop() {
				read(b, text, func(*trace.Event) error { return nil })
			}
		})
	}
}

func read(b *testing.B, text []byte, put func(*trace.Event) error) {
	if _, err := trcxml.Read(context.Background(), bytes.NewReader(text), trcxml.Options{}, put); err != nil {
		b.Fatal(err)
	}
}

// into reads the text as one recording into the sink.
func into(b *testing.B, text []byte, out convert.Sink) {
	if err := out.Begin(0); err != nil {
		b.Fatal(err)
	}
	read(b, text, out.Put)
	if err := out.End(trace.Ending{}); err != nil {
		b.Fatal(err)
	}
	if err := out.Finish(); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkConvert(b *testing.B) {
	for name, sink := range map[string]func() convert.Sink{
		"trcxml": func() convert.Sink { return emit.NewWriter(io.Discard, emit.Options{}) },
		"jsonl": func() convert.Sink {
			return enrich.New(model.NewWriter(io.Discard, model.Options{Format: model.JSONLines}), enrich.Options{})
		},
		"json": func() convert.Sink {
			return enrich.New(model.NewWriter(io.Discard, model.Options{TempDir: b.TempDir()}), enrich.Options{})
		},
	} {
		b.Run(name, func(b *testing.B) {
			text := generated(b, synthetic.Style{})
			for b.Loop() {
				into(b, text, sink())
			}
		})
	}
}

func BenchmarkAnalyze(b *testing.B) {
	for name, sink := range map[string]func() trace.Sink{
		"stats": func() trace.Sink { return contention.NewCollector("generated", contention.DefaultRows) },
		"path":  func() trace.Sink { return critical.NewRecorder() },
	} {
		b.Run(name, func(b *testing.B) {
			text := generated(b, synthetic.Style{})
			for b.Loop() {
				into(b, text, enrich.New(sink(), enrich.Options{Calls: enrich.CallersOnly}))
			}
		})
	}
}
