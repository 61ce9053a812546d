// Package arena keeps many small texts without a header or an allocation for each.
package arena

import (
	"encoding/binary"
	"unsafe"

	"github.com/trcx/trcx/internal/spill"
)

// Arena is memory from which texts are cut. The zero Arena is empty.
type Arena struct {
	// Store has the chunks that are not in memory; nil keeps all of them in memory. Each chunk is written once.
	Store  spill.Store
	chunks []chunk
	loaded []int // the full chunks in memory, in the order in which they were filled or loaded; only with a Store
}

// chunk is a part of the memory.
type chunk struct {
	text   []byte // nil if it is in the Store only
	size   int    // in bytes, if stored
	offset int64  // in the Store, if stored
	stored bool
}

const (
	// storedSize is the size of a chunk of an Arena with a Store, small enough to be read quickly.
	storedSize = 1 << 12
	// maxLoaded limits the full chunks in memory of such an Arena, to 4 MB.
	maxLoaded = 1 << 10
)

const (
	chunkBits = 16
	chunkSize = 1 << chunkBits
)

// Add adds texts that belong together and returns their position.
func (a *Arena) Add(texts ...string) uint64 {
	size := 0
	for _, text := range texts {
		size += binary.MaxVarintLen32 + len(text)
	}
	last := len(a.chunks) - 1
	if last < 0 || cap(a.chunks[last].text)-len(a.chunks[last].text) < size {
		capacity := chunkSize
		if a.Store != nil {
			capacity = storedSize
		}
		if last >= 0 {
			a.enter(last)
		}
		a.chunks = append(a.chunks, chunk{text: make([]byte, 0, max(size, capacity))})
		last++
	}
	dst := a.chunks[last].text
	position := uint64(last)<<chunkBits | uint64(len(dst))
	for _, text := range texts {
		dst = binary.AppendUvarint(dst, uint64(len(text)))
		dst = append(dst, text...)
	}
	a.chunks[last].text = dst
	return position
}

// enter notes that a full chunk is in memory, and evicts the oldest one beyond the limit.
func (a *Arena) enter(number int) {
	if a.Store == nil {
		return
	}
	a.loaded = append(a.loaded, number)
	if len(a.loaded) <= maxLoaded {
		return
	}
	c := &a.chunks[a.loaded[0]]
	a.loaded = append(a.loaded[:0], a.loaded[1:]...)
	if !c.stored {
		c.size = len(c.text)
		c.offset, c.stored = a.Store.Write(c.text, -1)
	}
	if c.stored {
		c.text = nil
	}
}

// load reads a chunk from the Store.
func (a *Arena) load(number int) []byte {
	c := &a.chunks[number]
	c.text = make([]byte, c.size)
	a.Store.Read(c.text, c.offset)
	text := c.text
	a.enter(number)
	return text
}

// Get sets the texts to those added together at the position. They share the arena's memory, which never changes.
func (a *Arena) Get(position uint64, texts ...*string) {
	text := a.chunks[position>>chunkBits].text
	if text == nil {
		text = a.load(int(position >> chunkBits))
	}
	rest := text[position&(chunkSize-1):]
	for _, to := range texts {
		length, size := binary.Uvarint(rest)
		end := size + int(length)
		*to = unsafe.String(unsafe.SliceData(rest[size:]), int(length))
		rest = rest[end:]
	}
}
