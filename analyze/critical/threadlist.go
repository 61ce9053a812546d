package critical

import (
	"encoding/binary"

	"github.com/trcx/trcx/trace"
)

// threadList has the threads by their keys. If it has a file, blocks whose threads have all ended are in the file only,
// but for those that were used last.
type threadList struct {
	blocks []threadBlock
	size   int
	file   *spillFile
	ended  []int // the blocks in memory whose threads have all ended, in the order in which they ended or were loaded
	buffer []byte
}

// threadBlock has the threads of consecutive keys.
type threadBlock struct {
	threads *[threadBlockSize]thread // nil if the block is in the file only
	offset  int64                    // in the file, or nowhere
	living  int                      // threads that have not ended or not begun
	dirty   bool                     // it differs from the file's
}

const (
	threadBlockBits = 6
	threadBlockSize = 1 << threadBlockBits
	// threadSize is the size of a thread in the file, in bytes.
	threadSize = 45
)

// maxEnded limits the blocks in memory whose threads have all ended: 65,536 threads, 3 MB.
var maxEnded = 1 << 10

// The flags of a thread in the file.
const (
	causedFlag = 1 << iota
	selectsFlag
	endedFlag
)

// count returns the number of threads, which is the last one's key.
func (l *threadList) count() int { return l.size }

// add adds the next thread.
func (l *threadList) add() {
	if l.size == len(l.blocks)<<threadBlockBits {
		l.blocks = append(l.blocks, threadBlock{new([threadBlockSize]thread), nowhere, threadBlockSize, true})
	}
	l.size++
}

// at returns the thread of the index, which is its key minus one. It must not be changed, and is valid until the next
// call of a method.
func (l *threadList) at(i int) *thread {
	if threads := l.blocks[i>>threadBlockBits].threads; threads != nil {
		return &threads[i&(threadBlockSize-1)]
	}
	return &l.load(i >> threadBlockBits)[i&(threadBlockSize-1)]
}

// change returns the thread of the key, to be changed; valid as that of at.
func (l *threadList) change(key trace.ThreadKey) *thread {
	t := l.at(int(key - 1))
	l.blocks[(key-1)>>threadBlockBits].dirty = true
	return t
}

// end notes that the thread of the key has ended.
func (l *threadList) end(key trace.ThreadKey) {
	t := l.change(key)
	if t.ended {
		return
	}
	t.ended = true
	number := int(key-1) >> threadBlockBits
	if b := &l.blocks[number]; b.living > 1 {
		b.living--
	} else {
		b.living = 0
		l.enter(number)
	}
}

// enter notes that a block whose threads have all ended is in memory, and evicts the oldest one beyond the limit.
func (l *threadList) enter(number int) {
	if l.file == nil {
		return
	}
	l.ended = append(l.ended, number)
	if len(l.ended) <= maxEnded || l.file.err != nil {
		return
	}
	b := &l.blocks[l.ended[0]]
	if b.dirty {
		l.save(b)
	}
	if l.file.err == nil {
		b.threads = nil
	}
	l.ended = append(l.ended[:0], l.ended[1:]...)
}

// save writes a block to the file.
func (l *threadList) save(b *threadBlock) {
	l.buffer = l.buffer[:0]
	for i := range b.threads {
		l.buffer = b.threads[i].append(l.buffer)
	}
	b.offset = l.file.write(l.buffer, b.offset)
	b.dirty = false
}

// load reads a block. If that fails, its threads are empty, and the file has the error.
func (l *threadList) load(number int) *[threadBlockSize]thread {
	l.buffer = append(l.buffer[:0], make([]byte, threadBlockSize*threadSize)...)
	b := &l.blocks[number]
	l.file.read(l.buffer, b.offset)
	threads := new([threadBlockSize]thread)
	for i := range threads {
		threads[i].decode(l.buffer[i*threadSize:])
	}
	b.threads = threads
	l.enter(number)
	return threads
}

// append appends the thread as the file has it.
func (t *thread) append(dst []byte) []byte {
	for _, n := range [...]uint64{t.described, uint64(t.did.at), t.did.order} {
		dst = binary.LittleEndian.AppendUint64(dst, n)
	}
	for _, n := range [...]uint32{uint32(t.last), uint32(t.lastBefore), uint32(t.ran), uint32(t.died),
		uint32(t.starter)} {
		dst = binary.LittleEndian.AppendUint32(dst, n)
	}
	flags := byte(0)
	if t.caused {
		flags |= causedFlag
	}
	if t.selects {
		flags |= selectsFlag
	}
	if t.ended {
		flags |= endedFlag
	}
	return append(dst, flags)
}

// decode reads the thread from what append has written.
func (t *thread) decode(text []byte) {
	long := func(at int) uint64 { return binary.LittleEndian.Uint64(text[at:]) }
	short := func(at int) uint32 { return binary.LittleEndian.Uint32(text[at:]) }
	flags := text[threadSize-1]
	*t = thread{
		described: long(0), did: moment{trace.Time(long(8)), long(16)},
		last: segment(short(24)), lastBefore: segment(short(28)), ran: segment(short(32)), died: segment(short(36)),
		starter: trace.ThreadKey(short(40)),
		caused:  flags&causedFlag != 0, selects: flags&selectsFlag != 0, ended: flags&endedFlag != 0,
	}
}
