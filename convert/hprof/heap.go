package hprof

import (
	"math"

	"github.com/trcx/trcx/trace"
)

// The tags of what a heap dump is made of.
const (
	subThreadObject = 0x08
	subClass        = 0x20
	subInstance     = 0x21
	subObjectArray  = 0x22
	subArray        = 0x23
	subNoData       = 0xC3 // Android's: an array without its elements
	subHeapInfo     = 0xFE // Android's: from which heap what follows is
)

// root is what the format says of the roots of a tag.
type root struct {
	name string
	// rest is what comes behind the id of the object: its bytes, and whether there is one more id, and whether a
	// thread's number is the first of it.
	rest   int
	ids    int
	thread bool
}

// roots are the kinds of roots by their tags; those from 0x89 on are Android's.
var roots = [256]root{
	0x01: {"JNI global", 0, 1, false}, 0x02: {"JNI local", 8, 0, true}, 0x03: {"Java frame", 8, 0, true},
	0x04: {"native stack", 4, 0, true},
	0x05: {"sticky class", 0, 0, false}, 0x06: {"thread block", 4, 0, true}, 0x07: {"busy monitor", 0, 0, false},
	0x08: {"thread object", 8, 0, true},
	0x89: {"interned string", 0, 0, false}, 0x8A: {"finalizing", 0, 0, false}, 0x8B: {"debugger", 0, 0, false},
	0x8C: {"reference cleanup", 0, 0, false},
	0x8D: {"VM internal", 0, 0, false}, 0x8E: {"JNI monitor", 8, 0, true}, 0x90: {"unreachable", 0, 0, false},
	0xFF: {"unknown", 0, 0, false},
}

// heap is the state of reading heap dumps.
type heap struct {
	left      int64 // bytes of the segment at hand, math.MaxInt64 if that is not known
	begin     int64 // where its record begins
	allocated uint64
	rooted    uint64
	referred  uint64
	unknown   int   // instances whose references are not known
	firstOf   int64 // where the first of these is
	sizes     sizes
}

// heapDump reads a heap dump or a segment of one; false says that nothing can be read behind it.
func (b *binaryReader) heapDump(begin int64, tag byte, length int64) bool {
	if !b.open {
		b.put(b.transcript.Element(trace.HeapDumpDef, begin).At(b.at))
		b.beginSizes()
	}
	b.open = tag == tagSegment
	h := &b.heap
	h.left, h.begin = length, begin
	if length == 0 {
		if !b.have(1) || b.plausible(b.next()) {
			return true
		}
		h.left = math.MaxInt64
		b.error(ruleLength, begin,
			"a heap dump says that it has no bytes, but there are objects behind it; they are read up to the "+
				"next record")
	}
	for h.left > 0 && b.err == nil {
		if !b.have(1) {
			if h.left < math.MaxInt64/2 {
				b.cut("a heap dump")
			}
			break
		}
		if !b.subRecord() {
			return false
		}
	}
	if h.sizes.known || tag == tagHeapDump {
		b.settleClasses()
	}
	b.tell()
	return b.err == nil
}

// endHeap ends a heap dump that was in segments.
func (b *binaryReader) endHeap([]byte) {
	b.settleClasses()
	b.tell()
	b.open = false
}

// fixed is how many bytes a sub-record of the tag has before what is of variable length; 0 if there is no such tag.
func (b *binaryReader) fixed(tag byte) int {
	switch tag {
	case subClass:
		return 1 + 7*b.ids + 8
	case subInstance, subObjectArray:
		return 1 + 2*b.ids + 8
	case subArray, subNoData:
		return 1 + b.ids + 9
	case subHeapInfo:
		return 1 + 4 + b.ids
	}
	if r := &roots[tag]; r.name != "" {
		return 1 + b.ids*(1+r.ids) + r.rest
	}
	return 0
}

// subRecord reads the next sub-record; false says that the log cannot be read further.
func (b *binaryReader) subRecord() bool {
	tag := b.next()[0]
	if b.heap.left >= math.MaxInt64/2 && tag <= tagHeapSummary && b.have(headSize) && b.plausible(b.next()) {
		b.heap.left = 0 // roots have the tags of records, too; but their ids would be lengths that cannot be
		return true
	}
	size := b.fixed(tag)
	if size == 0 {
		return b.strange(tag)
	}
	if int64(size) > b.heap.left {
		return b.overrun(int64(size), "a sub-record")
	}
	if !b.have(size) {
		b.cut("a heap dump")
		return false
	}
	head := b.next()[:size]
	switch tag {
	case subInstance:
		return b.instance(head)
	case subArray:
		return b.array(head)
	case subObjectArray:
		return b.objectArray(head)
	case subClass:
		return b.classDump(head)
	case subNoData:
		b.object(b.id(head[1:]), b.arrayOfKind(head[size-1]), b.arraySize(int64(u4(head[5+b.ids:])), head[size-1]),
			head[size-1])
	case subHeapInfo:
		b.note("hprof-heap-info", "heap %d: %s", u4(head[1:]), b.names.name(b.id(head[5:])))
	default:
		b.root(tag, head)
	}
	b.use(size)
	return true
}

// use passes bytes of the segment that are in the window.
func (b *binaryReader) use(n int) {
	b.pos += n
	b.heap.left -= int64(n)
}

// plausible says whether the text begins with the head of a record as it should be.
func (b *binaryReader) plausible(text []byte) bool {
	if len(text) < headSize {
		return false
	}
	tag, length := text[0], int64(u4(text[5:]))
	r := &records[tag]
	switch {
	case r.name == "" || length < int64(r.size(b.ids)) || !r.more && length > int64(r.size(b.ids)):
		return false
	case tag == tagName:
		return length <= int64(b.ids)+maxName
	case tag == tagTrace:
		return (length-12)%int64(b.ids) == 0 && length < windowSize
	}
	return true
}

// strange goes on where no sub-record begins.
func (b *binaryReader) strange(tag byte) bool {
	h := &b.heap
	known := h.left < math.MaxInt64/2
	b.have(headSize)
	switch ends := tag == tagHeapDump || tag == tagSegment || tag == tagHeapDumpEnd; {
	case ends && b.plausible(b.next()):
		if known {
			b.error(ruleLength, h.begin,
				"a heap dump says that it has %d bytes more than it has; the next record begins at @%d", h.left,
				b.offset())
		}
		h.left = 0
		return true
	case !known && (b.plausible(b.next()) || b.anotherLog()):
		h.left = 0
		return true
	case known:
		b.error(ruleSubRecord, b.offset(),
			"there is no sub-record of tag 0x%02X, and nothing says how long it is; the heap dump is read on at "+
				"its next segment, %d bytes on",
			tag, h.left)
		left := h.left
		h.left = 0
		return b.pass(left, "a heap dump")
	}
	b.error(ruleSubRecord, b.offset(),
		"there is no sub-record of tag 0x%02X, and nothing says how long it is; the next segment of a heap dump is "+
			"looked for", tag)
	return b.seek()
}

// seek looks for the head of a segment, or of the end of a heap dump.
func (b *binaryReader) seek() bool {
	b.heap.left = 0
	for b.have(headSize + 1) {
		text := b.next()
		for at := 1; at+headSize+1 <= len(text); at++ {
			if b.resumes(text[at:]) {
				b.pos += at
				return true
			}
		}
		b.pos = b.end - headSize
	}
	b.cut("a heap dump that cannot be read")
	return false
}

// leave leaves the segment at hand, which cannot be read on.
func (b *binaryReader) leave() bool {
	if b.heap.left >= math.MaxInt64/2 {
		return b.seek()
	}
	left := b.heap.left
	b.heap.left = 0
	return b.pass(left, "a heap dump")
}

// resumes says whether the text looks like the head of a segment with a sub-record behind it, or of the end of a heap
// dump.
func (b *binaryReader) resumes(text []byte) bool {
	switch text[0] {
	case tagSegment:
		return u4(text[5:]) > 0 && b.fixed(text[headSize]) > 0
	case tagHeapDumpEnd:
		return u4(text[5:]) == 0
	}
	return false
}

// overrun goes on where something of the size reaches beyond the end of its heap dump: either its own length is wrong,
// or that of the dump. Where a record begins at the end of the dump, that is right.
func (b *binaryReader) overrun(size int64, what string) bool {
	h := &b.heap
	within := h.left+headSize <= windowSize
	if within && !b.have(int(h.left)) {
		b.cut("a heap dump")
		return false
	}
	whole := within && !b.have(int(h.left)+1)
	if !within || whole || b.have(int(h.left)+headSize) && b.plausible(b.next()[h.left:]) {
		b.error(ruleLength, b.offset(),
			"%s has %d bytes, but the heap dump ends %d bytes on; the rest of it is left out", what, size, h.left)
		left := h.left
		h.left = 0
		return b.pass(left, "a heap dump")
	}
	b.error(ruleLength, h.begin,
		"a heap dump says that it ends at @%d, but %s goes on there; it is read up to the next record",
		b.offset()+h.left, what)
	h.left = math.MaxInt64
	return true
}

// body passes what comes behind the fixed part of a sub-record, whose size has been looked at.
func (b *binaryReader) body(size int64) bool {
	b.heap.left -= size
	if !b.skip(size) {
		b.cut("a heap dump")
		return false
	}
	return true
}

// root gives an object that is held from outside of the heap.
func (b *binaryReader) root(tag byte, head []byte) {
	r, object := &roots[tag], b.id(head[1:])
	if tag == subThreadObject {
		b.start(u4(head[1+b.ids:]), object, u4(head[5+b.ids:]), "", "", "", true)
		b.without("starts, ends and names of the threads that a heap dump shows",
			"they begin at the time of the dump, without a name")
	}
	b.heap.rooted++
	if b.count != nil {
		return
	}
	e := b.transcript.Element(trace.GCRoot, b.offset()).Number(trace.AttrObjIDRef, object).Text(trace.AttrType, r.name)
	if r.thread {
		e.Number(trace.AttrThreadIDRef, uint64(u4(head[1+b.ids:])))
	}
	b.put(e)
}

// tell gives the numbers of elements that are only counted.
func (b *binaryReader) tell() {
	h := &b.heap
	for _, c := range []struct {
		kind trace.Kind
		n    *uint64
	}{{trace.ObjAlloc, &h.allocated}, {trace.GCRoot, &h.rooted}, {trace.ObjReference, &h.referred}} {
		if b.count != nil && b.err == nil && *c.n > 0 {
			b.err = b.count(c.kind, *c.n)
		}
		*c.n = 0
	}
}

// finishHeap says what was not known of heap dumps.
func (b *binaryReader) finishHeap() {
	b.settleClasses()
	b.tell()
	if n := b.heap.unknown; n > 0 {
		b.warning(ruleInstance, b.heap.firstOf,
			"the classes of %d instances, of which this is the first, come later or not at all; what these refer "+
				"to and their size is not known", n)
	}
	if b.dumps > 0 && b.count == nil {
		b.without("sizes of objects in memory", b.heap.sizes.explain())
	}
}
