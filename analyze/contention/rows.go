package contention

import (
	"cmp"

	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// The rows while they are counted. An object or place stays when its row is evicted, so that a thread that contends for
// it again is not counted twice.
type (
	// thread is a thread that the trace has defined.
	thread struct {
		id      trace.ThreadID
		session int32
		pool    uint32     // number of the pool
		row     *threadRow // Collector.evicted if its row is evicted; nil if it has none
	}
	// threadRow is the row of a thread.
	threadRow struct {
		key          trace.ThreadKey
		name, group  string
		listed, dead bool
		lifetime     int64 // the lengths of its intervals, in nanoseconds
		waits        *threadWaits
	}
	// threadWaits are the waits of a thread, of any kind.
	threadWaits struct {
		times    Times
		ends     WaitEnds
		monitors set // twice their numbers, plus one if it waited and was not blocked
		places   set
		blocked  blocked
	}
	// monitor is the row of a monitor.
	monitor struct {
		Monitor
		name   objectName
		object trace.ObjectKey // the object that has the id now
		number trace.ObjectKey // the object that had it first
		places set
	}
	// object is an object that threads contended for.
	object struct {
		row     *monitor // nil if it has none, or no longer has one
		threads uint64   // number of different ones, as far as counted
		blocked uint32   // number of those that were blocked on it
		class   uint32   // number
		counted uint8    // a bit for each of its class's counts that include it; see countOnce
	}
	objectName struct {
		session int
		id      trace.ObjectID
	}
	// place is a place in the program.
	place struct {
		siteKey
		number            uint32
		site              *Site  // its row; nil if it has been evicted
		threads, monitors uint64 // numbers of different ones, as far as counted
	}
	siteKey struct {
		method, class uint32 // numbers
		inner         uint32 // number of the library's method plus one; 0 for none
		line          int32
		kind          Kind         // Blocked for everything at monitors
		outer         *trace.Outer // the calls below it; nil for none
	}
	// method is a row of a method, with the sums of its evicted sites.
	method struct {
		Caller
		file string // the source file of its class, "" if unknown
	}
	methodName struct{ class, method string }
	// position is a line of a method.
	position struct {
		method uint32 // number plus one; 0 if unknown
		line   int32
		outer  *trace.Outer // the calls below it; nil for none
	}
)

// methods are rows by their names, because a trace may define a method again, under another number.
type methods struct {
	named[methodName, method]
	byTrace []uint32 // the number plus one, by the trace's number
}

func newMethods(limit int) methods {
	return methods{named: newNamed(limit, methodName{method: Others}, func(of methodName) *method {
		return &method{Caller: *newCaller(of)}
	})}
}

// numberOf returns the method's number.
func (m *methods) numberOf(defined *trace.ModelMethod) uint32 {
	for int(defined.Number) >= len(m.byTrace) {
		m.byTrace = append(m.byTrace, 0)
	}
	if number := m.byTrace[defined.Number]; number != 0 && defined.Number != 0 {
		return number - 1
	}
	number := m.named.numberOf(methodName{defined.Class, defined.Name})
	m.rows[number].file = cmp.Or(m.rows[number].file, defined.File)
	m.byTrace[defined.Number] = number + 1
	return number
}

func newPool(of poolName) *Pool       { return &Pool{Name: of.name, OfJVM: of.ofJVM} }
func newClass(name string) *Class     { return &Class{Name: name} }
func newCaller(of methodName) *Caller { return &Caller{Class: of.class, Method: of.method} }

// positionOf returns the position of the frame; the zero position if it is unknown.
func (m *methods) positionOf(f trace.Frame) position {
	if f.Method == nil || f.Method.Name == "" {
		return position{}
	}
	return position{m.numberOf(f.Method) + 1, f.Line, f.Outer}
}

// placeAt returns the frame as outputs name it; the zero Place if it is unknown.
func placeAt(f trace.Frame) Place {
	if f.Method == nil {
		return Place{}
	}
	place := Place{Class: f.Method.Class, Method: f.Method.Name, File: f.Method.File, Line: max(f.Line, 0)}
	if f.Inner != nil {
		place.In = f.Inner.Title()
	}
	place.Outer = wording.Outer(f.Outer)
	return place
}

// place returns the position, which is known, as outputs name it.
func (m *methods) place(at position) Place {
	row := m.rows[at.method-1]
	return Place{Class: row.Class, Method: row.Method, File: row.file, Line: max(at.line, 0),
		Outer: wording.Outer(at.outer)}
}

// weight keeps the row of a live thread, which may get more time.
func (t *threadRow) weight() uint64 {
	if !t.dead {
		return unevictable
	}
	return t.waits.times.weight()
}

// noWaits is shared by threads that have only run. There may be a million of them.
var noWaits threadWaits

// change returns the thread's waits for writing.
func (t *threadRow) change() *threadWaits {
	if t.waits == &noWaits {
		t.waits = &threadWaits{}
	}
	return t.waits
}

func (m *monitor) weight() uint64 { return m.Times.weight() }
func (p *place) weight() uint64   { return p.site.Times.weight() }

// monitorOf returns the row of the interval's monitor, or nil if it has none. An id with another class is another
// monitor.
func (c *Collector) monitorOf(s *trace.Interval, kind Kind) *monitor {
	if !kind.atMonitor() || !s.Object.IsObject() {
		return nil
	}
	for int(s.ObjectKey) >= len(c.objects) {
		c.objects = append(c.objects, object{})
	}
	if m := c.objects[s.ObjectKey].row; m != nil {
		return m
	}
	name := objectName{s.Session, s.Object}
	m := c.monitorsByName[name]
	if m != nil && (s.Class == m.Class || s.Class == "") {
		c.objects[m.object].row = nil // the object with the id before
	} else {
		m = &monitor{name: name, number: s.ObjectKey}
		m.ID, m.Class, m.Session = name.id.String(), s.Class, s.Session
		described := c.described[name]
		if javaname.DeclaredClass(m.Class) == "" {
			m.Class = cmp.Or(described.Class, m.Class)
		}
		m.Lock, m.LockClass = described.Lock.String(), described.LockClass
		c.objects[m.number].class = c.classes.numberOf(javaname.DeclaredClass(m.Class))
		c.monitors.add(m)
		c.monitorsByName[name] = m
	}
	m.object = s.ObjectKey
	c.objects[m.object].row = m
	return m
}

// placeOf returns the place in the program, with the class of the monitor, or nil if it is unknown. It has a row.
func (c *Collector) placeOf(s *trace.Interval, kind Kind, m *monitor) *place {
	if s.Caller.Method == nil || s.Caller.Method.Name == "" {
		return nil
	}
	key := siteKey{method: c.methods.numberOf(s.Caller.Method), line: s.Caller.Line, outer: s.Caller.Outer}
	if s.Caller.Inner != nil {
		key.inner = c.inner.numberOf(s.Caller.Inner) + 1
	}
	classObject := ""
	if m == nil {
		key.class = c.classes.numberOf(s.Class)
	} else {
		key.class = c.objects[m.number].class
		if m.Class != javaname.DeclaredClass(m.Class) {
			classObject = m.Class
		}
	}
	if !kind.atMonitor() {
		key.kind = kind
	}
	p := c.places.of(key)
	switch {
	case p.site == nil:
		p.site = &Site{Place: placeAt(s.Caller), Monitor: c.classes.rows[key.class].Name, ClassObject: classObject}
		if p.siteKey == otherPlaces {
			p.site = &Site{Place: Place{Method: Others}}
		}
		c.sites.add(p)
	case p.site.ClassObject != classObject:
		p.site.ClassObject = ""
	}
	return p
}
