package hprof

import (
	"math"

	"github.com/trcx/trcx/trace"
)

// The tags of sub-records in a heap dump.
const (
	tagRootJNILocal         = 0x02
	tagRootJavaFrame        = 0x03
	tagRootThreadObject     = 0x08
	tagClassDump            = 0x20
	tagInstanceDump         = 0x21
	tagObjectArrayDump      = 0x22
	tagPrimitiveArrayDump   = 0x23
	tagPrimitiveArrayNoData = 0xC3 // Android: an array without its elements
	tagHeapDumpInfo         = 0xFE // Android: the heap of the objects that follow
)

// rootType describes the roots of a tag: the numbers of ids and of bytes after the object's id. thread reports whether
// the first bytes are a thread's serial number.
type rootType struct {
	name   string
	bytes  int
	ids    int
	thread bool
}

// roots are the GC roots by tag; those from 0x89 on are Android's.
var roots = [256]rootType{
	0x01: {"JNI global", 0, 1, false}, tagRootJNILocal: {"JNI local", 8, 0, true},
	tagRootJavaFrame: {"Java frame", 8, 0, true},
	0x04:             {"native stack", 4, 0, true},
	0x05:             {"sticky class", 0, 0, false}, 0x06: {"thread block", 4, 0, true}, 0x07: {"busy monitor", 0, 0, false},
	0x08: {"thread object", 8, 0, true},
	0x89: {"interned string", 0, 0, false}, 0x8A: {"finalizing", 0, 0, false}, 0x8B: {"debugger", 0, 0, false},
	0x8C: {"reference cleanup", 0, 0, false},
	0x8D: {"VM internal", 0, 0, false}, 0x8E: {"JNI monitor", 8, 0, true}, 0x90: {"unreachable", 0, 0, false},
	0xFF: {"unknown", 0, 0, false},
}

// heapState is the state of reading heap dumps.
type heapState struct {
	left         int64 // bytes left in the segment; math.MaxInt64 if unknown
	begin        int64 // offset of its record
	allocated    uint64
	roots        uint64
	references   uint64
	unknown      int   // instances whose references are unknown
	firstUnknown int64 // offset of the first of them
	layout       heapLayout
	detections   int // of layouts, in all heap dumps
}

// heapDump reads a HEAP DUMP or HEAP DUMP SEGMENT. It reports false at the end of the log.
func (b *binaryReader) heapDump(begin int64, tag byte, length int64) bool {
	if !b.progress.open {
		b.put(b.builder.Element(trace.HeapDumpDef, begin).At(b.at))
		b.beginLayout()
	}
	b.progress.open = tag == tagHeapDumpSegment
	h := &b.heap
	h.left, h.begin = length, begin
	if length == 0 {
		if !b.have(1) || b.plausible(b.window()) {
			return true
		}
		h.left = math.MaxInt64
		b.error(ruleLength, begin,
			"a heap dump has a length of 0, but objects follow; they are read up to the next record")
	}
	for h.left > 0 && b.err == nil {
		if !b.have(1) {
			if h.left < math.MaxInt64/2 {
				b.truncatedInside("a heap dump")
			}
			break
		}
		if !b.subRecord() {
			return false
		}
	}
	if h.layout.known || tag == tagHeapDump {
		b.emitMirrors()
	}
	b.reportCounts()
	return b.err == nil
}

// endHeap reads a HEAP DUMP END.
func (b *binaryReader) endHeap([]byte) {
	b.emitMirrors()
	b.reportCounts()
	b.progress.open = false
}

// fixedSize returns the size of the fixed part of a sub-record, or 0 for an unknown tag.
func (b *binaryReader) fixedSize(tag byte) int {
	switch tag {
	case tagClassDump:
		return 1 + 7*b.ids + 8
	case tagInstanceDump, tagObjectArrayDump:
		return 1 + 2*b.ids + 8
	case tagPrimitiveArrayDump, tagPrimitiveArrayNoData:
		return 1 + b.ids + 9
	case tagHeapDumpInfo:
		return 1 + 4 + b.ids
	}
	if r := &roots[tag]; r.name != "" {
		return 1 + b.ids*(1+r.ids) + r.bytes
	}
	return 0
}

// subRecord reads the next sub-record. It reports false at the end of the log.
func (b *binaryReader) subRecord() bool {
	tag := b.window()[0]
	if b.heap.left >= math.MaxInt64/2 && tag <= tagHeapSummary && b.have(headSize) && b.plausible(b.window()) {
		b.heap.left = 0 // roots have the tags of records, too, but their ids would be invalid lengths
		return true
	}
	size := b.fixedSize(tag)
	if size == 0 {
		return b.unknownTag(tag)
	}
	if int64(size) > b.heap.left {
		return b.overrun(int64(size), "a sub-record")
	}
	if !b.have(size) {
		b.truncatedInside("a heap dump")
		return false
	}
	head := b.window()[:size]
	if b.passes.ahead && tag != tagClassDump {
		return b.pass(head)
	}
	switch tag {
	case tagInstanceDump:
		return b.instance(head)
	case tagPrimitiveArrayDump, tagObjectArrayDump:
		return b.array(head)
	case tagClassDump:
		return b.classDump(head)
	case tagPrimitiveArrayNoData:
		b.object(b.id(head[1:]), b.arrayOf(head[size-1]), b.arraySize(int64(u4(head[5+b.ids:])), head[size-1]),
			head[size-1])
	case tagHeapDumpInfo:
		b.annotate(trace.NoteHeapInfo, "heap %d: %s", u4(head[1:]), b.names[b.id(head[5:])])
	default:
		b.root(tag, head)
	}
	b.consume(size)
	return true
}

// consume consumes n bytes of the segment that are in the window.
func (b *binaryReader) consume(n int) {
	b.pos += n
	b.heap.left -= int64(n)
}

// fits reports whether the body of a record can have the length.
func (b *binaryReader) fits(tag byte, length int64) bool {
	r := &records[tag]
	least := int64(r.size(b.ids))
	return length == least || r.variable && length > least
}

// plausible reports whether the text begins with a valid head of a record.
func (b *binaryReader) plausible(text []byte) bool {
	if len(text) < headSize {
		return false
	}
	tag, length := text[0], int64(u4(text[5:]))
	switch {
	case records[tag].name == "" || !b.fits(tag, length):
		return false
	case tag == tagUTF8:
		return length <= int64(b.ids)+maxName
	case tag == tagTrace:
		return (length-12)%int64(b.ids) == 0 && length < windowSize
	}
	return true
}

// unknownTag resumes after the end of the segment, or the next segment, where no sub-record begins.
func (b *binaryReader) unknownTag(tag byte) bool {
	h := &b.heap
	known := h.left < math.MaxInt64/2
	b.have(headSize)
	switch ends := tag == tagHeapDump || tag == tagHeapDumpSegment || tag == tagHeapDumpEnd; {
	case ends && b.plausible(b.window()):
		if known {
			b.error(ruleLength, h.begin,
				"the length of a heap dump exceeds it by %d bytes; the next record begins at @%d", h.left,
				b.offset())
		}
		h.left = 0
		return true
	case !known && (b.plausible(b.window()) || b.anotherLog()):
		h.left = 0
		return true
	case known:
		b.error(ruleSubRecord, b.offset(),
			"unknown sub-record tag 0x%02X of unknown length; reading resumes at the next segment, after %d bytes",
			tag, h.left)
		return b.skipSegment()
	}
	b.error(ruleSubRecord, b.offset(),
		"unknown sub-record tag 0x%02X of unknown length; reading resumes at the next segment", tag)
	return b.seekSegment()
}

// seekSegment skips to the next head of a segment or of a HEAP DUMP END.
func (b *binaryReader) seekSegment() bool {
	b.heap.left = 0
	for b.have(headSize + 1) {
		text := b.window()
		for at := 1; at+headSize+1 <= len(text); at++ {
			if b.looksLikeSegment(text[at:]) {
				b.pos += at
				return true
			}
		}
		b.pos = b.end - headSize
	}
	b.truncatedInside("a damaged heap dump")
	return false
}

// skipSegment skips the rest of the segment.
func (b *binaryReader) skipSegment() bool {
	if b.heap.left >= math.MaxInt64/2 {
		return b.seekSegment()
	}
	left := b.heap.left
	b.heap.left = 0
	return b.skipPart(left, "a heap dump")
}

// looksLikeSegment reports whether the text begins like a segment with a sub-record, or like a HEAP DUMP END.
func (b *binaryReader) looksLikeSegment(text []byte) bool {
	switch text[0] {
	case tagHeapDumpSegment:
		return u4(text[5:]) > 0 && b.fixedSize(text[headSize]) > 0
	case tagHeapDumpEnd:
		return u4(text[5:]) == 0
	}
	return false
}

// overrun resumes where an item exceeds the end of its heap dump: either its length or the dump's length is wrong. If a
// record begins at the end of the dump, the dump's length is right.
func (b *binaryReader) overrun(size int64, what string) bool {
	h := &b.heap
	within := h.left+headSize <= windowSize
	if within && !b.have(int(h.left)) {
		b.truncatedInside("a heap dump")
		return false
	}
	whole := within && !b.have(int(h.left)+1)
	if !within || whole || b.have(int(h.left)+headSize) && b.plausible(b.window()[h.left:]) {
		b.error(ruleLength, b.offset(),
			"%s has %d bytes, but the heap dump ends after %d; the rest of the heap dump is skipped", what, size,
			h.left)
		return b.skipSegment()
	}
	b.error(ruleLength, h.begin,
		"a heap dump should end at @%d, but %s continues there; it is read up to the next record",
		b.offset()+h.left, what)
	h.left = math.MaxInt64
	return true
}

// skipBody skips the variable part of a sub-record that is within the segment.
func (b *binaryReader) skipBody(size int64) bool {
	b.heap.left -= size
	return b.skipPart(size, "a heap dump")
}

// root emits a GC root.
func (b *binaryReader) root(tag byte, head []byte) {
	r, object := &roots[tag], b.id(head[1:])
	if tag == tagRootThreadObject {
		b.start(u4(head[1+b.ids:]), object, u4(head[5+b.ids:]), "", "", "", true)
		b.keepStack(u4(head[1+b.ids:]), u4(head[5+b.ids:]))
		b.unsupported("waits, starts, ends and names of threads",
			"a heap dump has objects, which trcx heap analyzes; its threads start at its time, without a name")
	}
	b.heap.roots++
	thread := uint64(0)
	if r.thread {
		thread = uint64(u4(head[1+b.ids:]))
	}
	switch {
	case b.count != nil || b.err != nil:
		return
	case b.contents != nil:
		b.err = b.contents.Root(object, r.name, thread, b.callOf(tag, head))
		return
	}
	e := b.builder.Element(trace.GCRoot, b.offset()).Number(trace.AttrObjIDRef, object).Text(trace.AttrType, r.name)
	if r.thread {
		e.Number(trace.AttrThreadIDRef, thread)
	}
	b.put(e)
}

// reportCounts passes the numbers of elements to count and resets them.
func (b *binaryReader) reportCounts() {
	h := &b.heap
	b.addCount(trace.ObjAlloc, h.allocated)
	b.addCount(trace.GCRoot, h.roots)
	b.addCount(trace.ObjReference, h.references)
	h.allocated, h.roots, h.references = 0, 0, 0
}

// finishHeap reports the unknown parts of heap dumps.
func (b *binaryReader) finishHeap() {
	b.emitMirrors()
	b.reportCounts()
	if n := b.heap.unknown; n > 0 {
		where := "incomplete in the log"
		if !b.passes.looked {
			where = "defined later or not at all, and the log cannot be read twice"
		}
		b.warning(ruleInstance, b.heap.firstUnknown,
			"the classes of %d instances, this one first, are %s; the references and sizes of these instances are "+
				"unknown", n, where)
	}
	if b.progress.dumps > 0 && b.count == nil {
		b.lacks(trace.Lack{What: "sizes of objects in memory", Means: b.heap.layout.describe(), Heap: true})
	}
}
