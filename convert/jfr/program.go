package jfr

import "fmt"

// A program takes the fields that matter from what is written of a type, and passes over the others. It is made of the
// recording's metadata once for a chunk.
type program []step

// step is what to do with the next field.
type step struct {
	what take
	slot slot    // where a value goes; nowhere if it is nothing
	body program // of an array's elements
}

// take is how a field is written.
type take uint8

const (
	takeByte take = iota
	takeShort
	takeInt
	takeLong
	takeFour // a float
	takeEight
	takeString
	takeArray
)

// primitives are the types that are not made of others.
var primitives = map[string]take{
	"boolean": takeByte, "byte": takeByte, "short": takeShort, "char": takeShort, "int": takeInt, "long": takeLong,
	"float": takeFour, "double": takeEight,
	"java.lang.String": takeString,
}

// types are the types of a chunk by their ids.
type types struct {
	classes map[uint64]*class
	passes  map[uint64]program // those that pass over the whole
}

func newTypes(classes []class) *types {
	t := &types{classes: map[uint64]*class{}, passes: map[uint64]program{}}
	for i := range classes {
		t.classes[classes[i].id] = &classes[i]
	}
	return t
}

// named is the type of the name, or nil.
func (t *types) named(name string) *class {
	for _, c := range t.classes {
		if c.name == name {
			return c
		}
	}
	return nil
}

// wanted says where a field's value goes, by the names of the fields on the way to it, with points between.
type wanted map[string]slot

// maxSteps bounds a program: types that contain others many times over would make it grow without end.
const maxSteps = 4096

// compile makes the program for a type.
func (t *types) compile(c *class, fields wanted) (program, error) {
	steps := 0
	return t.compileInto(nil, c, "", fields, 0, &steps)
}

func (t *types) compileInto(p program, c *class, path string, fields wanted, depth int, steps *int) (program, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("the type %s contains itself", c.name)
	}
	for i := range c.fields {
		f := &c.fields[i]
		if *steps++; *steps > maxSteps {
			return nil, fmt.Errorf("the type %s has more than %d fields", c.name, maxSteps)
		}
		at, ok := fields[path+f.name]
		if !ok {
			at = nowhere
		}
		one, err := t.step(f, path+f.name+".", at, fields, depth, steps)
		if err != nil {
			return nil, err
		}
		p = append(p, one...)
	}
	return p, nil
}

// step makes the steps of one field.
func (t *types) step(f *field, path string, at slot, fields wanted, depth int, steps *int) (p program, err error) {
	c := t.classes[f.class]
	switch {
	case f.pooled:
		p = program{{what: takeLong, slot: at}}
	case c == nil:
		return nil, fmt.Errorf("the field %s is of type %d, which is not described", f.name, f.class)
	default:
		what, primitive := primitives[c.name]
		if primitive {
			p = program{{what: what, slot: at}}
		} else if p, err = t.compileInto(nil, c, path, fields, depth+1, steps); err != nil {
			return nil, err
		}
	}
	if f.array {
		p = program{{what: takeArray, slot: at, body: p}}
	}
	return p, nil
}

// pass is the program that passes over the whole of a type.
func (t *types) pass(c *class) (program, error) {
	if p, ok := t.passes[c.id]; ok {
		return p, nil
	}
	p, err := t.compile(c, nil)
	if what, primitive := primitives[c.name]; primitive {
		p, err = program{{what: what}}, nil
	}
	if err == nil {
		t.passes[c.id] = p
	}
	return p, err
}

// values are what a program has taken.
type values struct {
	numbers [slots]uint64
	texts   [slots]text
}

// run takes what is written at the cursor. Values of slots that the program does not fill stay as they are.
func (p program) run(c *cursor, v *values) {
	for i := range p {
		s := &p[i]
		var n uint64
		switch s.what {
		case takeByte:
			n = uint64(c.byte())
		case takeShort:
			n = uint64(int64(int16(c.uint16())))
		case takeInt:
			n = uint64(int64(int32(c.uint32())))
		case takeLong:
			n = c.uint64()
		case takeFour:
			c.skip(4)
		case takeEight:
			c.skip(8)
		case takeString:
			if s.slot == nowhere {
				c.skipString()
			} else {
				v.texts[s.slot] = c.string()
			}
			continue
		case takeArray:
			s.runArray(c, v)
			continue
		}
		v.numbers[s.slot] = n
	}
}

// runArray passes over an array, and takes where it lies.
func (s *step) runArray(c *cursor, v *values) {
	begin := c.at
	n := int(c.uint32())
	if len(s.body) == 0 {
		return // its elements have no bytes
	}
	if n < 0 || n > c.rest() {
		c.fail()
		return
	}
	for range n {
		if c.short {
			break
		}
		s.body.run(c, v)
	}
	if s.slot != nowhere {
		v.numbers[s.slot] = uint64(begin)
	}
}
