package model

import (
	"io"

	"github.com/trcx/trcx/trace"
)

// Writer is a trace.Sink that writes the model in one of its formats.
type Writer struct {
	sink interface {
		trace.Sink
		io.Closer
	}
}

// Format is one of the model's formats.
type Format uint8

// The formats.
const (
	JSON      Format = iota // one document, written at the end: each thread with its events
	JSONLines               // a stream of lines, written at once; memory does not depend on their number
)

// String names the format.
func (f Format) String() string { return [...]string{JSON: "JSON", JSONLines: "JSON Lines"}[f] }

// Options choose the output.
type Options struct {
	Format Format
	// TempDir is the directory of temporary files of JSON; "" is os.TempDir().
	TempDir string
	// Memory is the limit in bytes of what JSON sorts in memory; records above it go to a file. 0 is 4 MiB.
	Memory int
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer, o Options) *Writer {
	if o.Format == JSONLines {
		return &Writer{newLines(w)}
	}
	return &Writer{newGrouped(w, o)}
}

// Put writes or sorts the record. The Summary completes the output.
func (w *Writer) Put(r trace.Record) error { return w.sink.Put(r) }

// Close removes the temporary files. It may be called at any time, and twice.
func (w *Writer) Close() error { return w.sink.Close() }
