package hprof

import (
	"bytes"
	"slices"

	"github.com/trcx/trcx/trace"
)

// The kinds of values, as dumps number them.
const (
	kindObject  = 2
	kindBoolean = 4
	kindChar    = 5
	kindFloat   = 6
	kindDouble  = 7
	kindByte    = 8
	kindShort   = 9
	kindInt     = 10
	kindLong    = 11
	kindCount   = 12
)

// primitives have for each kind of primitive value its size in bytes, its name, and the name of the class of its
// arrays.
var primitives = [kindCount]struct {
	size        int
	name, array string
}{
	kindBoolean: {1, "boolean", "[Z"}, kindChar: {2, "char", "[C"}, kindFloat: {4, "float", "[F"},
	kindDouble: {8, "double", "[D"},
	kindByte:   {1, "byte", "[B"}, kindShort: {2, "short", "[S"}, kindInt: {4, "int", "[I"},
	kindLong: {8, "long", "[J"},
}

// class is what is known of a class.
type class struct {
	id       uint64 // of its java.lang.Class object
	nameID   uint64 // of its name; 0 if it has none
	name     string // as the JVM has it inside, once it was asked for
	super    uint64 // 0 if it has none
	number   uint64 // its id in the trace; 0 while it is not defined there
	dumped   bool   // the heap dump has said what its fields are
	dumpedIn uint32 // the heap dump that has dumped it last, counted from 1

	fields     []byte   // the kinds of its own instance fields, in the order of the dump
	fieldNames []string // their names, if named
	named      bool     // the names of fields matter
	statics    []byte   // the kinds of its static fields

	resolved uint32   // the generation of classes for which bytes and refs hold; 0 if for none
	bytes    int      // that an instance has in the dump
	refs     []uint32 // where in these references are
	missing  uint64   // the class above it that is not known, because of which it is not resolved
	circular uint32   // the generation in which the classes above it go round in a circle

	size uint64 // of an instance in the heap; 0 while it is not known
}

// fieldCost is what is counted for the fields.
func (c *class) fieldCost() int {
	cost := len(c.fields) + len(c.statics)
	for _, name := range c.fieldNames {
		cost += nameCost + len(name)
	}
	return cost
}

// classes finds classes by their ids.
type classes struct {
	slots []classSlot // open addressing; id 0 is free
	all   []*class    // in the order of the dump
}

type classSlot struct {
	id uint64
	*class
}

// get is the class of the id, or nil.
func (t *classes) get(id uint64) *class {
	if len(t.slots) == 0 || id == 0 {
		return nil
	}
	at := spread(id, len(t.slots))
	for t.slots[at].id != id {
		if t.slots[at].id == 0 {
			return nil
		}
		at = (at + 1) & (len(t.slots) - 1)
	}
	return t.slots[at].class
}

// add adds the class of an id that is not there, and not 0.
func (t *classes) add(c *class) {
	t.all = append(t.all, c)
	if 2*len(t.all) >= len(t.slots) {
		t.slots = make([]classSlot, max(1024, 2*len(t.slots)))
		for _, known := range t.all {
			t.put(known)
		}
		return
	}
	t.put(c)
}

func (t *classes) put(c *class) {
	at := spread(c.id, len(t.slots))
	for t.slots[at].id != 0 {
		at = (at + 1) & (len(t.slots) - 1)
	}
	t.slots[at] = classSlot{c.id, c}
}

// line is the class and those above it up to the topmost, or the first that is resolved in the generation. It is
// incomplete, with the id that is missing, if one of them has not been dumped; an id of 0 says that it goes round in a
// circle.
func (t *classes) line(c *class, generation uint32, line []*class) (_ []*class, missing uint64, complete bool) {
	for len(line) < maxDepth {
		if !c.dumped {
			return line, c.id, false
		}
		line = append(line, c)
		if c.super == 0 || c.resolved == generation {
			return line, 0, true
		}
		above := t.get(c.super)
		if above == nil {
			return line, c.super, false
		}
		c = above
	}
	return line, 0, false
}

// resolve finds out where the references of an instance are. It is false while a class is missing above it.
func (b *binaryReader) resolve(c *class) bool {
	if c.resolved == b.generation {
		return true
	}
	if c.circular == b.generation || c.missing != 0 && !b.isDumped(c.missing) {
		return false
	}
	line, missing, complete := b.classes.line(c, b.generation, b.line[:0])
	b.line = line[:0]
	c.missing = missing
	switch {
	case !complete && missing == 0:
		c.circular = b.generation
		b.error(ruleClass, b.offset(),
			"the classes above %s go round in a circle, or are more than %d; the references of its instances are "+
				"not known",
			quoted(b.nameOf(c)), maxDepth)
		return false
	case !complete:
		return false
	}
	var above *class
	for _, part := range slices.Backward(line) {
		if part.resolved != b.generation && (part.circular == b.generation || !b.place(part, above)) {
			part.circular, c.circular = b.generation, b.generation // as good as unknown
			return false
		}
		above = part
	}
	return true
}

// place finds where the references of an instance of the class are, whose own fields come before those of the class
// above it, and how many bytes it has. It is false if there is no room for that.
func (b *binaryReader) place(c, above *class) bool {
	if above == nil {
		above = &class{}
	}
	count := bytes.Count(c.fields, []byte{kindObject}) + len(above.refs)
	if count > cap(c.refs) {
		if !b.keeps("fields", 4*(count-cap(c.refs))) {
			return false
		}
		c.refs = make([]uint32, 0, count)
	}
	c.refs, c.bytes = c.refs[:0], 0
	for _, kind := range c.fields {
		if kind == kindObject {
			c.refs = append(c.refs, uint32(c.bytes))
		}
		c.bytes += b.sizeOf(kind)
	}
	for _, at := range above.refs {
		c.refs = append(c.refs, uint32(c.bytes)+at)
	}
	c.bytes += above.bytes
	c.resolved = b.generation
	return true
}

// isDumped says whether the heap dump has told the fields of the class of the id.
func (b *binaryReader) isDumped(id uint64) bool {
	c := b.classes.get(id)
	return c != nil && c.dumped
}

// sizeOf is how many bytes a value of the kind has in the dump; 0 if there is no such kind.
func (b *binaryReader) sizeOf(kind byte) int {
	switch {
	case kind == kindObject:
		return b.ids
	case kind < kindCount:
		return primitives[kind].size
	}
	return 0
}

// class is the class of the id, which is made if the dump has not spoken of it before; nil if there are too many, or
// the id is 0.
func (b *binaryReader) class(id uint64) *class {
	c := b.classes.get(id)
	if c == nil && id != 0 {
		if !b.keeps("classes", classCost) {
			return nil
		}
		c = &class{id: id}
		b.classes.add(c)
	}
	return c
}

// nameOf is the name of the class as the JVM has it inside; "" if it is not known.
func (b *binaryReader) nameOf(c *class) string {
	if c.name == "" && c.nameID != 0 {
		if name, _ := b.names.get(c.nameID); b.keeps("names of classes", len(name)) {
			c.name = internalName(trace.DecodeModified(name))
		}
	}
	return c.name
}

// define is the id of the class in the trace, where it is defined now at the latest. source is the name of its source
// file, if that is known.
func (b *binaryReader) define(c *class, source string) uint64 {
	if c.number != 0 {
		return c.number
	}
	b.numbers++
	c.number = b.numbers
	e := b.transcript.Element(trace.ClassDef, b.offset()).Number(trace.AttrClassID, c.number)
	if name := b.nameOf(c); name != "" {
		e.Text(trace.AttrName, name)
	} else {
		b.without("names of some classes", "they have an id only")
	}
	if source != "" {
		e.Text(trace.AttrSourceName, source)
	}
	if c.id != 0 {
		e.Number(trace.AttrObjIDRef, c.id)
	}
	b.put(e)
	return c.number
}

// arrayOf is the class of the arrays of a kind of primitive values.
func (b *binaryReader) arrayOf(kind byte) *class {
	if known := b.arrays[kind]; known != nil {
		return known
	}
	found := &class{name: primitives[kind].array}
	for _, c := range b.classes.all {
		if b.nameOf(c) == found.name {
			found = c
			break
		}
	}
	b.arrays[kind] = found
	return found
}
