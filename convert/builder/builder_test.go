package builder_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/trcxml"
	emit "github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/trace"
)

// buildAll builds elements with all kinds of values.
func buildAll(b *builder.Builder) error {
	run := builder.Method{Class: builder.Class{Name: "app/Main", Source: "Main.java"}, Name: "run",
		Signature: "()V"}
	begin := builder.Method{Class: builder.Class{Name: "app/<i>&\x01"}, Name: "<init>"}
	stack := builder.AppendFrame(builder.AppendFrame(nil, b.Method(run), 88), b.Method(begin), trace.NoLine)
	thread := trace.ThreadFrom([]byte("Thread-12"))
	return errors.Join(
		b.Element(trace.ThreadStart, 10).At(5).Number(trace.AttrThreadID, 7).Text(trace.AttrThreadName,
			"</script>\x00").Put(),
		b.Element(trace.MonWait, 20).Number(trace.AttrThreadIDRef, 7).At(1_000_000_001).Number(trace.AttrObjIDRef, 9).
			Stack(stack).Annotate("park", `"<&`).Put(),
		b.Element(trace.MonWaited, 30).Number(trace.AttrThreadIDRef, 7).At(2_000_000_000).Number(trace.AttrObjIDRef, 9).
			Flag(trace.AttrIsTimedOut, false).By(thread).Inferred().Put(),
		b.Element(trace.ThreadEnd, 40).Number(trace.AttrThreadIDRef, 7).At(3_000_000_000).By(trace.ThreadID{}).
			Stack(nil).Put(),
	)
}

// line describes an element with its decoded annotations.
func line(e *trace.Event) string {
	var stacks [][]byte
	if e.Extra != nil {
		stacks = e.Extra.Stacks
	}
	return fmt.Sprintf("%s%q by %q inferred %v session %d time %d", emit.Append(nil, e), stacks, e.By().String(),
		e.Inferred(), e.Session, e.Time)
}

// TestRoundTrip: the elements read from a written trace equal the built ones.
func TestRoundTrip(t *testing.T) {
	var built, read []string
	var out bytes.Buffer
	writer := emit.NewWriter(&out, emit.Options{})
	if err := writer.Begin(0); err != nil {
		t.Fatal(err)
	}
	put := func(e *trace.Event) error {
		built = append(built, line(e))
		return writer.Put(e)
	}
	if err := buildAll(builder.New(0, nil, put)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(writer.End(trace.Ending{}), writer.Finish()); err != nil {
		t.Fatal(err)
	}
	_, err := trcxml.Read(context.Background(), &out, trcxml.Options{Report: func(f trace.Finding) { t.Error(f) }},
		func(e *trace.Event) error {
			if e.Kind != trace.Root && !e.IsPlaceholder() {
				read = append(read, line(e))
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(built, read) {
		t.Errorf("built\n%q\nread\n%q", built, read)
	}
	if len(built) != 8 { // two classes, two methods, four events
		t.Errorf("%d elements were built", len(built))
	}
}

// TestPutError: an error of put ends the output and is returned.
func TestPutError(t *testing.T) {
	full, puts := errors.New("full"), 0
	err := buildAll(builder.New(0, nil, func(*trace.Event) error {
		puts++
		return full
	}))
	if !errors.Is(err, full) || puts != 1 {
		t.Errorf("%d elements were put, and the error is %v", puts, err)
	}
}
