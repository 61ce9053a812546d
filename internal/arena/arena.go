// Package arena keeps many small texts without a header or an allocation for each.
package arena

import (
	"encoding/binary"
	"unsafe"
)

// Arena is memory from which texts are cut. The zero Arena is empty.
type Arena struct {
	chunks [][]byte
}

const (
	chunkBits = 16
	chunkSize = 1 << chunkBits
)

// Add adds texts, which belong together, and returns their position.
func (a *Arena) Add(texts ...string) uint64 {
	size := 0
	for _, text := range texts {
		size += binary.MaxVarintLen32 + len(text)
	}
	last := len(a.chunks) - 1
	if last < 0 || cap(a.chunks[last])-len(a.chunks[last]) < size {
		a.chunks = append(a.chunks, make([]byte, 0, max(size, chunkSize)))
		last++
	}
	chunk := a.chunks[last]
	position := uint64(last)<<chunkBits | uint64(len(chunk))
	for _, text := range texts {
		chunk = binary.AppendUvarint(chunk, uint64(len(text)))
		chunk = append(chunk, text...)
	}
	a.chunks[last] = chunk
	return position
}

// Get sets the texts to those at the position, which were added together. They share the arena's memory, which never
// changes.
func (a *Arena) Get(position uint64, texts ...*string) {
	rest := a.chunks[position>>chunkBits][position&(chunkSize-1):]
	for _, text := range texts {
		length, size := binary.Uvarint(rest)
		end := size + int(length)
		*text = unsafe.String(unsafe.SliceData(rest[size:]), int(length))
		rest = rest[end:]
	}
}
