package critical

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// sheets are a list of records of which, if there are very many, only those that were used lately are in memory. The
// others are in a file.
type sheets struct {
	blocks   [][]record // nil of what is in the file only
	dirty    []bool     // by block: whether the file does not have it as it is
	size     int
	spills   bool   // whether there may be a file
	folder   string // where it lies
	file     *os.File
	nameless bool  // the file has been removed already
	loaded   []int // the blocks in memory, the one that came first in front; kept only if there may be a file
	text     []byte
	err      error // the first one of the file
}

// mostLoaded is how many blocks are in memory where there may be a file: half a million records, in 12 MB.
var mostLoaded = 128

// recordSize is how many bytes a record takes in the file.
const recordSize = 24

// add appends a record.
func (l *sheets) add(r record) {
	if l.size == len(l.blocks)<<blockBits {
		room := blockSize
		if l.size == 0 {
			room = firstBlock
		}
		l.blocks, l.dirty = append(l.blocks, make([]record, 0, room)), append(l.dirty, true)
		l.enter(len(l.blocks) - 1)
	}
	block := &l.blocks[len(l.blocks)-1]
	if len(*block) == cap(*block) {
		*block = append(make([]record, 0, 2*cap(*block)), *block...)
	}
	*block = append(*block, r)
	l.size++
}

// at is the record of the index, counted from 0; to be read only, and good until another one is asked for or added.
func (l *sheets) at(i int) *record {
	block := l.blocks[i>>blockBits]
	if block == nil {
		block = l.load(i >> blockBits)
	}
	return &block[i&(blockSize-1)]
}

// change is the record of the index, which may be changed.
func (l *sheets) change(i int) *record {
	r := l.at(i)
	l.dirty[i>>blockBits] = true
	return r
}

// enter notes that a block is in memory, and lets another one go if there are too many. The last one stays, for records
// are added to it.
func (l *sheets) enter(block int) {
	if !l.spills {
		return
	}
	l.loaded = append(l.loaded, block)
	if len(l.loaded) <= mostLoaded || l.err != nil {
		return
	}
	oldest := 0
	if l.loaded[0] == len(l.blocks)-1 {
		oldest = 1
	}
	gone := l.loaded[oldest]
	l.loaded = slices.Delete(l.loaded, oldest, oldest+1)
	if l.dirty[gone] {
		l.save(gone)
	}
	if l.err == nil {
		l.blocks[gone] = nil
	}
}

func (l *sheets) save(block int) {
	if l.file == nil {
		if l.file, l.err = os.CreateTemp(l.folder, "trcx-path-*"); l.err != nil {
			return
		}
		// where a file that is open can be removed, nothing is left of it whatever happens
		l.nameless = os.Remove(l.file.Name()) == nil
	}
	l.text = l.text[:0]
	for _, r := range l.blocks[block] {
		l.text = binary.LittleEndian.AppendUint64(l.text, r.own)
		for _, n := range [...]uint32{uint32(r.previous), r.link, r.who, r.rest} {
			l.text = binary.LittleEndian.AppendUint32(l.text, n)
		}
	}
	_, l.err = l.file.WriteAt(l.text, int64(block)*blockSize*recordSize)
	l.dirty[block] = false
}

// load reads a block. If that cannot be, its records are empty, and the error says so.
func (l *sheets) load(block int) []record {
	records := make([]record, blockSize)
	l.text = append(l.text[:0], make([]byte, blockSize*recordSize)...)
	if _, err := l.file.ReadAt(l.text, int64(block)*blockSize*recordSize); err != nil && !errors.Is(err, io.EOF) {
		l.err = errors.Join(l.err, err)
		return records
	}
	for i := range records {
		text := l.text[i*recordSize:]
		number := func(at int) uint32 { return binary.LittleEndian.Uint32(text[at:]) }
		records[i] = record{binary.LittleEndian.Uint64(text), segment(number(8)), number(12), number(16), number(20)}
	}
	l.blocks[block] = records
	l.enter(block)
	return records
}

// failed is what went wrong with the file, if anything did.
func (l *sheets) failed() error {
	if l.err == nil {
		return nil
	}
	return fmt.Errorf("what the critical path needs does not fit into memory, and cannot be kept in a file: %w", l.err)
}

// close removes the file.
func (l *sheets) close() error {
	if l.file == nil {
		return nil
	}
	file := l.file
	l.file = nil
	err := file.Close()
	if !l.nameless {
		err = errors.Join(err, os.Remove(file.Name()))
	}
	return err
}
