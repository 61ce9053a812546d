package jfr

import (
	"errors"
	"io"
	"os"
)

// The bounds of what is kept.
const (
	chunkMemory  = 64 << 20 // bytes of a chunk in memory; the rest of a larger one goes to a temporary file
	windowSize   = 1 << 20  // of what is read back from the file
	maxEvent     = 64 << 20 // bytes of an event that is looked into
	maxConstants = 256 << 20
	maxNames     = 256 << 20
	sortMemory   = 32 << 20 // bytes of deeds that are sorted in memory, before they go to a temporary file
)

// spool keeps the bytes of one chunk after another: in memory, and the whole chunk in a file once it is larger than
// that.
type spool struct {
	folder string // "" is the system's own place
	memory int    // bytes that are kept in memory; 0 is chunkMemory
	bytes  []byte
	size   int64
	file   *os.File
	spilt  bool // this chunk is in the file
	window []byte
	begin  int64 // of the window, in the file
	named  bool  // the file still has its name
}

// reset makes room for the next chunk.
func (s *spool) reset() {
	s.bytes, s.window, s.size, s.spilt = s.bytes[:0], s.window[:0], 0, false
}

// Write appends to the chunk. Errors are those of the file.
func (s *spool) Write(p []byte) (int, error) {
	memory := s.memory
	if memory == 0 {
		memory = chunkMemory
	}
	if !s.spilt && len(s.bytes)+len(p) <= memory {
		s.bytes = append(s.bytes, p...)
		s.size += int64(len(p))
		return len(p), nil
	}
	if !s.spilt {
		if err := s.spill(); err != nil {
			return 0, err
		}
	}
	n, err := s.file.WriteAt(p, s.size)
	s.size += int64(n)
	return n, err
}

// spill moves the chunk to the file.
func (s *spool) spill() error {
	if s.file == nil {
		file, err := os.CreateTemp(s.folder, "trcx-jfr-*.tmp")
		if err != nil {
			return err
		}
		// an open file need not have a name, where the system allows that
		s.file, s.named = file, os.Remove(file.Name()) != nil
	}
	s.spilt = true
	_, err := s.file.WriteAt(s.bytes, 0)
	s.bytes = s.bytes[:0]
	return err
}

// at returns the n bytes at the place, or those that are there if the chunk ends before; they are good until the next
// call.
func (s *spool) at(place int64, n int) ([]byte, error) {
	n = int(min(int64(n), s.size-place))
	if n <= 0 {
		return nil, nil
	}
	if !s.spilt {
		return s.bytes[place : place+int64(n)], nil
	}
	if place < s.begin || place+int64(n) > s.begin+int64(len(s.window)) {
		want := int(min(int64(max(n, windowSize)), s.size-place))
		if cap(s.window) < want {
			s.window = make([]byte, want)
		}
		s.window, s.begin = s.window[:want], place
		if _, err := s.file.ReadAt(s.window, place); err != nil && !errors.Is(err, io.EOF) {
			s.window = s.window[:0]
			return nil, err
		}
	}
	return s.window[place-s.begin:][:n], nil
}

// close removes the file.
func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if s.named {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}
