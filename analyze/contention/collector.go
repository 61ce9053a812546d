package contention

import (
	"github.com/trcx/trcx/analyze/idle"
	"github.com/trcx/trcx/analyze/internal/gcpause"
	"github.com/trcx/trcx/analyze/samples"
	"github.com/trcx/trcx/analyze/stackprofile"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// Collector is a sink of the model of one trace that adds up the time in which threads did not run. Its memory is
// bounded by the limit of rows, and by about forty bytes a thread, thirty an object, and a hundred a place.
type Collector struct {
	trace       Trace
	threadRows  top[*threadRow]
	monitors    top[*monitor]
	sites       top[*place]
	methods     methods
	inner       methods // of libraries, called by the sites
	ownMethods  methods // of owners, see holders and siteHolders
	classes     named[string, Class]
	pools       named[poolName, pool]
	pairs       *tallies[pairKey]
	siteHolders *tallies[holderKey]
	starts      *tallies[startKey]
	holders     holders
	idle        *idle.Finder
	shares      bool          // another sink feeds idle; see Share
	whole       bool          // holders and idle observe the whole trace; see Whole
	session     trace.Session // the current recording
	load        ProcessorLoad // the sum of the recordings' loads
	loads       float64       // number of these
	intervals   batches[interval]
	cpu         processorTimes
	samples     samples.Collector
	paused      gcpause.Sum // of the current recording

	threads        threads.List[thread]
	evicted        threadRow                        // the sum of the evicted threads
	objects        []object                         // by the trace.ObjectKey
	described      map[objectName]trace.ModelObject // with classes and locks, as far as known; see addObject
	monitorsByName map[objectName]*monitor
	places         named[siteKey, place]
	counted        map[*uint64]bool // the counts that include the current thread or monitor; see once
}

// The keys of tallies.
type (
	ownerKey struct {
		monitor trace.ObjectKey
		owner   trace.ThreadKey
	}
	pairKey   struct{ waiter, owner trace.ThreadKey }
	holderKey struct {
		place  uint32 // number
		holder position
	}
)

// maxPlaces limits the separate places; all others are otherPlaces.
const maxPlaces = 1 << 20

var otherPlaces = siteKey{kind: KindCount}

// NewCollector returns a Collector for the trace of the name. Each of its tables has at most the given number of rows,
// except that live threads are never left out.
func NewCollector(name string, rows int) *Collector {
	c := &Collector{trace: Trace{Name: name}, evicted: threadRow{waits: &threadWaits{}},
		monitorsByName: map[objectName]*monitor{}, idle: &idle.Finder{},
		described: map[objectName]trace.ModelObject{}, counted: map[*uint64]bool{},
		cpu:     processorTimes{threads: map[trace.ThreadKey]*processorTime{}},
		methods: newMethods(rows), inner: newMethods(rows), ownMethods: newMethods(rows),
		classes: newNamed(rows, Others, newClass),
		pools:   newNamed(rows, poolName{name: Others}, func(of poolName) *pool { return &pool{Pool: *newPool(of)} }),
		pairs:   newTallies[pairKey](rows), siteHolders: newTallies[holderKey](rows),
		starts: newTallies[startKey](rows),
		holders: holders{maxParts: maxParts, owners: newTallies[ownerKey](rows),
			places: newTallies[ownerPlaceKey](rows)}}
	c.places = newNamed(maxPlaces, otherPlaces, func(of siteKey) *place {
		return &place{siteKey: of, number: uint32(len(c.places.rows))}
	})
	c.intervals.count = c.count
	wait := c.intervals.wait
	c.threadRows = top[*threadRow]{limit: rows, wait: wait, evict: c.evictThread, weight: (*threadRow).weight}
	c.monitors = top[*monitor]{limit: rows, wait: wait, evict: c.evictMonitor, weight: (*monitor).weight}
	c.sites = top[*place]{limit: rows, wait: wait, evict: c.evictSite, weight: (*place).weight}
	return c
}

// Whole returns a sink for all records of a trace. It puts them into the sink selected, which passes the selected ones
// on to the collector, and may be the collector itself. Without Whole the collector does not know the holders of
// monitors while records were left out, nor the notifications that show which pools are idle.
func (c *Collector) Whole(selected trace.Sink) trace.Sink {
	if selected == trace.Sink(c) {
		return c
	}
	c.whole = true
	return trace.SinkFunc(func(r trace.Record) error {
		c.observe(r)
		return selected.Put(r)
	})
}

// Share makes the collector use a finder of idle pools to which another sink passes the records of the whole trace.
func (c *Collector) Share(f *idle.Finder) { c.idle, c.shares = f, true }

// Put counts an interval in which a thread did not run, and keeps what describes threads, objects and the trace. It
// returns no error.
func (c *Collector) Put(r trace.Record) error {
	c.samples.Observe(r)
	if !c.whole {
		c.observe(r)
	}
	switch r := r.(type) {
	case *trace.ModelEvent:
		c.cpu.begin(r)
		if r.Type == trace.Dead {
			c.threads.At(r.Thread.Key).row.dead = true
		}
	case *trace.CPUTime:
		if !c.whole { // a selection would leave out RUNNABLE times
			c.cpu.put(r, &c.poolOf(r.Thread.Key).cpu)
		}
	case *trace.Sample:
		c.cpu.sampled(r)
	case *trace.Interval:
		if c.cpu.end(r); r.Deadlocked {
			c.trace.Deadlocked++
		}
		c.addInterval(r)
	case *trace.Start:
		c.addStart(r)
	case *trace.Origin:
		c.trace.Start = r.Time.String()
	case *trace.Session:
		c.session = *r
		c.cpu.attached, c.cpu.attaches = r.Start, r.TraceID != ""
	case *trace.Collection:
		c.collected(r)
		c.cpu.stops.Add(r)
	case *trace.SessionEnd:
		c.endSession(r)
	case *trace.MonitorTime:
		c.summed(r)
	case *trace.ModelThread:
		c.addThread(r)
	case *trace.ModelObject:
		c.addObject(r)
	case *trace.DeadlockLoop:
		c.trace.Possible = c.trace.Possible || r.IsPossible()
	case *trace.Summary:
		c.trace.CutOff = r.CutOff
		c.trace.Duration, c.trace.Events, c.trace.Truncated = int64(r.Last-r.Start), uint64(r.Events), r.Truncated
	}
	return nil
}

// addThread adds a row for the thread, or completes it.
func (c *Collector) addThread(defined *trace.ModelThread) {
	t := c.threads.Change(defined.Key)
	switch t.row {
	case &c.evicted:
		return
	case nil:
		*t = thread{id: defined.ID, session: int32(defined.Session), row: &threadRow{key: defined.Key, waits: &noWaits}}
	}
	t.pool = c.pools.numberOf(poolName{threads.PoolOf(defined.Name), defined.OfJVM()})
	if !defined.Aside && defined.Name != "" {
		c.pools.rows[t.pool].names.Add(defined.Name)
	}
	t.row.name, t.row.group = defined.Name, defined.Group
	if !t.row.listed && !defined.Aside {
		t.row.listed = true
		c.threadRows.add(t.row)
	}
}

func (c *Collector) poolOf(key trace.ThreadKey) *pool { return c.pools.rows[c.threads.At(key).pool] }

// maxDescribed limits the objects whose descriptions are kept for later rows.
const maxDescribed = 1 << 16

// addObject keeps the class of an object that had none when threads first contended for it, and the lock of a
// condition.
func (c *Collector) addObject(defined *trace.ModelObject) {
	name := objectName{defined.Session, defined.ID}
	if m := c.monitorsByName[name]; m != nil && javaname.DeclaredClass(m.Class) == "" {
		m.Class = defined.Class
		c.objects[m.number].class = c.classes.numberOf(javaname.DeclaredClass(defined.Class))
	}
	kept, ok := c.described[name]
	if !ok && (len(c.described) >= maxDescribed || !defined.Lock.Known() && javaname.DeclaredClass(defined.Class) != "") {
		return
	}
	if kept.Class = defined.Class; defined.Lock.Known() {
		kept.Lock, kept.LockClass = defined.Lock, defined.LockClass
	}
	c.described[name] = kept
}

// addInterval counts an interval, if the thread did not run.
func (c *Collector) addInterval(s *trace.Interval) {
	t := c.threads.At(s.Thread.Key)
	row := t.row
	if row == &c.evicted {
		c.pools.rows[t.pool].live(s.Length())
	} else {
		row.lifetime += s.Length()
	}
	state, held := stackprofile.StateOf(s)
	if !held {
		return
	}
	waits := row.change()
	if s.Type == trace.WaitingForObject || isAsleepBefore(s) {
		waits.ends.add(s)
	}
	kind, part := Kind(state), partOf(s)
	c.pools.rows[t.pool].keepLongest(s, kind, part)
	m := c.monitorOf(s, kind)
	p := c.placeOf(s, kind, m)
	c.intervals.add(interval{waits, m, p, kind, part, s.Open, s.Length()})
	if kind == Blocked {
		c.addHolder(s, m, p)
	}
}

// interval is an interval to be counted.
type interval struct {
	waits      *threadWaits
	monitor    *monitor
	place      *place
	kind, part Kind
	open       bool
	length     int64
}

// count counts the intervals.
func (c *Collector) count(intervals []interval) {
	for i := range intervals {
		of := &intervals[i]
		of.waits.times.count(of)
		if of.monitor != nil {
			of.monitor.Times.count(of)
			number := uint32(of.monitor.number) * 2
			if of.kind != Blocked {
				number++
			}
			of.waits.monitors.add(number)
		}
		if of.place != nil {
			of.place.site.Times.count(of)
			of.waits.places.add(of.place.number)
		}
		if of.monitor != nil && of.place != nil {
			of.monitor.places.add(of.place.number)
		}
	}
}

// addHolder counts an interval in which a thread was blocked, in the tables of the holders of the monitor.
func (c *Collector) addHolder(s *trace.Interval, m *monitor, p *place) {
	length := Tally{1, uint64(s.Length()), s.Length()}
	if holder := c.ownMethods.positionOf(s.OtherCaller); p != nil && holder.method != 0 {
		c.siteHolders.add(holderKey{p.number, holder}, length)
	}
	if m == nil {
		return
	}
	if s.Other.Key != 0 {
		c.pairs.add(pairKey{s.Thread.Key, s.Other.Key}, length)
	}
	m.Inferred = m.Inferred || s.Inferred && s.HeldBy != 0 && s.Length() > 0
	c.holders.count(s, m.number)
}
