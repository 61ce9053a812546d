package contention

import "github.com/trcx/trcx/trace"

// methods numbers methods by their names. Two methods of one name and class are one.
type methods struct {
	byPointer map[*trace.ModelMethod]uint32
	byName    map[methodName]uint32
	callers   []*Caller // by their numbers, with what dropped sites had
}

type methodName struct{ class, method string }

// mostPointers is how many methods are known by where they are described, which is quick but not the same for all times.
const mostPointers = 1 << 16

func (m *methods) number(described *trace.ModelMethod) uint32 {
	if number, known := m.byPointer[described]; known {
		return number
	}
	if m.byName == nil {
		m.byName = map[methodName]uint32{}
	}
	if m.byPointer == nil || len(m.byPointer) >= mostPointers {
		m.byPointer = map[*trace.ModelMethod]uint32{}
	}
	name := methodName{described.Class, described.Name}
	number, known := m.byName[name]
	if !known {
		number = uint32(len(m.callers))
		m.byName[name] = number
		m.callers = append(m.callers, &Caller{Class: described.Class, Method: described.Name})
	}
	m.byPointer[described] = number
	return number
}

// placeOf is the place of a frame.
func placeOf(f trace.Frame) Place { return Place{f.Method.Class, f.Method.Name, max(f.Line, 0)} }

// classes numbers the classes of monitors.
type classes struct {
	byName map[string]uint32
	rows   []*Class // by their numbers, with what dropped monitors had
}

func (c *classes) number(name string) uint32 {
	number, known := c.byName[name]
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

// countSite counts the segment where in the program it was.
func (c *Collector) countSite(o *occurrence) {
	s := c.siteOf(o)
	o.count(&s.Times)
	if o.thread.sites.add(s.number) {
		s.Threads++
	}
	if o.kind == Blocked || o.kind == Waited {
		c.countInCaller(o, s)
	}
	if o.kind == Blocked && o.OtherCaller.Method != nil && o.OtherCaller.Method.Name != "" {
		c.countHolder(o, s)
	}
}

// countInCaller counts the thread and the monitor in the method of the site. The method's times are those of its sites.
func (c *Collector) countInCaller(o *occurrence, s *site) {
	caller := c.methods.callers[s.method]
	if o.thread.methods.add(s.method) {
		caller.Threads++
	}
	if o.monitor == nil {
		return
	}
	if o.monitor.sites.add(s.number) {
		s.Monitors++
	}
	if o.monitor.methods.add(s.method) {
		caller.Monitors++
	}
}

// siteOf is the row of the place and the class of the monitor.
func (c *Collector) siteOf(o *occurrence) *site {
	key := siteKey{method: c.methods.number(o.Caller.Method), line: o.Caller.Line}
	if o.monitor != nil {
		key.class = c.classOf[o.monitor.number]
	} else {
		key.class = c.classes.number(o.Class)
	}
	s := c.sites.byKey[key]
	if s == nil {
		s = &site{number: c.numbered, method: key.method}
		c.numbered++
		s.Place, s.Monitor = placeOf(o.Caller), c.classes.rows[key.class].Name
		c.sites.put(key, s)
	}
	return s
}

// countHolder counts where the owner was.
func (c *Collector) countHolder(o *occurrence, s *site) {
	key := holderKey{s.number, c.methods.number(o.OtherCaller.Method), o.OtherCaller.Line}
	c.holders.add(key, o.length, func() Place { return placeOf(o.OtherCaller) })
}
