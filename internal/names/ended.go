package names

import (
	"encoding/binary"
	"strconv"

	"github.com/trcx/trcx/internal/arena"
	"github.com/trcx/trcx/internal/list"
	"github.com/trcx/trcx/trace"
)

// ended are the threads that have ended, in generations of their own: the names of the young and the old one are
// cached.
type ended struct {
	young, old generation
	size       int               // of the young generation's texts, in bytes
	numbers    list.List[uint32] // by key: the number of the thread's entry plus one; 0 if there is none
}

// generation has the entries of threads with consecutive numbers. Names of threads that end one after the other are
// mostly alike, so an entry has only what distinguishes it from the one before it, in some eight bytes.
type generation struct {
	first  uint32 // the number of the first entry
	count  uint32
	blocks list.List[uint64] // the positions of full blocks
	texts  arena.Arena       // the full blocks
	block  []byte            // the one that is being filled
	last   entry             // the last one of that
}

// blockSize is the number of entries of a block. The first entry of a block has everything.
const blockSize = 32

// entry is a thread as it is encoded.
type entry struct {
	id      trace.ThreadID
	name    []byte
	session int
}

// put adds a thread, and reports whether others were evicted.
func (e *ended) put(key trace.ThreadKey, t Thread) (evicted bool) {
	for e.numbers.Len() <= int(key) {
		e.numbers.Add(0)
	}
	if e.size > maxEnded {
		evicted = e.young.first > 0
		e.old, e.young, e.size = e.young, generation{first: e.young.first + e.young.count}, 0
	}
	e.size += len(t.ID.String()) + len(t.Name) + len(strconv.Itoa(t.Session))
	*e.numbers.At(int(key)) = e.young.first + e.young.count + 1
	e.young.add(t)
	return evicted
}

func (e *ended) get(key trace.ThreadKey) (t Thread, cached bool) {
	if int(key) >= e.numbers.Len() {
		return t, false
	}
	number := *e.numbers.At(int(key))
	switch {
	case number == 0 || number-1 < e.old.first:
		return t, false
	case number-1 >= e.young.first:
		return e.young.get(number - 1), true
	}
	t = e.old.get(number - 1)
	e.put(key, t)
	return t, true
}

// add adds the entry of the thread.
func (g *generation) add(t Thread) {
	if g.count > 0 && g.count%blockSize == 0 {
		g.blocks.Add(g.texts.Add(string(g.block)))
		g.block, g.last = g.block[:0], entry{name: g.last.name[:0]}
	}
	g.count++
	g.block = g.last.encode(g.block, t)
}

// get returns the thread of the entry's number.
func (g *generation) get(number uint32) Thread {
	at := number - g.first
	var text string
	if block := int(at / blockSize); block < g.blocks.Len() {
		g.texts.Get(*g.blocks.At(block), &text)
	} else {
		text = string(g.block)
	}
	var e entry
	for range at%blockSize + 1 {
		text = e.decode(text)
	}
	return Thread{ID: e.id, Name: string(e.name), Session: e.session}
}

// The lowest bits of an entry's first number, with the session above them.
const (
	numericID = 1 << iota // the id is a number, and follows as its difference to the one before
	sessionUnit
)

// encode appends what distinguishes the thread from the entry, and makes it the entry.
func (e *entry) encode(dst []byte, t Thread) []byte {
	head := uint64(t.Session) * sessionUnit
	number, ok := t.ID.Number()
	if ok {
		head |= numericID
	}
	dst = binary.AppendUvarint(dst, head)
	if ok {
		before, _ := e.id.Number()
		dst = binary.AppendVarint(dst, int64(number-before))
	} else {
		dst = appendText(dst, t.ID.String())
	}
	shared := 0
	for shared < len(e.name) && shared < len(t.Name) && e.name[shared] == t.Name[shared] {
		shared++
	}
	dst = appendText(binary.AppendUvarint(dst, uint64(shared)), t.Name[shared:])
	e.id, e.name, e.session = t.ID, append(e.name[:shared], t.Name[shared:]...), t.Session
	return dst
}

// decode makes the entry the one that follows it in the text, and returns the rest of that.
func (e *entry) decode(text string) string {
	head, text := cutNumber(text)
	e.session = int(head / sessionUnit)
	if head&numericID != 0 {
		var zigzag uint64
		zigzag, text = cutNumber(text)
		before, _ := e.id.Number()
		e.id = trace.ThreadID{ID: trace.NumberID(before + uint64(int64(zigzag>>1)^-int64(zigzag&1)))}
	} else {
		var id string
		id, text = cutText(text)
		e.id = trace.ThreadFrom([]byte(id))
	}
	shared, text := cutNumber(text)
	rest, text := cutText(text)
	e.name = append(e.name[:shared], rest...)
	return text
}

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// cutText returns the text at the beginning, and the rest.
func cutText(text string) (first, rest string) {
	size, text := cutNumber(text)
	return text[:size], text[size:]
}

// cutNumber returns the number at the beginning, and the rest.
func cutNumber(text string) (number uint64, rest string) {
	for shift := 0; ; shift += 7 {
		digit := text[0]
		text = text[1:]
		number |= uint64(digit&0x7f) << shift
		if digit < 0x80 {
			return number, text
		}
	}
}
