package trcxml

import (
	"archive/zip"
	"fmt"
	"io"

	"github.com/trcx/trcx/trace"
)

// Archive writes several recordings as a zip of documents, as Workbenches do.
type Archive struct {
	zip      *zip.Writer
	document *Writer
}

// NewArchive returns an Archive to out.
func NewArchive(out io.Writer) *Archive { return &Archive{zip: zip.NewWriter(out)} }

// Begin begins the document of the session.
func (a *Archive) Begin(session int) error {
	entry, err := a.zip.Create(fmt.Sprintf("session-%d.xml", session+1))
	if err != nil {
		return err
	}
	a.document = NewWriter(entry)
	return a.document.Begin(session)
}

// Put writes an element of the session.
func (a *Archive) Put(e *trace.Event) error { return a.document.Put(e) }

// End ends the document.
func (a *Archive) End(ending trace.Ending) error { return a.document.End(ending) }

// Finish ends the zip.
func (a *Archive) Finish() error { return a.zip.Close() }
