package hprof

import (
	"github.com/trcx/trcx/internal/modified"
)

// names are the texts of UTF8 records by id.
type names struct {
	slots []nameSlot // open addressing; id 0 is free
	used  int
	text  [][]byte // chunks
}

// nameSlot is the position of a text: an offset in all chunks, each of them counted as nameChunk bytes.
type nameSlot struct {
	id            uint64
	begin, length uint32
}

const nameChunk = 1 << 20

// hash spreads ids, which have many bits in common, over a table whose size is a power of two.
func hash(id uint64, size int) int {
	return int((id * 0x9E3779B97F4A7C15 >> 20) & uint64(size-1))
}

// slot returns the slot of the id, or the free slot for it.
func (n *names) slot(id uint64) *nameSlot {
	at := hash(id, len(n.slots))
	for n.slots[at].id != 0 && n.slots[at].id != id {
		at = (at + 1) & (len(n.slots) - 1)
	}
	return &n.slots[at]
}

// cost returns the bytes for a text of the length, including new slots.
func (n *names) cost(length int) int {
	if n.used*4 >= len(n.slots)*3 {
		length += slotCost * max(1024, len(n.slots))
	}
	return length
}

// set sets the text of an id other than 0.
func (n *names) set(id uint64, text []byte) {
	if n.used*4 >= len(n.slots)*3 {
		n.grow()
	}
	slot := n.slot(id)
	if slot.id == 0 {
		n.used++
	}
	if last := len(n.text) - 1; last < 0 || cap(n.text[last])-len(n.text[last]) < len(text) {
		n.text = append(n.text, make([]byte, 0, nameChunk))
	}
	chunk := &n.text[len(n.text)-1]
	*slot = nameSlot{id, uint32((len(n.text)-1)*nameChunk + len(*chunk)), uint32(len(text))}
	*chunk = append(*chunk, text...)
}

func (n *names) grow() {
	old := n.slots
	n.slots = make([]nameSlot, max(1024, 2*len(old)))
	for _, s := range old {
		if s.id != 0 {
			*n.slot(s.id) = s
		}
	}
}

// get returns the text of the id as in the dump.
func (n *names) get(id uint64) (text []byte, known bool) {
	if id == 0 || len(n.slots) == 0 {
		return nil, false
	}
	slot := n.slot(id)
	if slot.id == 0 {
		return nil, false
	}
	begin := slot.begin % nameChunk
	return n.text[slot.begin/nameChunk][begin : begin+slot.length], true
}

// name returns the decoded text of the id, or "".
func (n *names) name(id uint64) string {
	text, _ := n.get(id)
	return modified.Decode(text)
}
