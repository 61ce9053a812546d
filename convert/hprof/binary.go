package hprof

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/internal/modified"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// The tags of records.
const (
	tagUTF8            = 0x01
	tagLoadClass       = 0x02
	tagUnloadClass     = 0x03
	tagFrame           = 0x04
	tagTrace           = 0x05
	tagAllocSites      = 0x06
	tagHeapSummary     = 0x07
	tagStartThread     = 0x0A
	tagEndThread       = 0x0B
	tagHeapDump        = 0x0C
	tagCPUSamples      = 0x0D
	tagControlSettings = 0x0E
	tagHeapDumpSegment = 0x1C
	tagHeapDumpEnd     = 0x2C
)

// headSize is the size of a record's head: tag, microseconds since the header's time, length of the body.
const headSize = 9

// recordType describes the records of a tag.
type recordType struct {
	name string
	// size returns the size of the body for a size of ids, or the least size if it varies.
	size     func(ids int) int
	variable bool
	// read reads a body in the window; nil for records that are read in parts.
	read func(b *binaryReader, body []byte)
}

var records [256]recordType

func init() { // not a literal, because the functions refer to the table
	for tag, r := range map[byte]recordType{
		tagUTF8:        {"name", func(ids int) int { return ids }, true, nil},
		tagLoadClass:   {"LOAD CLASS", func(ids int) int { return 8 + 2*ids }, false, (*binaryReader).loadClass},
		tagUnloadClass: {"UNLOAD CLASS", func(int) int { return 4 }, false, (*binaryReader).unloadClass},
		tagFrame:       {"STACK FRAME", func(ids int) int { return 8 + 4*ids }, false, (*binaryReader).frame},
		tagTrace:       {"STACK TRACE", func(int) int { return 12 }, true, (*binaryReader).trace},
		tagAllocSites:  {"ALLOC SITES", func(int) int { return 34 }, true, nil},
		tagHeapSummary: {"HEAP SUMMARY", func(int) int { return 24 }, false, (*binaryReader).heapSummary},
		tagStartThread: {"START THREAD", func(ids int) int { return 8 + 4*ids }, false,
			(*binaryReader).startThread},
		tagEndThread:       {"END THREAD", func(int) int { return 4 }, false, (*binaryReader).endThread},
		tagHeapDump:        {"HEAP DUMP", func(int) int { return 0 }, true, nil},
		tagCPUSamples:      {"CPU SAMPLES", func(int) int { return 8 }, true, nil},
		tagControlSettings: {"CONTROL SETTINGS", func(int) int { return 6 }, false, (*binaryReader).settings},
		tagHeapDumpSegment: {"HEAP DUMP SEGMENT", func(int) int { return 0 }, true, nil},
		tagHeapDumpEnd:     {"HEAP DUMP END", func(int) int { return 0 }, false, (*binaryReader).endHeap},
	} {
		records[tag] = r
	}
}

// frame is a stack frame.
type frame struct {
	method uint32
	line   int32
	class  *class
	// name and source are the ids of the names of the method and of the source file.
	name, source uint64
}

// methodKey identifies a method by the ids of its class and names.
type methodKey struct{ class, name, signature uint64 }

// binaryReader reads the binary form.
type binaryReader struct {
	reader
	ids      int // size of an id in bytes
	passes   passes
	progress recordProgress
	clock
	classTable
	program
	heap heapState
}

// recordProgress counts records, to find truncated logs.
type recordProgress struct {
	needsDump bool   // logs of this version always have a heap dump or a table
	tables    int    // ALLOC SITES and CPU SAMPLES
	dumps     uint32 // heap dumps
	open      bool   // a heap dump in segments has no end yet
}

// clock computes the times of records.
type clock struct {
	began   trace.Time // time of the header
	micros  uint32     // of the previous record
	wrapped uint64     // microseconds beyond 32 bits
	at      trace.Time // of the current record
}

// program has the definitions of names, methods, frames and stack traces.
type program struct {
	names     map[uint64]string // by the ids of their records
	methods   map[methodKey]uint32
	methodIDs uint32 // the last one assigned
	frames    map[uint64]frame
	traces    map[uint32][]byte // stack traces by serial number
	stack     []byte            // scratch of trace
	calls     calls
}

// readBinary reads the log after its title and NUL.
func (b *binaryReader) readBinary() {
	header := b.window()
	b.progress.needsDump = !bytes.HasPrefix(header, []byte(agentTitle))
	end := bytes.IndexByte(header[:min(len(header), maxTitle)], 0) + 1
	if !b.have(end + 12) {
		b.truncatedInside("the header")
		return
	}
	header = b.window()[end:]
	ids, millis := u4(header), u8(header[4:])
	if ids != 4 && ids != 8 {
		b.error(ruleHeader, int64(end),
			"ids have %d bytes by the header; want 4 or 8; the log cannot be read", ids)
		b.truncated = true
		return
	}
	if millis > 1<<62/1_000_000 {
		b.error(ruleHeader, int64(end+4), "invalid time in the header: %d ms after 1970; times begin at 1970", millis)
		millis = 0
	}
	b.whole(true)
	b.ids, b.began = int(ids), trace.Time(millis)*1_000_000
	b.skip(int64(end + 12))
	begin := b.offset()
	for b.err == nil && b.readRecord() {
	}
	b.finishHeap()
	b.finish(begin)
}

// finish emits the end of a complete log, or reports a truncated one. The records begin at the offset.
func (b *binaryReader) finish(begin int64) {
	switch {
	case b.failed() || b.truncated:
	case b.progress.open:
		b.incomplete("without a HEAP DUMP END record (tag 0x2C); objects may be missing")
	case b.offset() == begin:
		b.incomplete("after its header, without a record")
	case b.progress.dumps > 0 || b.progress.tables > 0:
		b.put(b.builder.Element(trace.TraceEnd, b.offset()).At(b.at))
	case b.progress.needsDump:
		b.incomplete("without a heap dump or a table; logs of this version have one")
	}
}

// incomplete reports that the log ends between records, but too early.
func (b *binaryReader) incomplete(where string) {
	b.truncated = true
	b.error(ruleTruncated, b.offset(), "the log ends %s", where)
}

// truncatedInside reports that the log ends inside an item.
func (b *binaryReader) truncatedInside(what string) {
	if b.readError() == nil && b.err == nil && !b.truncated {
		b.truncated = true
		b.error(ruleTruncated, b.base+int64(b.end), "the log ends inside %s; everything before is used", what)
	}
	b.pos = b.end
}

// reserve charges memory for an item of a kind; see memoryLimit.
func (b *binaryReader) reserve(what string, bytes int) bool {
	return b.limit.reserve(what, bytes, b.findings, trace.Place{Offset: b.offset()})
}

// readRecord reads the next record. It reports false at the end.
func (b *binaryReader) readRecord() bool {
	if !b.have(1) {
		return false
	}
	if !b.have(headSize) {
		b.truncatedInside("the head of a record")
		return false
	}
	if b.anotherLog() {
		b.error(ruleAnotherLog, b.offset(), anotherLogMessage)
		return false
	}
	begin, head := b.offset(), b.window()
	tag, micros, length := head[0], u4(head[1:]), int64(u4(head[5:]))
	b.setTime(micros)
	b.pos += headSize
	r := &records[tag]
	switch {
	case r.name == "":
		b.warning(ruleRecord, begin, "unknown record tag 0x%02X; the record of %d bytes is skipped", tag,
			length)
		return b.skipPart(length, "an unknown record")
	case !b.fits(tag, length):
		b.error(ruleLength, begin, "a %s record has %d bytes; want %d%s; it is skipped", r.name, length,
			r.size(b.ids), orMore(r.variable))
		return b.skipPart(length, "a "+r.name+" record")
	}
	switch tag {
	case tagUTF8:
		if !b.passes.ahead {
			return b.readName(begin, length)
		}
	case tagHeapDump, tagHeapDumpSegment:
		return b.heapDump(begin, tag, length)
	case tagAllocSites, tagCPUSamples:
		if !b.passes.ahead {
			return b.readTable(tag, length)
		}
	case tagTrace:
		if length > windowSize {
			b.error(ruleLength, begin, "a stack trace has %d bytes; it is skipped", length)
			return b.skipPart(length, "a stack trace")
		}
	}
	if b.passes.ahead {
		return b.skipPart(length, "a "+r.name+" record")
	}
	if !b.have(int(length)) {
		b.truncatedInside("a " + r.name + " record")
		return false
	}
	r.read(b, b.window()[:length])
	b.pos += int(length)
	return true
}

func orMore(more bool) string {
	if more {
		return " or more"
	}
	return ""
}

// setTime sets the time of the current record. The microseconds wrap after 71 minutes.
func (b *binaryReader) setTime(micros uint32) {
	const half = 1 << 31
	if micros < b.micros && b.micros-micros > half {
		b.wrapped += 1 << 32
	}
	b.micros = micros
	b.at = b.began + trace.Time((b.wrapped+uint64(micros))%(1<<52))*1000
}

// skipPart skips bytes. It reports false if the log ends before.
func (b *binaryReader) skipPart(length int64, what string) bool {
	if !b.skip(length) {
		b.truncatedInside(what)
		return false
	}
	return true
}

// readName reads a UTF8 record.
func (b *binaryReader) readName(begin, length int64) bool {
	text := length - int64(b.ids)
	if text > maxName {
		b.error(ruleLength, begin, "a name has %d bytes, more than the %d of class files; it is skipped",
			text, maxName)
		return b.skipPart(length, "a name")
	}
	if !b.have(int(length)) {
		b.truncatedInside("a name")
		return false
	}
	body := b.window()[:length]
	if id := b.id(body); id != 0 && b.reserve("names", nameCost+int(text)) {
		b.names[id] = modified.Decode(body[b.ids:])
	}
	b.pos += int(length)
	return true
}

// id decodes an id.
func (b *binaryReader) id(text []byte) uint64 {
	if b.ids == 8 {
		return u8(text)
	}
	return uint64(u4(text))
}

func (b *binaryReader) loadClass(body []byte) {
	serial, id, nameID := u4(body), b.id(body[4:]), b.id(body[8+b.ids:])
	c := b.class(id)
	if c == nil {
		return
	}
	if c.nameID != nameID {
		c.nameID, c.name = nameID, ""
	}
	b.setSerial(serial, c)
}

// setSerial sets the class of a serial number. It reports false if the limit is reached.
func (b *binaryReader) setSerial(serial uint32, c *class) bool {
	if _, known := b.serials[serial]; !known && !b.reserve("serial numbers of classes", serialCost) {
		return false
	}
	b.serials[serial] = c
	return true
}

// unloadClass ends a class. Its id may be reused; its definition holds until then. The agent also unloads classes that
// it has not loaded.
func (b *binaryReader) unloadClass(body []byte) {
	serial := u4(body)
	c := b.serials[serial]
	if c == nil {
		return
	}
	delete(b.serials, serial)
	b.limit.left += serialCost
	if c.number != 0 {
		b.put(b.builder.Element(trace.ClassUnload, b.offset()).Number(trace.AttrClassIDRef, c.number).At(b.at))
		c.number = 0 // its id denotes another class from here on
	}
}

// frame reads a STACK FRAME and defines its method.
func (b *binaryReader) frame(body []byte) {
	id := b.id(body)
	nameID, signatureID, sourceID := b.id(body[b.ids:]), b.id(body[2*b.ids:]), b.id(body[3*b.ids:])
	serial, line := u4(body[4*b.ids:]), int32(u4(body[4*b.ids+4:]))
	c := b.serials[serial]
	if c == nil {
		if c = b.unknownClass(serial); c == nil {
			return
		}
	}
	if _, known := b.frames[id]; !known && !b.reserve("frames", frameCost) {
		return
	}
	if method := b.method(c, nameID, signatureID, sourceID); method != 0 {
		b.frames[id] = frame{method, line, c, nameID, sourceID}
	}
}

// unknownClass returns a class for an undefined serial number, or nil if the limit is reached.
func (b *binaryReader) unknownClass(serial uint32) *class {
	b.warning(ruleUndefined, b.offset()-headSize, "a frame refers to the class of serial number %d, which is undefined",
		serial)
	c := &class{}
	if !b.reserve("classes", classCost) || !b.setSerial(serial, c) {
		return nil
	}
	return c
}

// method returns the id of a method in the trace, or 0 if the limit is reached.
func (b *binaryReader) method(c *class, nameID, signatureID, sourceID uint64) uint32 {
	key := methodKey{b.define(c, b.names[sourceID]), nameID, signatureID}
	if number := b.methods[key]; number != 0 {
		return number
	}
	if !b.reserve("methods", methodCost) {
		return 0
	}
	b.methodIDs++
	b.methods[key] = b.methodIDs
	b.put(b.builder.Element(trace.MethodDef, b.offset()-headSize).Number(trace.AttrMethodID, uint64(b.methodIDs)).
		Number(trace.AttrClassIDRef, key.class).
		TextIfKnown(trace.AttrName, javaname.TraceMethod(b.names[nameID])).
		TextIfKnown(trace.AttrSignature, b.names[signatureID]))
	return b.methodIDs
}

// trace reads a STACK TRACE.
func (b *binaryReader) trace(body []byte) {
	serial, count := u4(body), int64(u4(body[8:]))
	begin := b.offset() - headSize
	if rest := int64(len(body) - 12); count*int64(b.ids) != rest {
		b.error(ruleLength, begin, "stack trace %d claims %d frames, but has bytes for %d", serial,
			count, rest/int64(b.ids))
		count = min(count, rest/int64(b.ids))
	}
	stack, frames := b.stack[:0], []frame(nil)
	for i := range int(count) {
		id := b.id(body[12+i*b.ids:])
		f, known := b.frames[id]
		if !known {
			b.warning(ruleUndefined, begin, "stack trace %d refers to the undefined frame %#x", serial, id)
			continue
		}
		stack = builder.AppendFrame(stack, uint64(f.method), f.line)
		if b.contents != nil {
			frames = append(frames, f)
		}
	}
	b.stack = stack
	b.keepCalls(serial, frames)
	if b.reserve("stacks", traceCost+len(stack)) {
		b.traces[serial] = slices.Clone(stack)
	}
}

func (b *binaryReader) startThread(body []byte) {
	serial, object, stack := u4(body), b.id(body[4:]), u4(body[4+b.ids:])
	texts := body[8+b.ids:]
	b.start(serial, object, stack, b.names[b.id(texts)], b.names[b.id(texts[b.ids:])],
		b.names[b.id(texts[2*b.ids:])], false)
}

// start emits a threadStart. Unknown values are "" or 0; inferred is set for threads older than the log.
func (b *binaryReader) start(serial uint32, object uint64, stack uint32, name, group, parent string, inferred bool) {
	number := uint64(serial)
	switch seen := b.threads.seen(number); {
	case seen && inferred:
		return
	case b.threads.alive[number]:
		b.error(ruleThread, b.offset()-headSize, "thread %d starts a second time without an end", serial)
		return
	case !seen && !b.reserve("threads", threadCost):
		return
	}
	b.threads.alive[number] = true
	e := b.builder.Element(trace.ThreadStart, b.offset()).Number(trace.AttrThreadID, uint64(serial)).At(b.at).
		TextIfKnown(trace.AttrThreadName, name).TextIfKnown(trace.AttrGroupName, group).
		TextIfKnown(trace.AttrParentName, parent).NumberIfKnown(trace.AttrObjIDRef, object).Stack(b.traces[stack])
	if inferred {
		e.Inferred()
	}
	b.put(e)
}

func (b *binaryReader) endThread(body []byte) {
	serial := u4(body)
	number := uint64(serial)
	if b.threads.hasEnded(number) {
		b.error(ruleThread, b.offset()-headSize, "thread %d ends a second time without a start", serial)
		return
	}
	if b.start(serial, 0, 0, "", "", "", true); !b.threads.alive[number] {
		return // the limit is reached
	}
	if b.threads.end(number) {
		b.limit.left += threadCost
	}
	b.put(b.builder.Element(trace.ThreadEnd, b.offset()-headSize).Number(trace.AttrThreadIDRef, uint64(serial)).
		At(b.at))
}

// annotate emits an annotation for people.
func (b *binaryReader) annotate(name, format string, arguments ...any) {
	e := b.builder.Element(trace.Annotation, b.offset()).Text(trace.AttrName, name)
	b.put(e.Text(trace.AttrValue, fmt.Sprintf(format, arguments...)))
}

func (b *binaryReader) heapSummary(body []byte) {
	b.annotate(trace.NoteHeapSummary, "live: %d objects, %d bytes; allocated: %d objects, %d bytes", u4(body[4:]),
		u4(body),
		u8(body[16:]), u8(body[8:]))
}

func (b *binaryReader) settings(body []byte) {
	flags := u4(body)
	b.annotate(trace.NoteHprofSettings, "allocation traces: %s; CPU sampling: %s; depth of stack traces: %d",
		onOff(flags&1), onOff(flags&2), u2(body[4:]))
}

func onOff(bit uint32) string {
	if bit != 0 {
		return "on"
	}
	return "off"
}

// readTable reads ALLOC SITES or CPU SAMPLES: a head, and rows.
func (b *binaryReader) readTable(tag byte, length int64) bool {
	name, head, row := "ALLOC SITES", 34, 25
	if tag == tagCPUSamples {
		name, head, row = "CPU SAMPLES", 8, 8
	}
	begin := b.offset() - headSize
	if !b.have(head) {
		b.truncatedInside("a " + name + " record")
		return false
	}
	body := b.window()
	rows := (length - int64(head)) / int64(row)
	if said := int64(u4(body[head-4:])); said != rows || (length-int64(head))%int64(row) != 0 {
		b.error(ruleLength, begin, "a %s record claims %d rows, but has bytes for %d", name, said,
			rows)
	}
	total := u4(body)
	if tag == tagAllocSites {
		b.annotate(trace.NoteAllocationSites, "live: %d objects, %d bytes; allocated: %d objects, %d bytes; %d sites",
			u4(body[10:]), u4(body[6:]), u8(body[22:]), u8(body[14:]), rows)
	} else {
		b.annotate(trace.NoteCPUSamples, "%d samples in %d stack traces", total, rows)
	}
	b.pos += head
	for rank := range rows {
		if !b.have(row) {
			b.truncatedInside("a " + name + " record")
			return false
		}
		if body := b.window(); tag == tagAllocSites {
			b.allocSite(rank+1, body)
		} else {
			b.annotate(trace.NoteCPUSample, "%d of %d samples, trace %d%s", u4(body), total, u4(body[4:]),
				b.stackText(u4(body[4:])))
		}
		b.pos += row
		if b.err != nil {
			return false
		}
	}
	b.progress.tables++
	return b.skipPart((length-int64(head))%int64(row), "a "+name+" record")
}

func (b *binaryReader) allocSite(rank int64, row []byte) {
	name := ""
	if c := b.serials[u4(row[1:])]; c != nil {
		name = b.nameOf(c)
	}
	b.annotate(trace.NoteAllocationSite, "%d. %s: live: %d objects, %d bytes; allocated: %d objects, %d bytes; trace %d%s",
		rank,
		orUnknown(name),
		u4(row[13:]), u4(row[9:]), u4(row[21:]), u4(row[17:]), u4(row[5:]), b.stackText(u4(row[5:])))
}

// stackText returns a stack trace for people, or "".
func (b *binaryReader) stackText(serial uint32) string {
	if stack := b.traces[serial]; len(stack) > 0 {
		return ": " + string(stack)
	}
	return ""
}

// orUnknown returns a name for people; "?" if it is unknown.
func orUnknown(name string) string {
	if name == "" {
		return "?"
	}
	return name
}
