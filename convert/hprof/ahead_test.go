package hprof_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/hprof"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/trace"
)

// TestClassesThatFollow proves that logs of the old agent, with classes after their instances, are opened exactly once
// more.
func TestClassesThatFollow(t *testing.T) {
	for name, classes := range map[string]func(h *dump) *dump{
		"both": func(h *dump) *dump { return h.class(3, 2, nil, []field{{"next", 2, 0}}).class(2, 0, nil, nil) },
		"damaged before": func(h *dump) *dump {
			return h.class(2, 0, nil, nil).class(3, 2, nil, []field{{"next", 2, 0}}).u1(0x77)
		},
	} {
		d := newDump("1.0.1", 4)
		d.name("next")
		d.loadClass(1, 2, "java.lang.Object").loadClass(2, 3, "Item")
		h := d.part().array(9, 10, 3, 12).instance(10, 3, d.part().id(11)).instance(11, 3, d.part().id(0))
		d.record(0x0C, 0, classes(h))
		text, opened, closed := d.Bytes(), 0, 0
		var elements strings.Builder
		options := builder.Options{Report: func(f trace.Finding) {
			if strings.Contains(f.Message, "instance") {
				t.Errorf("%s: %s", name, f.Message)
			}
		}, Again: func() (io.ReadCloser, func(bool), error) {
			opened++
			return closing{bytes.NewReader(text), &closed}, nil, nil
		}}
		_, err := hprof.Read(context.Background(), bytes.NewReader(text), options, func(e *trace.Event) error {
			elements.Write(trcxml.Append(nil, e))
			return nil
		})
		if err != nil || opened != 1 || closed != 1 {
			t.Errorf("%s: error %v; opened %d times and closed %d times, want once", name, err, opened, closed)
		}
		for _, want := range []string{`<objAlloc objId="10" classIdRef="2" size="16"`,
			`<objReference objIdRef="10" targetObjIdRef="11"`} {
			if strings.Count(elements.String(), want) != 1 {
				t.Errorf("%s: %s is not once in\n%s", name, want, elements.String())
			}
		}
	}
}

// closing counts its closings.
type closing struct {
	io.Reader
	closed *int
}

func (c closing) Close() error { *c.closed++; return nil }
