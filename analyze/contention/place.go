package contention

import "github.com/trcx/trcx/trace"

// methods numbers methods by their names. Two methods of one name and class are one.
type methods struct {
	byNumber []uint32 // the number plus one, by that of the trace, which counts a method anew when it is defined anew
	byName   map[methodName]uint32
	callers  []*caller // by their numbers, with what dropped sites had
	most     int       // of them, one that stands for all others apart
}

// caller is a method.
type caller struct {
	Caller
	number  uint32
	file    string // of its class
	last    *site  // in it, that was counted last
	lastKey siteKey
	sites   int // in it, at monitors
}

type methodName struct{ class, method string }

func (m *methods) number(described *trace.ModelMethod) uint32 {
	for int(described.Number) >= len(m.byNumber) {
		m.byNumber = append(m.byNumber, 0)
	}
	if number := m.byNumber[described.Number]; number != 0 && described.Number != 0 {
		return number - 1
	}
	if m.byName == nil {
		m.byName = map[methodName]uint32{}
	}
	name := methodName{described.Class, described.Name}
	number, known := m.byName[name]
	if !known && len(m.callers) >= m.most {
		name = methodName{method: Others}
		number, known = m.byName[name]
	}
	if !known {
		number = uint32(len(m.callers))
		m.byName[name] = number
		m.callers = append(m.callers, &caller{Caller: Caller{Class: name.class, Method: name.method}, number: number,
			file: described.File})
	}
	m.byNumber[described.Number] = number + 1
	return number
}

// placeOf is the place of a frame.
func placeOf(f trace.Frame) Place {
	return Place{f.Method.Class, f.Method.Name, f.Method.File, max(f.Line, 0)}
}

// classes numbers the classes of monitors.
type classes struct {
	byName map[string]uint32
	rows   []*Class // by their numbers, with what dropped monitors had
	most   int      // of them, one that stands for all others apart
}

func (c *classes) number(name string) uint32 {
	number, known := c.byName[name]
	if !known && len(c.rows) >= c.most {
		name = Others
		number, known = c.byName[name]
	}
	if known {
		return number
	}
	if c.byName == nil {
		c.byName = map[string]uint32{}
	}
	number = uint32(len(c.rows))
	c.byName[name] = number
	c.rows = append(c.rows, &Class{Name: name})
	return number
}
