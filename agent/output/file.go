package output

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"math"
	"slices"
)

// disk is the part of *os.File that a file needs.
type disk interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Truncate(size int64) error
}

// file writes to a regular file. The document can be ended after each of its parts: lines, or compressed members of
// whole lines.
type file struct {
	disk    disk
	name    string
	codec   codec   // nil if the file is not compressed
	written int64   // bytes in the file, in whole parts or not
	ends    []int64 // the ends of the last members; unused without codec
	max     int64   // bytes
	stopped *Stopped
	before  int64 // bytes in the file before the last Write, or after it if it was accepted
	// replaced has the lines that Write accepted and the ending replaces.
	replaced []byte
}

// keptEnds is the number of members that the ending can overwrite. A member has at least 12 bytes, so an ending of more
// than 10 KiB fits.
const keptEnds = 1024

// endingSpace is kept free for the ending, in bytes, if lines are left out anyway. A longer ending overwrites members.
const endingSpace = 1024

func newFile(disk disk, name string, codec codec, max int64) *file {
	return &file{disk: disk, name: name, codec: codec, max: cmp.Or(max, math.MaxInt64)}
}

// Write appends the lines, or as many of them as fit.
func (f *file) Write(lines []byte) error {
	if f.stopped != nil || len(lines) == 0 {
		return f.stopped.orNil()
	}
	f.before = f.written
	part, full := f.pack(lines), false
	if left := f.max - f.written; int64(len(part)) > left {
		lines, part = f.fitting(lines, left)
		full = true
	}
	err := f.append(part)
	switch {
	case err != nil:
		f.stopped = &Stopped{Name: f.name, Reason: reasonOf(err), Err: err}
	case f.codec != nil && len(part) > 0 && (full || lines[len(lines)-1] == '\n'):
		f.note(f.written)
	}
	if f.stopped == nil && !full {
		f.before = f.written
	}
	if full && f.stopped == nil {
		f.stopped = &Stopped{Name: f.name, Reason: sizeReached, Written: len(lines)}
	}
	return f.stopped.orNil()
}

// append appends a part. A disk that becomes full may accept a part in smaller pieces, down to leastPiece.
func (f *file) append(part []byte) error {
	n, err := f.disk.WriteAt(part, f.written)
	f.written += int64(n)
	for piece := len(part); err != nil && piece >= leastPiece; {
		if part = part[n:]; len(part) == 0 {
			return nil // the rest fitted
		}
		var trouble error
		if n, trouble = f.disk.WriteAt(part[:min(piece, len(part))], f.written); trouble != nil {
			piece /= 2
		}
		f.written += int64(n)
	}
	return err
}

// leastPiece is the smallest piece of a part that is tried, in bytes.
const leastPiece = 4096

func (f *file) pack(lines []byte) []byte {
	if f.codec == nil || len(lines) == 0 {
		return lines
	}
	return f.codec.member(lines)
}

// fitting returns as many lines as fit in limit bytes, and their part. For compressed lines the number is approximate.
func (f *file) fitting(lines []byte, limit int64) (fit, part []byte) {
	if f.codec == nil {
		fit = lines[:bytes.LastIndexByte(lines[:limit], '\n')+1]
		return fit, fit
	}
	for {
		lines = lines[:bytes.LastIndexByte(lines[:len(lines)/2], '\n')+1]
		if part := f.pack(lines); int64(len(part)) <= max(limit-endingSpace, 0) {
			return lines, part
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

// Close completes the file.
func (f *file) Close(ending []byte) error {
	var err error
	if len(ending) > 0 {
		err = f.end(f.pack(ending))
	}
	return errors.Join(err, f.disk.Close())
}

// end writes the ending after the last part that leaves space for it. On a full disk it overwrites blocks that the file
// already has.
func (f *file) end(ending []byte) error {
	limit := f.max
	if f.stopped != nil && f.stopped.Err != nil {
		limit = f.written
	}
	for {
		at, err := f.boundary(min(f.written, limit-int64(len(ending))))
		if err != nil {
			return f.unended(err)
		}
		f.keepReplaced(at)
		n, err := f.disk.WriteAt(ending, at)
		if err == nil {
			f.noteKept(at)
			return plain(f.disk.Truncate(at + int64(len(ending))))
		}
		had := max(f.written, at+int64(n))
		if had >= limit { // not even the existing blocks can be overwritten
			return f.unended(err)
		}
		f.written, limit = had, had
	}
}

func (f *file) unended(err error) error {
	return &Stopped{Name: f.name, Reason: "the end of the trace could not be written: " + reasonOf(err), Err: err}
}

// Replaced returns the lines that Write accepted and that the ending has replaced, or may have replaced if writing it
// failed.
func (f *file) Replaced() []byte { return f.replaced }

// keepReplaced keeps the lines from the offset on that Write accepted, unless they are kept already. They are about to
// be replaced.
func (f *file) keepReplaced(at int64) {
	if at >= f.before {
		return
	}
	text := make([]byte, f.before-at)
	n, err := f.disk.ReadAt(text, at)
	if text = text[:n]; f.codec != nil && err == nil {
		text, err = f.codec.lines(text)
	}
	if err == nil {
		f.replaced = slices.Concat(text, f.replaced)
	}
	f.before = at
}

// noteKept notes how much of the lines that Write did not accept is in the file; the ending begins at the offset.
func (f *file) noteKept(at int64) {
	switch {
	case f.stopped == nil:
	case f.codec == nil:
		f.stopped.Written = int(max(at-f.before, 0))
	case at <= f.before:
		f.stopped.Written = 0
	}
}

// errNoSpace is the error for a file without a part after which the document could be ended.
var errNoSpace = errors.New("the beginning of a trace does not fit")

// boundary returns the end of the last whole part up to limit.
func (f *file) boundary(limit int64) (int64, error) {
	if f.codec == nil {
		return f.endOfLine(limit)
	}
	for i := len(f.ends) - 1; i >= 0; i-- {
		if f.ends[i] <= limit {
			return f.ends[i], nil
		}
	}
	return 0, errNoSpace
}

// endOfLine returns the end of the last line up to limit, by reading backward.
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
	return 0, errNoSpace
}
