package contention

import (
	"github.com/trcx/trcx/trace"
)

// Collector takes the segments of one trace and counts them. Its memory is bounded by the number of rows that a table may have, and what goes by
// itself with the trace: four bytes a monitor, eight bytes a thread.
type Collector struct {
	trace.Ignore
	trace    Trace
	threads  shelf[trace.ThreadKey, thread]
	monitors shelf[object, monitor]
	owners   tallies[ownerKey, trace.ThreadRef]
	pairs    tallies[pairKey, [2]trace.ThreadRef] // the waiter, the owner
	sites    shelf[siteKey, site]
	holders  tallies[holderKey, Place]
	methods  methods
	classes  classes

	byKey    []*thread // by their keys
	unlisted *thread   // stands in byKey for all that have no row
	late     map[object]string
	classOf  []uint32 // the number of each monitor's class, by the monitor's number
	numbered uint32   // sites so far
}

// The keys of the rows.
type (
	// object is a monitor as a trace names it.
	object struct {
		session int
		id      trace.ObjectID
	}
	ownerKey struct {
		monitor uint32
		owner   trace.ThreadKey
	}
	pairKey struct{ waiter, owner trace.ThreadKey }
	siteKey struct {
		method, class uint32
		line          int32
	}
	holderKey struct {
		site, method uint32
		line         int32
	}
)

// The rows while they are counted.
type (
	thread struct {
		Thread
		key                      trace.ThreadKey
		monitors, methods, sites members
	}
	monitor struct {
		Monitor
		number         uint32
		methods, sites members
	}
	site struct {
		Site
		number, method uint32
	}
)

// NewCollector returns a Collector for the trace of the name. Its tables have at most so many rows each.
func NewCollector(name string, rows int) *Collector {
	c := &Collector{trace: Trace{Name: name}, unlisted: &thread{}, late: map[object]string{}}
	c.threads = newShelf[trace.ThreadKey](rows, func(t *thread) uint64 { return t.Times.weight() }, c.dropThread)
	c.monitors = newShelf[object](rows, func(m *monitor) uint64 { return m.Times.weight() }, c.dropMonitor)
	c.owners, c.pairs, c.holders = newTallies[ownerKey, trace.ThreadRef](rows), newTallies[pairKey, [2]trace.ThreadRef](rows), newTallies[holderKey, Place](rows)
	c.sites = newShelf[siteKey](rows, func(s *site) uint64 { return s.Times.weight() }, c.dropSite)
	return c
}

// Start notes when the trace starts.
func (c *Collector) Start(at trace.Time) error {
	c.trace.Start = at.String()
	return nil
}

// Thread makes a row for the thread, or completes it.
func (c *Collector) Thread(described *trace.ModelThread) error {
	for int(described.Key) >= len(c.byKey) {
		c.byKey = append(c.byKey, nil)
	}
	t := c.byKey[described.Key]
	if t == nil {
		t = &thread{key: described.Key}
		c.byKey[described.Key] = t
	}
	if listed := c.threads.byKey[described.Key] != nil; !listed && !described.Aside && t != c.unlisted {
		c.threads.put(described.Key, t)
	}
	if t != c.unlisted {
		t.ID, t.Name, t.Group = described.ID.String(), described.Name, described.Group
	}
	return nil
}

// mostLate is how many objects are waited for to get a class.
const mostLate = 1 << 16

// Object notes the class of an object that had none when threads were first at it.
func (c *Collector) Object(described *trace.ModelObject) error {
	key := object{described.Session, described.ID}
	if m := c.monitors.byKey[key]; m != nil && m.Class == "" {
		m.Class = described.Class
		c.classOf[m.number] = c.classes.number(described.Class)
		return nil
	}
	if _, waited := c.late[key]; waited || described.Class == "" && len(c.late) < mostLate {
		c.late[key] = described.Class
	}
	return nil
}

// Segment counts a segment in which a thread did not run.
func (c *Collector) Segment(s *trace.Segment) error {
	if s.State.IsBusy() {
		return nil
	}
	o := occurrence{Segment: s, kind: kindOf[s.State], length: s.Length(), thread: c.byKey[s.Thread.Key]}
	o.count(&o.thread.Times)
	if s.Object.IsObject() && o.kind != Joined {
		o.monitor = c.monitorOf(s)
		c.countMonitor(&o)
	}
	if s.Caller.Method != nil && s.Caller.Method.Name != "" {
		c.countSite(&o)
	}
	return nil
}

// occurrence is a segment while it is counted.
type occurrence struct {
	*trace.Segment
	kind    Kind
	length  int64
	thread  *thread
	monitor *monitor // nil where there is none
}

// count adds the segment to the times of a row.
func (o *occurrence) count(times *Times) {
	times.add(o.kind, o.length, o.Open)
	if o.kind == Waited && o.Timeout > 0 {
		times.add(Timed, o.length, o.Open)
	}
}

// monitorOf is the monitor that the segment is about. An id of another class is another monitor.
func (c *Collector) monitorOf(s *trace.Segment) *monitor {
	key := object{s.Session, s.Object}
	m := c.monitors.byKey[key]
	if m != nil && (s.Class == m.Class || s.Class == "") {
		return m
	}
	class := s.Class
	if class == "" {
		class = c.late[key]
	}
	m = &monitor{number: uint32(len(c.classOf))}
	m.ID, m.Class = key.id.String(), class
	c.classOf = append(c.classOf, c.classes.number(class))
	c.monitors.put(key, m)
	return m
}

func (c *Collector) countMonitor(o *occurrence) {
	o.count(&o.monitor.Times)
	if o.thread.monitors.add(o.monitor.number) {
		o.monitor.Threads++
	}
	if o.kind == Blocked && o.Other.Key != 0 {
		c.owners.add(ownerKey{o.monitor.number, o.Other.Key}, o.length, func() trace.ThreadRef { return o.Other })
		c.pairs.add(pairKey{o.Thread.Key, o.Other.Key}, o.length, func() [2]trace.ThreadRef { return [2]trace.ThreadRef{o.Thread, o.Other} })
	}
}
