package contention

import (
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/trace"
)

// The tables of statistics, as the JSON names them.
const (
	TableThreads  = "threads"
	TableClasses  = "classes"
	TableMonitors = "monitors"
	TableCallers  = "callers"
	TableSites    = "sites"
	TablePairs    = "pairs"
	TableOwners   = "owners"  // of monitors
	TableHolders  = "holders" // of sites
)

// Statistics are those of one or more whole traces. Threads and monitors of different traces are different ones;
// classes and places in the program are the same where their names are. What is listed stands in the order first seen,
// but pairs, owners and holders stand there by descending total.
type Statistics struct {
	Traces []Trace
	// All is what all threads did together, those without a row included.
	All      Times
	Threads  []*Thread // one for each incarnation
	Classes  []*Class
	Monitors []*Monitor
	Callers  []*Caller
	Sites    []*Site
	Pairs    []*Pair
	Hidden   Hidden
}

// Trace is one that the statistics are of.
type Trace struct {
	Name     string `json:"name"`
	Start    string `json:"startTime,omitempty"` // decimal seconds since 1970
	Duration int64  `json:"duration"`            // nanoseconds up to its latest time
	Events   uint64 `json:"events"`              // model events
	// Truncated says that the trace ends inside an element.
	Truncated bool `json:"truncated,omitempty"`
}

// Who is a thread as others name it.
type Who struct {
	ID   string `json:"threadId"`
	Name string `json:"name,omitempty"`
	// Session is the recording of the trace that the thread belongs to: others have other threads of the same ids.
	Session int `json:"session,omitempty"`
}

// Thread is what a thread did instead of running.
type Thread struct {
	Who
	// Key is the thread's in its trace.
	Key   trace.ThreadKey `json:"-"`
	Group string          `json:"group,omitempty"`
	Times Times           `json:"times"`
}

// Class is what threads did at the monitors of a class: they were blocked or waited.
type Class struct {
	// "" for monitors of which the trace does not say it, Others for those that are too many
	Name     string `json:"class"`
	Times    Times  `json:"times"`
	Monitors uint64 `json:"monitors"` // different ones
	Threads  uint64 `json:"threads"`  // different ones
	// Blocks and Waits are how many of these there were where threads were blocked, and where they waited.
	Blocks Different `json:"blocks"`
	Waits  Different `json:"waits"`
}

// Different is how many different monitors there were, and how many threads.
type Different struct {
	Monitors uint64 `json:"monitors"`
	Threads  uint64 `json:"threads"`
}

func (d *Different) merge(other Different) {
	d.Monitors += other.Monitors
	d.Threads += other.Threads
}

// merge adds what another row of the class has.
func (c *Class) merge(other *Class) {
	c.Times.Merge(&other.Times)
	c.Monitors += other.Monitors
	c.Threads += other.Threads
	c.Blocks.merge(other.Blocks)
	c.Waits.merge(other.Waits)
}

// Monitor is what threads did at an object: they were blocked or waited.
type Monitor struct {
	ID      string `json:"objectId"`
	Class   string `json:"class"`
	Session int    `json:"session,omitempty"` // the recording of the trace that it belongs to
	Times   Times  `json:"times"`
	// Threads counts those that did.
	Threads uint64 `json:"threads"`
	// Owners are those who held it when threads were blocked on it, as far as known.
	Owners []Owner `json:"owners,omitempty"`
}

// Owner is a thread that held a monitor while others were blocked on it.
type Owner struct {
	Who
	Tally
	// Place is where the thread was last seen when it blocked others longest; the zero Place where that is not known.
	Place Place `json:"place,omitzero"`
}

// Tally is how often something was, and how long in all and at most, in nanoseconds.
type Tally struct {
	Count uint64 `json:"count"`
	Total uint64 `json:"total"`
	Max   int64  `json:"max"`
}

func (t *Tally) merge(other Tally) {
	t.Count += other.Count
	t.Total = histogram.Sum(t.Total, other.Total)
	t.Max = max(t.Max, other.Max)
}

// Others is the name of the class and of the method that stand for all that are too many to be kept apart.
const Others = "(others)"

// Caller is what threads did in a method: they were blocked or waited.
type Caller struct {
	Class    string `json:"class"`
	Method   string `json:"method"`
	Times    Times  `json:"times"`
	Monitors uint64 `json:"monitors"` // different ones
	Threads  uint64 `json:"threads"`  // different ones
}

// merge adds what another row of the method has.
func (c *Caller) merge(other *Caller) {
	c.Times.Merge(&other.Times)
	c.Monitors += other.Monitors
	c.Threads += other.Threads
}

// Place is a place in the program.
type Place struct {
	Class  string `json:"class"`
	Method string `json:"method"`
	File   string `json:"file,omitempty"` // the class's source file, "" where it is not known
	Line   int32  `json:"line,omitempty"` // from 1 on, or 0 where it is not known
}

// Site is what threads did at a place in the program, at monitors of a class.
type Site struct {
	Place
	// Monitor is the class, that of Thread objects too that were joined; "" where the trace does not say it, and for
	// sleeps.
	Monitor  string `json:"monitorClass"`
	Times    Times  `json:"times"`
	Monitors uint64 `json:"monitors"` // different ones, those that were joined not counted
	Threads  uint64 `json:"threads"`  // different ones
	// Holders are the places in which the owners of the monitors were last seen when threads were blocked here.
	Holders []Holder `json:"holders,omitempty"`
}

// merge adds what another row of the site has.
func (s *Site) merge(other *Site) {
	s.Times.Merge(&other.Times)
	s.Monitors += other.Monitors
	s.Threads += other.Threads
	s.addHolders(other.Holders)
}

// Holder is a place in which the owner of a monitor was last seen.
type Holder struct {
	Place
	Tally
}

// Pair is how long one thread was blocked by another.
type Pair struct {
	Waiter Who `json:"waiter"`
	Owner  Who `json:"owner"`
	Tally
}

// Hidden says how many rows of a table are left out because there were too many, and what they had. Other tables count
// it all the same.
type Hidden map[string]HiddenRows

// HiddenRows are rows of a table that are left out.
type HiddenRows struct {
	Rows uint64 `json:"rows"`
	Time uint64 `json:"time"` // all kinds together, in nanoseconds
}

func (h *Hidden) add(table string, rows HiddenRows) {
	if rows.Rows == 0 {
		return
	}
	if *h == nil {
		*h = Hidden{}
	}
	sum := (*h)[table]
	(*h)[table] = HiddenRows{sum.Rows + rows.Rows, histogram.Sum(sum.Time, rows.Time)}
}
