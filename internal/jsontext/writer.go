package jsontext

import (
	"bufio"
	"encoding/json"
	"io"
)

// Writer writes a JSON text with an item of an array on each line, and keeps the first error.
type Writer struct {
	out    *bufio.Writer
	failed error
}

// NewWriter returns a Writer to out.
func NewWriter(out io.Writer) *Writer { return &Writer{out: bufio.NewWriter(out)} }

// Text writes a text as it is.
func (w *Writer) Text(text string) { w.out.WriteString(text) } // Flush returns an earlier error

// Item writes an item of an array, counted from 0.
func (w *Writer) Item(i int, value any) {
	if i > 0 {
		w.out.WriteByte(',')
	}
	w.out.WriteByte('\n')
	text, err := json.Marshal(value)
	if w.failed == nil {
		w.failed = err
	}
	w.out.Write(text)
}

// Close writes what is buffered, and returns the first error.
func (w *Writer) Close() error {
	if err := w.out.Flush(); w.failed == nil {
		w.failed = err
	}
	return w.failed
}
