package convert_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

const recorded = "../testdata/recorded/warehouse-jdk25.trcxml"

// count returns the number of values before the error, and stops after stop values.
func count[T any](values iter.Seq2[T, error], stop int) (n int, err error) {
	for _, err := range values {
		if err != nil {
			return n, err
		}
		if n++; n == stop {
			break
		}
	}
	return n, nil
}

// TestIterators: Events and Model return what Run passes to a sink, and stop with their consumer.
func TestIterators(t *testing.T) {
	text, err := os.ReadFile(recorded)
	if err != nil {
		t.Fatal(err)
	}
	var compressed bytes.Buffer
	zip := gzip.NewWriter(&compressed)
	zip.Write(text)
	zip.Close()
	ctx, events, records := context.Background(), &counts{}, 0
	inputs, err := convert.OpenInputs([]string{recorded}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer inputs.Close()
	if err := convert.Run(ctx, inputs.Documents, convert.Options{}, events); err != nil {
		t.Fatal(err)
	}
	enricher := enrich.New(trace.SinkFunc(func(trace.Record) error {
		records++
		return nil
	}), enrich.Options{})
	if err := convert.Run(ctx, inputs.Documents, convert.Options{}, enricher); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"plain": text, "gzip": compressed.Bytes()} {
		for _, stop := range []int{0, 1, 100} {
			got, err := count(convert.Events(ctx, bytes.NewReader(text), convert.Options{}), stop)
			if want := limited(events.elements, stop); got != want || err != nil {
				t.Errorf("%s: %d events, want %d; %v", name, got, want, err)
			}
			got, err = count(convert.Model(ctx, bytes.NewReader(text), convert.Options{}), stop)
			if want := limited(records, stop); got != want || err != nil {
				t.Errorf("%s: %d records, want %d; %v", name, got, want, err)
			}
		}
	}
}

func limited(n, limit int) int {
	if limit > 0 {
		return min(n, limit)
	}
	return n
}

// TestIteratorErrors: an error is the last pair.
func TestIteratorErrors(t *testing.T) {
	var unreadable *convert.InputError
	if n, err := count(convert.Events(context.Background(), strings.NewReader("no trace"), convert.Options{}),
		0); n != 0 || !errors.As(err, &unreadable) {
		t.Errorf("%d events of what is no trace, %v", n, err)
	}
	broken := io.MultiReader(strings.NewReader(`<TRACE><threadStart threadId="1" time="1"/>`), failing{})
	if n, err := count(convert.Events(context.Background(), broken, convert.Options{}), 0); !errors.Is(err, errBroken) {
		t.Errorf("%d events, then %v", n, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	text, err := os.ReadFile(recorded)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := count(convert.Model(ctx, bytes.NewReader(text), convert.Options{}), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context is cancelled: %v", err)
	}
}

// TestDamage: an input with errors ends with the first of them, after everything that could be read; with OnFinding,
// without an error.
func TestDamage(t *testing.T) {
	text, err := os.ReadFile(recorded)
	if err != nil {
		t.Fatal(err)
	}
	var compressed bytes.Buffer
	zip := gzip.NewWriter(&compressed)
	zip.Write(text)
	zip.Close()
	const good = `<threadStart threadId="1" time="1"/>`
	for name, c := range map[string]struct {
		text   string
		events int
		rules  string // of the first findings
		count  int
	}{
		"cut inside an element":   {"<TRACE>" + good + `<monWait thr`, 2, "truncated", 1},
		"cut between elements":    {"<TRACE>" + good, 2, "", 0},
		"not well-formed":         {"<TRACE>" + good + `<monWait =/>` + good + "</TRACE>", 3, "xml-syntax", 1},
		"a warning":               {"<TRACE>text" + good + "</TRACE>", 2, "", 0},
		"more than are kept":      {"<TRACE>" + strings.Repeat(good+`<monWait =/>`, 30) + "</TRACE>", 31, "xml-syntax", 30},
		"compressed and cut":      {compressed.String()[:compressed.Len()/2], -1, "truncated damaged-input", 2},
		"compressed and complete": {compressed.String(), -1, "", 0},
	} {
		n, err := count(convert.Events(t.Context(), strings.NewReader(c.text), convert.Options{}), 0)
		if n != c.events && c.events >= 0 {
			t.Errorf("%s: %d events, want %d", name, n, c.events)
		}
		var damage *convert.DamageError
		if errors.As(err, &damage) != (c.count > 0) || errors.Is(err, convert.ErrDamaged) != (c.count > 0) {
			t.Fatalf("%s: %v", name, err)
		}
		found := 0
		got, err := count(convert.Events(t.Context(), strings.NewReader(c.text), convert.Options{
			OnFinding: func(_ string, f trace.Finding) {
				if f.Severity == trace.Error {
					found++
				}
			}}), 0)
		if err != nil || got != n || found != c.count {
			t.Errorf("%s: with OnFinding %d events of %d, %d findings, %v", name, got, n, found, err)
		}
		if damage == nil {
			continue
		}
		if damage.Count != c.count || len(damage.Findings) != min(c.count, 20) || damage.Error() == "" {
			t.Errorf("%s: %d of %d findings: %v", name, len(damage.Findings), damage.Count, damage)
		}
		for i, rule := range strings.Fields(c.rules) {
			if damage.Findings[i].Rule != rule {
				t.Errorf("%s: finding %d is %v, want %s", name, i, damage.Findings[i], rule)
			}
		}
		_, err = count(convert.Model(t.Context(), strings.NewReader(c.text), convert.Options{}), 0)
		if !errors.Is(err, convert.ErrDamaged) {
			t.Errorf("%s: the model ends with %v", name, err)
		}
	}
}

var errBroken = errors.New("broken")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errBroken }

// counts is a sink that counts elements.
type counts struct{ elements int }

func (c *counts) Begin(int) error        { return nil }
func (c *counts) Put(*trace.Event) error { c.elements++; return nil }
func (c *counts) End(trace.Ending) error { return nil }
func (c *counts) Finish() error          { return nil }
