package trcxml

import (
	"archive/zip"
	"fmt"
	"io"

	"github.com/trcx/trcx/trace"
)

// Writer is a convert.Sink that writes one document, or a zip with a document for each session.
type Writer struct {
	zip      *zip.Writer // nil for one document
	session  int
	document *document // nil in a zip before the session's first element
}

// Options choose the form of the output.
type Options struct {
	// Archive makes the output a zip with a document for each session, as Workbenches save them. Without it, there must
	// be only one session.
	Archive bool
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer, o Options) *Writer {
	if o.Archive {
		return &Writer{zip: zip.NewWriter(w)}
	}
	return &Writer{document: newDocument(w)}
}

// Begin begins a session, counted from 0.
func (w *Writer) Begin(session int) error {
	if w.zip == nil {
		return w.document.err
	}
	w.session, w.document = session, nil
	return nil
}

// open creates the session's document in the zip. An input that is not a trace has no document.
func (w *Writer) open() error {
	if w.document != nil {
		return nil
	}
	entry, err := w.zip.Create(fmt.Sprintf("session-%d.xml", w.session+1))
	if err == nil {
		w.document = newDocument(entry)
	}
	return err
}

// Put writes an element of the session.
func (w *Writer) Put(e *trace.Event) error {
	if err := w.open(); err != nil {
		return err
	}
	return w.document.put(e)
}

// End ends the document.
func (w *Writer) End(trace.Ending) error {
	if err := w.open(); err != nil {
		return err
	}
	return w.document.end()
}

// Finish ends the zip.
func (w *Writer) Finish() error {
	if w.zip != nil {
		return w.zip.Close()
	}
	return w.document.err
}
