package hprof

import (
	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// object emits an object. A size of 0 is unknown.
func (b *binaryReader) object(id uint64, c *class, size uint64, kind byte) {
	b.heap.allocated++
	number := uint64(0)
	if c != nil {
		number = b.define(c, "")
	}
	if b.count != nil || b.err != nil {
		return
	}
	if b.contents != nil {
		b.err = b.contents.Object(id, number, size, kind)
		return
	}
	e := b.builder.Element(trace.ObjAlloc, b.offset()).Number(trace.AttrObjID, id).
		NumberIfKnown(trace.AttrClassIDRef, number)
	if c != nil && size != 0 {
		e.Number(trace.AttrSize, size)
	}
	b.put(e.Number(trace.AttrIsArray, uint64(kind)))
}

// reference emits a reference, other than the referent of a java.lang.ref.Reference.
func (b *binaryReader) reference(from, to uint64) { b.anyReference(from, to, false) }

// anyReference emits a reference, which may be weak.
func (b *binaryReader) anyReference(from, to uint64, weak bool) {
	b.heap.references++
	switch {
	case b.count != nil || b.err != nil:
	case b.contents != nil:
		b.err = b.contents.Reference(from, to, weak)
	default:
		b.put(b.builder.Element(trace.ObjReference, b.offset()).Number(trace.AttrObjIDRef, from).
			Number(trace.AttrTargetObjIDRef, to))
	}
}

// instance reads an INSTANCE DUMP.
func (b *binaryReader) instance(head []byte) bool {
	id, classID, size := b.id(head[1:]), b.id(head[5+b.ids:]), int64(u4(head[len(head)-4:]))
	all := int64(len(head)) + size
	if all > b.heap.left {
		return b.overrun(all, "an instance")
	}
	c := b.class(classID)
	if c != nil && !b.resolve(c) {
		b.lookAhead()
	}
	b.ensureLayout()
	follows := c != nil && b.resolve(c)
	if !follows || size != int64(c.bytes) || all > windowSize {
		b.reportInstance(c, size, all, follows)
		b.object(id, c, 0, 0)
		b.consume(len(head))
		return b.skipBody(size)
	}
	if !b.have(int(all)) {
		b.truncatedInside("a heap dump")
		return false
	}
	values := b.window()[len(head):all]
	b.object(id, c, b.instanceSize(c), 0)
	b.held(c, values)
	b.emitReferences(id, values, c)
	b.consume(int(all))
	return true
}

// reportInstance reports an instance whose references are unknown.
func (b *binaryReader) reportInstance(c *class, size, all int64, resolved bool) {
	switch h := &b.heap; {
	case all > windowSize:
		b.error(ruleInstance, b.offset(),
			"an instance has %d bytes, more than the fields of any class; its references are skipped", size)
	case resolved:
		b.error(ruleInstance, b.offset(),
			"an instance of %s has %d bytes, but the fields of its class have %d; its references are skipped",
			orUnknown(b.nameOf(c)), size, c.bytes)
	default:
		if h.unknown == 0 {
			h.firstUnknown = b.offset()
		}
		h.unknown++
	}
}

// emitReferences emits the references of an instance of the class.
func (b *binaryReader) emitReferences(from uint64, values []byte, c *class) {
	for _, at := range c.refs {
		if to := b.id(values[at:]); to != 0 {
			b.anyReference(from, to, c.isReference && at == c.referent)
		}
	}
}

// array reads a PRIMITIVE ARRAY DUMP or an OBJECT ARRAY DUMP, which may exceed the window.
func (b *binaryReader) array(head []byte) bool {
	id, count, kind := b.id(head[1:]), int64(u4(head[5+b.ids:])), byte(kindObject)
	classID := b.id(head[len(head)-b.ids:]) // of an array of objects
	if head[0] == tagPrimitiveArrayDump {
		kind = head[len(head)-1]
	}
	if head[0] == tagPrimitiveArrayDump && primitives[kind].size == 0 {
		b.error(ruleSubRecord, b.offset(),
			"an array has elements of the unknown type %d; reading resumes at the next segment",
			kind)
		return b.skipSegment()
	}
	size := count * int64(b.sizeOf(kind))
	if all := int64(len(head)) + size; all > b.heap.left {
		return b.overrun(all, "an array")
	}
	b.ensureLayout()
	c := b.arrayOf(kind)
	if kind == kindObject {
		c = b.class(classID)
	}
	bytes := b.arraySize(count, kind)
	b.object(id, c, bytes, kind)
	b.consume(len(head))
	if kind != kindObject && b.details == nil {
		return b.skipBody(size)
	}
	a := builder.Array{ID: id, Size: bytes, Length: uint32(count)}
	if c != nil {
		a.Class = c.number
	}
	return b.elements(a, size, kind)
}

// emitElements emits the references of an array.
func (b *binaryReader) emitElements(from uint64, values []byte) {
	for ; len(values) > 0; values = values[b.ids:] {
		if to := b.id(values); to != 0 {
			b.reference(from, to)
		}
	}
}
