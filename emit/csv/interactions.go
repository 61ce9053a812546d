package csv

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/trcx/trcx/internal/extsort"
	"github.com/trcx/trcx/internal/names"
	"github.com/trcx/trcx/trace"
)

// interactions are the rows of the table of interactions. Which event made a thread run on may become known late, or
// change; what holds at the end counts. So first all that is said of each Running event is brought together, and then
// what came of each cause is put behind the cause. Both are sorted on disk when it is much.
//
// Of a selection of the trace, there may be bindings of Running events that are not in it, which make no row, and
// causes that are not in it, of which the row says less.
type interactions struct {
	rows     rows
	runnings extsort.Sorter // by Running event: first the event, then who caused it, the last word last
	causes   extsort.Sorter // by cause: first the event, then the Running events that it brought about
	start    trace.Time
	book     *names.Book
	scratch  rows // cells of a record
}

// words are what the kinds of causes are called.
var words = [trace.ModelTypeCount]string{
	trace.StartsThread: "start", trace.HandoffLock: "hand-off", trace.InterruptThread: "interrupt",
	trace.NotifyAll: "notifyAll", trace.Notify: "notify", trace.DeadAndNotifyJoined: "join",
}

func newInteractions(out io.Writer, folder string, book *names.Book) *interactions {
	return &interactions{
		rows:     newRows(out, interactionColumns),
		book:     book,
		runnings: extsort.Sorter{Folder: folder, Name: "csv", Memory: memory},
		causes:   extsort.Sorter{Folder: folder, Name: "csv", Memory: memory},
	}
}

func (i *interactions) close() error { return errors.Join(i.runnings.Close(), i.causes.Close()) }

// event keeps what the event says: that it let others run, or that its thread runs.
func (i *interactions) event(e *trace.ModelEvent, session int) error {
	switch {
	case words[e.Type] != "":
		return i.causes.Add(extsort.Key{Group: uint64(e.ID)}, i.causeRecord(e, session))
	case e.Type != trace.Running:
		return nil
	}
	err := i.runnings.Add(extsort.Key{Group: uint64(e.ID)}, i.runningRecord(e))
	if e.Cause.ID != 0 && err == nil {
		err = i.caused(e.ID, e.Cause)
	}
	return err
}

// causeRecord is the cells of a row that an event fills as a cause, those before the effect and those behind it, and
// how long the first are.
func (i *interactions) causeRecord(e *trace.ModelEvent, session int) []byte {
	r := &i.scratch
	r.begin()
	r.known(uint64(e.ID))
	r.word(words[e.Type])
	r.number(int64(e.Time - i.start))
	r.thread(e.Thread, i.book)
	middle := len(r.buf)
	r.columns = 0
	r.number(int64(session))
	r.object(e.Object, e.Class)
	r.word(yes[e.Inferred])
	r.frame(e.Caller)
	return binary.BigEndian.AppendUint32(r.buf, uint32(middle))
}

// runningRecord is the time of a Running event and the cells of its thread.
func (i *interactions) runningRecord(e *trace.ModelEvent) []byte {
	r := &i.scratch
	r.begin()
	r.buf = binary.BigEndian.AppendUint64(r.buf, uint64(e.Time-i.start))
	r.thread(e.Thread, i.book)
	return r.buf
}

func (i *interactions) bind(b *trace.Binding) error { return i.caused(b.Running, b.Cause) }

// boundSize is how long the record of a cause is that a Running event is bound to: its id, its time, and the key of its
// thread.
const boundSize = 8 + 8 + 4

// caused notes which event caused the Running event, as far as it is known now.
func (i *interactions) caused(running trace.EventID, cause trace.Cause) error {
	record := make([]byte, 0, boundSize)
	record = binary.BigEndian.AppendUint64(record, uint64(cause.ID))
	record = binary.BigEndian.AppendUint64(record, uint64(cause.Time-i.start))
	record = binary.BigEndian.AppendUint32(record, uint32(cause.Thread))
	return i.runnings.Add(extsort.Key{Group: uint64(running), Order: i.runnings.Records() + 1}, record)
}

// write writes the table.
func (i *interactions) write() error {
	err := i.settle()
	if err == nil {
		err = i.table()
	}
	return errors.Join(err, i.rows.flush())
}

// settle puts each Running event behind the event that has caused it: the record of the cause that it is bound to, and
// then its own.
func (i *interactions) settle() error {
	var running uint64       // the Running event at hand, or 0
	var effect, bound []byte // its record, and that of its cause
	settled := func() error {
		if running == 0 || len(bound) == 0 {
			return nil
		}
		return i.causes.Add(extsort.Key{Group: binary.BigEndian.Uint64(bound), ID: running}, append(bound, effect...))
	}
	for key, record := range i.runnings.Sorted() {
		switch {
		case key.Order == 0:
			if err := settled(); err != nil {
				return err
			}
			running, effect, bound = key.Group, append(effect[:0], record...), bound[:0]
		case key.Group == running:
			bound = append(bound[:0], record...)
		}
	}
	return errors.Join(i.runnings.Err(), settled())
}

// table writes a row for each Running event that is behind a cause.
func (i *interactions) table() error {
	var id uint64    // of the cause at hand
	var cause []byte // its record
	for key, record := range i.causes.Sorted() {
		if key.ID == 0 {
			id, cause = key.Group, append(cause[:0], record...)
			continue
		}
		if key.Group != id {
			id, cause = key.Group, append(cause[:0], i.strange(record)...)
		}
		if err := i.row(cause, key.ID, record); err != nil {
			return err
		}
	}
	return i.causes.Err()
}

// strange is a causeRecord of what a binding says of a cause that is not in the selection.
func (i *interactions) strange(bound []byte) []byte {
	r := &i.scratch
	r.begin()
	r.known(binary.BigEndian.Uint64(bound))
	r.nothing(1)
	r.number(int64(binary.BigEndian.Uint64(bound[8:])))
	key := trace.ThreadKey(binary.BigEndian.Uint32(bound[16:]))
	known := i.book.Of(trace.ThreadRef{Key: key})
	r.thread(trace.ThreadRef{Key: key, ID: known.ID}, i.book)
	middle := len(r.buf)
	r.columns = 0
	r.number(int64(known.Session))
	r.nothing(6)
	return binary.BigEndian.AppendUint32(r.buf, uint32(middle))
}

// row writes the row of a Running event. The record is as settle makes it.
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
