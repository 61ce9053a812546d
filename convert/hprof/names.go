package hprof

import (
	"strings"

	"github.com/trcx/trcx/trace"
)

// names are the texts that the dump has given ids.
type names struct {
	slots []nameSlot // open addressing; id 0 is free
	used  int
	text  [][]byte // chunks
}

// nameSlot says where a text is: at a byte of all chunks together, each of which is counted as a whole one.
type nameSlot struct {
	id            uint64
	begin, length uint32
}

const nameChunk = 1 << 20

// spread makes the bits of an id, of which many are equal, a place in a table of a power of two.
func spread(id uint64, size int) int {
	return int((id * 0x9E3779B97F4A7C15 >> 20) & uint64(size-1))
}

// slot is the slot of the id, or the free one where it belongs.
func (n *names) slot(id uint64) *nameSlot {
	at := spread(id, len(n.slots))
	for n.slots[at].id != 0 && n.slots[at].id != id {
		at = (at + 1) & (len(n.slots) - 1)
	}
	return &n.slots[at]
}

// cost is what a text of the length takes, with the slots that may have to be added for it.
func (n *names) cost(length int) int {
	if n.used*4 >= len(n.slots)*3 {
		length += slotCost * max(1024, len(n.slots))
	}
	return length
}

// set gives a text an id other than 0.
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

// get is the text of the id as the dump has it.
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

// name is the text of the id, "" if it has none.
func (n *names) name(id uint64) string {
	text, _ := n.get(id)
	return trace.DecodeModified(text)
}

// internalName is the name of a class as the JVM has it inside, of the one that a dump has: java.lang.String[] is
// [Ljava/lang/String; there.
func internalName(name string) string {
	if !strings.HasSuffix(name, "[]") {
		return dotless(name)
	}
	element := strings.TrimRight(name, "[]")
	dimensions := strings.Repeat("[", (len(name)-len(element))/2)
	for kind := range primitives {
		if primitives[kind].name == element && element != "" {
			return dimensions + primitives[kind].array[1:]
		}
	}
	return dimensions + "L" + dotless(element) + ";"
}

// dotless has slashes for the dots of a name that has none; a hidden class is called as everywhere.
func dotless(name string) string {
	if name, hidden := trace.HiddenClassName(name); hidden {
		return name
	}
	if strings.Contains(name, "/") {
		return name
	}
	return strings.ReplaceAll(name, ".", "/")
}
