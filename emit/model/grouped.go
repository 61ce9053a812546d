package model

import (
	"bufio"
	"encoding/binary"
	"io"
	"strconv"

	"github.com/trcx/trcx/trace"
)

// Grouped writes the model as one JSON document, each thread with its events. The stream comes in another order,
// and what an event caused may become known long after it; so what comes is sorted on disk when there is much of it, and
// written at the end.
type Grouped struct {
	out      *bufio.Writer
	sorter   sorter
	start    trace.Time
	hasStart bool
	sessions []trace.Session
	scratch  []byte
	err      error
}

// The sections of the document that are sorted.
const (
	threadSection byte = iota
	objectSection
	deadlockSection
)

// The kinds of records; a record's first byte tells its kind.
const (
	plainRecord   byte = iota // a thread, an object, a deadlock, or an event that causes nothing
	causeOne                  // an event with a runningEvent
	causeMany                 // an event with runningEvents
	bindRecord                // the event caused this Running event
	releaseRecord             // it did not
)

// NewGrouped returns a sink that writes to out. folder is where temporary files go; "" is the system's own place.
func NewGrouped(out io.Writer, folder string) *Grouped {
	return &Grouped{out: bufio.NewWriterSize(out, flushAt), sorter: sorter{folder: folder}}
}

// Close removes the temporary files. It may be called at any time, and twice.
func (g *Grouped) Close() error { return g.sorter.close() }

// Start notes the time from which the times count.
func (g *Grouped) Start(at trace.Time) error {
	g.start, g.hasStart = at, true
	return g.err
}

// Session keeps what is known of a session.
func (g *Grouped) Session(s *trace.Session) error {
	for len(g.sessions) <= s.Index {
		g.sessions = append(g.sessions, trace.Session{Index: len(g.sessions)})
	}
	g.sessions[s.Index] = *s
	return g.err
}

// Thread keeps a thread; a later description replaces an earlier one.
func (g *Grouped) Thread(t *trace.ModelThread) error {
	return g.keep(threadSection, uint64(t.Key), 0, func(o *object) { o.thread(t) })
}

// Object keeps an object; likewise.
func (g *Grouped) Object(m *trace.ModelObject) error {
	return g.keep(objectSection, m.Key, 0, func(o *object) { o.object(m) })
}

// Deadlock keeps a deadlock.
func (g *Grouped) Deadlock(d *trace.DeadlockLoop) error {
	return g.keep(deadlockSection, g.sorter.records, 0, func(o *object) { o.deadlock(d, g.start) })
}

// keep keeps a record with the fields of a JSON object.
func (g *Grouped) keep(section byte, group, id uint64, fields func(*object)) error {
	o := object{buf: append(g.scratch[:0], plainRecord, '{')}
	fields(&o)
	g.scratch = o.buf
	return g.add(key{section: section, group: group, id: id, order: g.sorter.records})
}

// Event keeps an event.
func (g *Grouped) Event(e *trace.ModelEvent) error {
	kind := [...]byte{trace.CausesNone: plainRecord, trace.CausesOne: causeOne, trace.CausesMany: causeMany}[trace.ModelTypes[e.Type].Causes]
	g.scratch = appendEvent(append(g.scratch[:0], kind, '{'), e, g.start)
	g.add(key{section: threadSection, group: uint64(e.Thread.Key), id: uint64(e.ID)})
	if e.Cause != 0 {
		g.binding(bindRecord, e.CauseThread, e.Cause, e.ID)
	}
	return g.err
}

// Bind keeps what became known of a cause.
func (g *Grouped) Bind(b *trace.Binding) error {
	if b.Replaces != 0 {
		g.binding(releaseRecord, b.ReplaceThread, b.Replaces, b.Running)
	}
	return g.binding(bindRecord, b.CauseThread, b.Cause, b.Running)
}

func (g *Grouped) binding(kind byte, thread trace.ThreadKey, cause, running trace.EventID) error {
	g.scratch = binary.BigEndian.AppendUint64(append(g.scratch[:0], kind), uint64(running))
	return g.add(key{section: threadSection, group: uint64(thread), id: uint64(cause), order: g.sorter.records + 1})
}

func (g *Grouped) add(k key) error {
	if g.err == nil {
		g.err = g.sorter.add(k, g.scratch)
	}
	return g.err
}

// End writes the document.
func (g *Grouped) End(s *trace.Summary) error {
	if g.err == nil {
		g.head(s)
		g.err = g.body()
	}
	if g.err == nil {
		g.err = g.out.Flush()
	}
	return g.err
}

func (g *Grouped) head(s *trace.Summary) {
	o := object{buf: append(g.scratch[:0], '{')}
	o.string("format", Format)
	o.number("version", Version)
	o.buf = append(o.buf, ",\n\"trace\":{"...)
	if g.hasStart {
		o.string("startTime", g.start.String())
	}
	o.summary(s)
	o.name("sessions")
	o.buf = append(o.buf, '[')
	for i := range g.sessions {
		o.comma(i)
		o.buf = append(o.buf, '{')
		o.session(&g.sessions[i])
		o.buf = append(o.buf, '}')
	}
	o.buf = append(o.buf, "]}"...)
	g.out.Write(o.buf) // the error stays in the bufio.Writer until Flush
	g.scratch = o.buf[:0]
}

// body writes the sorted sections.
func (g *Grouped) body() error {
	d := document{out: g.out}
	d.section(threadSection)
	for k, record := range g.sorter.sorted() {
		d.record(k, record)
	}
	d.section(deadlockSection + 1)
	return g.sorter.err
}

// document puts sorted records together.
type document struct {
	out     *bufio.Writer
	current byte // the section
	open    bool // a section is
	filled  bool // the section has something in it
	group   uint64
	thread  bool // the events of a thread are being written
	events  bool // it has some
	pending []byte
	id      uint64
	kind    byte
	running []uint64
}

var sectionNames = [...]string{threadSection: "threads", objectSection: "objects", deadlockSection: "deadlocks"}

// section ends the section at hand and all up to the next one.
func (d *document) section(next byte) {
	for {
		if d.open {
			d.endGroup()
			d.out.WriteString("\n]")
			d.open = false
			d.current++
		}
		if d.current > next || int(d.current) == len(sectionNames) {
			break
		}
		d.out.WriteString(",\n\"" + sectionNames[d.current] + `":[`)
		d.open, d.filled, d.group = true, false, 0
		if d.current == next {
			return
		}
	}
	d.out.WriteString("}\n")
}

func (d *document) record(k key, record []byte) {
	if k.section != d.current {
		d.section(k.section)
	}
	if k.group != d.group || d.pending == nil {
		d.endGroup()
		d.group = k.group
		if d.filled {
			d.out.WriteByte(',')
		}
		d.out.WriteByte('\n')
		d.filled = true
	}
	switch {
	case record[0] == bindRecord:
		d.running = append(d.running, binary.BigEndian.Uint64(record[1:]))
	case record[0] == releaseRecord:
		d.release(binary.BigEndian.Uint64(record[1:]))
	default:
		if k.id != 0 {
			d.endRecord()
		}
		d.pending, d.id, d.kind = append(d.pending[:0], record[1:]...), k.id, record[0]
		d.running = d.running[:0]
	}
}

// release takes back what was bound last, as far as it is this Running event.
func (d *document) release(running uint64) {
	for i := len(d.running) - 1; i >= 0; i-- {
		if d.running[i] == running {
			d.running = append(d.running[:i], d.running[i+1:]...)
			return
		}
	}
}

// endRecord writes the pending record: the beginning of a thread, or an event with what it caused.
func (d *document) endRecord() {
	switch {
	case d.pending == nil:
		return
	case d.id == 0:
		d.out.Write(d.pending)
		if d.current == threadSection {
			d.out.WriteString(`,"events":[`)
			d.thread, d.events = true, false
			return
		}
	default:
		if d.events {
			d.out.WriteByte(',')
		}
		d.events = true
		d.out.WriteByte('\n')
		d.out.Write(d.appendRunning(d.pending))
	}
	d.out.WriteByte('}')
}

// appendRunning appends what the event caused.
func (d *document) appendRunning(event []byte) []byte {
	switch {
	case d.kind == causeOne && len(d.running) > 0:
		event = strconv.AppendUint(append(event, `,"runningEvent":`...), d.running[len(d.running)-1], 10)
	case d.kind == causeMany:
		event = append(event, `,"runningEvents":[`...)
		for i, running := range d.running {
			if i > 0 {
				event = append(event, ',')
			}
			event = strconv.AppendUint(event, running, 10)
		}
		event = append(event, ']')
	}
	d.pending = event
	return event
}

// endGroup ends a thread, an object or a deadlock.
func (d *document) endGroup() {
	d.endRecord()
	if d.thread {
		d.out.WriteString("]}")
	}
	d.pending, d.thread, d.running = nil, false, d.running[:0]
}
