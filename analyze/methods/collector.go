package methods

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/internal/largest"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// Options say which calls are collected.
type Options struct {
	// Window cuts calls: the part inside counts.
	Window selection.Window
	// Filter reports whether the method of a class is shown; nil shows all. The base time of a hidden call belongs to
	// the nearest shown call around it.
	Filter func(class, method string) bool
	// Merge adds the recordings, by the names of classes and methods.
	Merge bool
	// Forget keeps nothing of threads that have ended without calls and samples. If their ids come again, times that go
	// back are not noticed.
	Forget bool
	// Flow keeps each call, in a temporary file.
	Flow bool
	// Spans keeps when which method was innermost, in a temporary file.
	Spans bool
	// Longest is how many of the longest calls are kept, in up to 130 bytes each.
	Longest int
}

// Collector is a convert.Sink that collects the calls of recordings.
type Collector struct {
	// Name is the name of the recording that begins next.
	Name     string
	options  Options
	sessions []*Session
	current  *Session
	open     scope
	started  bool
	path     []int32    // of a sample
	start    trace.Time // of the first recording
	since    trace.Time // the window
	until    trace.Time
}

// NewCollector returns a Collector.
func NewCollector(o Options) *Collector {
	return &Collector{options: o, since: math.MinInt64, until: math.MaxInt64}
}

// Session is what is known about a recording, or about all with Options.Merge.
type Session struct {
	Name     string
	Findings Findings
	// Resolution is the resolution of the times of entries, in nanoseconds; 0 if there are too few entries to know.
	Resolution int64
	// HasWaits reports that the recording has waits or blocks, so that times are split by the thread's state.
	HasWaits bool
	// Aggregated reports that the recorder has summed up calls, Counted that it has only counted calls of some methods.
	Aggregated, Counted bool
	// CalledOnly reports that the recorder has noted which methods were called, not how often: a methodCount is 1.
	CalledOnly bool

	others     int // with Options.Merge, the number of further recordings
	tree       tree
	samples    [samplings]tree
	flow       *flow // nil if it is not wanted
	longest    largest.List[ended]
	spans      *spans // nil if they are not wanted
	methods    []*method
	threads    []*thread
	byName     map[methodName]*method
	classes    map[string]*class
	counts     map[counted]uint64
	counted    []counted // the keys, in their order
	threadless *thread   // of counts that name none
	classless  *class    // the class of methods whose class is unknown; nil if not needed
	sampler    sampler
	filter     func(class, method string) bool
	windowed   bool
	overhead   struct{ sum, calls int64 }
	entries    int
	defined    int // methods that are defined
}

// sampler is how the recorder has taken samples.
type sampler struct {
	wanted            bool   // samples come at the end of the trace, also those of threads that have ended
	event             string // the JVM's type of samples; "" without samples
	interval, reached time.Duration
}

// Findings count what is wrong with the calls of a recording.
type Findings struct {
	Stray      int `json:"stray"`      // exits without a call
	Mismatched int `json:"mismatched"` // exits that have the ticket of a call of another method
	Backwards  int `json:"backwards"`  // times that go back on their thread
	Lost       int `json:"lost"`       // calls without an exit of their own, closed by another event
	Open       int `json:"open"`       // calls that the end of the trace closed
	Threadless int `json:"threadless"` // entries and exits without a thread
	Miscounted int `json:"miscounted"` // methods whose number of calls differs from the recorder's count
	// Skipped are calls that the recorder has left out, with the calls inside them; Dropped are lost records.
	Skipped int `json:"skipped,omitempty"`
	Dropped int `json:"dropped,omitempty"`
	LeftOut int `json:"leftOut,omitempty"` // methods that the recorder has left out after some time
}

type methodName struct {
	class           *class
	name, signature string
}

// method is a row of the methods.
type method struct {
	index           int32
	class           *class
	name, signature string
	id              string // of a method that is not defined
	defined         bool
	excluded        bool // by the filter
	leftOut         bool // by the recorder, after some time
	entered         uint64
	line            int32 // where it begins, or trace.NoLine
}

// class is a class with its package. Classes of one name are one.
type class struct {
	index, pkg int32
	file       string
	name       string // with dots, "" if it is not defined
}

// scope is what is known about the ids of the current recording.
type scope struct {
	methods map[threadstate.Key]*method
	recent  [1 << recentBits]recent // of methods, because few are called often
	classes map[threadstate.Key]*class
	threads threadstate.Table[thread]
	last    trace.Time // the latest time of an entry, exit, threadStart or threadEnd
	end     trace.Time // of traceEnd
}

// recent is a method that was called recently, by its id.
type recent struct {
	key    threadstate.Key
	method *method
}

const recentBits = 10

// slot returns the place of the id among the recent ones.
func (s *scope) slot(k threadstate.Key) *recent {
	return &s.recent[uint64(k)*0x9E3779B97F4A7C15>>(64-recentBits)]
}

// Sessions returns the recordings, or with Options.Merge their sum.
func (c *Collector) Sessions() []*Session { return c.sessions }

// Begin begins a recording. If it begins again, the document before was not a trace.
func (c *Collector) Begin(session int) error {
	if !c.options.Merge {
		c.sessions = c.sessions[:min(session, len(c.sessions))]
	}
	if c.current == nil || !c.options.Merge {
		c.current = &Session{Name: c.Name, byName: map[methodName]*method{}, classes: map[string]*class{},
			counts: map[counted]uint64{}, filter: c.options.Filter, windowed: !c.options.Window.IsEverything()}
		c.current.longest = newLongest(c.options.Longest)
		if c.options.Flow {
			c.current.flow = newFlow()
		}
		if c.options.Spans {
			c.current.spans = newSpans()
		}
		c.sessions = append(c.sessions, c.current)
	}
	c.current.others = session
	c.open = scope{methods: map[threadstate.Key]*method{}, classes: map[threadstate.Key]*class{},
		last: math.MinInt64, end: math.MinInt64}
	return nil
}

// Put consumes an event.
func (c *Collector) Put(e *trace.Event) error {
	if !c.started && e.Timed() {
		c.started = true
		c.since, c.until = c.options.Window.Bounds(e.Time)
		c.start = e.Time
	}
	switch e.Kind {
	case trace.MethodEntry:
		return c.entry(e)
	case trace.MethodExit:
		return c.exit(e)
	case trace.AgMethodEntry:
		c.aggregatedEntry(e)
	case trace.AgMethodExit:
		c.aggregatedExit(e)
	case trace.MethodCount:
		c.count(e)
	case trace.Option:
		c.option(e.Text(trace.AttrKey), e.Text(trace.AttrValue))
	case trace.Annotation:
		c.sample(e)
	case trace.MethodDef:
		c.defineMethod(e)
	case trace.ClassDef:
		c.defineClass(e)
	case trace.ThreadStart:
		c.startThread(e)
	case trace.ThreadEnd:
		return c.endThread(e)
	case trace.MonContendedEnter, trace.MonContendedEntered, trace.MonWait, trace.MonWaited:
		c.wait(e)
	case trace.TraceEnd:
		if e.Timed() {
			c.open.end = max(c.open.end, e.Time)
		}
	}
	return nil
}

// option notes how the recorder has recorded.
func (c *Collector) option(key, value string) {
	s := c.current
	switch key {
	case "exec":
		s.CalledOnly, s.sampler.wanted = value == "coverage", value == "sampled"
	case "interval":
		s.sampler.interval, _ = time.ParseDuration(value)
	case "sampler":
		s.sampler.event = value
	case "intervalReached":
		s.sampler.reached, _ = time.ParseDuration(value)
	case trace.OptionDropped:
		dropped, _ := strconv.Atoi(value)
		s.Findings.Dropped += max(dropped, 0)
	}
}

// End ends a recording: its calls that are open.
func (c *Collector) End(trace.Ending) error {
	end := c.open.end
	if end == math.MinInt64 {
		end = c.open.last
	}
	for _, t := range c.current.threads {
		if len(t.frames) == 0 {
			continue
		}
		c.advance(t, end, true)
		if err := c.closeDown(t, 0, isOpen); err != nil {
			return err
		}
	}
	c.open = scope{}
	return nil
}

// Finish comes after the last recording.
func (c *Collector) Finish() error {
	for _, s := range c.sessions {
		if c.options.Merge && s.others > 0 {
			s.Name += fmt.Sprintf(" and %d more", s.others)
		}
		s.addCounts()
	}
	return nil
}

// Close removes temporary files. It returns errors of reading them, too.
func (c *Collector) Close() (err error) {
	for _, s := range c.sessions {
		if s.flow != nil {
			err = errors.Join(err, s.flow.calls.Err(), s.flow.calls.Close())
		}
		if s.spans != nil {
			err = errors.Join(err, s.spans.file.Err(), s.spans.file.Close())
		}
	}
	return err
}

// defineClass names a class. An id that is another class's by now gets a new one.
func (c *Collector) defineClass(e *trace.Event) {
	k := threadstate.KeyOf(e.Value(trace.AttrClassID))
	name := strings.ReplaceAll(e.Text(trace.AttrName), "/", ".")
	if known := c.open.classes[k]; known != nil && known.name == "" {
		c.current.nameClass(known, name)
		known.file = e.Text(trace.AttrSourceName)
		return
	}
	named := c.current.classes[name]
	if named == nil {
		named = c.current.newClass()
		c.current.nameClass(named, name)
		named.file = e.Text(trace.AttrSourceName)
	}
	c.open.classes[k] = named
}

func (s *Session) newClass() *class {
	s.tree.classes++
	return &class{index: s.tree.classes - 1}
}

// nameClass names a class. Classes of the same name that are defined later become the first one.
func (s *Session) nameClass(of *class, name string) {
	of.name = name
	if s.classes[name] == nil {
		s.classes[name] = of
	}
}

// packageOf returns the package of a class. A part after a point that begins with a digit is not a name but the suffix
// of a hidden class.
func packageOf(class string) string {
	at := strings.LastIndexByte(class, '.')
	if at >= 0 && at+1 < len(class) && class[at+1]-'0' <= 9 {
		at = strings.LastIndexByte(class[:at], '.')
	}
	return class[:max(at, 0)]
}

// classOf returns the class of a reference; nil for none.
func (c *Collector) classOf(e *trace.Event) *class {
	k := threadstate.KeyOf(e.Value(trace.AttrClassIDRef))
	if !k.Names() {
		return nil
	}
	known := c.open.classes[k]
	if known == nil {
		known = c.current.newClass()
		c.open.classes[k] = known
	}
	return known
}

// defineMethod names a method. An id that is another method's by now gets a new one.
func (c *Collector) defineMethod(e *trace.Event) {
	k := threadstate.KeyOf(e.Value(trace.AttrMethodID))
	name := methodName{c.classOf(e), e.Text(trace.AttrName), e.Text(trace.AttrSignature)}
	m := c.open.methods[k]
	if m == nil || m.defined {
		m = c.current.byName[name]
	}
	if m == nil {
		m = c.current.newMethod()
	}
	if !m.defined {
		m.defined, m.id, m.name, m.signature = true, "", name.name, name.signature
		if name.class != nil {
			m.class = name.class
		}
		if line, ok := digits.Number(e.Value(trace.AttrStartLineNumber)); ok && line < 1<<31 {
			m.line = int32(line)
		}
		c.filter(m)
		if c.current.byName[name] == nil {
			c.current.byName[name] = m
			c.current.defined++
		}
	}
	c.open.methods[k], *c.open.slot(k) = m, recent{k, m}
}

// filter decides whether the method is shown.
func (c *Collector) filter(m *method) {
	class := ""
	if m.class != nil {
		class = m.class.name
	}
	m.excluded = c.options.Filter != nil && !c.options.Filter(class, m.name)
}

func (s *Session) newMethod() *method {
	m := &method{index: int32(len(s.methods)), line: trace.NoLine}
	s.methods = append(s.methods, m)
	return m
}

// methodOf returns the method that is entered or left.
func (c *Collector) methodOf(e *trace.Event, k threadstate.Key) *method {
	m := c.methodBy(k, e.Value(trace.AttrMethodIDRef))
	if m.class == nil {
		if m.class = c.classOf(e); m.class != nil {
			c.filter(m)
		}
	}
	return m
}

// methodBy returns the method of an id.
func (c *Collector) methodBy(k threadstate.Key, id []byte) *method {
	if r := c.open.slot(k); r.key == k && r.method != nil {
		return r.method
	}
	m := c.open.methods[k]
	if m == nil {
		m = c.current.newMethod()
		m.id = string(id)
		c.filter(m)
		c.open.methods[k] = m
	}
	*c.open.slot(k) = recent{k, m}
	return m
}

// Title is the method as Java writes it, or its id if it is not defined.
func (m *method) Title() string {
	described := trace.ModelMethod{Name: m.name}
	if m.class != nil {
		described.Class = m.class.name
	}
	if !m.defined {
		described.Name = "method " + m.id
	}
	return described.Title()
}
