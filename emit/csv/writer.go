package csv

import (
	"errors"
	"io"

	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// Writer is a trace.Sink that writes the tables of events and of interactions.
type Writer struct {
	events       rows
	interactions *interactions
	start        trace.Time
	names        *threads.Names
}

// The columns. An empty cell is an unknown or absent value.
const (
	eventColumns = "id,type,time,threadKey,threadId,threadName,session,objectId,class,otherKey,otherId,otherName," +
		"timeout,inferred,caller,file,line,otherCaller,otherFile,otherLine,park,io"
	interactionColumns = "cause,kind,causeTime,actingKey,actingId,actingName,running,runningTime,latency," +
		"affectedKey,affectedId,affectedName,session,objectId,class,inferred,caller,file,line"
)

// Options select the destinations of the second table and of temporary files.
type Options struct {
	// Interactions is the output of the table of interactions; nil for none.
	Interactions io.Writer
	// TempDir is the directory of temporary files; "" is os.TempDir().
	TempDir string
	// Memory is the limit in bytes of each of the two sorters; records above it go to a file. 0 is 4 MiB.
	Memory int
}

// NewWriter returns a Writer of the table of events to w. For a selection of events, it has the interactions that let
// selected threads run.
func NewWriter(w io.Writer, o Options) *Writer {
	if o.Interactions == nil {
		o.Interactions = io.Discard
	}
	names := &threads.Names{}
	return &Writer{events: newRows(w, eventColumns), interactions: newInteractions(o, names), names: names}
}

// Close removes the temporary files. It may be called at any time, and twice.
func (w *Writer) Close() error { return w.interactions.close() }

// Put writes the row of an event, and sorts interactions. The Summary makes it write them.
func (w *Writer) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.Origin:
		w.start, w.interactions.start = r.Time, r.Time
	case *trace.ModelThread:
		if r.Unnamed {
			unnamed := *r
			unnamed.Name, r = "", &unnamed
		}
		w.names.Put(r)
	case *trace.ModelEvent:
		return w.event(r)
	case *trace.Binding:
		return w.interactions.bind(r)
	case *trace.Summary:
		return errors.Join(w.events.flush(), w.interactions.write())
	}
	return nil
}

// event writes the row of the event, and keeps its part in interactions.
func (w *Writer) event(e *trace.ModelEvent) error {
	thread := w.names.Get(e.Thread.Key)
	r := &w.events
	r.known(uint64(e.ID))
	r.word(e.Type.String())
	r.number(int64(e.Time - w.start))
	r.thread(e.Thread, thread.Name)
	r.number(int64(thread.Session))
	r.object(e.Object, e.Class)
	r.thread(e.Other, w.names.Get(e.Other.Key).Name)
	if e.Timeout >= 0 {
		r.number(e.Timeout)
	} else {
		r.nothing(1)
	}
	r.word(yes[e.Inferred])
	r.frame(e.Caller)
	r.frame(e.OtherCaller)
	r.word(yes[e.Park])
	r.word(e.IO.String())
	return errors.Join(r.end(), w.interactions.event(e, thread))
}

// yes has the text of a Boolean cell; false is empty.
var yes = map[bool]string{true: "true"}
