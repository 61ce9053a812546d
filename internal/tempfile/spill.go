package tempfile

import (
	"errors"
	"io"
)

// Spill is a temporary file for blocks that do not stay in memory. It is created when something is first written. After
// an error nothing more is written, and what is read is empty. A nil Spill has no errors, and can be closed.
type Spill struct {
	folder, pattern string
	file            *Scratch
	size            int64 // in bytes
	err             error // the first error
}

// NewSpill returns a Spill whose file is created as NewScratch does it.
func NewSpill(folder, pattern string) *Spill { return &Spill{folder: folder, pattern: pattern} }

// Write writes the text at the offset, or at the end of the file if that is -1. If ok is false it failed.
func (f *Spill) Write(text []byte, at int64) (offset int64, ok bool) {
	if f.file == nil && f.err == nil {
		f.file, f.err = NewScratch(f.folder, f.pattern)
	}
	if f.err != nil {
		return at, false
	}
	if at < 0 {
		at = f.size
		f.size += int64(len(text))
	}
	_, f.err = f.file.WriteAt(text, at)
	return at, f.err == nil
}

// Read fills the text with what is at the offset.
func (f *Spill) Read(text []byte, offset int64) {
	if _, err := f.file.ReadAt(text, offset); err != nil && !errors.Is(err, io.EOF) {
		f.err = errors.Join(f.err, err)
		clear(text)
	}
}

// Err returns the error of the file, or nil.
func (f *Spill) Err() error {
	if f == nil {
		return nil
	}
	return f.err
}

// Close removes the file.
func (f *Spill) Close() error {
	if f == nil || f.file == nil {
		return nil
	}
	file := f.file
	f.file = nil
	return file.Close()
}
