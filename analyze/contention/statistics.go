package contention

import (
	"cmp"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/samples"
	"github.com/trcx/trcx/trace"
)

// The names of the tables in JSON.
const (
	TableThreads  = "threads"
	tablePools    = "pools"
	tableClasses  = "classes"
	TableMonitors = "monitors"
	tableCallers  = "callers"
	TableSites    = "sites"
	tablePairs    = "pairs"
	tableStarts   = "starts"
	tableOwners   = "owners"  // of monitors
	tableHolders  = "holders" // of sites
	tableBlame    = "blame"
)

// Statistics are those of one or more whole traces. Threads and monitors of different traces are different ones;
// classes, methods and sites are the same if their names are. Rows are in the order first seen; pairs, owners and
// holders by descending total.
type Statistics struct {
	Traces []Trace `json:"traces"`
	// All is the sum over all threads, also those without a row.
	All      Times      `json:"all"`
	Threads  []*Thread  `json:"threads"` // one for each incarnation
	Pools    []*Pool    `json:"pools"`
	Classes  []*Class   `json:"classes"`
	Monitors []*Monitor `json:"monitors"`
	Callers  []*Caller  `json:"callers"`
	Sites    []*Site    `json:"sites"`
	Pairs    []*Pair    `json:"pairs"`
	// Starts are the times that threads took to start.
	Starts Starts `json:"starts"`
	// Blame is who kept threads waiting; nil if that was not computed, of all traces.
	Blame *Blame `json:"blame,omitempty"`
	// Unblamed names the traces of merged statistics that do not have it.
	Unblamed []string `json:"-"`
	// Workers are what threads of pools show together, such as pools that were saturated.
	Workers *Workers `json:"workers,omitempty"`
	// Samples are what samplers and thread dumps found threads doing; nil if there are none.
	Samples *samples.Summary `json:"-"`
	Hidden  Hidden           `json:"hidden,omitempty"`
	// Selected reports that the statistics are of a part of the traces, so that shares of all time mean nothing.
	Selected bool `json:"selected,omitempty"`
	// NoClass are the patterns for classes of the selection, if no class in the traces matches one of them.
	NoClass []string `json:"-"`
}

// Trace is a trace that the statistics are of.
type Trace struct {
	Name     string `json:"name"`
	Start    string `json:"startTime,omitempty"` // decimal seconds since 1970
	Duration int64  `json:"duration"`            // nanoseconds up to its latest time
	Events   uint64 `json:"events"`              // model events
	// Truncated reports that the trace ends inside an element.
	Truncated bool `json:"truncated,omitempty"`
	// Deadlocked counts threads of deadlocks at the end. CutOff reports that the trace does not have the run's end, so
	// that they may have gone on.
	Deadlocked int  `json:"deadlocked,omitempty"`
	CutOff     bool `json:"cutOff,omitempty"`
	// Collections are the garbage collections, of which the selected part of the time has the end. Load is that of the
	// whole trace. They are nil if the trace has none.
	Collections *Collections   `json:"collections,omitempty"`
	Load        *ProcessorLoad `json:"load,omitempty"`
	// Troubles are what the JVM reports beside what threads did, in the whole trace.
	Troubles []Trouble `json:"troubles,omitempty"`
	// MonitorTimes are profilers' own sums, one for each recording that has them.
	MonitorTimes []MonitorTime `json:"monitorTimes,omitempty"`
}

// NamedThread is a thread as other rows name it. The zero NamedThread is an unknown one.
type NamedThread struct {
	ID   string `json:"threadId,omitempty"`
	Name string `json:"name,omitempty"` // "" if unknown
	// Session is the index of the recording, in its trace, that the id belongs to.
	Session int `json:"session,omitempty"`
}

// Thread is the time in which a thread did not run.
type Thread struct {
	NamedThread
	// Key is the thread's in its trace; it is not saved.
	Key   trace.ThreadKey `json:"-"`
	Group string          `json:"group,omitempty"`
	Times Times           `json:"times"`
}

// Class is the time in which threads were blocked or waited at the monitors of a class.
type Class struct {
	// Name is "" for monitors whose class is unknown, and Others beyond the limit of classes.
	Name  string `json:"class"`
	Times Times  `json:"times"`
	Different
	// Blocks and Waits count those at which threads were blocked, and those at which they waited.
	Blocks Different `json:"blocks"`
	Waits  Different `json:"waits"`
}

// Different counts different monitors and threads.
type Different struct {
	Monitors uint64 `json:"monitors"`
	Threads  uint64 `json:"threads"`
}

// Monitor is the time in which threads were blocked or waited at an object.
type Monitor struct {
	ID      string `json:"objectId"`
	Class   string `json:"class"`
	Session int    `json:"session,omitempty"` // the index of the recording that the id belongs to
	// Lock is the id of the lock of a condition, and LockClass its class; "" if unknown.
	Lock      string `json:"lock,omitempty"`
	LockClass string `json:"lockClass,omitempty"`
	Times     Times  `json:"times"`
	Threads   uint64 `json:"threads"` // different ones
	// Owners are the threads that held it while others were blocked on it. The one without an id is the sum of all
	// times in which the holder is unknown. Their totals sum to the time in which threads were blocked on it.
	Owners []Owner `json:"owners,omitempty"`
}

// Owner is a thread that held a monitor while others were blocked on it: Count is the number of their intervals, Total
// the sum of the parts of these in which it held the monitor, Max the longest of them.
type Owner struct {
	NamedThread
	Tally
	// Places are where it was then, as far as the trace shows, those first where it was longest.
	Places []OwnerPlace `json:"places,omitempty"`
}

// Tally counts lengths; Total and Max are in nanoseconds.
type Tally struct {
	Count uint64 `json:"count"`
	Total uint64 `json:"total"`
	Max   int64  `json:"max"`
}

// Others is the name of the class and of the method in which all beyond the limit are added up.
const Others = "(others)"

// Caller is the time in which threads were blocked or waited in a method.
type Caller struct {
	Class  string `json:"class"`
	Method string `json:"method"`
	Times  Times  `json:"times"`
	Different
}

// Place is a place in the program.
type Place struct {
	Class  string `json:"class"`
	Method string `json:"method"`
	File   string `json:"file,omitempty"` // the class's source file, "" if unknown
	Line   int32  `json:"line,omitempty"` // from 1 on, or 0 if unknown
	// In is the method of a library in which the threads were, as Java writes it; "" if they were in none.
	In string `json:"in,omitempty"`
	// Outer are the calls below it, for people; "" if they are unknown, or not wanted.
	Outer string `json:"outer,omitempty"`
}

// Site is the time in which threads did not run at a place in the program, by the class of the monitors.
type Site struct {
	Place
	// Monitor is the class, also of joined Thread objects; "" if unknown, and for sleeps.
	Monitor string `json:"monitorClass"`
	// ClassObject is javaname.ClassObject of the monitor, where that is a java.lang.Class object and the trace has the
	// class that it represents; "" for several of them.
	ClassObject string `json:"classObject,omitempty"`
	Times       Times  `json:"times"`
	Different          // without joined Thread objects
	// Holders are the places in which the owners of the monitors were last seen when threads were blocked here.
	Holders []Holder `json:"holders,omitempty"`
	// byPlace are the indexes of Holders while they are merged, in no order.
	byPlace map[Place]int
}

// Holder is a place in which the owner of a monitor was last seen.
type Holder struct {
	Place
	Tally
}

// Pair is the time in which one thread was blocked on monitors that another held when it was blocked. Others may have
// held them since; see Owner.
type Pair struct {
	Waiter NamedThread `json:"waiter"`
	Owner  NamedThread `json:"owner"`
	Tally
}

// byTotal compares for the order of Statistics.Pairs.
func (p *Pair) byTotal(other *Pair) int { return cmp.Compare(other.Total, p.Total) }

// Hidden counts the rows of each table that were left out beyond the limit of rows. Other tables include their time.
type Hidden map[string]HiddenRows

// HiddenRows are the rows of a table that were left out.
type HiddenRows struct {
	Rows uint64 `json:"rows"`
	Time uint64 `json:"time"` // the total of all kinds, in nanoseconds
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
