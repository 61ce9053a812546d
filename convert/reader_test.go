package convert_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"testing"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

// TestAddReader proves that plain and compressed traces are read from readers, and a damaged zip is refused.
func TestAddReader(t *testing.T) {
	text, err := os.ReadFile("../testdata/recorded/orders-jdk17.trcxml")
	if err != nil {
		t.Fatal(err)
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	w.Write(text)
	w.Close()
	inputs := convert.NewInputs(nil, 0)
	defer inputs.Close()
	for _, stored := range [][]byte{text, zipped.Bytes()} {
		if err := inputs.AddReader("bucket/orders", bytes.NewReader(stored)); err != nil {
			t.Fatal(err)
		}
	}
	if err := inputs.AddReader("bucket/damaged", bytes.NewReader([]byte("PK\x03\x04"))); err == nil {
		t.Error("a damaged zip is no error")
	}
	var formats []string
	ignored := trace.SinkFunc(func(trace.Record) error { return nil })
	err = convert.Run(context.Background(), inputs.Documents, convert.Options{
		OnOpen: func(document, format string) { formats = append(formats, document+" "+format) },
	}, enrich.New(ignored, enrich.Options{}))
	if err != nil || len(formats) != 2 || formats[1] != "bucket/orders trcxml" || inputs.Documents[1].Input != 1 {
		t.Errorf("the documents are %q: %v", formats, err)
	}
}
