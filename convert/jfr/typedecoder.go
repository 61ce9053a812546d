package jfr

import (
	"fmt"
	"slices"
	"strings"
)

// typeDecoder decodes the values of one type. Fields that matter are stored in slots, all others are skipped. It is
// compiled from the metadata once per chunk.
type typeDecoder struct {
	steps steps
	has   [slots]bool   // the type has the slot's field
	pools [slots]string // names of the constant pools of fields that are keys
	units [slots]unit
}

// steps decode consecutive fields.
type steps []step

// step decodes one field.
type step struct {
	encoding encoding
	slot     slot  // of the value; slotNone if it is not needed
	element  steps // of an array
}

// encoding is the encoding of a field.
type encoding uint8

const (
	encodedByte encoding = iota
	encodedShort
	encodedInt
	encodedLong
	encodedFloat
	encodedDouble
	encodedString
	encodedOldUTF8
	encodedOldUTF16
	encodedArray
)

// primitives are the types without fields.
var primitives = map[string]encoding{
	"boolean": encodedByte, "byte": encodedByte, "short": encodedShort, "char": encodedShort, "int": encodedInt,
	"long": encodedLong, "float": encodedFloat, "double": encodedDouble, "java.lang.String": encodedString,
	oldUTF8: encodedOldUTF8, oldUTF16: encodedOldUTF16,
}

// slot is the index of a decoded value.
type slot uint8

const (
	slotNone slot = iota // a value that is never read
	slotStart
	slotDuration
	slotThread
	slotStack
	slotClass
	slotAddress
	slotOther   // the previous owner, the notifier or the parent thread
	slotSubject // the thread that an event is about
	slotTimeout
	slotUntil
	slotTimedOut
	slotCount
	slotText
	slotSize
	slotLow
	slotHigh
	slotTotal
	slotID
	slotName
	slotOSName
	slotOSThread
	slotGroup
	slotVirtual
	slotSignature
	slotMethod
	slotLine
	slotEnd
	slots
)

// fieldSlots are the slots of fields, by their paths: names separated by dots.
type fieldSlots map[string]slot

// typeTable has the types of a chunk.
type typeTable struct {
	classes map[uint64]*class // by id
	skips   map[uint64]steps  // that skip a whole value, by type id
}

func newTypeTable(classes []class) *typeTable {
	t := &typeTable{classes: map[uint64]*class{}, skips: map[uint64]steps{}}
	for i := range classes {
		t.classes[classes[i].id] = &classes[i]
	}
	return t
}

// named returns the type of the name, or nil.
func (t *typeTable) named(name string) *class {
	for _, c := range t.classes {
		if c.known == name {
			return c
		}
	}
	return nil
}

// field returns the field at the path, or nil.
func (t *typeTable) field(c *class, path string) *field {
	for depth := 0; c != nil && depth < maxDepth; depth++ {
		name, rest, more := strings.Cut(path, ".")
		i := slices.IndexFunc(c.fields, func(f field) bool { return f.name == name })
		if i < 0 {
			return nil
		}
		if !more {
			return &c.fields[i]
		}
		c, path = t.classes[c.fields[i].class], rest
	}
	return nil
}

// decoder compiles the decoder of a type for the fields.
func (t *typeTable) decoder(c *class, fields fieldSlots) (*typeDecoder, error) {
	s, err := t.compile(c, fields)
	if err != nil {
		return nil, err
	}
	p := &typeDecoder{steps: s}
	for path, slot := range fields {
		f := t.field(c, path)
		if f == nil {
			continue
		}
		p.has[slot], p.units[slot] = true, f.unit
		if pool := t.classes[f.class]; f.pooled && pool != nil {
			p.pools[slot] = pool.known
		}
	}
	return p, nil
}

// skip returns the steps that skip a whole value of a type.
func (t *typeTable) skip(c *class) (steps, error) {
	if s, ok := t.skips[c.id]; ok {
		return s, nil
	}
	s, err := t.compile(c, nil)
	if encoding, primitive := primitives[c.name]; primitive {
		s, err = steps{{encoding: encoding}}, nil
	}
	if err == nil {
		t.skips[c.id] = s
	}
	return s, err
}

// maxSteps limits the steps of a type: nested types could make them grow exponentially.
const maxSteps = 4096

// compiler compiles the steps of one type.
type compiler struct {
	types  *typeTable
	fields fieldSlots
	steps  int
}

func (t *typeTable) compile(c *class, fields fieldSlots) (steps, error) {
	return (&compiler{types: t, fields: fields}).class(c, "", 0)
}

// class compiles the fields of a type, whose path ends in a dot or is empty.
func (o *compiler) class(c *class, path string, depth int) (compiled steps, err error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("the type %s contains itself", c.name)
	}
	for i := range c.fields {
		if o.steps++; o.steps > maxSteps {
			return nil, fmt.Errorf("the type %s has more than %d fields", c.name, maxSteps)
		}
		one, err := o.field(&c.fields[i], path, depth)
		if err != nil {
			return nil, err
		}
		compiled = append(compiled, one...)
	}
	return compiled, nil
}

// field compiles one field of a type at a path.
func (o *compiler) field(f *field, path string, depth int) (compiled steps, err error) {
	path += f.name
	slot := o.fields[path] // slotNone if it is not wanted
	c := o.types.classes[f.class]
	switch {
	case f.pooled:
		compiled = steps{{encoding: f.key, slot: slot}}
	case c == nil:
		return nil, fmt.Errorf("the field %s has type %d, which is not described", f.name, f.class)
	default:
		encoding, primitive := primitives[c.name]
		if primitive {
			compiled = steps{{encoding: encoding, slot: slot}}
		} else if compiled, err = o.class(c, path+".", depth+1); err != nil {
			return nil, err
		}
	}
	if f.array {
		compiled = steps{{encoding: encodedArray, slot: slot, element: compiled}}
	}
	return compiled, nil
}

// values are decoded values, by slot.
type values struct {
	numbers [slots]uint64
	strings [slots]stringValue
}

// decode decodes fields at the cursor. Values of slots without a step are left as they are.
func (s steps) decode(c *cursor, v *values) {
	for i := range s {
		one := &s[i]
		var n uint64
		switch one.encoding {
		case encodedByte:
			n = uint64(c.byte())
		case encodedShort:
			n = uint64(int64(int16(c.uint16())))
		case encodedInt:
			n = uint64(int64(int32(c.uint32())))
		case encodedLong:
			n = c.uint64()
		case encodedFloat:
			n = uint64(c.float())
		case encodedDouble:
			c.take(8)
		case encodedString:
			if one.slot == slotNone {
				c.skipString()
			} else {
				v.strings[one.slot] = c.string()
			}
			continue
		case encodedOldUTF8:
			v.strings[one.slot] = stringValue{text: c.shortText()}
			continue
		case encodedOldUTF16:
			v.strings[one.slot] = stringValue{text: c.chars()}
			continue
		case encodedArray:
			one.decodeArray(c, v)
			continue
		}
		v.numbers[one.slot] = n
	}
}

// decodeArray skips an array and stores its position.
func (s *step) decodeArray(c *cursor, v *values) {
	begin := c.at
	n := int(c.uint32())
	if len(s.element) == 0 {
		return // the elements have no bytes
	}
	if n < 0 || n > c.left() {
		c.fail()
		return
	}
	for range n {
		if c.short {
			break
		}
		s.element.decode(c, v)
	}
	if s.slot != slotNone {
		v.numbers[s.slot] = uint64(begin)
	}
}
