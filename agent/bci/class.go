package bci

import (
	"errors"
	"fmt"
)

const codeName = "Code"

const accStatic = 0x0008

// class is a class file, taken apart as far as hooks need it.
type class struct {
	data        []byte
	pool        pool
	poolEnd     int
	name, super string
	methods     []method
	declared    map[Method]bool // the methods, without the class's name
}

// method is a method of a class.
type method struct {
	access           int
	name, descriptor string
	codeAt           int    // where its Code attribute begins
	code             []byte // what is in it; nil if it has none
}

// attributeHead is the size of an attribute's name and length.
const attributeHead = 6

// readClass takes a class file apart, or says why it cannot be.
func readClass(data []byte) (*class, error) {
	c := &cursor{data: data}
	pool, err := readPool(c)
	if err != nil {
		return nil, err
	}
	if minor, major := get2(data[4:]), get2(data[6:]); major < 45 || major == 45 && minor < 3 {
		return nil, fmt.Errorf("class files of version %d.%d, older than Java 1.1, have another form", major, minor)
	}
	cl := &class{data: data, pool: pool, poolEnd: c.at}
	c.take(2)
	cl.name, cl.super = pool.class(c.u2()), pool.class(c.u2())
	c.take(2 * c.u2())
	if cl.name == "" {
		return nil, errors.New("the class file does not say what class it is")
	}
	if _, err := cl.readMembers(c); err != nil {
		return nil, fmt.Errorf("the fields of the class: %w", err)
	}
	if cl.methods, err = cl.readMembers(c); err != nil {
		return nil, fmt.Errorf("the methods of the class: %w", err)
	}
	for n := c.u2(); n > 0 && !c.short; n-- {
		c.take(2)
		c.take(c.u4())
	}
	if err := c.done(); err != nil {
		return nil, fmt.Errorf("the class file is not as long as it should be: %w", err)
	}
	return cl, nil
}

// readMembers reads fields or methods; only methods have Code.
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

// names says whether a call of a method names one of the hook's. A class that does not declare a method itself has that
// of the class it extends, and compilers name the class through which a method is called: an inherited sleep is called
// on the subclass.
func (cl *class) names(called, hooked Method) bool {
	if hooked.fits(called.Class, called.Name, called.Descriptor) {
		return true
	}
	return called.Class == cl.name && hooked.fits(cl.super, called.Name, called.Descriptor) &&
		!cl.declares(called.Name, called.Descriptor)
}

// declares says whether the class itself has such a method.
func (cl *class) declares(name, descriptor string) bool {
	if cl.declared == nil {
		cl.declared = make(map[Method]bool, len(cl.methods))
		for _, m := range cl.methods {
			cl.declared[Method{"", m.name, m.descriptor}] = true
		}
	}
	return cl.declared[Method{"", name, descriptor}]
}
