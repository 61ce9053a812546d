package jfr

import (
	"errors"
	"io"

	"github.com/trcx/trcx/internal/tempfile"
)

// The limits of memory, in bytes.
const (
	chunkMemory  = 64 << 20 // of a chunk; a larger one is kept in a temporary file
	windowSize   = 1 << 20  // read from that file at once
	maxEvent     = 64 << 20 // of an event that is decoded
	maxConstants = 256 << 20
	maxSymbols   = 256 << 20
	sortMemory   = 32 << 20 // of events sorted in memory, before they go to a temporary file
)

// chunkBuffer holds the bytes of one chunk at a time: in memory, or as a whole in a temporary file if it is too large.
type chunkBuffer struct {
	folder string // of the file; "" is the system's
	memory int    // limit of bytes in memory; 0 is chunkMemory
	bytes  []byte
	size   int64
	file   *tempfile.Scratch
	onDisk bool // this chunk is in the file
	window []byte
	begin  int64 // offset of the window in the file
}

// reset empties the buffer for the next chunk.
func (b *chunkBuffer) reset() {
	b.bytes, b.window, b.size, b.onDisk = b.bytes[:0], b.window[:0], 0, false
}

// Write appends to the chunk. It returns errors of the file.
func (b *chunkBuffer) Write(p []byte) (int, error) {
	memory := b.memory
	if memory == 0 {
		memory = chunkMemory
	}
	if !b.onDisk && len(b.bytes)+len(p) <= memory {
		b.bytes = append(b.bytes, p...)
		b.size += int64(len(p))
		return len(p), nil
	}
	if !b.onDisk {
		if err := b.spill(); err != nil {
			return 0, err
		}
	}
	n, err := b.file.WriteAt(p, b.size)
	b.size += int64(n)
	return n, err
}

// spill moves the chunk to the file.
func (b *chunkBuffer) spill() error {
	if b.file == nil {
		file, err := tempfile.NewScratch(b.folder, "trcx-jfr-*.tmp")
		if err != nil {
			return err
		}
		b.file = file
	}
	b.onDisk = true
	_, err := b.file.WriteAt(b.bytes, 0)
	b.bytes = b.bytes[:0]
	return err
}

// at returns n bytes at an offset, or fewer at the end of the chunk. They are valid until the next call.
func (b *chunkBuffer) at(offset int64, n int) ([]byte, error) {
	n = int(min(int64(n), b.size-offset))
	if n <= 0 {
		return nil, nil
	}
	if !b.onDisk {
		return b.bytes[offset : offset+int64(n)], nil
	}
	if offset < b.begin || offset+int64(n) > b.begin+int64(len(b.window)) {
		want := int(min(int64(max(n, windowSize)), b.size-offset))
		if cap(b.window) < want {
			b.window = make([]byte, want)
		}
		b.window, b.begin = b.window[:want], offset
		if _, err := b.file.ReadAt(b.window, offset); err != nil && !errors.Is(err, io.EOF) {
			b.window = b.window[:0]
			return nil, err
		}
	}
	return b.window[offset-b.begin:][:n], nil
}

// close removes the file.
func (b *chunkBuffer) close() error {
	if b.file == nil {
		return nil
	}
	return b.file.Close()
}
