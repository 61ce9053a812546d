package csv

import (
	"errors"
	"io"

	"github.com/trcx/trcx/internal/names"
	"github.com/trcx/trcx/trace"
)

// Writer is a sink of the enriched stream that writes the tables of events and of interactions.
type Writer struct {
	events       rows
	interactions *interactions
	start        trace.Time
	book         *names.Book
}

// The columns. An empty cell says that something is unknown, or that there is no such thing.
const (
	eventColumns = "id,type,time,threadKey,threadId,threadName,session,objectId,class,otherKey,otherId,otherName,timeout,inferred," +
		"caller,file,line,otherCaller,otherFile,otherLine"
	interactionColumns = "cause,kind,causeTime,actingKey,actingId,actingName,running,runningTime,latency,affectedKey,affectedId,affectedName," +
		"session,objectId,class,inferred,caller,file,line"
)

// NewWriter returns a Writer to the two tables. It also takes a selection of the events; interactions are then those
// that let selected threads run. folder is where temporary files go; "" is the system's own place.
func NewWriter(events, interactionTable io.Writer, folder string) *Writer {
	book := &names.Book{}
	return &Writer{events: newRows(events, eventColumns), interactions: newInteractions(interactionTable, folder, book),
		book: book}
}

// Close removes the temporary files. It may be called at any time, and twice.
func (w *Writer) Close() error { return w.interactions.close() }

// Put writes the row of an event, and keeps records of interactions until the Summary, which makes it write the rest.
func (w *Writer) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.Origin:
		w.start, w.interactions.start = r.Time, r.Time
	case *trace.ModelThread:
		w.book.Thread(r)
	case *trace.ModelEvent:
		return w.event(r)
	case *trace.Binding:
		return w.interactions.bind(r)
	case *trace.Summary:
		return errors.Join(w.events.flush(), w.interactions.write())
	}
	return nil
}

// event writes the row of the event, and keeps what it says of interactions.
func (w *Writer) event(e *trace.ModelEvent) error {
	session := w.book.Of(e.Thread).Session
	r := &w.events
	r.known(uint64(e.ID))
	r.word(e.Type.String())
	r.number(int64(e.Time - w.start))
	r.thread(e.Thread, w.book)
	r.number(int64(session))
	r.object(e.Object, e.Class)
	r.thread(e.Other, w.book)
	if e.Timeout >= 0 {
		r.number(e.Timeout)
	} else {
		r.nothing(1)
	}
	r.word(yes[e.Inferred])
	r.frame(e.Caller)
	r.frame(e.OtherCaller)
	return errors.Join(r.end(), w.interactions.event(e, session))
}

// memory is how many bytes each of the two sorters keeps before they go to a file; 0 leaves it to them.
var memory = 0

// yes is how a cell says that something is so.
var yes = map[bool]string{true: "true"}
