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

// tell tells a Transcript a little of everything.
func tell(t *builder.Transcript) error {
	run := builder.Method{Class: builder.Class{Name: "app/Main", Source: "Main.java"}, Name: "run",
		Signature: "()V"}
	begin := builder.Method{Class: builder.Class{Name: "app/<i>&\x01"}, Name: "<init>"}
	stack := builder.AppendFrame(builder.AppendFrame(nil, t.Method(run), 88), t.Method(begin), trace.NoLine)
	thread := trace.ThreadFrom([]byte("Thread-12"))
	return errors.Join(
		t.Element(trace.ThreadStart, 10).At(5).Number(trace.AttrThreadID, 7).Text(trace.AttrThreadName,
			"</script>\x00").Put(),
		t.Element(trace.MonWait, 20).Number(trace.AttrThreadIDRef, 7).At(1_000_000_001).Number(trace.AttrObjIDRef, 9).
			Stack(stack).Annotate("park", `"<&`).Put(),
		t.Element(trace.MonWaited, 30).Number(trace.AttrThreadIDRef, 7).At(2_000_000_000).Number(trace.AttrObjIDRef, 9).
			Flag(trace.AttrIsTimedOut, false).By(thread).Inferred().Put(),
		t.Element(trace.ThreadEnd, 40).Number(trace.AttrThreadIDRef, 7).At(3_000_000_000).By(trace.ThreadID{}).
			Stack(nil).Put(),
	)
}

// line is an element with all that it means.
func line(e *trace.Event) string {
	var stacks [][]byte
	if e.Extra != nil {
		stacks = e.Extra.Stacks
	}
	return fmt.Sprintf("%s%q by %q inferred %v session %d time %d", emit.Append(nil, e), stacks, e.By().String(),
		e.Inferred(), e.Session, e.Time)
}

// TestWritten: what a Transcript gives on is what a reader finds in the trace that is written of it, to the last
// detail.
func TestWritten(t *testing.T) {
	var told, read []string
	var out bytes.Buffer
	writer := emit.NewWriter(&out)
	if err := writer.Begin(0); err != nil {
		t.Fatal(err)
	}
	take := func(e *trace.Event) error {
		told = append(told, line(e))
		return writer.Element(e)
	}
	if err := tell(builder.New(0, nil, take)); err != nil {
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
	if !slices.Equal(told, read) {
		t.Errorf("told\n%q\nread\n%q", told, read)
	}
	if len(told) != 8 { // two classes, two methods, four events
		t.Errorf("%d elements were told", len(told))
	}
}

// TestNotTaken: an error of whoever takes ends the giving, and comes back.
func TestNotTaken(t *testing.T) {
	full, taken := errors.New("full"), 0
	err := tell(builder.New(0, nil, func(*trace.Event) error {
		taken++
		return full
	}))
	if !errors.Is(err, full) || taken != 1 {
		t.Errorf("%d elements were given, and the error is %v", taken, err)
	}
}
