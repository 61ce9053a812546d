package model

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"hash/fnv"
	"io"

	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/internal/extsort"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// grouped writes the model as one JSON document, each thread with its events. Records arrive in another order, and the
// effect of an event may become known long after it. So it sorts the records, on disk if they are many, and writes them
// at the end.
type grouped struct {
	out      *bufio.Writer
	sorter   extsort.Sorter
	start    trace.Time
	hasStart bool
	scratch  []byte
	stacks   stackTexts
	err      error
}

// The sections of the document, in its order.
const (
	sessionSection byte = iota
	threadSection
	objectSection
	deadlockSection
)

// The kinds of sorted records. A record's first byte is its kind.
const (
	plainRecord   byte = iota // a thread, an object, a deadlock, or an event that causes nothing
	causeOne                  // an event with a runningEvent
	causeMany                 // an event with runningEvents
	unnamedRecord             // an object of unknown class
	bindRecord                // the event caused this Running event
	releaseRecord             // the event did not cause this Running event
)

func newGrouped(out io.Writer, o Options) *grouped {
	return &grouped{out: bufio.NewWriterSize(out, flushAt), sorter: extsort.Sorter{Folder: o.TempDir, Name: "model",
		Memory: o.Memory}, stacks: newStackTexts()}
}

// Close removes the temporary files.
func (g *grouped) Close() error { return g.sorter.Close() }

// Put sorts the record. A later description of a session or thread replaces an earlier one. The Summary makes it write
// the document.
func (g *grouped) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.ModelEvent:
		g.event(r)
	case *trace.Origin:
		g.start, g.hasStart = r.Time, true
	case *trace.Session:
		g.keep(plainRecord, extsort.Key{Section: sessionSection, Group: uint64(r.Index) + 1},
			func(o *object) { o.session(r) })
	case *trace.ModelThread:
		g.keep(plainRecord, extsort.Key{Section: threadSection, Group: uint64(r.Key)}, func(o *object) { o.thread(r) })
	case *trace.ModelObject:
		g.object(r)
	case *trace.Binding:
		g.bind(r)
	case *trace.DeadlockLoop:
		g.keep(plainRecord, extsort.Key{Section: deadlockSection}, func(o *object) { o.deadlock(r, g.start) })
	case *trace.Summary:
		g.write(r)
	}
	return g.err
}

// object keeps an object. Objects are sorted by id; those with equal ids and classes become one.
func (g *grouped) object(m *trace.ModelObject) {
	kind := plainRecord
	if javaname.DeclaredClass(m.Class) == "" {
		kind = unnamedRecord
	}
	number, ok := m.ID.Number()
	if !ok {
		hash := fnv.New64a()
		io.WriteString(hash, m.ID.String()) //nolint:errcheck // a hash has no errors
		number = 1<<63 | hash.Sum64()
	}
	g.keep(kind, extsort.Key{Section: objectSection, Group: number, ID: uint64(m.Session)},
		func(o *object) { o.object(m) })
}

// keep keeps a record with the fields of a JSON object, after earlier records with the same key.
func (g *grouped) keep(kind byte, k extsort.Key, fields func(*object)) {
	o := object{buf: append(g.scratch[:0], kind, '{')}
	fields(&o)
	g.scratch = o.buf
	k.Order = g.sorter.Records()
	g.add(k)
}

// event keeps an event.
func (g *grouped) event(e *trace.ModelEvent) {
	kind := [...]byte{trace.CausesNone: plainRecord, trace.CausesOne: causeOne,
		trace.CausesMany: causeMany}[e.Type.Causes()]
	g.scratch = appendEvent(append(g.scratch[:0], kind, '{'), e, g.start, g.stacks)
	g.add(extsort.Key{Section: threadSection, Group: uint64(e.Thread.Key), ID: uint64(e.ID)})
	if e.Cause.ID != 0 {
		g.binding(bindRecord, e.Cause.Thread, e.Cause.ID, e.ID)
	}
}

// bind keeps a binding.
func (g *grouped) bind(b *trace.Binding) {
	if b.Replaces.ID != 0 {
		g.binding(releaseRecord, b.Replaces.Thread, b.Replaces.ID, b.Running)
	}
	g.binding(bindRecord, b.Cause.Thread, b.Cause.ID, b.Running)
}

func (g *grouped) binding(kind byte, thread trace.ThreadKey, cause, running trace.EventID) {
	g.scratch = binary.BigEndian.AppendUint64(append(g.scratch[:0], kind), uint64(running))
	g.add(extsort.Key{Section: threadSection, Group: uint64(thread), ID: uint64(cause), Order: g.sorter.Records() + 1})
}

func (g *grouped) add(k extsort.Key) {
	if g.err == nil {
		g.err = g.sorter.Add(k, g.scratch)
	}
}

// write writes the document.
func (g *grouped) write(s *trace.Summary) {
	if g.err == nil {
		g.head(s)
		g.err = g.body()
	}
	if g.err == nil {
		g.err = g.out.Flush()
	}
}

func (g *grouped) head(s *trace.Summary) {
	o := object{buf: append(g.scratch[:0], '{')}
	o.string("format", formatName)
	o.number("version", version)
	o.buf = append(o.buf, ",\n\"trace\":{"...)
	if g.hasStart {
		o.string("startTime", g.start.String())
	}
	o.summary(s)
	g.out.Write(o.buf) // bufio.Writer keeps the error until Flush
	g.scratch = o.buf[:0]
}

// body writes the sorted sections.
func (g *grouped) body() error {
	d := document{out: g.out}
	d.section(sessionSection)
	for k, record := range g.sorter.Sorted() {
		d.record(k, record)
	}
	d.section(deadlockSection + 1)
	return g.sorter.Err()
}

// document assembles the sorted records.
type document struct {
	out     *bufio.Writer
	current byte // the section
	open    bool // the section is begun
	filled  bool // the section has a value
	group   uint64
	inside  bool // a thread is begun
	events  bool // the thread has events
	held    []byte
	holding bool // held is a record that is not written yet
	id      uint64
	kind    byte
	running []uint64 // effects of the held event
}

// sections are the names of the sections, and the text after each.
var sections = [...]struct{ name, end string }{
	sessionSection:  {"sessions", "}"}, // ends the object trace
	threadSection:   {name: "threads"},
	objectSection:   {name: "objects"},
	deadlockSection: {name: "deadlocks"},
}

// section ends the current section, writes empty ones, and begins the next one.
func (d *document) section(next byte) {
	if d.open {
		d.endSection()
	}
	for int(d.current) < len(sections) {
		d.out.WriteString(",\n\"" + sections[d.current].name + `":[`)
		d.open, d.filled = true, false
		if d.current == next {
			return
		}
		d.endSection()
	}
	d.out.WriteString("}\n")
}

func (d *document) endSection() {
	d.endThread()
	d.out.WriteString("\n]" + sections[d.current].end)
	d.open = false
	d.current++
}

// record consumes the next record. It is held until all records of the same event have arrived.
func (d *document) record(k extsort.Key, record []byte) {
	if !d.open || k.Section != d.current {
		d.section(k.Section)
	}
	if d.repeats(k, record) {
		return
	}
	switch record[0] {
	case bindRecord:
		d.running = append(d.running, binary.BigEndian.Uint64(record[1:]))
		return
	case releaseRecord:
		d.release(binary.BigEndian.Uint64(record[1:]))
		return
	}
	if d.holding && k.ID != d.id {
		d.write()
	}
	d.held, d.holding = append(d.held[:0], record[1:]...), true
	d.group, d.id, d.kind = k.Group, k.ID, record[0]
	d.running = d.running[:0]
}

// repeats ends the held thread, object or deadlock if the record begins another one. It reports whether the record
// repeats the held object: each class of a reused id is listed once.
func (d *document) repeats(k extsort.Key, record []byte) bool {
	switch {
	case k.Section <= threadSection && k.Group == d.group:
		return false
	case k.Section == objectSection && d.holding && k.Group == d.group && k.ID == d.id:
		if record[0] == unnamedRecord || bytes.Equal(d.held, record[1:]) {
			return true
		}
		if d.kind == unnamedRecord {
			return false
		}
	}
	d.endThread()
	return false
}

// release removes the last binding to this Running event.
func (d *document) release(running uint64) {
	for i := len(d.running) - 1; i >= 0; i-- {
		if d.running[i] == running {
			d.running = append(d.running[:i], d.running[i+1:]...)
			return
		}
	}
}

// write writes the held record: the beginning of a thread, an event of it, an object, or a deadlock.
func (d *document) write() {
	d.holding = false
	event := d.inside
	if event && d.events || !event && d.filled {
		d.out.WriteByte(',')
	}
	d.out.WriteByte('\n')
	d.filled = true
	d.out.Write(d.held)
	switch {
	case event:
		d.events = true
		d.writeRunning()
	case d.current == threadSection:
		d.out.WriteString(`,"events":[`)
		d.inside, d.events = true, false
		return
	}
	d.out.WriteByte('}')
}

// writeRunning writes the effects of the held event.
func (d *document) writeRunning() {
	var text []byte
	switch {
	case d.kind == causeOne && len(d.running) > 0:
		text = digits.Append(append(text, `,"runningEvent":`...), d.running[len(d.running)-1])
	case d.kind == causeMany:
		text = append(text, `,"runningEvents":[`...)
		for i, running := range d.running {
			if i > 0 {
				text = append(text, ',')
			}
			text = digits.Append(text, running)
		}
		text = append(text, ']')
	}
	d.out.Write(text)
}

// endThread writes the held record, and ends the thread if one is begun.
func (d *document) endThread() {
	if d.holding {
		d.write()
	}
	if d.inside {
		d.out.WriteString("]}")
		d.inside = false
	}
}
