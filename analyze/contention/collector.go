package contention

import (
	"github.com/trcx/trcx/analyze/idle"
	"github.com/trcx/trcx/analyze/stackprofile"
	"github.com/trcx/trcx/internal/arena"
	"github.com/trcx/trcx/internal/list"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// Collector is a sink of the model of one trace that adds up the time in which threads did not run. Its memory is
// bounded by the limit of rows, and by twenty bytes a thread, some thirty an object, and sixty an evicted site, up to
// maxSites of these. It has a field for each table, and for each index by which a record finds its rows.
type Collector struct {
	trace    Trace
	threads  bounded[*thread]
	monitors bounded[*monitor]
	sites    bounded[*site]
	methods  methods
	inner    methods // of libraries, that the sites called
	classes  classes
	pools    pools
	held     held
	holders  holders
	idle     idle.Finder
	whole    bool // holders and idle get the records of the whole trace; see Whole
	counting counting
	loads    loads
	cpu      processorTimes

	threadsSeen    list.List[threadSeen] // by the thread's key
	rowNumbers     rowNumbers
	ids            arena.Arena // of threads, with their sessions, that do not fit into threadSeen.id
	evicted        thread      // the sum of the evicted threads
	objects        []object    // by the object's key
	lateClasses    map[objectName]string
	conditions     map[objectName]*trace.ModelObject // those whose locks are known
	monitorsByName map[objectName]*monitor
	places         []place            // by the number of the site
	evictedSites   map[siteKey]uint32 // the numbers of evicted sites
}

// held are the tables of the owners that blocked threads.
type held struct {
	owners  tallies // by the monitor's key and the owner's
	pairs   tallies // by the keys of waiter and owner
	holders tallies // by the number of the site and the position of the owner
}

// NewCollector returns a Collector for the trace of the name. Each of its tables has at most the given number of rows,
// but that live threads are never left out.
func NewCollector(name string, rows int) *Collector {
	c := &Collector{trace: Trace{Name: name}, monitorsByName: map[objectName]*monitor{},
		lateClasses: map[objectName]string{}, conditions: map[objectName]*trace.ModelObject{},
		evictedSites: map[siteKey]uint32{}}
	c.evicted.counted = &counted{}
	c.rowNumbers.rows = []*thread{noRow: nil, evictedRow: &c.evicted}
	c.threads.unfound, c.monitors.unfound = true, true
	c.holders = holders{limits: defaultHolderLimits}
	c.counting = newCounting()
	c.threads.limit, c.threads.evict, c.threads.flush = rows, c.evictThread, c.flush
	c.monitors.limit, c.monitors.evict, c.monitors.flush = rows, c.evictMonitor, c.flush
	c.sites.limit, c.sites.evict, c.sites.flush = rows, c.evictSite, c.flush
	c.held.owners.limit, c.held.pairs.limit, c.held.holders.limit = rows, rows, rows
	c.methods.limit, c.methods.others = rows, methodName{method: Others}
	c.inner.limit, c.inner.others = rows, methodName{method: Others}
	c.classes.limit, c.classes.others = rows, Others
	c.pools.limit, c.pools.others = rows, poolName{name: Others}
	return c
}

// Whole returns a sink for all records of a trace. It puts them into the other sink, which passes the selected ones on
// to the collector; it may be the collector itself. Without Whole the collector does not know the holders of monitors
// while records were left out, nor the notifications by which pools are idle.
func (c *Collector) Whole(selected trace.Sink) trace.Sink {
	if selected == trace.Sink(c) {
		return c
	}
	c.whole = true
	return trace.SinkFunc(func(r trace.Record) error {
		c.holders.observe(r)
		c.idle.Observe(r)
		return selected.Put(r)
	})
}

// Put counts an interval in which a thread did not run, and keeps what describes threads, objects and the trace. It
// returns no error.
func (c *Collector) Put(r trace.Record) error {
	if !c.whole {
		c.idle.Observe(r)
	}
	switch r := r.(type) {
	case *trace.ModelEvent:
		c.cpu.begin(r)
		c.addEvent(r)
	case *trace.CPUTime:
		if !c.whole { // else RUNNABLE times are left out
			c.cpu.put(r, c.seen(r.Thread.Key).pool)
		}
	case *trace.Interval:
		if c.cpu.end(r); r.Deadlocked {
			c.trace.Deadlocked++
		}
		if r.Monitor != 0 && !c.whole {
			c.holders.end(r)
		}
		c.addInterval(r)
	case *trace.MonitorOwner:
		if !c.whole {
			c.holders.change(r)
		}
	case *trace.Origin:
		c.trace.Start = r.Time.String()
	case *trace.Session:
		c.loads.put(r)
	case *trace.Collection:
		c.trace.collected(r)
	case *trace.MonitorTime:
		c.summed(r)
	case *trace.ModelThread:
		c.addThread(r)
	case *trace.ModelObject:
		c.addObject(r)
	case *trace.Summary:
		c.trace.CutOff = r.CutOff
		c.trace.Duration, c.trace.Events, c.trace.Truncated = int64(r.Last-r.Start), uint64(r.Events), r.Truncated
	}
	return nil
}

// addEvent keeps the end of the thread, or the begin of a block on a monitor.
func (c *Collector) addEvent(e *trace.ModelEvent) {
	seen := c.seen(e.Thread.Key)
	switch {
	case e.Type == trace.Dead:
		c.rowOf(seen).dead = true
	case e.Monitor != 0 && !c.whole:
		c.holders.begin(e)
	}
}

// seen returns the thread of the key, which the trace has defined.
func (c *Collector) seen(key trace.ThreadKey) *threadSeen { return c.threadsSeen.At(int(key)) }

// rowOf returns the thread's row: that of the evicted ones if it has been evicted, or nil if it has none.
func (c *Collector) rowOf(seen *threadSeen) *thread { return c.rowNumbers.rows[seen.row] }

// addThread adds a row for the thread, or completes it.
func (c *Collector) addThread(defined *trace.ModelThread) {
	for int(defined.Key) >= c.threadsSeen.Len() {
		c.threadsSeen.Add(threadSeen{})
	}
	seen := c.seen(defined.Key)
	if seen.row == evictedRow {
		return
	}
	if seen.row == noRow {
		*seen = threadSeen{id: c.addID(defined), row: c.rowNumbers.add(&thread{of: defined.Key})}
	}
	seen.pool = c.pools.numberOf(defined)
	row := c.rowOf(seen)
	row.setNames(defined.Name, defined.Group)
	row.named = defined.Started
	if !row.listed && !defined.Aside {
		row.listed = true
		c.threads.add(row)
	}
}

// The limits of objects that are kept before they have a row.
const (
	// maxLateClasses limits the number of objects without a class whose class may still be defined.
	maxLateClasses = 1 << 16
	// maxConditions limits the number of conditions whose locks are named.
	maxConditions = 1 << 16
)

// addObject keeps the class of an object that had none when threads first contended for it, and the lock of a
// condition.
func (c *Collector) addObject(defined *trace.ModelObject) {
	name := objectName{defined.Session, defined.ID}
	if defined.Lock.Known() && len(c.conditions) < maxConditions {
		kept := *defined
		c.conditions[name] = &kept
	}
	if m := c.monitorsByName[name]; m != nil && javaname.DeclaredClass(m.Class) == "" {
		m.Class = defined.Class
		c.objects[m.number].class = c.classes.numberOf(javaname.DeclaredClass(defined.Class))
		return
	}
	_, late := c.lateClasses[name]
	if late || javaname.DeclaredClass(defined.Class) == "" && len(c.lateClasses) < maxLateClasses {
		c.lateClasses[name] = defined.Class
	}
}

// addInterval adds an interval to the batch, if the thread did not run.
func (c *Collector) addInterval(s *trace.Interval) {
	seen := c.seen(s.Thread.Key)
	row := c.rowOf(seen)
	if seen.row == evictedRow {
		c.pools.rows[seen.pool].live(s.Length())
	} else {
		row.lifetime += s.Length()
	}
	state, held := stackprofile.StateOf(s)
	if !held {
		return
	}
	row.counts()
	switch {
	case s.Type != trace.WaitingForObject:
	case row.named:
		c.pools.rows[seen.pool].ends.add(s)
	default:
		row.ended().add(s)
	}
	c.pools.rows[seen.pool].keepLongest(s)
	if len(c.counting.filled.intervals) == batchSize {
		c.countBatch()
	}
	i := interval{kind: Kind(state), part: partOf(s), length: s.Length(), open: s.Open, thread: s.Thread.Key,
		owner: s.Other.Key, row: row}
	i.monitor = c.monitorOf(s, i.kind)
	i.site = c.siteOf(s, i.kind, i.monitor)
	if i.monitor != nil {
		i.monitorNumber = i.monitor.number
	}
	if i.kind == Blocked {
		i.held = s.OtherCaller
		if i.monitor != nil {
			c.holders.count(s, i.monitorNumber)
		}
	}
	if i.site != nil {
		i.siteNumber = i.site.number
	}
	c.counting.filled.intervals = append(c.counting.filled.intervals, i)
}
