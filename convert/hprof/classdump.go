package hprof

import (
	"bytes"
	"slices"
	"strings"

	"github.com/trcx/trcx/convert/builder"
)

// segmentPart consumes and returns n bytes of a sub-record, or nil at the end of the segment.
func (b *binaryReader) segmentPart(n int) []byte {
	if int64(n) > b.heap.left && !b.overrun(int64(n), "a class") || b.heap.left == 0 {
		return nil
	}
	if !b.have(n) {
		b.truncatedInside("a heap dump")
		return nil
	}
	part := b.window()[:n]
	b.consume(n)
	return part
}

// classDump reads a CLASS DUMP: the kinds of fields, and the values of static ones.
func (b *binaryReader) classDump(head []byte) bool {
	begin := b.offset()
	dump := class{id: b.id(head[1:]), super: b.id(head[5+b.ids:]), dumped: true}
	c := b.class(dump.id)
	var held [3]uint64 // loader, signers, protection domain
	for i := range held {
		held[i] = b.id(head[5+(2+i)*b.ids:])
	}
	b.class(dump.super)
	for _, to := range append(held[:], dump.super) {
		if to != 0 {
			b.reference(dump.id, to)
		}
	}
	b.consume(len(head))
	if c != nil {
		name := b.nameOf(c)
		_, dump.named = specialClasses[name]
		dump.named = dump.named || name == referenceClass || b.details != nil && builder.ContainerOf(name) != nil
	}
	if !b.skipConstantPool(dump.id) || !b.staticFields(&dump) || !b.instanceFields(&dump) {
		return b.err == nil && !b.truncated && b.readError() == nil
	}
	if c == nil || b.passes.ahead && c.dumped {
		return true
	}
	if c.dumped && (c.super != dump.super || !bytes.Equal(c.fields, dump.fields)) {
		if b.redefinitions > maxRedefined {
			b.warning(ruleClass, begin,
				"class %s is dumped again with other fields; after %d such classes, these fields are ignored",
				orUnknown(b.nameOf(c)), maxRedefined)
			return true
		}
		b.warning(ruleClass, begin, "class %s is dumped again with other fields; these hold from here on",
			orUnknown(b.nameOf(c)))
		b.redefinitions++
		c.size = 0
	}
	if c.dumpedIn != b.progress.dumps && !b.passes.ahead {
		c.dumpedIn = b.progress.dumps
		b.heap.layout.mirrors = append(b.heap.layout.mirrors, c)
	}
	if !b.reserve("fields", max(0, dump.fieldCost()-c.fieldCost())) {
		return true
	}
	c.super, c.dumped, c.fields, c.fieldNames, c.statics = dump.super, true, slices.Clone(dump.fields), dump.fieldNames,
		slices.Clone(dump.statics)
	if !b.passes.ahead {
		b.define(c, "")
	}
	return true
}

// items reads a number of items, and n bytes of each; the function each reads the rest of an item.
func (b *binaryReader) items(n int, each func(item []byte) bool) bool {
	count := b.segmentPart(2)
	if count == nil {
		return false
	}
	for range u2(count) {
		if item := b.segmentPart(n); item == nil || !each(item) {
			return false
		}
	}
	return true
}

// skipConstantPool reads the constant pool of a class.
func (b *binaryReader) skipConstantPool(class uint64) bool {
	return b.items(3, func(index []byte) bool { return b.readValue(class, index[2]) })
}

// readValue reads a value of a class and emits its reference.
func (b *binaryReader) readValue(class uint64, kind byte) bool {
	size := b.valueSize(kind)
	if size == 0 {
		return false
	}
	value := b.segmentPart(size)
	if value == nil {
		return false
	}
	if kind == kindObject && b.id(value) != 0 {
		b.reference(class, b.id(value))
	}
	return true
}

// valueSize returns the size of a value. It reports an unknown kind, skips the segment and returns 0.
func (b *binaryReader) valueSize(kind byte) int {
	size := b.sizeOf(kind)
	if size == 0 {
		b.error(ruleSubRecord, b.offset(),
			"a class has a value of the unknown type %d; reading resumes at the next segment",
			kind)
		b.skipSegment()
	}
	return size
}

// staticFields reads the static fields of a class. Names that begin with < are HotSpot's own and take no space in the
// mirror.
func (b *binaryReader) staticFields(c *class) bool {
	return b.items(b.ids+1, func(field []byte) bool {
		name, kind := b.names[b.id(field)], field[b.ids]
		if !b.readValue(c.id, kind) {
			return false
		}
		if !strings.HasPrefix(name, "<") {
			c.statics = append(c.statics, kind)
		}
		return true
	})
}

// instanceFields reads the instance fields of a class.
func (b *binaryReader) instanceFields(c *class) bool {
	return b.items(b.ids+1, func(field []byte) bool {
		if b.valueSize(field[b.ids]) == 0 {
			return false
		}
		c.fields = append(c.fields, field[b.ids])
		if c.named {
			name := b.names[b.id(field)]
			c.fieldNames = append(c.fieldNames, name[:min(len(name), maxFieldName)])
		}
		return true
	})
}
