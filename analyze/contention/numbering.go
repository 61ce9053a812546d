package contention

import "github.com/trcx/trcx/trace"

// numbering numbers names 0, 1, 2 … in the order first seen. All names beyond the limit share the number of others.
type numbering[N comparable] struct {
	numbers map[N]uint32
	limit   int
	others  N
}

// number returns the name's number and, where it is new, the name that it is to be listed under.
func (n *numbering[N]) number(name N) (number uint32, listed N, fresh bool) {
	number, seen := n.numbers[name]
	if !seen && len(n.numbers) >= n.limit {
		name = n.others
		number, seen = n.numbers[name]
	}
	if !seen {
		if n.numbers == nil {
			n.numbers = map[N]uint32{}
		}
		number = uint32(len(n.numbers))
		n.numbers[name] = number
	}
	return number, name, !seen
}

type methodName struct{ class, method string }

// method is a row of a method, with what its evicted sites had.
type method struct {
	Caller
	file string // the source file of its class, "" if unknown
}

// methods are numbered by their names: a trace may define a method again, under another number.
type methods struct {
	numbering[methodName]
	rows    []*method
	byTrace []uint32 // the number plus one, by the trace's number
}

// numberOf returns the method's number.
func (m *methods) numberOf(defined *trace.ModelMethod) uint32 {
	for int(defined.Number) >= len(m.byTrace) {
		m.byTrace = append(m.byTrace, 0)
	}
	if number := m.byTrace[defined.Number]; number != 0 && defined.Number != 0 {
		return number - 1
	}
	number, name, fresh := m.number(methodName{defined.Class, defined.Name})
	if fresh {
		m.rows = append(m.rows, &method{Caller{Class: name.class, Method: name.method}, defined.File})
	}
	m.byTrace[defined.Number] = number + 1
	return number
}

// position is a line of a method: the method's number plus one in the upper 32 bits, the line in the lower ones; 0 if
// unknown.
type position uint64

// positionOf returns the position of the frame.
func (m *methods) positionOf(f trace.Frame) position {
	if f.Method == nil || f.Method.Name == "" {
		return 0
	}
	return position(m.numberOf(f.Method)+1)<<32 | position(uint32(f.Line))
}

// place returns the position as outputs name it; the zero Place if it is unknown.
func (m *methods) place(at position) Place {
	if at == 0 {
		return Place{}
	}
	method := m.rows[at>>32-1]
	return Place{Class: method.Class, Method: method.Method, File: method.file, Line: max(int32(uint32(at)), 0)}
}

// classes are the classes of monitors, by their names.
type classes struct {
	numbering[string]
	rows []*Class // with what evicted monitors had
}

// numberOf returns the number of the class.
func (c *classes) numberOf(class string) uint32 {
	number, name, fresh := c.number(class)
	if fresh {
		c.rows = append(c.rows, &Class{Name: name})
	}
	return number
}
