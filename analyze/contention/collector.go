package contention

import (
	"math"

	"github.com/trcx/trcx/internal/stackprofile"
	"github.com/trcx/trcx/trace"
)

// Collector is a trace.Sink that counts the intervals of one trace. Its memory is bounded by the number of rows that a table
// may have, and what goes by itself with the trace: some twenty bytes a monitor, some thirty bytes a thread, some sixty
// bytes a site whose row has gone, up to mostSites.
type Collector struct {
	trace    Trace
	threads  shelf[trace.ThreadKey, thread]
	monitors shelf[object, monitor]
	owners   tallies // by the monitor's number and the owner's key
	pairs    tallies // by the keys of the waiter and of the owner
	sites    shelf[siteKey, site]
	holders  tallies // by the number of the site, and the place as a number
	methods  methods
	classes  classes

	byKey    []*thread  // by their keys
	byObject []*monitor // by the keys of their objects; nil where it has no row
	// of monitors plus one, by the keys of their objects: one whose row has gone and that comes again is the same one
	numbers  []uint32
	counted  []uint8    // what is counted of each monitor in its class, by the monitor's number; see once
	ids      []threadID // of all threads, by their keys
	unlisted *thread    // stands in byKey for all that have no row
	gone     Times      // of threads whose rows have gone
	late     map[object]string
	classOf  []uint32 // the number of each monitor's class, by the monitor's number
	// how many threads there were at each monitor, by its number: those that have been counted as a whole
	visitors []uint32
	bySite   []places           // by the numbers of sites
	past     map[siteKey]uint32 // numbers of sites whose rows have gone
	batch    batch
}

// The keys of the rows.
type (
	// object is a monitor as a trace names it.
	object struct {
		session int
		id      trace.ObjectID
	}
	// threadID is a thread as a trace names it.
	threadID struct {
		session int
		id      trace.ThreadID
	}
	siteKey struct {
		method, class uint32
		line          int32
		kind          Kind // Blocked for all that happens at monitors
	}
)

// The rows while they are counted.
type (
	thread struct {
		Thread
		dead                 bool
		blocks, waits, sites members // where it was: monitors and sites by their numbers
	}
	monitor struct {
		Monitor
		key    trace.ObjectKey
		number uint32
		sites  members // where threads were blocked on it or waited for it
	}
	site struct {
		Site
		key    siteKey
		number uint32
	}
	// places is how many threads and monitors there were at a site: those that have been counted as a whole.
	places struct {
		caller            *caller // nil where it is not at monitors
		threads, monitors uint32
	}
)

// NewCollector returns a Collector for the trace of the name. Its tables have at most so many rows each.
func NewCollector(name string, rows int) *Collector {
	c := &Collector{trace: Trace{Name: name}, unlisted: &thread{}, late: map[object]string{},
		past: map[siteKey]uint32{}}
	c.batch.occurrences = make([]occurrence, 0, batchSize)
	c.threads = newShelf[trace.ThreadKey](rows, weightOfThread, c.dropThread)
	c.monitors = newShelf[object](rows, func(m *monitor) uint64 { return m.Times.weightSoFar() }, c.dropMonitor)
	c.owners.most, c.pairs.most, c.holders.most, c.classes.most, c.methods.most = rows, rows, rows, rows, rows
	c.sites = newShelf[siteKey](rows, func(s *site) uint64 { return s.Times.weightSoFar() }, c.dropSite)
	return c
}

// weightOfThread is that of its times, but a thread that lives may still have more of them.
func weightOfThread(t *thread) uint64 {
	if !t.dead {
		return math.MaxUint64
	}
	return t.Times.weightSoFar()
}

// Put counts an interval in which a thread did not run, and keeps what describes threads, objects and the trace.
func (c *Collector) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.ModelEvent:
		if r.Type == trace.Dead {
			c.byKey[r.Thread.Key].dead = true
		}
	case *trace.Interval:
		c.addInterval(r)
	case *trace.Origin:
		c.trace.Start = r.Time.String()
	case *trace.ModelThread:
		c.addThread(r)
	case *trace.ModelObject:
		c.addObject(r)
	case *trace.Summary:
		c.trace.Duration, c.trace.Events, c.trace.Truncated = int64(r.Last-r.Start), uint64(r.Events), r.Truncated
	}
	return nil
}

// addThread makes a row for the thread, or completes it.
func (c *Collector) addThread(described *trace.ModelThread) {
	for int(described.Key) >= len(c.byKey) {
		c.byKey, c.ids = append(c.byKey, nil), append(c.ids, threadID{})
	}
	c.ids[described.Key] = threadID{described.Session, described.ID}
	t := c.byKey[described.Key]
	if t == nil {
		t = &thread{Thread: Thread{Key: described.Key}}
		c.byKey[described.Key] = t
	}
	if listed := c.threads.byKey[described.Key] != nil; !listed && !described.Aside && t != c.unlisted {
		if c.threads.full() {
			c.settle()
		}
		c.threads.put(described.Key, t)
	}
	if t != c.unlisted {
		t.Who, t.Group = Who{described.ID.String(), described.Name, described.Session}, described.Group
	}
}

// mostLate is how many objects are waited for to get a class.
const mostLate = 1 << 16

// addObject keeps the class of an object that had none when threads were first at it.
func (c *Collector) addObject(described *trace.ModelObject) {
	key := object{described.Session, described.ID}
	if m := c.monitors.byKey[key]; m != nil && m.Class == "" {
		m.Class = described.Class
		c.classOf[m.number] = c.classes.number(described.Class)
		return
	}
	if _, waited := c.late[key]; waited || described.Class == "" && len(c.late) < mostLate {
		c.late[key] = described.Class
	}
}

// addInterval notes an interval in which a thread did not run.
func (c *Collector) addInterval(s *trace.Interval) {
	state, held := stackprofile.StateOf(s)
	if !held {
		return
	}
	if len(c.batch.occurrences) == batchSize {
		c.settle()
	}
	o := occurrence{
		kind: Kind(state), length: s.Length(), open: s.Open, waiter: s.Thread.Key, owner: s.Other.Key,
		caller: s.Caller.Method, callerLine: s.Caller.Line, holder: s.OtherCaller.Method,
		holderLine: s.OtherCaller.Line,
	}
	switch {
	case o.atMonitor() && s.Object.IsObject():
		o.monitor = c.monitorOf(s)
		o.monitorNumber = o.monitor.number
		o.class = c.classOf[o.monitorNumber]
	case o.caller != nil && o.caller.Name != "":
		o.class = c.classes.number(s.Class)
	}
	c.batch.occurrences = append(c.batch.occurrences, o)
}

// monitorOf is the monitor that the interval is about. An id of another class is another monitor.
func (c *Collector) monitorOf(s *trace.Interval) *monitor {
	for int(s.ObjectKey) >= len(c.byObject) {
		c.byObject, c.numbers = append(c.byObject, nil), append(c.numbers, 0)
	}
	m := c.byObject[s.ObjectKey]
	if m == nil {
		m = c.monitorNamed(s)
		c.byObject[m.key] = nil // an object whose id it had before
		m.key = s.ObjectKey
		c.byObject[m.key] = m
	}
	return m
}

// monitorNamed is the monitor by its id and class.
func (c *Collector) monitorNamed(s *trace.Interval) *monitor {
	key := object{s.Session, s.Object}
	m := c.monitors.byKey[key]
	if m != nil && (s.Class == m.Class || s.Class == "") {
		return m
	}
	class := s.Class
	if class == "" {
		class = c.late[key]
	}
	m = &monitor{number: c.numberOf(s.ObjectKey), key: s.ObjectKey}
	m.ID, m.Class, m.Session = key.id.String(), class, s.Session
	c.classOf[m.number] = c.classes.number(class)
	if c.monitors.full() {
		c.settle()
	}
	c.monitors.put(key, m)
	return m
}

// numberOf is the number of the monitor that the object of the key is.
func (c *Collector) numberOf(key trace.ObjectKey) uint32 {
	if c.numbers[key] == 0 || key == 0 {
		c.classOf, c.counted, c.visitors = append(c.classOf, 0), append(c.counted, 0), append(c.visitors, 0)
		c.numbers[key] = uint32(len(c.classOf))
	}
	return c.numbers[key] - 1
}
