package hprof

import "encoding/binary"

// The objects of a heap dump: instances and arrays, and what they refer to.

// object gives an object. A size of 0 is not known.
func (b *binaryReader) object(id uint64, c *class, size uint64, kind byte) {
	b.heap.allocated++
	number := uint64(0)
	if c != nil {
		number = b.define(c, "")
	}
	if b.count != nil {
		return
	}
	switch {
	case b.err != nil:
	case c == nil:
		b.err = b.numbered.give(ofNoClass, b.offset(), id, uint64(kind))
	case size == 0:
		b.err = b.numbered.give(object, b.offset(), id, number, uint64(kind))
	default:
		b.err = b.numbered.give(sizedObject, b.offset(), id, number, size, uint64(kind))
	}
}

// refer gives a reference.
func (b *binaryReader) refer(from, to uint64) {
	b.heap.referred++
	if b.count == nil && b.err == nil {
		b.err = b.numbered.refer(b.offset(), from, to)
	}
}

// instance reads an object that is no array.
func (b *binaryReader) instance(head []byte) bool {
	id, classID, size := b.id(head[1:]), b.id(head[5+b.ids:]), int64(u4(head[len(head)-4:]))
	all := int64(len(head)) + size
	if all > b.heap.left {
		return b.overrun(all, "an instance")
	}
	if b.count == nil {
		b.look()
	}
	c := b.classes.get(classID)
	if c == nil {
		c = b.class(classID)
	}
	follows := c != nil && b.resolve(c)
	if !follows || size != int64(c.bytes) || all > windowSize {
		b.odd(c, size, all, follows)
		b.object(id, c, 0, 0)
		b.use(len(head))
		return b.body(size)
	}
	if !b.have(int(all)) {
		b.cut("a heap dump")
		return false
	}
	values := b.next()[len(head):all]
	b.object(id, c, b.instanceSize(c), 0)
	if b.count != nil {
		b.heap.referred += b.referring(values, c.refs)
	} else {
		b.follow(id, values, c.refs)
	}
	b.use(int(all))
	return true
}

// odd notes an instance whose references are not known.
func (b *binaryReader) odd(c *class, size, all int64, resolved bool) {
	switch h := &b.heap; {
	case all > windowSize:
		b.error(ruleInstance, b.offset(),
			"an instance has %d bytes; no class has fields for so many; its references are left out", size)
	case resolved:
		b.error(ruleInstance, b.offset(),
			"an instance of %s has %d bytes, but the fields of its class %d; its references are left out",
			quoted(b.nameOf(c)), size, c.bytes)
	default:
		if h.unknown == 0 {
			h.firstOf = b.offset()
		}
		h.unknown++
	}
}

// referring counts the references that are none to null.
func (b *binaryReader) referring(values []byte, refs []uint32) (n uint64) {
	if b.ids == 4 {
		for _, at := range refs {
			if binary.BigEndian.Uint32(values[at:]) != 0 {
				n++
			}
		}
		return n
	}
	for _, at := range refs {
		if binary.BigEndian.Uint64(values[at:]) != 0 {
			n++
		}
	}
	return n
}

// follow gives the references.
func (b *binaryReader) follow(from uint64, values []byte, refs []uint32) {
	for _, at := range refs {
		if to := b.id(values[at:]); to != 0 {
			b.refer(from, to)
		}
	}
}

// arrayOfKind is the class of arrays of the kind, or nil if there is no such kind.
func (b *binaryReader) arrayOfKind(kind byte) *class {
	if kind >= kindCount || primitives[kind].size == 0 {
		return nil
	}
	return b.arrayOf(kind)
}

// array reads an array of primitive values.
func (b *binaryReader) array(head []byte) bool {
	id, count, kind := b.id(head[1:]), int64(u4(head[5+b.ids:])), head[len(head)-1]
	if kind >= kindCount || primitives[kind].size == 0 {
		b.error(ruleSubRecord, b.offset(),
			"an array has values of the kind %d, which does not exist; the heap dump is read on at its next segment",
			kind)
		return b.leave()
	}
	size := count * int64(primitives[kind].size)
	if all := int64(len(head)) + size; all > b.heap.left {
		return b.overrun(all, "an array")
	}
	if b.count == nil {
		b.look()
	}
	b.object(id, b.arrayOf(kind), b.arraySize(count, kind), kind)
	b.use(len(head))
	return b.body(size)
}

// objectArray reads an array of references, which may be longer than the window.
func (b *binaryReader) objectArray(head []byte) bool {
	id, count, classID := b.id(head[1:]), int64(u4(head[5+b.ids:])), b.id(head[len(head)-b.ids:])
	if all := int64(len(head)) + count*int64(b.ids); all > b.heap.left {
		return b.overrun(all, "an array")
	}
	if b.count == nil {
		b.look()
	}
	b.object(id, b.class(classID), b.arraySize(count, kindObject), kindObject)
	b.use(len(head))
	for left := count * int64(b.ids); left > 0 && b.err == nil; {
		if !b.have(b.ids) {
			b.cut("a heap dump")
			return false
		}
		values := b.next()
		values = values[:min(int64(len(values)/b.ids*b.ids), left)]
		if b.count != nil {
			b.heap.referred += b.nonZero(values)
		} else {
			b.followAll(id, values)
		}
		b.use(len(values))
		left -= int64(len(values))
	}
	return true
}

// nonZero counts the references that are none to null.
func (b *binaryReader) nonZero(values []byte) (n uint64) {
	for ; len(values) >= 8 && b.ids == 8; values = values[8:] {
		if binary.BigEndian.Uint64(values) != 0 {
			n++
		}
	}
	for ; len(values) >= 4; values = values[4:] {
		if binary.BigEndian.Uint32(values) != 0 {
			n++
		}
	}
	return n
}

// followAll gives the references of an array.
func (b *binaryReader) followAll(from uint64, values []byte) {
	for ; len(values) > 0; values = values[b.ids:] {
		if to := b.id(values); to != 0 {
			b.refer(from, to)
		}
	}
}
