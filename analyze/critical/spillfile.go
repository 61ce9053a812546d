package critical

import (
	"errors"
	"fmt"
	"io"

	"github.com/trcx/trcx/internal/tempfile"
	"github.com/trcx/trcx/threads"
)

// spillFile is a temporary file for what does not stay in memory. It is created when something is first written. After
// an error nothing more is written, and what is read is empty.
type spillFile struct {
	folder string
	file   *tempfile.Scratch
	size   int64 // in bytes
	err    error // the first error
}

// Write writes the text at the offset, or at the end of the file if that is threads.Nowhere.
func (f *spillFile) Write(text []byte, at int64) (offset int64, ok bool) {
	if f.file == nil && f.err == nil {
		f.file, f.err = tempfile.NewScratch(f.folder, "trcx-path-*")
	}
	if f.err != nil {
		return at, false
	}
	if at == threads.Nowhere {
		at = f.size
		f.size += int64(len(text))
	}
	_, f.err = f.file.WriteAt(text, at)
	return at, f.err == nil
}

// Read fills the text with what is at the offset.
func (f *spillFile) Read(text []byte, offset int64) {
	if _, err := f.file.ReadAt(text, offset); err != nil && !errors.Is(err, io.EOF) {
		f.err = errors.Join(f.err, err)
		clear(text)
	}
}

// failed returns the error of the file, or nil.
func (f *spillFile) failed() error {
	if f == nil || f.err == nil {
		return nil
	}
	return fmt.Errorf("what the critical path needs does not fit into memory, and cannot be kept in a file: %w", f.err)
}

// close removes the file.
func (f *spillFile) close() error {
	if f == nil || f.file == nil {
		return nil
	}
	file := f.file
	f.file = nil
	return file.Close()
}
