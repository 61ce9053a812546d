package csv

import (
	"encoding/binary"
	"errors"

	"github.com/trcx/trcx/internal/extsort"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// interactions writes the table of interactions. The cause of a Running event may become known late, or change; the
// last one counts. So a first sort brings together the records of each Running event, and a second one the effects of
// each cause after the cause. Both use the disk above a limit of memory.
//
// A selection of the trace may lack a Running event that a binding names: the binding makes no row. It may also lack
// the cause: the row then has fewer cells.
type interactions struct {
	rows     rows
	runnings extsort.Sorter // by Running event: the event, then its causes, the last one last
	causes   extsort.Sorter // by cause: the event, then the Running events that it caused
	start    trace.Time
	names    *threads.Names
	scratch  rows // cells of a record
}

// kinds has the names of kinds of causes.
var kinds = [trace.ModelTypeCount]string{
	trace.StartsThread: "start", trace.HandoffLock: "hand-off", trace.InterruptThread: "interrupt",
	trace.NotifyAll: "notifyAll", trace.Notify: "notify", trace.DeadAndNotifyJoined: "join",
}

func newInteractions(o Options, names *threads.Names) *interactions {
	return &interactions{
		rows:     newRows(o.Interactions, interactionColumns),
		names:    names,
		runnings: extsort.Sorter{Folder: o.TempDir, Name: "csv", Memory: o.Memory},
		causes:   extsort.Sorter{Folder: o.TempDir, Name: "csv", Memory: o.Memory},
	}
}

func (i *interactions) close() error { return errors.Join(i.runnings.Close(), i.causes.Close()) }

// event keeps a cause or a Running event of the thread.
func (i *interactions) event(e *trace.ModelEvent, t threads.Thread) error {
	switch {
	case kinds[e.Type] != "":
		return i.causes.Add(extsort.Key{Group: uint64(e.ID)}, i.causeRecord(e, t))
	case e.Type != trace.Running:
		return nil
	}
	err := i.runnings.Add(extsort.Key{Group: uint64(e.ID)}, i.runningRecord(e, t.Name))
	if e.Cause.ID != 0 && err == nil {
		err = i.caused(e.ID, e.Cause)
	}
	return err
}

// causeRecord returns the cells of an event as a cause: the cells before the effect, the cells after it, and the length
// of the first part. It is valid until the next call.
func (i *interactions) causeRecord(e *trace.ModelEvent, t threads.Thread) []byte {
	r := &i.scratch
	r.begin()
	r.known(uint64(e.ID))
	r.word(kinds[e.Type])
	r.number(int64(e.Time - i.start))
	r.thread(e.Thread, t.Name)
	middle := len(r.buf)
	r.columns = 0
	r.number(int64(t.Session))
	r.object(e.Object, e.Class)
	r.word(yes[e.Inferred])
	r.frame(e.Caller)
	return binary.BigEndian.AppendUint32(r.buf, uint32(middle))
}

// runningRecord returns the time of a Running event and the cells of its thread. It is valid until the next call.
func (i *interactions) runningRecord(e *trace.ModelEvent, name string) []byte {
	r := &i.scratch
	r.begin()
	r.buf = binary.BigEndian.AppendUint64(r.buf, uint64(e.Time-i.start))
	r.thread(e.Thread, name)
	return r.buf
}

func (i *interactions) bind(b *trace.Binding) error { return i.caused(b.Running, b.Cause) }

// boundSize is the size of the record of a Running event's cause: its id, its time, and the key of its thread.
const boundSize = 8 + 8 + 4

// caused records the cause of a Running event, as known now.
func (i *interactions) caused(running trace.EventID, cause trace.Cause) error {
	record := make([]byte, 0, boundSize)
	record = binary.BigEndian.AppendUint64(record, uint64(cause.ID))
	record = binary.BigEndian.AppendUint64(record, uint64(cause.Time-i.start))
	record = binary.BigEndian.AppendUint32(record, uint32(cause.Thread))
	return i.runnings.Add(extsort.Key{Group: uint64(running), Order: i.runnings.Records() + 1}, record)
}

// write writes the table.
func (i *interactions) write() error {
	err := i.joinCauses()
	if err == nil {
		err = i.table()
	}
	return errors.Join(err, i.rows.flush())
}

// joinCauses sorts each Running event after its cause. Its record follows the record of the bound cause.
func (i *interactions) joinCauses() error {
	var running uint64       // the current Running event, or 0
	var effect, bound []byte // its record, and its cause's
	flush := func() error {
		if running == 0 || len(bound) == 0 {
			return nil
		}
		return i.causes.Add(extsort.Key{Group: binary.BigEndian.Uint64(bound), ID: running}, append(bound, effect...))
	}
	for key, record := range i.runnings.Sorted() {
		switch {
		case key.Order == 0:
			if err := flush(); err != nil {
				return err
			}
			running, effect, bound = key.Group, append(effect[:0], record...), bound[:0]
		case key.Group == running:
			bound = append(bound[:0], record...)
		}
	}
	return errors.Join(i.runnings.Err(), flush())
}

// table writes a row for each Running event that has a cause.
func (i *interactions) table() error {
	var id uint64    // of the current cause
	var cause []byte // its record
	for key, record := range i.causes.Sorted() {
		if key.ID == 0 {
			id, cause = key.Group, append(cause[:0], record...)
			continue
		}
		if key.Group != id {
			id, cause = key.Group, append(cause[:0], i.unselected(record)...)
		}
		if err := i.row(cause, key.ID, record); err != nil {
			return err
		}
	}
	return i.causes.Err()
}

// unselected returns a causeRecord for a cause that is not in the selection, from its binding.
func (i *interactions) unselected(bound []byte) []byte {
	r := &i.scratch
	r.begin()
	r.known(binary.BigEndian.Uint64(bound))
	r.nothing(1)
	r.number(int64(binary.BigEndian.Uint64(bound[8:])))
	key := trace.ThreadKey(binary.BigEndian.Uint32(bound[16:]))
	known := i.names.Get(key)
	r.thread(trace.ThreadRef{Key: key, ID: known.ID}, known.Name)
	middle := len(r.buf)
	r.columns = 0
	r.number(int64(known.Session))
	r.nothing(6)
	return binary.BigEndian.AppendUint32(r.buf, uint32(middle))
}

// row writes the row of a Running event from a record of joinCauses.
func (i *interactions) row(cause []byte, running uint64, record []byte) error {
	since, effect := binary.BigEndian.Uint64(record[8:]), record[boundSize:]
	middle, end := binary.BigEndian.Uint32(cause[len(cause)-4:]), len(cause)-4
	at := binary.BigEndian.Uint64(effect)
	r := &i.rows
	r.cells(cause[:middle])
	r.known(running)
	r.number(int64(at))
	r.number(int64(at - since))
	r.cells(effect[8:])
	r.cells(cause[middle:end])
	return r.end()
}
