package bci

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// errShort is the error for data that ends too early.
var errShort = errors.New("it ends too early")

// cursor reads big-endian numbers. After the end of the data it returns zeros and sets short, so that loops and the
// final done test it once.
type cursor struct {
	data  []byte
	at    int
	short bool
}

// take returns the next n bytes, or nil if there are fewer.
func (c *cursor) take(n int) []byte {
	if n < 0 || n > len(c.data)-c.at {
		c.at, c.short = len(c.data), true
		return nil
	}
	c.at += n
	return c.data[c.at-n : c.at : c.at]
}

func (c *cursor) u1() int {
	if b := c.take(1); b != nil {
		return int(b[0])
	}
	return 0
}

func (c *cursor) u2() int {
	if b := c.take(2); b != nil {
		return int(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (c *cursor) u4() int {
	if b := c.take(4); b != nil {
		return int(binary.BigEndian.Uint32(b))
	}
	return 0
}

// done returns nil if all data was read and none was missing.
func (c *cursor) done() error {
	switch {
	case c.short:
		return errShort
	case c.at != len(c.data):
		return errors.New("data follows its end")
	}
	return nil
}

func append2(out []byte, value int) []byte { return binary.BigEndian.AppendUint16(out, uint16(value)) }
func append4(out []byte, value int) []byte { return binary.BigEndian.AppendUint32(out, uint32(value)) }
func put2(at []byte, value int)            { binary.BigEndian.PutUint16(at, uint16(value)) }
func get2(at []byte) int                   { return int(binary.BigEndian.Uint16(at)) }
func get4(at []byte) int                   { return int(int32(binary.BigEndian.Uint32(at))) }

const codeName = "Code"

const accStatic = 0x0008

// class is a parsed class file, as far as hooks need it.
type class struct {
	data    []byte
	pool    pool
	poolEnd int
	name    string
	source  string // from the attribute SourceFile, "" without it
	methods []method
}

// method is a method of a class.
type method struct {
	access           int
	name, descriptor string
	codeAt           int    // offset of its Code attribute in the class file
	code             []byte // content of the Code attribute, nil without one
}

// attributeHead is the size of attribute_name_index and attribute_length.
const attributeHead = 6

// readClass parses a class file.
func readClass(data []byte) (*class, error) {
	c := &cursor{data: data}
	pool, err := readPool(c)
	if err != nil {
		return nil, err
	}
	if minor, major := get2(data[4:]), get2(data[6:]); major < 45 || major == 45 && minor < 3 {
		return nil, fmt.Errorf("version %d.%d of the class file is not supported: want 45.3 (Java 1.1) or later",
			major, minor)
	}
	cl := &class{data: data, pool: pool, poolEnd: c.at}
	c.take(2)
	cl.name = pool.class(c.u2())
	c.take(2) // super_class
	c.take(2 * c.u2())
	if cl.name == "" {
		return nil, errors.New("the class file has no valid this_class")
	}
	if _, err := cl.readMembers(c); err != nil {
		return nil, fmt.Errorf("the fields of the class: %w", err)
	}
	if cl.methods, err = cl.readMembers(c); err != nil {
		return nil, fmt.Errorf("the methods of the class: %w", err)
	}
	for n := c.u2(); n > 0 && !c.short; n-- {
		name, body := cl.pool.utf8(c.u2()), c.take(c.u4())
		if name == "SourceFile" && len(body) == 2 {
			cl.source = cl.pool.utf8(get2(body))
		}
	}
	if err := c.done(); err != nil {
		return nil, fmt.Errorf("the class file has a wrong length: %w", err)
	}
	return cl, nil
}

// readMembers parses fields or methods; only methods have a Code attribute.
func (cl *class) readMembers(c *cursor) ([]method, error) {
	var members []method
	for n := c.u2(); n > 0 && !c.short; n-- {
		m := method{access: c.u2(), name: cl.pool.utf8(c.u2()), descriptor: cl.pool.utf8(c.u2())}
		for attributes := c.u2(); attributes > 0 && !c.short; attributes-- {
			at := c.at
			name, body := cl.pool.utf8(c.u2()), c.take(c.u4())
			if name != codeName || body == nil {
				continue
			}
			if m.code != nil {
				return nil, fmt.Errorf("%s%s has two Code attributes", m.name, m.descriptor)
			}
			m.codeAt, m.code = at, body
		}
		members = append(members, m)
	}
	if c.short {
		return nil, errShort
	}
	return members, nil
}
