package tempfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Scratch is a file for data that does not stay in memory; Close removes it. Errors of creating and writing it are
// *Error.
type Scratch struct {
	file   *os.File
	named  bool // the file still has its name
	system bool // it is in the system's folder
}

// Error is the error for a temporary file that cannot be created or written. It blames the folder, because users do not
// know of the file.
type Error struct {
	Folder string
	Err    error
	system bool // the folder is the system's one for temporary files
	format string
}

func (e *Error) Error() string {
	text := fmt.Sprintf(e.format, e.Folder, e.Err)
	if e.system {
		text += "; the variable TMPDIR can name another folder"
	}
	return text
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// newError returns err, an error of the package os, as an *Error.
func newError(format string, system bool, err error) error {
	var at *os.PathError
	if !errors.As(err, &at) {
		return err
	}
	return &Error{Folder: filepath.Dir(at.Path), Err: at.Err, system: system, format: format}
}

// NewScratch creates a file in the folder; "" is the system's one for temporary files. A random text replaces the * in
// the pattern. Where an open file can lose its name, it disappears when the process ends, however it ends.
func NewScratch(folder, pattern string) (*Scratch, error) {
	system := folder == ""
	file, err := os.CreateTemp(folder, pattern)
	if err != nil {
		return nil, newError("no temporary file can be made in %s: %v", system, err)
	}
	return &Scratch{file: file, named: os.Remove(file.Name()) != nil, system: system}, nil
}

// Write appends to the file.
func (s *Scratch) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	return n, s.written(err)
}

// WriteAt writes at the offset.
func (s *Scratch) WriteAt(p []byte, offset int64) (int, error) {
	n, err := s.file.WriteAt(p, offset)
	return n, s.written(err)
}

// ReadAt reads at the offset.
func (s *Scratch) ReadAt(p []byte, offset int64) (int, error) { return s.file.ReadAt(p, offset) }

// File returns the file itself, for reading.
func (s *Scratch) File() *os.File { return s.file }

func (s *Scratch) written(err error) error {
	if err == nil {
		return nil
	}
	return newError("a temporary file in %s cannot be written: %v", s.system, err)
}

// Close closes the file and removes it.
func (s *Scratch) Close() error {
	err := s.file.Close()
	if s.named {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}

// Spill is a temporary file for blocks that do not stay in memory. It is created when something is first written. After
// an error nothing more is written, and reads return zeros. A nil Spill has no errors, and can be closed.
type Spill struct {
	folder, pattern string
	file            *Scratch
	size            int64 // in bytes
	err             error // the first error
}

// NewSpill returns a Spill whose file NewScratch creates.
func NewSpill(folder, pattern string) *Spill { return &Spill{folder: folder, pattern: pattern} }

// Write writes the text at the offset, or at the end of the file if that is -1. ok is false if writing failed.
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

// Read fills the text with the bytes at the offset.
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
