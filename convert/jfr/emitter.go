package jfr

import (
	"slices"
	"strconv"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/trace"
)

// emitter is the second pass. It emits the elements of a trace in time order.
type emitter struct {
	*builder.Builder
	symbols *symbols
	finding findingFunc
	threads threadCache[*thread]
	open    *openIntervals
	objects objectTable
	heap    heapState
	id      []byte // scratch
	period  int64  // of the sampler, in ns; 0 if unknown
	skipped uint64 // events of threads beyond the limit
	err     error
}

// heapState is the state of the heap.
type heapState struct {
	collections int // running
	summarized  bool
	last        amounts // after the latest collection, if summarized
}

// thread is a thread of the trace.
type thread struct {
	cachedThread
	name       string
	group      threadGroup
	number     uint64     // of its object
	reported   trace.Time // of its start event, if startReported
	at         *object    // of its interval; nil for a sleep
	inflatedAt trace.Time // when a monitor was inflated for it
	permit     uint64     // the object of parks without a blocker; 0 before the first one
	inflated   uint32     // the cause of the inflation
	class      uint32     // of its object; 0 if unknown

	defined       bool // the class of its object is emitted
	started       bool // its threadStart is emitted
	virtual       bool
	startReported bool
}

// findingFunc reports a finding at an offset of the input.
type findingFunc func(rule string, severity trace.Severity, offset int64, format string, arguments ...any)

func newEmitter(b *builder.Builder, s *symbols, finding findingFunc, heaps map[uint32]heapRange, limit int) *emitter {
	m := &emitter{Builder: b, symbols: s, finding: finding, objects: newObjectTable(heaps)}
	m.threads = newThreadCache(limit, func() *thread { return &thread{number: m.objects.next()} })
	return m
}

// emitFuncs emit the events of a kind, with and without a thread.
var emitFuncs = [eventKinds]struct {
	thread func(*emitter, *thread, *event)
	global func(*emitter, *event)
}{
	kindThreadKnown: {thread: (*emitter).threadKnown},
	kindThreadClass: {thread: (*emitter).threadClass},
	kindThreadStart: {thread: (*emitter).threadStart},
	kindThreadEnd:   {thread: (*emitter).threadEnd},
	kindStartCall:   {thread: (*emitter).startCall},
	kindNotifyCall:  {thread: (*emitter).notifyCall},
	kindNotify:      {thread: (*emitter).notify},
	kindInflate:     {thread: (*emitter).inflate},
	kindEnter:       {thread: (*emitter).monitorEnter},
	kindWait:        {thread: (*emitter).monitorWait},
	kindSleep:       {thread: (*emitter).sleep},
	kindPark:        {thread: (*emitter).park},
	kindIO:          {thread: (*emitter).inputOutput},
	kindSample:      {thread: (*emitter).sample},
	kindAllocation:  {thread: (*emitter).allocation, global: (*emitter).globalAllocation},
	kindCPU:         {thread: (*emitter).cpuTime},
	kindDumpedWait:  {thread: (*emitter).dumpedWait},
	kindCollection:  {global: (*emitter).collectionBegin},
	kindPause:       {global: (*emitter).pauseBegin},
	kindHeapSummary: {global: (*emitter).heapSummary},
}

// begin emits an event.
func (m *emitter) begin(e *event, open *openIntervals) error {
	m.open = open
	emit := emitFuncs[e.kind]
	if emit.global != nil && (e.thread == 0 || emit.thread == nil) {
		emit.global(m, e)
		return m.err
	}
	if emit.thread == nil || e.thread == 0 {
		return m.err
	}
	t, ok := m.threads.get(threadID{e.jvm, e.thread})
	if !ok {
		m.reportThreadLimit(e)
		return m.err
	}
	emit.thread(m, t, e)
	return m.err
}

// end emits the end of an interval.
func (m *emitter) end(i *interval) error {
	if i.kind == kindCollection {
		m.collectionEnd(i)
	} else if i.kind == kindPause {
		m.pauseEnd(i)
	} else if t, ok := m.threads.find(threadID{i.jvm, i.thread}); ok && t.interval == i {
		m.endAt(t, i, i.end())
	}
	return m.err
}

// reportThreadLimit reports, once, that an event is skipped because its thread is beyond the limit.
func (m *emitter) reportThreadLimit(e *event) {
	if m.skipped == 0 {
		m.finding(ruleTooLarge, trace.Error, e.offset,
			"thread limit reached (%d bytes): every tracked thread is waiting; events of other threads are skipped "+
				"until one resumes", m.threads.limit)
	}
	m.skipped++
}

// reportEvictions reports what the limit of threads has left out.
func (m *emitter) reportEvictions(offset int64) {
	if m.threads.evicted {
		m.finding(ruleTooLarge, trace.Warning, offset,
			"thread limit reached (%d bytes): threads inactive for longest are no longer tracked, and count as new "+
				"ones if they act again; too many live at once, or their ends were not recorded", m.threads.limit)
	}
	if m.skipped > 1 {
		m.finding(ruleTooLarge, trace.Error, offset, "%d events are skipped because of the thread limit", m.skipped)
	}
}

// put emits an element and keeps the first error.
func (m *emitter) put(e builder.Element) {
	if err := e.Put(); err != nil {
		m.err = err
	}
}

// threadElement begins an element of the event's thread at the event's begin.
func (m *emitter) threadElement(kind trace.Kind, e *event) builder.Element {
	return m.threadAttr(m.Element(kind, e.offset), kind.Element().Thread(), e.jvm, e.thread).At(e.begin)
}

// threadAttr sets an attribute to the id of a thread.
func (m *emitter) threadAttr(e builder.Element, a trace.Attr, jvm uint32, number uint64) builder.Element {
	m.id = threadID{jvm, number}.append(m.id[:0])
	return e.Raw(a, m.id)
}

// by sets the thread that caused the element; number 0 is unknown.
func (m *emitter) by(e builder.Element, jvm uint32, number uint64) builder.Element {
	if number == 0 {
		return e
	}
	m.id = threadID{jvm, number}.append(m.id[:0])
	return e.By(trace.ThreadFrom(m.id))
}

// stack returns the event's stack trace and emits the definitions of its methods. Call it before Element.
func (m *emitter) stack(e *event) []byte {
	if e.stack == 0 {
		return nil
	}
	return m.symbols.stackText(e.stack, m.Builder)
}

// option emits an option: a figure of the whole recording.
func (m *emitter) option(key, value string) {
	m.put(m.Element(trace.Option, 0).Text(trace.AttrKey, key).Text(trace.AttrValue, value))
}

// objAlloc emits the class of an object.
func (m *emitter) objAlloc(number uint64, class string, offset int64, at trace.Time) {
	id := m.Class(builder.Class{Name: class})
	m.put(m.Element(trace.ObjAlloc, offset).Number(trace.AttrObjID, number).Number(trace.AttrClassIDRef, id).At(at))
}

func (m *emitter) heapSummary(e *event) { m.heap.last, m.heap.summarized = e.amounts, true }

// maxCollections limits the collections that run at once. A JVM nests a young one in an old one.
const maxCollections = 64

// openCollection opens the interval of a collection, or of a pause, unless there are too many.
func (m *emitter) openCollection(e *event) bool {
	if m.heap.collections == maxCollections {
		m.finding(ruleOverlap, trace.Warning, e.offset,
			"%d garbage collections are running already; this one is skipped",
			maxCollections)
		return false
	}
	m.heap.collections++
	m.open.add(e)
	return true
}

// pauseBegin begins a pause of a collection. In the trace it is a collection of its own without paused, as the program
// was stopped all the time.
func (m *emitter) pauseBegin(e *event) {
	if m.openCollection(e) {
		m.put(m.Element(trace.GCStart, e.offset).At(e.begin))
	}
}

func (m *emitter) pauseEnd(i *interval) {
	m.heap.collections--
	m.put(m.Element(trace.GCFinish, i.offset).At(i.end()).Annotate(trace.NoteEnds, trace.EndsPause))
}

// collectionBegin begins a collection. It says how long the program was stopped, even if that is 0, as in most.
func (m *emitter) collectionBegin(e *event) {
	if !m.openCollection(e) {
		return
	}
	m.objects.collection()
	begin := m.Element(trace.GCStart, e.offset).At(e.begin)
	if e.text != 0 {
		begin = begin.Annotate(trace.NoteCollection, m.symbols.names[e.text])
	}
	begin = begin.Annotate(trace.NotePaused, strconv.FormatUint(e.size, 10))
	if e.total > 0 && e.total != e.size {
		begin = begin.Annotate(trace.NoteLongest, strconv.FormatUint(e.total, 10))
	}
	m.put(begin)
}

func (m *emitter) collectionEnd(i *interval) {
	m.heap.collections--
	m.objects.collection()
	e := m.Element(trace.GCFinish, i.offset).At(i.end())
	if id := i.other; m.heap.summarized && m.heap.last.gcID == id {
		e = e.Number(trace.AttrUsedObjSpace, m.heap.last.size).Number(trace.AttrTotalObjSpace, m.heap.last.total)
	}
	m.put(e)
}

func (m *emitter) allocation(t *thread, e *event) {
	if t.dead || t.interval != nil {
		m.globalAllocation(e)
	} else if e.class != 0 {
		m.ensureStarted(t, e)
		stack := m.stack(e)
		m.put(weight(m.threadAttr(m.allocated(e), trace.AttrThreadIDRef, e.jvm, e.thread).Stack(stack), e))
	}
}

// globalAllocation emits an allocation without its thread.
func (m *emitter) globalAllocation(e *event) {
	if e.class != 0 {
		m.put(weight(m.allocated(e), e))
	}
}

func (m *emitter) allocated(e *event) builder.Element {
	class := m.symbols.names[e.class]
	id := m.Class(builder.Class{Name: class})
	return m.Element(trace.ObjAlloc, e.offset).Number(trace.AttrClassIDRef, id).
		Flag(trace.AttrIsArray, class[0] == '[').At(e.begin)
}

// weight annotates a sampled allocation with the bytes that it represents.
func weight(a builder.Element, e *event) builder.Element {
	return a.Annotate(trace.NoteWeight, strconv.FormatUint(e.size, 10))
}

// threadCache has the state of live threads and of those that ended last, within a limit of bytes. Beyond it the least
// recently used threads are evicted, since many recordings lack the ends of virtual threads. Threads in an interval are
// not evicted; if all are in one, no thread can be added.
type threadCache[P cacheEntry] struct {
	threads   map[threadID]P
	newThread func() P
	limit     int  // in bytes
	evicted   bool // threads that may be alive were evicted

	recent  [64]recentThread[P] // found last, by number
	used    int                 // bytes
	ended   *lru.Ring[threadID] // that ended last
	clock   uint64              // counts uses
	retryAt uint64              // clock before which eviction is not tried again
}

type recentThread[P any] struct {
	id    threadID
	p     P
	known bool
}

// find returns the thread of the id, if it is in the cache.
func (c *threadCache[P]) find(id threadID) (p P, ok bool) {
	r := &c.recent[id.number%uint64(len(c.recent))]
	if r.known && r.id == id {
		return r.p, true
	}
	if p, ok = c.threads[id]; ok {
		*r = recentThread[P]{id, p, true}
	}
	return p, ok
}

// cacheEntry is a pointer to a struct that embeds cachedThread.
type cacheEntry interface{ entry() *cachedThread }

// cachedThread is the part of a thread's state that the cache uses.
type cachedThread struct {
	interval *interval // that the thread is in; nil if it runs
	lastUse  uint64
	charged  int32 // bytes
	dead     bool
}

func (t *cachedThread) entry() *cachedThread { return t }

const (
	threadMemory = 384 << 20 // limit of a threadCache: more than a million threads, all in intervals
	// threadCharge is charged for a thread together with its interval and the interval's object, even if it has none.
	threadCharge = 344
	maxEnded     = 1 << 14 // ended threads kept
)

func newThreadCache[P cacheEntry](limit int, newThread func() P) threadCache[P] {
	return threadCache[P]{threads: map[threadID]P{}, newThread: newThread, limit: limit,
		ended: lru.NewRing[threadID](maxEnded)}
}

// get returns the thread of the id and adds it if it is new. It reports false if the limit is reached.
func (c *threadCache[P]) get(id threadID) (p P, ok bool) {
	c.clock++
	p, ok = c.find(id)
	if !ok {
		if c.used+threadCharge > c.limit && !c.evictHalf() {
			return p, false
		}
		p = c.newThread()
		c.threads[id] = p
		c.charge(p, threadCharge)
	}
	p.entry().lastUse = c.clock
	return p, true
}

// charge adds bytes to the size of a thread.
func (c *threadCache[P]) charge(p P, bytes int) {
	p.entry().charged += int32(bytes)
	c.used += bytes
}

// end marks a thread as dead. It is kept until maxEnded others have ended.
func (c *threadCache[P]) end(id threadID) {
	c.threads[id].entry().dead = true
	oldest, left := c.ended.Put(id)
	if p, ok := c.threads[oldest]; left && ok && p.entry().dead {
		c.remove(oldest, p)
	}
}

func (c *threadCache[P]) remove(id threadID, p P) {
	c.used -= int(p.entry().charged)
	delete(c.threads, id)
	c.recent[id.number%uint64(len(c.recent))] = recentThread[P]{}
}

// evictHalf evicts half of the running threads and reports whether a thread can be added now. It visits all threads, so
// after few evictions it waits before it tries again.
func (c *threadCache[P]) evictHalf() bool {
	if c.clock < c.retryAt {
		return false
	}
	var running []uint64
	for _, p := range c.threads {
		if p.entry().interval == nil {
			running = append(running, p.entry().lastUse)
		}
	}
	slices.Sort(running)
	half := running[:len(running)/2] // excludes the thread used last, which the caller may hold
	for id, p := range c.threads {
		if t := p.entry(); t.interval == nil && len(half) > 0 && t.lastUse <= half[len(half)-1] {
			c.evicted = c.evicted || !t.dead
			c.remove(id, p)
		}
	}
	const few = 16
	if len(half) <= len(c.threads)/few {
		c.retryAt = c.clock + uint64(len(c.threads)/few) + 1
	}
	return c.used+threadCharge <= c.limit
}
