package page

import (
	"strconv"

	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/internal/numbering"
	"github.com/trcx/trcx/trace/javaname"
)

// AppendWindow appends the document "window" of the page: for each lane a table of spans, mixes, instants and parts of
// the critical path, column by column, with numbers for objects, frames and stacks. web/source.ts describes it.
func AppendWindow(dst []byte, w *timeline.Window) []byte {
	a := &windowWriter{dst: dst}
	a.window(w)
	return a.dst
}

// writeWindow writes the document of AppendWindow piece by piece. Each piece ends at the end of a value.
func writeWindow(w *timeline.Window, write func(piece []byte)) {
	a := &windowWriter{write: write}
	a.window(w)
	write(a.dst)
}

func (a *windowWriter) window(w *timeline.Window) {
	a.text(`{"from":`).number(w.From).text(`,"to":`).number(w.To).text(`,"resolution":`).number(w.Resolution)
	a.text(`,"lanes":[`)
	for i := range w.Lanes {
		a.comma(i)
		a.lane(&w.Lanes[i])
		a.flush()
	}
	a.text(`],"arrows":{`)
	columns(a, w.Arrows, arrowColumns)
	a.text(`},"arrowsOmitted":`).number(int64(w.ArrowsOmitted))
	a.tables()
	a.text("}")
}

// pieceSize is the size from which a piece is written.
const pieceSize = 64 << 10

// flush writes the piece if it is large enough.
func (a *windowWriter) flush() {
	if a.write != nil && len(a.dst) >= pieceSize {
		a.write(a.dst)
		a.dst = a.dst[:0]
	}
}

// windowWriter writes a window. Its tables have the numbered values, ordered by number.
type windowWriter struct {
	dst     []byte
	write   func(piece []byte) // nil to keep all in dst
	objects numbering.Numbering[timeline.Object]
	frames  numbering.Numbering[timeline.Frame]
	stacks  numbering.Numbering[*timeline.Stack]
}

// column is a column of a table of numbers. The row before the first one is the zero value.
type column[T any] struct {
	name  string
	value func(a *windowWriter, row, before *T) int64
}

// The columns by table. A gap is the time between a row and the previous one.
var (
	spanColumns = []column[timeline.Span]{
		{"gap", func(_ *windowWriter, s, before *timeline.Span) int64 { return s.Begin - before.End }},
		{"length", func(_ *windowWriter, s, _ *timeline.Span) int64 { return s.End - s.Begin }},
		{"state", func(_ *windowWriter, s, _ *timeline.Span) int64 { return int64(s.State) }},
		{"event", func(_ *windowWriter, s, _ *timeline.Span) int64 { return int64(s.Event) }},
		{"object", func(a *windowWriter, s, _ *timeline.Span) int64 { return int64(a.objects.Of(s.Object)) }},
		{"other", func(_ *windowWriter, s, _ *timeline.Span) int64 { return int64(s.Other) }},
		{"caller", func(a *windowWriter, s, _ *timeline.Span) int64 { return int64(a.frames.Of(s.Caller)) }},
		{"otherCaller", func(a *windowWriter, s, _ *timeline.Span) int64 { return int64(a.frames.Of(s.OtherCaller)) }},
		{"stack", func(a *windowWriter, s, _ *timeline.Span) int64 { return int64(a.stacks.Of(s.Stack)) }},
		{"timeout", func(_ *windowWriter, s, _ *timeline.Span) int64 { return s.Timeout }},
		{"flags", func(_ *windowWriter, s, _ *timeline.Span) int64 { return flags(s) }},
	}
	mixColumns = []column[timeline.Mix]{
		{"gap", func(_ *windowWriter, m, before *timeline.Mix) int64 { return m.Begin - before.End }},
		{"length", func(_ *windowWriter, m, _ *timeline.Mix) int64 { return m.End - m.Begin }},
		{"count", func(_ *windowWriter, m, _ *timeline.Mix) int64 { return int64(m.Count) }},
	}
	instantColumns = []column[timeline.Instant]{
		{"gap", func(_ *windowWriter, n, before *timeline.Instant) int64 { return n.Time - before.Time }},
		{"type", func(_ *windowWriter, n, _ *timeline.Instant) int64 { return int64(n.Type) }},
		{"count", func(_ *windowWriter, n, _ *timeline.Instant) int64 { return int64(n.Count) }},
		{"event", func(_ *windowWriter, n, _ *timeline.Instant) int64 { return int64(n.Event) }},
		{"object", func(a *windowWriter, n, _ *timeline.Instant) int64 { return int64(a.objects.Of(n.Object)) }},
		{"other", func(_ *windowWriter, n, _ *timeline.Instant) int64 { return int64(n.Other) }},
		{"stack", func(a *windowWriter, n, _ *timeline.Instant) int64 { return int64(a.stacks.Of(n.Stack)) }},
	}
	pathColumns = []column[timeline.PathPart]{
		{"gap", func(_ *windowWriter, p, before *timeline.PathPart) int64 { return p.Begin - before.End }},
		{"length", func(_ *windowWriter, p, _ *timeline.PathPart) int64 { return p.End - p.Begin }},
		{"time", func(_ *windowWriter, p, _ *timeline.PathPart) int64 { return p.Time }},
		{"latency", func(_ *windowWriter, p, _ *timeline.PathPart) int64 { return bit(p.Latency, 1) }},
	}
	arrowColumns = []column[timeline.Arrow]{
		{"type", func(_ *windowWriter, r, _ *timeline.Arrow) int64 { return int64(r.Type) }},
		{"event", func(_ *windowWriter, r, _ *timeline.Arrow) int64 { return int64(r.From.Event) }},
		{"thread", func(_ *windowWriter, r, _ *timeline.Arrow) int64 { return int64(r.From.Thread) }},
		{"time", func(_ *windowWriter, r, _ *timeline.Arrow) int64 { return r.From.Time }},
		{"toEvent", func(_ *windowWriter, r, _ *timeline.Arrow) int64 { return int64(r.To.Event) }},
		{"toThread", func(_ *windowWriter, r, _ *timeline.Arrow) int64 { return int64(r.To.Thread) }},
		{"toTime", func(_ *windowWriter, r, _ *timeline.Arrow) int64 { return r.To.Time }},
		{"waited", func(_ *windowWriter, r, _ *timeline.Arrow) int64 { return r.Waited }},
	}
)

// The flags of a span.
const (
	openFlag     = 1
	timedOutFlag = 2
	inferredFlag = 4
	ioShift      = 3 // of the operation of input or output, three bits
	parkFlag     = 64
	initFlag     = 128
)

func flags(s *timeline.Span) int64 {
	return bit(s.Open, openFlag) | bit(s.TimedOut, timedOutFlag) | bit(s.Inferred, inferredFlag) |
		int64(s.IO)<<ioShift | bit(s.Park, parkFlag) | bit(s.Init, initFlag)
}

func bit(set bool, bit int64) int64 {
	if set {
		return bit
	}
	return 0
}

func (a *windowWriter) text(text string) *windowWriter {
	a.dst = append(a.dst, text...)
	return a
}

func (a *windowWriter) number(n int64) *windowWriter {
	a.dst = strconv.AppendInt(a.dst, n, 10)
	return a
}

func (a *windowWriter) comma(i int) {
	if i > 0 {
		a.dst = append(a.dst, ',')
	}
}

func (a *windowWriter) lane(l *timeline.Lane) {
	a.text(`{"thread":`).number(int64(l.Thread))
	grid(a, "spans", l.Spans, spanColumns, nil)
	grid(a, "mixes", l.Mixes, mixColumns, mixTimes)
	grid(a, "instants", l.Instants, instantColumns, nil)
	grid(a, "path", l.Path, pathColumns, nil)
	a.text("}")
}

// grid writes a table, unless it is empty. more writes further fields.
func grid[T any](a *windowWriter, name string, rows []T, all []column[T], more func(*windowWriter, []T)) {
	if len(rows) == 0 {
		return
	}
	a.text(`,"` + name + `":{`)
	columns(a, rows, all)
	if more != nil {
		more(a, rows)
	}
	a.text("}")
}

// columns writes the first column, and each other column that is not 0 throughout.
func columns[T any](a *windowWriter, rows []T, all []column[T]) {
	for i, c := range all {
		begin := len(a.dst)
		a.comma(i)
		a.text(`"` + c.name + `":[`)
		some := i == 0
		before := new(T)
		for row := range rows {
			a.comma(row)
			value := c.value(a, &rows[row], before)
			some = some || value != 0
			a.number(value)
			before = &rows[row]
		}
		if a.text("]"); !some {
			a.dst = a.dst[:begin]
		}
	}
}

// mixTimes writes the times of all mixes, one mix after the other, by state.
func mixTimes(a *windowWriter, rows []timeline.Mix) {
	a.text(`,"times":[`)
	for i := range rows {
		for state, time := range rows[i].Times {
			a.comma(i + state)
			a.number(time)
		}
	}
	a.text("]")
}

// tables writes the numbered values. Stacks come before frames, since they add some.
func (a *windowWriter) tables() {
	a.text(`,"stacks":[`)
	for i, stack := range a.stacks.Values {
		a.comma(i)
		a.text(`{"frames":[`)
		for j, frame := range stack.Frames {
			a.comma(j)
			a.number(int64(a.frames.Of(frame)))
		}
		a.text(`],"omitted":`).number(int64(stack.Omitted)).text("}")
	}
	a.text(`],"frames":[`)
	for i, f := range a.frames.Values {
		a.comma(i)
		a.dst = appendFrame(a.dst, f)
		a.flush()
	}
	a.text(`],"objects":[`)
	for i, o := range a.objects.Values {
		a.comma(i)
		a.dst = appendObject(a.dst, o)
		a.flush()
	}
	a.text("]")
}

func appendFrame(dst []byte, f timeline.Frame) []byte {
	dst = append(dst, '[')
	for _, text := range [...]string{f.Class, f.Method, f.File} {
		dst = append(jsontext.Append(dst, text), ',')
	}
	dst = strconv.AppendInt(dst, int64(f.Line), 10)
	if f.Inner != "" || f.Outer != "" {
		dst = jsontext.Append(append(dst, ','), f.Inner)
	}
	if f.Outer != "" {
		dst = jsontext.Append(append(dst, ','), f.Outer)
	}
	return append(dst, ']')
}

func appendObject(dst []byte, o timeline.Object) []byte {
	dst = append(jsontext.Append(append(dst, '['), o.ID), ',')
	dst = append(jsontext.Append(dst, o.Class), ',')
	dst = strconv.AppendInt(dst, int64(o.Session), 10)
	if o.Lock != "" {
		dst = jsontext.Append(append(dst, ','), o.Lock)
		dst = jsontext.Append(append(dst, ','), javaname.SimpleClass(o.LockClass))
	}
	return append(dst, ']')
}
