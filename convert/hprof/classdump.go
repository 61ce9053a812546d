package hprof

import (
	"bytes"
	"slices"
)

// The classes of a heap dump: which fields they have, and what they refer to.

// part makes the next n bytes of a sub-record be in the window; nil if there are not so many.
func (b *binaryReader) part(n int) []byte {
	if int64(n) > b.heap.left && !b.overrun(int64(n), "a class") || b.heap.left == 0 {
		return nil
	}
	if !b.have(n) {
		b.cut("a heap dump")
		return nil
	}
	part := b.next()[:n]
	b.use(n)
	return part
}

// classDump reads what the fields of a class are, and the values of its static ones.
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
			b.refer(dump.id, to)
		}
	}
	b.use(len(head))
	if c != nil {
		_, dump.named = oddities[b.nameOf(c)]
	}
	if !b.constants(dump.id) || !b.staticFields(&dump) || !b.instanceFields(&dump) {
		return b.err == nil && !b.truncated && b.failure() == nil
	}
	if c == nil {
		return true
	}
	if c.dumped && (c.super != dump.super || !bytes.Equal(c.fields, dump.fields)) {
		if b.generation > maxRedefined {
			b.warning(ruleClass, begin,
				"the class %s is dumped again, with other fields; that was so more than %d times, and these "+
					"are left out", quoted(b.nameOf(c)), maxRedefined)
			return true
		}
		b.warning(ruleClass, begin, "the class %s is dumped again, with other fields; these hold from here on",
			quoted(b.nameOf(c)))
		b.generation++
		c.size = 0
	}
	if c.dumpedIn != b.dumps {
		c.dumpedIn = b.dumps
		b.heap.sizes.mirrors = append(b.heap.sizes.mirrors, c)
	}
	if !b.keeps("fields", max(0, dump.fieldCost()-c.fieldCost())) {
		return true
	}
	c.super, c.dumped, c.fields, c.fieldNames, c.statics = dump.super, true, slices.Clone(dump.fields), dump.fieldNames,
		slices.Clone(dump.statics)
	b.define(c, "")
	return true
}

// constants passes the constant pool of a class.
func (b *binaryReader) constants(class uint64) bool {
	count := b.part(2)
	if count == nil {
		return false
	}
	for range u2(count) {
		index := b.part(3)
		if index == nil || !b.value(class, index[2]) {
			return false
		}
	}
	return true
}

// value reads a value of the kind that a class holds.
func (b *binaryReader) value(class uint64, kind byte) bool {
	size := b.valueSize(kind)
	if size == 0 {
		return false
	}
	value := b.part(size)
	if value == nil {
		return false
	}
	if kind == kindObject && b.id(value) != 0 {
		b.refer(class, b.id(value))
	}
	return true
}

// valueSize is how many bytes a value of the kind has; it is reported if there is no such kind, and the segment left.
func (b *binaryReader) valueSize(kind byte) int {
	size := b.sizeOf(kind)
	if size == 0 {
		b.error(ruleSubRecord, b.offset(),
			"a class has a value of the kind %d, which does not exist; the heap dump is read on at its next segment",
			kind)
		b.leave()
	}
	return size
}

// staticFields reads the static fields of a class. Those whose names begin with < are HotSpot's own, and have no place
// in the class's object.
func (b *binaryReader) staticFields(c *class) bool {
	count := b.part(2)
	if count == nil {
		return false
	}
	for range u2(count) {
		head := b.part(b.ids + 1)
		if head == nil {
			return false
		}
		nameID, kind := b.id(head), head[b.ids]
		if !b.value(c.id, kind) {
			return false
		}
		if name, _ := b.names.get(nameID); len(name) == 0 || name[0] != '<' {
			c.statics = append(c.statics, kind)
		}
	}
	return true
}

// instanceFields reads which fields the instances of a class have.
func (b *binaryReader) instanceFields(c *class) bool {
	count := b.part(2)
	if count == nil {
		return false
	}
	for range u2(count) {
		field := b.part(b.ids + 1)
		if field == nil || b.valueSize(field[b.ids]) == 0 {
			return false
		}
		c.fields = append(c.fields, field[b.ids])
		if c.named {
			name, _ := b.names.get(b.id(field))
			c.fieldNames = append(c.fieldNames, string(name[:min(len(name), longestField)]))
		}
	}
	return true
}
