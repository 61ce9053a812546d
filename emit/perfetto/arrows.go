package perfetto

import (
	"encoding/binary"

	"github.com/trcx/trcx/internal/extsort"
	"github.com/trcx/trcx/trace"
)

// An arrow leads from the event of a thread to the Running event of another one that it brought about. Who brought that
// about may become known late, and may change. So all that is said of a Running event is sorted by its number; what is
// bound in the end is sorted by the number of the cause, to meet what that is; and then arrows are drawn.

// The first byte of what is known of a Running event says what that is.
const (
	placeRecord byte = iota // where it is drawn
	causeRecord             // what its cause is; the last one counts
)

// end is one end of an arrow.
type end struct {
	event   uint64 // 0 if there is none
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

// run keeps where a Running event is drawn, and its cause if that is known.
func (s *Sink) run(e *trace.ModelEvent, at trace.Time, session uint64) {
	running := end{uint64(e.ID), at, e.Thread.Key, session}
	s.record = running.append(append(s.record[:0], placeRecord))
	s.keep(&s.runs, e.ID, s.runs.Records())
	if e.Cause.ID != 0 {
		s.cause(e.ID, e.Cause)
	}
}

// cause keeps the cause of a Running event. A later one replaces an earlier one.
func (s *Sink) cause(running trace.EventID, c trace.Cause) {
	cause := end{event: uint64(c.ID), at: c.Time, track: c.Thread}
	s.record = cause.append(append(s.record[:0], causeRecord))
	s.keep(&s.runs, running, s.runs.Records())
}

// act keeps what an event is that can be a cause. It comes before the arrows from it.
func (s *Sink) act(e *trace.ModelEvent) {
	if trace.ModelTypes[e.Type].Causes != trace.CausesNone {
		s.record = append(s.record[:0], byte(e.Type))
		s.keep(&s.acts, e.ID, 0)
	}
}

// keep adds the record.
func (s *Sink) keep(to *extsort.Sorter, event trace.EventID, order uint64) {
	if s.err == nil {
		s.err = to.Add(extsort.Key{Group: uint64(event), Order: order}, s.record)
	}
}

// arrows draws the arrows. Those of which one end was cut off are left out.
func (s *Sink) arrows() {
	s.bound()
	act, typ := uint64(0), look(0)
	for k, record := range s.acts.Sorted() {
		if k.Order == 0 {
			act, typ = k.Group, look(record[0])
			continue
		}
		if act == k.Group {
			r := details(record)
			s.arrow(typ, r.end(), r.end())
		}
	}
	if s.err == nil {
		s.err = s.acts.Err()
	}
}

// bound adds what was bound in the end to the acts.
func (s *Sink) bound() {
	var running, cause end
	for k, record := range s.runs.Sorted() {
		if k.Group != running.event {
			s.bind(cause, running)
			running, cause = end{event: k.Group}, end{}
		}
		r := details(record[1:])
		if record[0] == causeRecord {
			cause = r.end()
		} else {
			running = r.end()
		}
	}
	s.bind(cause, running)
	if s.err == nil {
		s.err = s.runs.Err()
	}
}

// bind adds an arrow, if both its ends are known.
func (s *Sink) bind(cause, running end) {
	if cause.event == 0 || running.track == 0 {
		return
	}
	s.record = running.append(cause.append(s.record[:0]))
	s.keep(&s.acts, trace.EventID(cause.event), running.event)
}

// arrow draws both ends of an arrow. It never leads back in time: where the cause is dated later, as happens among the
// records of two threads, it leads straight down.
func (s *Sink) arrow(l look, cause, running end) {
	m := mark{kind: tail, look: l, session: running.session, track: cause.track, at: min(cause.at, running.at),
		event: cause.event, arrow: running.event}
	s.put(&m)
	m.kind, m.track, m.at, m.event = head, running.track, running.at, running.event
	s.put(&m)
}
