package critical

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/internal/tempfile"
	"github.com/trcx/trcx/threads"
)

// store is a list of records, or of other values without pointers. If it has a file, only the blocks that were loaded
// last are in memory, the others in the file.
type store[T any] struct {
	blocks  []*[blockSize]T // nil if they are in the file only
	size    int             // in records
	dirty   []bool          // by block: it differs from the file's
	offsets []int64         // by block: where it is in the file, or threads.Nowhere
	file    *tempfile.Spill
	loaded  []int           // the blocks in memory, in the order in which they were loaded; only with a file
	limit   int             // of loaded; 0 is maxLoaded
	evicted []*[blockSize]T // no longer used, but for the youngest, of which callers may still have records
}

// blockSize is the number of records in a block: so few that reading one takes next to no time.
const (
	blockBits = 9
	blockSize = 1 << blockBits
)

// maxLoaded limits the blocks in memory of a store with a file: 260,000 records, 17 MB.
const maxLoaded = 1 << 9

// minEvicted is the number of blocks that are loaded before the memory of an evicted one is used again.
const minEvicted = 64

// add appends a record.
func (l *store[T]) add(r T) {
	if l.size == len(l.blocks)<<blockBits {
		l.blocks = append(l.blocks, l.newBlock())
		l.dirty, l.offsets = append(l.dirty, true), append(l.offsets, threads.Nowhere)
		l.enter(len(l.blocks) - 1)
	}
	l.blocks[l.size>>blockBits][l.size&(blockSize-1)] = r
	l.size++
}

// at returns the record of the index, from 0 on. It must not be changed, and is valid until others have been loaded,
// one of each of minEvicted blocks.
func (l *store[T]) at(i int) *T {
	if block := l.blocks[i>>blockBits]; block != nil {
		return &block[i&(blockSize-1)]
	}
	return l.loadedAt(i)
}

// loadedAt is at for a record whose block is in the file only.
//
//go:noinline
func (l *store[T]) loadedAt(i int) *T { return &l.load(i >> blockBits)[i&(blockSize-1)] }

// change returns the record of the index, to be changed; valid as that of at.
func (l *store[T]) change(i int) *T {
	r := l.at(i)
	l.dirty[i>>blockBits] = true
	return r
}

// enter notes that a block is in memory, and evicts another one beyond the limit, but not the last one, to which
// records are added.
func (l *store[T]) enter(block int) {
	if l.file == nil {
		return
	}
	l.loaded = append(l.loaded, block)
	if len(l.loaded) <= cmp.Or(l.limit, maxLoaded) || l.file.Err() != nil {
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
	if l.file.Err() == nil {
		l.evicted = append(l.evicted, l.blocks[gone])
		l.blocks[gone] = nil
	}
}

// newBlock returns the memory for a block, which is not empty.
func (l *store[T]) newBlock() *[blockSize]T {
	if len(l.evicted) < minEvicted {
		return new([blockSize]T)
	}
	block := l.evicted[0]
	l.evicted = slices.Delete(l.evicted, 0, 1)
	return block
}

// save writes a block to the file, as it is in memory: records have no pointers.
func (l *store[T]) save(block int) {
	l.offsets[block], _ = l.file.Write(tempfile.BytesOf(l.blocks[block]), l.offsets[block])
	l.dirty[block] = false
}

// load reads a block. If that fails, its records are empty, and the file has the error.
func (l *store[T]) load(block int) *[blockSize]T {
	records := l.newBlock()
	l.file.Read(tempfile.BytesOf(records), l.offsets[block])
	l.blocks[block] = records
	l.enter(block)
	return records
}
