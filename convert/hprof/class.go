package hprof

import (
	"bytes"
	"slices"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// The basic types of values, as numbered in HPROF.
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
)

// primitives has the size in bytes, the name and the array class of each primitive type.
var primitives = [256]struct {
	size        int
	name, array string
}{
	kindBoolean: {1, "boolean", "[Z"}, kindChar: {2, "char", "[C"}, kindFloat: {4, "float", "[F"},
	kindDouble: {8, "double", "[D"},
	kindByte:   {1, "byte", "[B"}, kindShort: {2, "short", "[S"}, kindInt: {4, "int", "[I"},
	kindLong: {8, "long", "[J"},
}

// class is a class of the log.
type class struct {
	id       uint64 // of its java.lang.Class object
	nameID   uint64 // 0 if unknown
	name     string // internal name, once it was needed
	super    uint64 // 0 if none
	number   uint64 // its id in the trace; 0 until it is defined there
	dumped   bool   // its fields are known
	dumpedIn uint32 // the last heap dump that has it, counted from 1

	fields     []byte   // kinds of its own instance fields, in the order of the dump
	fieldNames []string // their names, if named
	named      bool     // names of fields are needed
	statics    []byte   // kinds of its static fields

	instances
}

// instances describes the instances of a class.
type instances struct {
	resolved uint32   // the value of redefinitions for which bytes and refs are valid, or 0
	bytes    int      // size of an instance in the dump
	refs     []uint32 // offsets of references in it
	// isReference reports whether it is a java.lang.ref.Reference; referent is the offset of that field.
	isReference bool
	referent    uint32
	container   container
	missing     uint64 // id of the unknown superclass that prevents resolving
	circular    uint32 // the value of redefinitions for which superclasses form a cycle

	size uint64 // of an instance in memory; 0 if unknown
}

// referenceClass is the class of weak, soft, phantom and final references.
const referenceClass = "java/lang/ref/Reference"

// fieldCost returns the cost of the fields.
func (c *class) fieldCost() int {
	cost := len(c.fields) + len(c.statics)
	for _, name := range c.fieldNames {
		cost += nameCost + len(name)
	}
	return cost
}

// classTable has the classes of the log and what refers to them.
type classTable struct {
	byID          map[uint64]*class
	classes       []*class          // in the order of the dump
	arrays        [256]*class       // classes of primitive arrays, by element type
	serials       map[uint32]*class // by the serial numbers of LOAD CLASS
	classIDs      uint64            // the last one assigned in the trace
	redefinitions uint32            // counts changed definitions, from 1
	scratch       []*class          // of resolve
	javaLangClass *class            // nil until it is found
	searched      int               // classes searched for it
}

// superclasses appends the class and its superclasses up to the topmost, or to the first one resolved in the
// generation. If one of them is not dumped, it is incomplete and missing is its id; 0 means a cycle.
func (t *classTable) superclasses(c *class, generation uint32, line []*class) (_ []*class, missing uint64, complete bool) {
	for len(line) < maxDepth {
		if !c.dumped {
			return line, c.id, false
		}
		line = append(line, c)
		if c.super == 0 || c.resolved == generation {
			return line, 0, true
		}
		above := t.byID[c.super]
		if above == nil {
			return line, c.super, false
		}
		c = above
	}
	return line, 0, false
}

// resolve computes the offsets of an instance's references. It reports false while a superclass is unknown.
func (b *binaryReader) resolve(c *class) bool {
	if c.resolved == b.redefinitions {
		return true
	}
	if c.circular == b.redefinitions || c.missing != 0 && !b.isDumped(c.missing) {
		return false
	}
	line, missing, complete := b.superclasses(c, b.redefinitions, b.scratch[:0])
	b.scratch = line[:0]
	c.missing = missing
	switch {
	case !complete && missing == 0:
		c.circular = b.redefinitions
		b.error(ruleClass, b.offset(),
			"the superclasses of %s form a cycle, or are more than %d; the references of its instances are unknown",
			orUnknown(b.nameOf(c)), maxDepth)
		return false
	case !complete:
		return false
	}
	var above *class
	for _, part := range slices.Backward(line) {
		if part.resolved != b.redefinitions && (part.circular == b.redefinitions || !b.placeReferences(part, above)) {
			part.circular, c.circular = b.redefinitions, b.redefinitions // like an unknown class
			return false
		}
		above = part
	}
	return true
}

// placeReferences sets the offsets of references and the size of an instance. Its own fields precede the superclass's.
// It reports false if the limit is reached.
func (b *binaryReader) placeReferences(c, above *class) bool {
	if above == nil {
		above = &class{}
	}
	count := bytes.Count(c.fields, []byte{kindObject}) + len(above.refs)
	if count > cap(c.refs) {
		if !b.reserve("fields", 4*(count-cap(c.refs))) {
			return false
		}
		c.refs = make([]uint32, 0, count)
	}
	c.refs, c.bytes, c.isReference = c.refs[:0], 0, above.isReference
	own := container{}
	if c.fieldNames != nil && b.details != nil {
		own.described = builder.ContainerOf(b.nameOf(c))
	}
	for i, kind := range c.fields {
		if kind == kindObject {
			c.refs = append(c.refs, uint32(c.bytes))
		}
		if i < len(c.fieldNames) && c.fieldNames[i] == "referent" && b.nameOf(c) == referenceClass {
			c.isReference, c.referent = true, uint32(c.bytes)
		}
		if i < len(c.fieldNames) {
			own.field(c.fieldNames[i], kind, c.bytes)
		}
		c.bytes += b.sizeOf(kind)
	}
	if c.container = own; own.described == nil {
		c.container = above.container.below(c.bytes)
	}
	if above.isReference {
		c.referent = uint32(c.bytes) + above.referent
	}
	for _, at := range above.refs {
		c.refs = append(c.refs, uint32(c.bytes)+at)
	}
	c.bytes += above.bytes
	c.resolved = b.redefinitions
	return true
}

// isDumped reports whether the fields of the class of the id are known.
func (b *binaryReader) isDumped(id uint64) bool {
	c := b.byID[id]
	return c != nil && c.dumped
}

// sizeOf returns the size of a value in the dump, or 0 for an unknown kind.
func (b *binaryReader) sizeOf(kind byte) int {
	if kind == kindObject {
		return b.ids
	}
	return primitives[kind].size
}

// class returns the class of the id and adds it if it is new. It returns nil for id 0 and if the limit is reached.
func (b *binaryReader) class(id uint64) *class {
	c := b.byID[id]
	if c == nil && id != 0 {
		if !b.reserve("classes", classCost) {
			return nil
		}
		c = &class{id: id}
		b.byID[id] = c
		b.classes = append(b.classes, c)
	}
	return c
}

// nameOf returns the internal name of the class, or "".
func (b *binaryReader) nameOf(c *class) string {
	if c.name == "" && c.nameID != 0 {
		if name := b.names[c.nameID]; b.reserve("names of classes", len(name)) {
			c.name = javaname.InternalClass(name)
		}
	}
	return c.name
}

// define returns the id of the class in the trace; the first call emits its definition. source is its source file, ""
// if unknown.
func (b *binaryReader) define(c *class, source string) uint64 {
	if c.number != 0 {
		return c.number
	}
	b.classIDs++
	c.number = b.classIDs
	name := b.nameOf(c)
	if name == "" {
		b.lacks(trace.Lack{What: "names of some classes", Means: "they have an id only", Heap: true})
	}
	b.put(b.builder.Element(trace.ClassDef, b.offset()).Number(trace.AttrClassID, c.number).
		TextIfKnown(trace.AttrName, name).TextIfKnown(trace.AttrSourceName, source).
		NumberIfKnown(trace.AttrObjIDRef, c.id))
	return c.number
}

// arrayOf returns the class of arrays of a primitive type, or nil for an unknown one.
func (b *binaryReader) arrayOf(kind byte) *class {
	if primitives[kind].size == 0 {
		return nil
	}
	if known := b.arrays[kind]; known != nil {
		return known
	}
	found := &class{name: primitives[kind].array}
	if at := slices.IndexFunc(b.classes, func(c *class) bool { return b.nameOf(c) == found.name }); at >= 0 {
		found = b.classes[at]
	}
	b.arrays[kind] = found
	return found
}
