package output

import (
	"bytes"
	"errors"
	"io"
	"math"
)

// disk is what an outlet needs of a regular file.
type disk interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Truncate(size int64) error
}

// file is an outlet to a regular file. It consists of parts, behind each of which the document can be ended: lines, or
// compressed members of whole lines.
type file struct {
	disk    disk
	name    string
	codec   codec   // nil if the file is not compressed
	written int64   // bytes in the file, whole parts or not
	ends    []int64 // of the last members; not used without codec
	max     int64   // bytes
	stopped *Stopped
}

// keptEnds is how many members can give way to the ending. None is smaller than 12 bytes, so that endings of more than
// 10 KiB find room.
const keptEnds = 1024

// endingRoom is left for the ending where lines have to be left out anyway, in bytes. A longer one makes members give
// way.
const endingRoom = 1024

func newFile(disk disk, name string, codec codec, max int64) *file {
	if max == 0 {
		max = math.MaxInt64
	}
	return &file{disk: disk, name: name, codec: codec, max: max}
}

// Write appends the lines, or as many of them as there is room for.
func (f *file) Write(lines []byte) error {
	if f.stopped != nil || len(lines) == 0 {
		return f.error()
	}
	part, full := f.pack(lines), false
	if room := f.max - f.written; int64(len(part)) > room {
		part, full = f.fitting(lines, room), true
	}
	err := f.append(part)
	switch {
	case err != nil:
		f.stopped = &Stopped{f.name, reasonOf(err), err}
	case f.codec != nil && len(part) > 0 && (full || lines[len(lines)-1] == '\n'):
		f.note(f.written)
	}
	if full && f.stopped == nil {
		f.stopped = &Stopped{Name: f.name, Reason: sizeReached}
	}
	return f.error()
}

// append writes a part behind the others. What a disk that becomes full does not take at once it may still take in
// pieces, down to the least that file systems give.
func (f *file) append(part []byte) error {
	n, err := f.disk.WriteAt(part, f.written)
	f.written += int64(n)
	for piece := len(part); err != nil && piece >= leastPiece; {
		if part = part[n:]; len(part) == 0 {
			return nil // there was room after all
		}
		var trouble error
		if n, trouble = f.disk.WriteAt(part[:min(piece, len(part))], f.written); trouble != nil {
			piece /= 2
		}
		f.written += int64(n)
	}
	return err
}

// leastPiece is how little of a part is still tried to be written, in bytes.
const leastPiece = 4096

// error is what has stopped the file, which is no error as long as it is nil.
func (f *file) error() error {
	if f.stopped == nil {
		return nil
	}
	return f.stopped
}

func (f *file) pack(lines []byte) []byte {
	if f.codec == nil || len(lines) == 0 {
		return lines
	}
	return f.codec.member(lines)
}

// fitting makes a part of as many of the lines as there is room for; of compressed ones, about as many.
func (f *file) fitting(lines []byte, room int64) []byte {
	if f.codec == nil {
		return lines[:bytes.LastIndexByte(lines[:room], '\n')+1]
	}
	for {
		lines = lines[:bytes.LastIndexByte(lines[:len(lines)/2], '\n')+1]
		if part := f.pack(lines); int64(len(part)) <= max(room-endingRoom, 0) {
			return part
		}
	}
}

// note keeps the end of a member.
func (f *file) note(end int64) {
	if len(f.ends) == keptEnds {
		f.ends = f.ends[:copy(f.ends, f.ends[keptEnds/2:])]
	}
	f.ends = append(f.ends, end)
}

// Close makes the file whole.
func (f *file) Close(ending []byte) error {
	var err error
	if len(ending) > 0 {
		err = f.end(f.pack(ending))
	}
	return errors.Join(err, f.disk.Close())
}

// end puts the ending behind the last part that leaves room for it. A disk that is full still has the blocks that the
// file has already, and these are written over.
func (f *file) end(ending []byte) error {
	room := f.max
	if f.stopped != nil && f.stopped.Err != nil {
		room = f.written
	}
	for {
		at, err := f.boundary(min(f.written, room-int64(len(ending))))
		if err != nil {
			return &Stopped{f.name, "it could not be ended, for " + reasonOf(err), err}
		}
		n, err := f.disk.WriteAt(ending, at)
		if err == nil {
			return plain(f.disk.Truncate(at + int64(len(ending))))
		}
		had := max(f.written, at+int64(n))
		if had >= room { // not even what is there can be written over
			return &Stopped{f.name, "it could not be ended, for " + reasonOf(err), err}
		}
		f.written, room = had, had
	}
}

// errNoRoom is the error for a file in which there is nothing that could be ended.
var errNoRoom = errors.New("there is no room for the beginning of a trace")

// boundary is the end of the last whole part up to a place in the file.
func (f *file) boundary(limit int64) (int64, error) {
	if f.codec == nil {
		return f.endOfLine(limit)
	}
	for i := len(f.ends) - 1; i >= 0; i-- {
		if f.ends[i] <= limit {
			return f.ends[i], nil
		}
	}
	return 0, errNoRoom
}

// endOfLine finds the last end of a line up to a place in the file, by reading back.
func (f *file) endOfLine(limit int64) (int64, error) {
	var block [4096]byte
	for limit > 0 {
		size := min(limit, int64(len(block)))
		if n, err := f.disk.ReadAt(block[:size], limit-size); int64(n) < size {
			return 0, err
		}
		if at := bytes.LastIndexByte(block[:size], '\n'); at >= 0 {
			return limit - size + int64(at) + 1, nil
		}
		limit -= size
	}
	return 0, errNoRoom
}
