package bci

import (
	"errors"
	"fmt"
)

// Tags of the constant pool's entries.
const (
	tagUtf8               = 1
	tagInteger            = 3
	tagLong               = 5
	tagDouble             = 6
	tagClass              = 7
	tagMethodref          = 10
	tagInterfaceMethodref = 11
	tagNameAndType        = 12
)

// constantSizes are the sizes of constants after the tag; 0 for invalid tags and for Utf8, which has its own length.
var constantSizes = [...]int{tagUtf8: 2, tagInteger: 4, 4: 4, tagLong: 8, tagDouble: 8, tagClass: 2, 8: 2, 9: 4, tagMethodref: 4,
	tagInterfaceMethodref: 4,
	tagNameAndType:        4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}

const (
	magic        = "\xCA\xFE\xBA\xBE"
	poolAt       = 8 // offset of constant_pool_count
	maxConstants = 1<<16 - 1
)

// pool is a class file's constant pool.
type pool struct {
	data   []byte
	places []uint32 // offsets of the constants' tags, by index; 0 for none
	// texts are the decoded Utf8 constants. Each is decoded once, because a class may refer to a long one tens of
	// thousands of times.
	texts map[int]string
}

// start moves to the first constant and returns constant_pool_count.
func start(c *cursor) (count int, err error) {
	if string(c.take(len(magic))) != magic {
		return 0, errors.New("not a class file: it does not begin with CAFEBABE")
	}
	c.take(poolAt - len(magic))
	if count = c.u2(); c.short {
		return 0, errPoolShort
	}
	return count, nil
}

var errPoolShort = errors.New("the class file ends in its constant pool")

// constant skips one constant and returns the number of indexes that it takes.
func constant(c *cursor) (indexes int, err error) {
	tag := c.u1()
	if !c.short && (tag >= len(constantSizes) || constantSizes[tag] == 0) {
		return 0, fmt.Errorf("the constant pool has an unknown tag %d", tag)
	}
	if tag == tagUtf8 {
		c.take(c.u2())
	} else {
		c.take(constantSizes[tag])
	}
	if c.short {
		return 0, errPoolShort
	}
	if tag == tagLong || tag == tagDouble {
		return 2, nil
	}
	return 1, nil
}

// readPool reads the constant pool at the beginning of a class file.
func readPool(c *cursor) (pool, error) {
	count, err := start(c)
	if err != nil {
		return pool{}, err
	}
	p := pool{data: c.data, places: make([]uint32, count), texts: make(map[int]string)}
	for i := 1; i < count; {
		p.places[i] = uint32(c.at)
		n, err := constant(c)
		if err != nil {
			return pool{}, err
		}
		i += n
	}
	return p, nil
}

// at returns the constant with this index and tag, without the tag; nil for none.
func (p pool) at(index, tag int) []byte {
	if index >= len(p.places) || p.places[index] == 0 || p.tag(index) != tag {
		return nil
	}
	from := int(p.places[index]) + 1
	size := constantSizes[tag]
	if tag == tagUtf8 {
		size += get2(p.data[from:])
	}
	return p.data[from : from+size]
}

// tag returns the tag of the constant with this index, which must exist.
func (p pool) tag(index int) int { return int(p.data[p.places[index]]) }

// utf8 returns a Utf8 constant in the class file's encoding, or "" if the index has another constant.
func (p pool) utf8(index int) string {
	text, known := p.texts[index]
	if known {
		return text
	}
	if constant := p.at(index, tagUtf8); constant != nil {
		text = string(constant[2:])
		p.texts[index] = text
	}
	return text
}

// class returns the name of a Class constant, or "" if the index has another constant.
func (p pool) class(index int) string {
	if constant := p.at(index, tagClass); constant != nil {
		return p.utf8(get2(constant))
	}
	return ""
}

// method returns the method of a Methodref or InterfaceMethodref constant; the zero Method for another constant.
func (p pool) method(index int) Method {
	constant := p.at(index, tagMethodref)
	if constant == nil {
		constant = p.at(index, tagInterfaceMethodref)
	}
	if constant == nil {
		return Method{}
	}
	named := p.at(get2(constant[2:]), tagNameAndType)
	if named == nil {
		return Method{}
	}
	return Method{p.class(get2(constant)), p.utf8(get2(named)), p.utf8(get2(named[2:]))}
}

// growth has the constants to append to a class's pool: they refer to methods of the Recorder and of callsClass.
type growth struct {
	next      int // index of the next constant
	constants []byte
	added     map[string]int // indexes of constants, by what they are
}

// errFull is the error for a class whose constant pool is full.
var errFull = errors.New("the class's constant pool is full: the limit is 65534 constants")

// constantsAtOnce is the limit of constants that once adds: two Utf8, NameAndType and Methodref.
const constantsAtOnce = 4

// once adds constants that were not added before, and returns the index of the last one.
func (g *growth) once(key string, add func() int) (int, error) {
	if index, ok := g.added[key]; ok {
		return index, nil
	}
	if g.next+constantsAtOnce > maxConstants {
		return 0, errFull
	}
	if g.added == nil {
		g.added = map[string]int{}
	}
	g.added[key] = add()
	return g.added[key], nil
}

// method returns the index of the Methodref of a class's method.
func (g *growth) method(of, name, descriptor string) (int, error) {
	class, err := g.class(of)
	if err != nil {
		return 0, err
	}
	return g.once("method "+of+"."+name+descriptor, func() int {
		return g.add4(tagMethodref, class, g.add4(tagNameAndType, g.text(name), g.text(descriptor)))
	})
}

func (g *growth) class(name string) (int, error) {
	return g.once("class "+name, func() int { return g.add2(tagClass, g.text(name)) })
}

func (g *growth) utf8(text string) (int, error) {
	return g.once("text "+text, func() int { return g.text(text) })
}

func (g *growth) integer(n int) (int, error) {
	return g.once(fmt.Sprint("integer ", n), func() int {
		g.constants = append4(append(g.constants, tagInteger), n)
		return g.index()
	})
}

func (g *growth) text(text string) int {
	g.constants = append(append2(append(g.constants, tagUtf8), len(text)), text...)
	return g.index()
}

func (g *growth) add2(tag byte, value int) int {
	g.constants = append2(append(g.constants, tag), value)
	return g.index()
}

func (g *growth) add4(tag byte, first, second int) int {
	g.constants = append2(append2(append(g.constants, tag), first), second)
	return g.index()
}

func (g *growth) index() int {
	g.next++
	return g.next - 1
}
