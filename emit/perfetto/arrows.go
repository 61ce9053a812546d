package perfetto

import (
	"encoding/binary"

	"github.com/trcx/trcx/internal/extsort"
	"github.com/trcx/trcx/trace"
)

// An arrow leads from an event of one thread to the Running event of another one that it caused. The cause may become
// known late, and may change. So the records of Running events are sorted by event, then the final bindings by cause,
// together with the causes, and then arrows are drawn.

// The first byte of a Running event's record is its kind.
const (
	placeRecord byte = iota // track and time of the event
	causeRecord             // its cause; the last one counts
)

// end is one end of an arrow.
type end struct {
	event   uint64 // 0 for none
	at      trace.Time
	track   trace.ThreadKey
	session uint64
}

func (e *end) append(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, e.event)
	dst = binary.AppendVarint(dst, int64(e.at))
	dst = binary.AppendUvarint(dst, uint64(e.track))
	return binary.AppendUvarint(dst, e.session)
}

func (d *details) end() (e end) {
	e.event = d.number()
	at, size := binary.Varint(*d)
	*d, e.at = (*d)[size:], trace.Time(at)
	e.track = trace.ThreadKey(d.number())
	e.session = d.number()
	return e
}

// run records the place of a Running event, and its cause if known.
func (w *Writer) run(e *trace.ModelEvent, at trace.Time, session uint64) {
	running := end{uint64(e.ID), at, e.Thread.Key, session}
	w.record = running.append(append(w.record[:0], placeRecord))
	w.keep(&w.runs, e.ID, w.runs.Records())
	if e.Cause.ID != 0 {
		w.cause(e.ID, e.Cause)
	}
}

// cause records the cause of a Running event. A later one replaces an earlier one.
func (w *Writer) cause(running trace.EventID, c trace.Cause) {
	cause := end{event: uint64(c.ID), at: c.Time, track: c.Thread}
	w.record = cause.append(append(w.record[:0], causeRecord))
	w.keep(&w.runs, running, w.runs.Records())
}

// act records an event that can be a cause. It is sorted before the arrows that lead from it.
func (w *Writer) act(e *trace.ModelEvent) {
	if e.Type.Causes() != trace.CausesNone {
		w.record = append(w.record[:0], byte(e.Type))
		w.keep(&w.acts, e.ID, 0)
	}
}

// keep adds a record.
func (w *Writer) keep(to *extsort.Sorter, event trace.EventID, order uint64) {
	if w.err == nil {
		w.err = to.Add(extsort.Key{Group: uint64(event), Order: order}, w.record)
	}
}

// arrows draws the arrows whose two ends are known. The trace may lack one of them.
func (w *Writer) arrows() {
	w.bound()
	act, typ := uint64(0), style(0)
	for k, record := range w.acts.Sorted() {
		if k.Order == 0 {
			act, typ = k.Group, style(record[0])
			continue
		}
		if act == k.Group {
			r := details(record)
			w.arrow(typ, r.end(), r.end())
		}
	}
	if w.err == nil {
		w.err = w.acts.Err()
	}
}

// bound adds the final bindings to the acts.
func (w *Writer) bound() {
	var running, cause end
	for k, record := range w.runs.Sorted() {
		if k.Group != running.event {
			w.bind(cause, running)
			running, cause = end{event: k.Group}, end{}
		}
		r := details(record[1:])
		if record[0] == causeRecord {
			cause = r.end()
		} else {
			running = r.end()
		}
	}
	w.bind(cause, running)
	if w.err == nil {
		w.err = w.runs.Err()
	}
}

// bind adds an arrow, if both its ends are known.
func (w *Writer) bind(cause, running end) {
	if cause.event == 0 || running.track == 0 {
		return
	}
	w.record = running.append(cause.append(w.record[:0]))
	w.keep(&w.acts, trace.EventID(cause.event), running.event)
}

// arrow draws both ends of an arrow. It never leads back in time: if the cause is dated later, which can happen between
// two threads, the arrow is vertical.
func (w *Writer) arrow(l style, cause, running end) {
	m := mark{kind: tail, style: l, session: running.session, track: cause.track, at: min(cause.at, running.at),
		event: cause.event, arrow: running.event}
	w.put(&m)
	m.kind, m.track, m.at, m.event = head, running.track, running.at, running.event
	w.put(&m)
}
