package contention

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// The rows while they are counted. A monitor or site keeps its number when its row is evicted, so that a thread which
// contends for it again is not counted twice.
type (
	// thread is the row of a thread. Its id and session are in threadSeen.
	thread struct {
		of           trace.ThreadKey
		listed, dead bool
		named        bool    // the trace has its threadStart: neither its names change nor its pool
		names        string  // its name and group: see setNames
		lifetime     int64   // the lengths of its intervals, in nanoseconds
		listing      *Thread // its row in the Statistics, at the end
		*counted             // nil as long as it has only run
	}
	// counted is what a thread did but run.
	counted struct {
		Times         Times
		blocks, waits numberSet // monitors
		sites         numberSet
		ends          *waitEnds // nil if it has not waited before it was named
	}
	// threadSeen is a thread that the trace defined.
	threadSeen struct {
		row  uint32 // the number of its row; see rowNumbers
		pool uint32 // number
		id   uint64 // its id and session; see idOf
	}
	// monitor is the row of a monitor.
	monitor struct {
		Monitor
		name   objectName
		object trace.ObjectKey // of the object that has the id now
		number trace.ObjectKey // of the object that had it first
		sites  numberSet
	}
	// object is an object that threads contended for.
	object struct {
		row     *monitor // nil if there is none, or not any more
		class   uint32   // number
		threads uint32   // different ones, as far as they are counted
		counted uint8    // a bit for each of its class's counts that include it; see countOnce
	}
	objectName struct {
		session int
		id      trace.ObjectID
	}
	// site is the row of a place in the program.
	site struct {
		Site
		siteKey siteKey
		number  uint32
	}
	siteKey struct {
		method, class uint32 // numbers
		line          int32
		kind          Kind   // Blocked for all that happens at monitors
		inner         uint32 // number of the library's method plus one, in 24 bits; 0 if there is none
	}
	// place is a site by its number.
	place struct {
		method            uint32
		atMonitor         bool
		threads, monitors uint32 // different ones, as far as they are counted
	}
	// tally is the row of two things, by their numbers.
	tally struct {
		of key
		Tally
		held position // of the owner when it blocked longest
	}
	tallies struct{ bounded[tally] }
)

func (t *thread) key() key  { return key{uint64(t.of), 0} }
func (m *monitor) key() key { return key{uint64(m.number), 0} }
func (s *site) key() key    { return s.siteKey.key() }
func (t tally) key() key    { return t.of }

func (k siteKey) key() key {
	return key{uint64(k.method)<<32 | uint64(k.class), uint64(k.inner)<<40 | uint64(uint32(k.line))<<8 | uint64(k.kind)}
}

func (m *monitor) weight() uint64 { return m.Times.weight() }
func (s *site) weight() uint64    { return s.Times.weight() }
func (t tally) weight() uint64    { return t.Total }

// counts returns what the thread did but run, to be changed.
func (t *thread) counts() *counted {
	if t.counted == nil {
		t.counted = new(counted)
	}
	return t.counted
}

// setNames sets the name and the group of the thread.
func (t *thread) setNames(name, group string) {
	length := binary.AppendUvarint(nil, uint64(len(name)))
	t.names = string(length) + name + group
}

// nameAndGroup returns the name and the group of the thread.
func (t *thread) nameAndGroup() (name, group string) {
	length, size := uint64(0), 0
	for shift := 0; ; shift += 7 {
		digit := t.names[size]
		length |= uint64(digit&0x7f) << shift
		if size++; digit < 0x80 {
			break
		}
	}
	return t.names[size : size+int(length)], t.names[size+int(length):]
}

// ended returns the counts of the thread's waits by how they ended, to be changed.
func (t *counted) ended() *waitEnds {
	if t.ends == nil {
		t.ends = new(waitEnds)
	}
	return t.ends
}

// weight keeps a live thread, which may still have more time.
func (t *thread) weight() uint64 {
	switch {
	case !t.dead:
		return unevictable
	case t.counted == nil:
		return 0
	}
	return t.Times.weight()
}

// count adds a length to the row of the key.
func (t *tallies) count(of key, length int64, held position) {
	t.add(of, Tally{1, uint64(length), length}, held)
}

// add adds lengths to the row of the key.
func (t *tallies) add(of key, lengths Tally, held position) {
	row := t.find(of)
	if row == nil {
		if t.rows == nil {
			t.rows = make([]tally, 0, min(t.limit, DefaultRows)) // what is not used takes no memory
		}
		row = t.bounded.add(tally{of: of})
	}
	if row.Count == 0 || lengths.Max > row.Max {
		row.held = held
	}
	row.merge(lengths)
}

// heaviest iterates over the rows, those with the largest total first, equal ones in their order.
func (t *tallies) heaviest() iter.Seq[*tally] {
	type ranked struct {
		total uint64
		index int
	}
	order := make([]ranked, len(t.rows))
	for i := range t.rows {
		order[i] = ranked{t.rows[i].Total, i}
	}
	slices.SortFunc(order, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.total, a.total), cmp.Compare(a.index, b.index))
	})
	return func(yield func(*tally) bool) {
		for _, r := range order {
			if !yield(&t.rows[r.index]) {
				return
			}
		}
	}
}

// monitorOf returns the row of the monitor that the interval is about, or nil if there is none. An id with another
// class is another monitor.
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
		c.objects[m.object].row = nil // the object that had the id before
	} else {
		m = &monitor{name: name, number: s.ObjectKey}
		m.ID, m.Class, m.Session = name.id.String(), s.Class, s.Session
		if javaname.DeclaredClass(m.Class) == "" && c.lateClasses[name] != "" {
			m.Class = c.lateClasses[name]
		}
		if condition := c.conditions[name]; condition != nil {
			m.Lock, m.LockClass = condition.Lock.String(), condition.LockClass
		}
		c.objects[m.number].class = c.classes.numberOf(javaname.DeclaredClass(m.Class))
		c.monitors.add(m)
		c.monitorsByName[name] = m
	}
	m.object = s.ObjectKey
	c.objects[m.object].row = m
	return m
}

// siteOf returns the row of the place in the program, with the class of the monitor, or nil if it is unknown.
func (c *Collector) siteOf(s *trace.Interval, kind Kind, m *monitor) *site {
	if s.Caller.Method == nil || s.Caller.Method.Name == "" {
		return nil
	}
	key := siteKey{method: c.methods.numberOf(s.Caller.Method), line: s.Caller.Line}
	if s.Caller.Inner != nil {
		key.inner = (c.inner.numberOf(s.Caller.Inner) + 1) % (1 << 24)
	}
	if m != nil {
		key.class = c.objects[m.number].class
	} else {
		key.class = c.classes.numberOf(s.Class)
	}
	if !kind.atMonitor() {
		key.kind = kind
	}
	classObject := ""
	if m != nil && m.Class != javaname.DeclaredClass(m.Class) {
		classObject = m.Class
	}
	if row := c.sites.find(key.key()); row != nil {
		if (*row).ClassObject != classObject {
			(*row).ClassObject = ""
		}
		return *row
	}
	row := &site{siteKey: key, number: c.siteNumber(key, kind.atMonitor())}
	row.Place = Place{Class: s.Caller.Method.Class, Method: s.Caller.Method.Name, File: s.Caller.Method.File,
		Line: max(s.Caller.Line, 0)}
	if s.Caller.Inner != nil {
		row.In = s.Caller.Inner.Title()
	}
	row.Monitor, row.ClassObject = c.classes.rows[key.class].Name, classObject
	c.sites.add(row)
	return row
}

// maxSites limits the number of sites whose threads and monitors are counted apart. The last number is that of all
// others.
const maxSites = 1 << 20

// siteNumber returns the number of the site: a new one, or that of its evicted row.
func (c *Collector) siteNumber(key siteKey, atMonitor bool) uint32 {
	if number, evicted := c.evictedSites[key]; evicted {
		return number
	}
	if len(c.places) < maxSites {
		c.places = append(c.places, place{method: key.method, atMonitor: atMonitor})
	}
	return uint32(len(c.places) - 1)
}
