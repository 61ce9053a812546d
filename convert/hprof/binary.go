package hprof

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// The tags of records.
const (
	tagName        = 0x01
	tagLoadClass   = 0x02
	tagUnloadClass = 0x03
	tagFrame       = 0x04
	tagTrace       = 0x05
	tagAllocSites  = 0x06
	tagHeapSummary = 0x07
	tagStartThread = 0x0A
	tagEndThread   = 0x0B
	tagHeapDump    = 0x0C
	tagCPUSamples  = 0x0D
	tagSettings    = 0x0E
	tagSegment     = 0x1C
	tagHeapDumpEnd = 0x2C
)

// headSize is how many bytes of a record come before its body: tag, microseconds since the header's time, length of the
// body.
const headSize = 9

// record is what the format says of the records of a tag.
type record struct {
	name string
	// size is how many bytes the body has at least, where ids have so many; more says that it may have more.
	size func(ids int) int
	more bool
	// read reads a body that is in the window; nil where that is done elsewhere.
	read func(b *binaryReader, body []byte)
}

var records [256]record

func init() { // not a literal, for the functions refer to the table
	for tag, r := range map[byte]record{
		tagName:        {"name", func(ids int) int { return ids }, true, nil},
		tagLoadClass:   {"LOAD CLASS", func(ids int) int { return 8 + 2*ids }, false, (*binaryReader).loadClass},
		tagUnloadClass: {"UNLOAD CLASS", func(int) int { return 4 }, false, (*binaryReader).unloadClass},
		tagFrame:       {"STACK FRAME", func(ids int) int { return 8 + 4*ids }, false, (*binaryReader).frame},
		tagTrace:       {"STACK TRACE", func(int) int { return 12 }, true, (*binaryReader).trace},
		tagAllocSites:  {"ALLOC SITES", func(int) int { return 34 }, true, nil},
		tagHeapSummary: {"HEAP SUMMARY", func(int) int { return 24 }, false, (*binaryReader).heapSummary},
		tagStartThread: {"START THREAD", func(ids int) int { return 8 + 4*ids }, false, (*binaryReader).startThread},
		tagEndThread:   {"END THREAD", func(int) int { return 4 }, false, (*binaryReader).endThread},
		tagHeapDump:    {"HEAP DUMP", func(int) int { return 0 }, true, nil},
		tagCPUSamples:  {"CPU SAMPLES", func(int) int { return 8 }, true, nil},
		tagSettings:    {"CONTROL SETTINGS", func(int) int { return 6 }, false, (*binaryReader).settings},
		tagSegment:     {"HEAP DUMP SEGMENT", func(int) int { return 0 }, true, nil},
		tagHeapDumpEnd: {"HEAP DUMP END", func(int) int { return 0 }, false, (*binaryReader).endHeap},
	} {
		records[tag] = r
	}
}

// frame is a place in the program.
type frame struct {
	method uint32
	line   int32
}

// methodKey is what tells methods apart.
type methodKey struct{ class, name, signature uint64 }

// binaryReader reads the binary form.
type binaryReader struct {
	*input
	*findings
	transcript *builder.Builder
	numbered   numbered
	count      func(trace.Kind, uint64) error // nil if all elements are wanted
	err        error                          // of whoever takes the elements
	ids        int                            // bytes of an id
	began      trace.Time                     // by the header
	micros     uint32                         // of the record before
	wrapped    uint64                         // microseconds that have been counted beyond 32 bits
	at         trace.Time                     // of the record at hand
	truncated  bool
	dumped     bool // logs of this version always have a heap dump
	tables     int  // ALLOC SITES and CPU SAMPLES, so far

	names      names
	classes    classes
	arrays     [kindCount]*class
	serials    map[uint32]*class // by the serial numbers of LOAD CLASS
	numbers    uint64            // of classes in the trace, so far
	generation uint32            // of definitions of classes
	line       []*class          // room for resolve
	methods    map[methodKey]uint32
	defined    uint32 // methods, so far
	frames     map[uint64]frame
	traces     map[uint32][]byte // stacks by serial number
	stack      []byte            // room for trace
	threads    threads           // by serial number
	room       room

	open      bool   // a heap dump has begun whose end is still to come
	dumps     uint32 // heap dumps, so far
	surveys   int    // likewise
	ofClasses *class // java.lang.Class, once it is found
	searched  int    // so many classes are not it
	heap      heap
}

// readBinary reads the log behind the text and the NUL with which it begins.
func (b *binaryReader) readBinary() {
	header := b.next()
	b.dumped = !bytes.HasPrefix(header, []byte(agentTitle))
	end := bytes.IndexByte(header[:min(len(header), longestTitle)], 0) + 1
	if !b.have(end + 12) {
		b.cut("the header")
		return
	}
	header = b.next()[end:]
	ids, millis := u4(header), u8(header[4:])
	if ids != 4 && ids != 8 {
		b.error(ruleHeader, int64(end),
			"the header says that ids have %d bytes; it should say 4 or 8, and nothing can be read by it", ids)
		b.truncated = true
		return
	}
	if millis > 1<<62/1_000_000 {
		b.error(ruleHeader, int64(end+4), "the header's time, %d ms since 1970, cannot be; times count from 0", millis)
		millis = 0
	}
	b.ids, b.began = int(ids), trace.Time(millis)*1_000_000
	b.skip(int64(end + 12))
	begin := b.offset()
	for b.err == nil && b.record() {
	}
	b.finishHeap()
	b.finish(begin)
}

// finish says that the log is whole, or that it is not. Its records begin at the offset.
func (b *binaryReader) finish(begin int64) {
	switch {
	case b.err != nil || b.failure() != nil || b.truncated:
	case b.open:
		b.incomplete("without the record that ends a heap dump (tag 0x2C); objects may be missing")
	case b.offset() == begin:
		b.incomplete("behind its header; there is no record")
	case b.dumps > 0 || b.tables > 0:
		b.put(b.transcript.Element(trace.TraceEnd, b.offset()).At(b.at))
	case b.dumped:
		b.incomplete("without a heap dump or a table, one of which every log of this version has")
	}
}

// incomplete says that the log ends between records, but too early.
func (b *binaryReader) incomplete(where string) {
	b.truncated = true
	b.error(ruleTruncated, b.offset(), "the log ends %s", where)
}

// cut says that the log ends inside of something.
func (b *binaryReader) cut(what string) {
	if b.failure() == nil && b.err == nil && !b.truncated {
		b.truncated = true
		b.error(ruleTruncated, b.base+int64(b.end), "the log ends inside %s; what comes before is used", what)
	}
	b.pos = b.end
}

// put gives the element on.
func (b *binaryReader) put(e builder.Element) {
	if b.err == nil {
		b.err = e.Put()
	}
}

// keeps takes room for something of a kind, and says whether there is any.
func (b *binaryReader) keeps(what string, bytes int) bool {
	return b.room.keep(what, bytes, b.findings, trace.Place{Offset: b.offset()})
}

// record reads the next record; false says that there is none.
func (b *binaryReader) record() bool {
	if !b.have(1) {
		return false
	}
	if !b.have(headSize) {
		b.cut("the head of a record")
		return false
	}
	if b.anotherLog() {
		b.error(ruleAnotherLog, b.offset(), anotherLog)
		return false
	}
	begin, head := b.offset(), b.next()
	tag, micros, length := head[0], u4(head[1:]), int64(u4(head[5:]))
	b.clock(micros)
	b.pos += headSize
	r := &records[tag]
	switch {
	case r.name == "":
		b.warning(ruleRecord, begin, "there is no record of tag 0x%02X; it is passed by its length, %d bytes", tag,
			length)
		return b.pass(length, "a record that is not known")
	case length < int64(r.size(b.ids)) || !r.more && length > int64(r.size(b.ids)):
		b.error(ruleLength, begin, "a record %s has %d bytes; it should have %d%s; it is left out", r.name, length,
			r.size(b.ids), orMore(r.more))
		return b.pass(length, "a record "+r.name)
	}
	switch tag {
	case tagName:
		return b.readName(begin, length)
	case tagHeapDump, tagSegment:
		return b.heapDump(begin, tag, length)
	case tagAllocSites, tagCPUSamples:
		return b.table(tag, length)
	case tagTrace:
		if length > windowSize {
			b.error(ruleLength, begin, "a stack trace has %d bytes; it is left out", length)
			return b.pass(length, "a stack trace")
		}
	}
	if !b.have(int(length)) {
		b.cut("a record " + r.name)
		return false
	}
	r.read(b, b.next()[:length])
	b.pos += int(length)
	return true
}

func orMore(more bool) string {
	if more {
		return " or more"
	}
	return ""
}

// clock sets the time of the record at hand. The microseconds begin anew after 71 minutes.
func (b *binaryReader) clock(micros uint32) {
	const half = 1 << 31
	if micros < b.micros && b.micros-micros > half {
		b.wrapped += 1 << 32
	}
	b.micros = micros
	b.at = b.began + trace.Time((b.wrapped+uint64(micros))%(1<<52))*1000
}

// pass passes bytes of what is left out; false says that the log ends before.
func (b *binaryReader) pass(length int64, what string) bool {
	if !b.skip(length) {
		b.cut(what)
		return false
	}
	return true
}

// readName keeps a text.
func (b *binaryReader) readName(begin, length int64) bool {
	text := length - int64(b.ids)
	if text > maxName {
		b.error(ruleLength, begin, "a name has %d bytes; no name of a class file has more than %d; it is left out",
			text, maxName)
		return b.pass(length, "a name")
	}
	if !b.have(int(length)) {
		b.cut("a name")
		return false
	}
	body := b.next()[:length]
	if id := b.id(body); id != 0 && b.keeps("names", b.names.cost(int(text))) {
		b.names.set(id, body[b.ids:])
	}
	b.pos += int(length)
	return true
}

// id reads an id.
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
	b.number(serial, c)
}

// number keeps which class has a serial number; false says that there is no room for it.
func (b *binaryReader) number(serial uint32, c *class) bool {
	if _, known := b.serials[serial]; !known && !b.keeps("serial numbers of classes", serialCost) {
		return false
	}
	b.serials[serial] = c
	return true
}

// unloadClass ends a class. Its id may come again; what was said of it before holds until then. The agent hprof unloads
// classes as well that it has not loaded.
func (b *binaryReader) unloadClass(body []byte) {
	serial := u4(body)
	c := b.serials[serial]
	if c == nil {
		return
	}
	delete(b.serials, serial)
	b.room.left += serialCost
	if c.number != 0 {
		b.put(b.transcript.Element(trace.ClassUnload, b.offset()).Number(trace.AttrClassIDRef, c.number).At(b.at))
		c.number = 0 // what comes with its id from here on is another class, with methods of its own
	}
}

// frame keeps a place in the program, and defines its method.
func (b *binaryReader) frame(body []byte) {
	id := b.id(body)
	nameID, signatureID, sourceID := b.id(body[b.ids:]), b.id(body[2*b.ids:]), b.id(body[3*b.ids:])
	serial, line := u4(body[4*b.ids:]), int32(u4(body[4*b.ids+4:]))
	c := b.serials[serial]
	if c == nil {
		if c = b.unloaded(serial); c == nil {
			return
		}
	}
	if _, known := b.frames[id]; !known && !b.keeps("frames", frameCost) {
		return
	}
	if method := b.method(c, nameID, signatureID, sourceID); method != 0 {
		b.frames[id] = frame{method, line}
	}
}

// unloaded makes a class for a serial number that none has; nil if there is no room for it.
func (b *binaryReader) unloaded(serial uint32) *class {
	b.warning(ruleUndefined, b.offset()-headSize, "a frame is of the class of serial number %d, which no class has",
		serial)
	c := &class{}
	if !b.keeps("classes", classCost) || !b.number(serial, c) {
		return nil
	}
	return c
}

// method is the id of the method in the trace; 0 if there is no room for it.
func (b *binaryReader) method(c *class, nameID, signatureID, sourceID uint64) uint32 {
	key := methodKey{b.define(c, b.names.name(sourceID)), nameID, signatureID}
	if number := b.methods[key]; number != 0 {
		return number
	}
	if !b.keeps("methods", methodCost) {
		return 0
	}
	b.defined++
	b.methods[key] = b.defined
	e := b.transcript.Element(trace.MethodDef, b.offset()-headSize).Number(trace.AttrMethodID, uint64(b.defined)).
		Number(trace.AttrClassIDRef, key.class)
	if name := b.names.name(nameID); name != "" {
		e.Text(trace.AttrName, trace.MethodName(name))
	}
	if signature := b.names.name(signatureID); signature != "" {
		e.Text(trace.AttrSignature, signature)
	}
	b.put(e)
	return b.defined
}

// trace keeps a stack.
func (b *binaryReader) trace(body []byte) {
	serial, count := u4(body), int64(u4(body[8:]))
	begin := b.offset() - headSize
	if rest := int64(len(body) - 12); count*int64(b.ids) != rest {
		b.error(ruleLength, begin, "the stack trace %d says that it has %d frames, but there is room for %d", serial,
			count, rest/int64(b.ids))
		count = min(count, rest/int64(b.ids))
	}
	stack := b.stack[:0]
	for i := range int(count) {
		id := b.id(body[12+i*b.ids:])
		f, known := b.frames[id]
		if !known {
			b.warning(ruleUndefined, begin, "the stack trace %d names the frame %#x, which is not known", serial, id)
			continue
		}
		stack = builder.AppendFrame(stack, uint64(f.method), f.line)
	}
	b.stack = stack
	if b.keeps("stacks", traceCost+len(stack)) {
		b.traces[serial] = slices.Clone(stack)
	}
}

func (b *binaryReader) startThread(body []byte) {
	serial, object, stack := u4(body), b.id(body[4:]), u4(body[4+b.ids:])
	texts := body[8+b.ids:]
	b.start(serial, object, stack, b.names.name(b.id(texts)), b.names.name(b.id(texts[b.ids:])),
		b.names.name(b.id(texts[2*b.ids:])), false)
}

// start gives a threadStart. What is not known is "" or 0; inferred says that no record reports it, as of threads that
// were there before the log.
func (b *binaryReader) start(serial uint32, object uint64, stack uint32, name, group, parent string, inferred bool) {
	number := uint64(serial)
	switch seen := b.threads.seen(number); {
	case seen && inferred:
		return
	case b.threads.lives[number]:
		b.error(ruleThread, b.offset()-headSize, "the thread %d starts a second time without having ended", serial)
		return
	case !seen && !b.keeps("threads", threadCost):
		return
	}
	b.threads.lives[number] = true
	e := b.transcript.Element(trace.ThreadStart, b.offset()).Number(trace.AttrThreadID, uint64(serial)).At(b.at)
	for _, text := range []struct {
		attribute trace.Attr
		value     string
	}{{trace.AttrThreadName, name}, {trace.AttrGroupName, group}, {trace.AttrParentName, parent}} {
		if text.value != "" {
			e.Text(text.attribute, text.value)
		}
	}
	if object != 0 {
		e.Number(trace.AttrObjIDRef, object)
	}
	e.Stack(b.traces[stack])
	if inferred {
		e.Inferred()
	}
	b.put(e)
}

func (b *binaryReader) endThread(body []byte) {
	serial := u4(body)
	number := uint64(serial)
	if b.threads.hasEnded(number) {
		b.error(ruleThread, b.offset()-headSize, "the thread %d ends a second time without having started", serial)
		return
	}
	if b.start(serial, 0, 0, "", "", "", true); !b.threads.lives[number] {
		return // for which there is no room
	}
	if b.threads.end(number) {
		b.room.left += threadCost
	}
	b.put(b.transcript.Element(trace.ThreadEnd, b.offset()-headSize).Number(trace.AttrThreadIDRef, uint64(serial)).
		At(b.at))
}

// note keeps something for people.
func (b *binaryReader) note(name, format string, arguments ...any) {
	e := b.transcript.Element(trace.Annotation, b.offset()).Text(trace.AttrName, name)
	b.put(e.Text(trace.AttrValue, fmt.Sprintf(format, arguments...)))
}

func (b *binaryReader) heapSummary(body []byte) {
	b.note("hprof-heap-summary", "live: %d objects, %d bytes; allocated: %d objects, %d bytes", u4(body[4:]), u4(body),
		u8(body[16:]), u8(body[8:]))
}

func (b *binaryReader) settings(body []byte) {
	flags := u4(body)
	b.note("hprof-control-settings", "allocation traces: %s; CPU sampling: %s; depth of stack traces: %d",
		onOff(flags&1), onOff(flags&2), u2(body[4:]))
}

func onOff(bit uint32) string {
	if bit != 0 {
		return "on"
	}
	return "off"
}

// table reads a record that is a table of any length: a head, and rows.
func (b *binaryReader) table(tag byte, length int64) bool {
	name, head, row := "ALLOC SITES", 34, 25
	if tag == tagCPUSamples {
		name, head, row = "CPU SAMPLES", 8, 8
	}
	begin := b.offset() - headSize
	if !b.have(head) {
		b.cut("a record " + name)
		return false
	}
	body := b.next()
	rows := (length - int64(head)) / int64(row)
	if said := int64(u4(body[head-4:])); said != rows || (length-int64(head))%int64(row) != 0 {
		b.error(ruleLength, begin, "a record %s says that it has %d rows, but its length is that of %d", name, said,
			rows)
	}
	total := u4(body)
	if tag == tagAllocSites {
		b.note("hprof-alloc-sites", "live: %d objects, %d bytes; allocated: %d objects, %d bytes; %d sites",
			u4(body[10:]), u4(body[6:]), u8(body[22:]), u8(body[14:]), rows)
	} else {
		b.note("hprof-cpu-samples", "%d samples in %d stack traces", total, rows)
	}
	b.pos += head
	for rank := range rows {
		if !b.have(row) {
			b.cut("a record " + name)
			return false
		}
		if body := b.next(); tag == tagAllocSites {
			b.site(rank+1, body)
		} else {
			b.note("hprof-cpu-sample", "%d of %d samples, trace %d%s", u4(body), total, u4(body[4:]),
				b.placed(u4(body[4:])))
		}
		b.pos += row
		if b.err != nil {
			return false
		}
	}
	b.tables++
	return b.pass((length-int64(head))%int64(row), "a record "+name)
}

func (b *binaryReader) site(rank int64, row []byte) {
	name := ""
	if c := b.serials[u4(row[1:])]; c != nil {
		name = b.nameOf(c)
	}
	b.note("hprof-alloc-site", "%d. %s: live: %d objects, %d bytes; allocated: %d objects, %d bytes; trace %d%s", rank,
		quoted(name),
		u4(row[13:]), u4(row[9:]), u4(row[21:]), u4(row[17:]), u4(row[5:]), b.placed(u4(row[5:])))
}

// placed is the stack of the number as the frames of the trace have it, for people; "" if it is not known.
func (b *binaryReader) placed(serial uint32) string {
	if stack := b.traces[serial]; len(stack) > 0 {
		return ": " + string(stack)
	}
	return ""
}

// quoted is a name for people; one that is not known is "?".
func quoted(name string) string {
	if name == "" {
		return "?"
	}
	return name
}
