package critical

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/trcx/trcx/internal/list"
)

// store is a list of records. If it spills, only the blocks that were loaded last are in memory, the others in a file.
type store struct {
	list.List[record]        // whose blocks are nil if they are in the file only
	dirty             []bool // by block: it differs from the file's
	spills            bool
	folder            string // of the file
	file              *os.File
	unlinked          bool   // the file is already removed
	loaded            []int  // the blocks in memory, in the order in which they were loaded; only if it spills
	buffer            []byte // for a block of the file
	err               error  // the first error of the file
}

// maxLoaded limits the blocks in memory of a store that spills: 130,000 records, 3 MB.
var maxLoaded = 32

// recordSize is the size of a record in the file, in bytes.
const recordSize = 24

// add appends a record.
func (l *store) add(r record) {
	l.List.Add(r)
	if len(l.dirty) < len(l.Blocks) {
		l.dirty = append(l.dirty, true)
		l.enter(len(l.Blocks) - 1)
	}
}

// at returns the record of the index, from 0 on. It must not be changed, and is valid until the next call of a method.
func (l *store) at(i int) *record {
	if block := l.Blocks[i>>list.BlockBits]; block != nil {
		return &block[i&(list.BlockSize-1)]
	}
	return l.loadedAt(i)
}

// loadedAt is at for a record whose block is in the file only.
//
//go:noinline
func (l *store) loadedAt(i int) *record { return &l.load(i >> list.BlockBits)[i&(list.BlockSize-1)] }

// change returns the record of the index, to be changed; valid as that of at.
func (l *store) change(i int) *record {
	r := l.at(i)
	l.dirty[i>>list.BlockBits] = true
	return r
}

// enter notes that a block is in memory, and evicts another one beyond the limit, but not the last one, to which
// records are added.
func (l *store) enter(block int) {
	if !l.spills {
		return
	}
	l.loaded = append(l.loaded, block)
	if len(l.loaded) <= maxLoaded || l.err != nil {
		return
	}
	oldest := 0
	if l.loaded[0] == len(l.Blocks)-1 {
		oldest = 1
	}
	gone := l.loaded[oldest]
	l.loaded = slices.Delete(l.loaded, oldest, oldest+1)
	if l.dirty[gone] {
		l.save(gone)
	}
	if l.err == nil {
		l.Blocks[gone] = nil
	}
}

// save writes a block to the file.
func (l *store) save(block int) {
	if l.file == nil {
		if l.file, l.err = os.CreateTemp(l.folder, "trcx-path-*"); l.err != nil {
			return
		}
		// an unlinked file is gone when the process ends, however it ends
		l.unlinked = os.Remove(l.file.Name()) == nil
	}
	l.buffer = l.buffer[:0]
	for _, r := range l.Blocks[block] {
		l.buffer = binary.LittleEndian.AppendUint64(l.buffer, r.own)
		for _, n := range [...]uint32{uint32(r.previous), r.link, r.who, r.rest} {
			l.buffer = binary.LittleEndian.AppendUint32(l.buffer, n)
		}
	}
	_, l.err = l.file.WriteAt(l.buffer, int64(block)*list.BlockSize*recordSize)
	l.dirty[block] = false
}

// load reads a block. If that fails, its records are empty, and failed returns the error.
func (l *store) load(block int) []record {
	records := make([]record, list.BlockSize)
	l.buffer = append(l.buffer[:0], make([]byte, list.BlockSize*recordSize)...)
	_, err := l.file.ReadAt(l.buffer, int64(block)*list.BlockSize*recordSize)
	if err != nil && !errors.Is(err, io.EOF) {
		l.err = errors.Join(l.err, err)
		return records
	}
	for i := range records {
		text := l.buffer[i*recordSize:]
		number := func(at int) uint32 { return binary.LittleEndian.Uint32(text[at:]) }
		records[i] = record{binary.LittleEndian.Uint64(text), segment(number(8)), number(12), number(16), number(20)}
	}
	l.Blocks[block] = records
	l.enter(block)
	return records
}

// failed returns the error of the file, or nil.
func (l *store) failed() error {
	if l.err == nil {
		return nil
	}
	return fmt.Errorf("what the critical path needs does not fit into memory, and cannot be kept in a file: %w", l.err)
}

// close removes the file.
func (l *store) close() error {
	if l.file == nil {
		return nil
	}
	file := l.file
	l.file = nil
	err := file.Close()
	if !l.unlinked {
		err = errors.Join(err, os.Remove(file.Name()))
	}
	return err
}
